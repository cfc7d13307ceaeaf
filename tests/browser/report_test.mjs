// Opens reports of every kind of picture from file:// in Chromium and uses them as people do.
// report_test.mjs MAKE_REPORTS FOLDER
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Fixture, inPage } from './fixture.mjs';
import { checkLook } from './looks.mjs';
import { stackTests } from './stack_tests.mjs';

const reports = ['numbers', 'distributions', 'stacks', 'rows', 'hostile', 'large', 'empty'];
const fixture = await Fixture.start(process.argv[2], process.argv[3]);
const openDetails = 'document.querySelectorAll("details").forEach((details) => { details.open = true; })';

async function opened(name, options) {
  const page = await fixture.open(name, options);
  await page.evaluate(inPage);
  return page;
}

const tests = {
  async 'every report is accessible and silent, in light, dark and narrow windows'() {
    for (const name of reports) {
      const page = await opened(name);
      const view = (width, scheme) => page.view({ width, height: 900, scheme }).then(() => page.painted());
      for (const [width, scheme] of [[1280, 'light'], [1280, 'dark'], [400, 'light']]) {
        await view(width, scheme);
        await fixture.screenshot(page, `${name}-${width}-${scheme}`);
      }
      await page.evaluate(openDetails);
      await page.painted();
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 400, `${name} scrolls sideways`);
      assert.deepEqual(await fixture.violations(page), [], `${name} in a narrow window`);
      await view(1280, 'dark');
      assert.deepEqual(await fixture.violations(page), [], `${name} in a dark window`);
      await fixture.close(page);
    }
  },

  async 'canvases show pictures in several colors'() {
    for (const name of ['numbers', 'distributions', 'stacks', 'large']) {
      const page = await opened(name);
      const drawn = await page.evaluate(`[...document.querySelectorAll('canvas[role=img]')].map((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const colors = new Map();
        for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200) {
          const color = (data[i] >> 3) << 10 | (data[i + 1] >> 3) << 5 | data[i + 2] >> 3;
          colors.set(color, (colors.get(color) ?? 0) + 1);
        }
        const pixels = [...colors.values()].reduce((a, b) => a + b, 0);
        return { label: canvas.getAttribute('aria-label'), share: pixels * 4 / data.length, colors: [...colors.values()].filter((n) => n > 20).length };
      })`);
      assert.ok(drawn.length > 0);
      for (const { label, share, colors } of drawn) assert.ok(share > 0.01 && colors >= 3, `${name}, ${label}: ${share} drawn in ${colors} colors`);
      await fixture.close(page);
    }
  },

  async 'windows look as they did'() {
    const windows = [['numbers', 1280, 'light'], ['distributions', 1280, 'light'], ['stacks', 1280, 'light'], ['stacks', 1280, 'dark'],
      ['rows', 1280, 'light'], ['distributions', 400, 'dark'], ['empty', 1280, 'light']];
    for (const [name, width, scheme] of windows) {
      const page = await opened(name, { width, scheme });
      await page.evaluate('document.querySelector("#a0, #rows")?.scrollIntoView({ behavior: "instant" })');
      await page.painted();
      await checkLook(fixture.browser, `${name}-${width}-${scheme}`, await page.windowShot(), path.join(fixture.folder, 'screenshots'));
      await fixture.close(page);
    }
  },

  async 'pictures of the documentation'() {
    for (const [name, selector, width] of [['numbers', '#a0', 900], ['distributions', '#a0', 1100], ['stacks', '#a0', 1000]]) {
      const page = await opened(name, { width });
      await page.evaluate('document.querySelectorAll(".block:last-child .scroll").forEach((box) => { box.style.maxHeight = "180px"; })');
      await page.painted();
      await fixture.screenshot(page, `documentation-${name}`, selector);
      await fixture.close(page);
    }
  },

  async 'Tab reaches every control in the order of the page'() {
    const page = await opened('stacks');
    const reached = [];
    for (let i = 0; i < 40; ++i) {
      await page.press('Tab');
      const name = await page.evaluate('(document.activeElement.getAttribute("aria-label") ?? document.activeElement.closest("label")?.textContent ?? document.activeElement.textContent).slice(0, 24)');
      if (reached.at(-1) === 'Elements of @[execname, ') break;
      reached.push(name);
    }
    const controls = ['Skip to the pictures', 'compare with …', 'JSON', 'print', 'Script, 1 line', 'CSV', 'Samples by second and of', 'Samples as a table',
      'Search frames', 'icicle', 'inverted', 'Flame graph of @[execnam', 'Flame graph as a table', 'folded', 'speedscope', 'pprof', 'execname ↓'];
    assert.deepEqual(reached.filter((name) => controls.includes(name)), controls.filter((name) => reached.includes(name)), 'the order');
    for (const name of controls.slice(0, -1)) assert.ok(reached.includes(name), `${name} in ${reached}`);
    await fixture.close(page);
  },

  async 'tables sort, filter and show exact sums'() {
    const page = await opened('numbers');
    const first = () => page.evaluate('cells("#a0")[0].slice(0, 3).join(" ")');
    assert.match(await first(), /^cc1plus read [\d,]+$/);
    await page.evaluate('buttonOf("execname", document.querySelector("#a0")).click()');
    assert.match(await first(), /^as /);
    await page.evaluate('type("Filter Elements of @calls[execname, probefunc]", "rsync")');
    assert.match(await first(), /^rsync /);
    assert.match(await page.evaluate('document.querySelector("#a0 [role=status]").textContent'), /^18 of 180 elements$/);
    const document = JSON.parse(await fixture.download(() => page.evaluate('buttonOf("JSON").click()')));
    const sum = document.aggregations[1].values.reduce((total, value) => total + BigInt(value), 0n);
    assert.ok(sum > 2n ** 53n);
    assert.match(await page.evaluate('document.querySelector("#a1 .section-head").textContent'), new RegExp(`total ${sum.toLocaleString('en-US')}`));
    assert.equal(document.history, undefined);
    const csv = String(await fixture.download(() => page.evaluate('buttonOf("CSV", document.querySelector("#a1")).click()')));
    const rows = csv.trim().split('\r\n').slice(1).map((line) => line.split(','));
    assert.equal(rows.reduce((total, [, value]) => total + BigInt(value), 0n), sum);
    await fixture.close(page);
  },

  async 'time lines answer to pointer and keyboard'() {
    const page = await opened('numbers');
    const { x, y, width, height } = await page.evaluate('boxOf("#a0 .stage")');
    const status = () => page.evaluate('document.querySelector("#a0 .status").textContent');
    await page.mouse('mouseMoved', x + width / 2, y + height / 2);
    const pointed = await status();
    assert.match(pointed, /^[\d.]+ s – [\d.]+ s {3}cc1plus, read: /);
    await page.evaluate('document.querySelector("#a0 .stage").focus()');
    await page.press('ArrowRight');
    assert.notEqual(await status(), pointed);
    const table = await page.evaluate('document.querySelector("#a0 .as-table").open = true, new Promise((r) => setTimeout(() => r(cells("#a0 .as-table"))))');
    assert.ok(table.length >= 100 && table[0].length === 8, 'time, 6 elements, all others');
    await fixture.close(page);
  },

  async 'distributions: the histogram follows the chosen element'() {
    const page = await opened('distributions');
    const counts = () => page.evaluate('cells("#a0 .bins").reduce((sum, row) => sum + Number(row[2].replaceAll(",", "")), 0)');
    assert.equal(await counts(), 131220);
    await page.evaluate('document.querySelector("#a0 tr.pick").click()');
    assert.equal(await counts(), 43200);
    await page.evaluate('document.querySelectorAll("#a0 tr.pick")[1].focus()');
    await page.press('Enter');
    assert.equal(await counts(), 25200);
    await page.evaluate('document.querySelector("#a0 .stage").focus()');
    for (const key of ['ArrowRight', 'ArrowUp', 'ArrowUp', 'ArrowRight']) await page.press(key);
    assert.match(await page.evaluate('document.querySelector("#a0 .status").textContent'), /^0\.50 s – 1\.00 s {3}8,192 – 16,383: \d+$/);
    const heat = await page.evaluate(`(() => { choose("Element", "all 6 elements"); document.querySelector("#a0 .as-table").open = true;
      return new Promise((r) => setTimeout(() => { for (const more of document.querySelectorAll("#a0 .as-table > button")) for (let i = 0; i < 9; ++i) more.click();
        r(cells("#a0 .as-table").reduce((sum, row) => sum + Number(row[2].replaceAll(",", "")), 0)); })); })()`);
    assert.equal(heat, 131220, 'the heat map adds up to the histogram');
    await fixture.close(page);
  },

  async 'rows: the list filters and holds only visible rows'() {
    const page = await opened('rows');
    const summary = () => page.evaluate('document.querySelector("#rows [role=status]").textContent');
    assert.equal(await summary(), '20,000 rows');
    assert.ok(await page.evaluate('document.querySelectorAll(".log-row").length') < 80);
    await page.evaluate('document.querySelector(".log").scrollTop = 1e9');
    await page.until('[...document.querySelectorAll(".log-row")].some((row) => row.getAttribute("aria-rowindex") === "20001")');
    await page.evaluate('choose("probe", "syscall:vmlinux:read:return"); type("Filter rows", "bash")');
    assert.equal(await summary(), '500 of 20,000 rows');
    await page.evaluate('document.querySelector(".log").focus()');
    await page.press('ArrowDown');
    assert.match(await page.evaluate('document.querySelector("#rows pre").textContent'), /bash .*\n {2}<- read/);
    const csv = String(await fixture.download(() => page.evaluate('buttonOf("CSV").click()')));
    assert.equal(csv.match(/\r\n/g).length, 501);
    assert.match(await page.evaluate('document.querySelector(".tiles .bad:nth-child(3)").textContent'), /^Drops2,317/);
    assert.match(await page.evaluate('document.querySelector("#rows").textContent'), /2,334 rows dropped/);
    await fixture.close(page);
  },

  async 'rows of entry and return probes are calls'() {
    const page = await opened('rows');
    assert.deepEqual(await page.evaluate('cells("#calls")'), [['vmlinux`read', '5,000', '15,000,000,000', '22,500,000,000', '4,500,000'],
      ['vmlinux`vfs_read', '5,000', '7,500,000,000', '7,500,000,000', '1,500,000']]);
    await page.evaluate('document.querySelector("#calls .flame").focus()');
    for (const key of ['ArrowDown', 'ArrowDown']) await page.press(key);
    assert.match(await page.evaluate('document.querySelector("#calls .status").textContent'), /^vmlinux`vfs_read {3}kernel {3}7,500,000,000 \(33\.3 %\)/);
    await fixture.close(page);
  },

  async 'hostile texts stay texts'() {
    const page = await opened('hostile');
    await page.evaluate(openDetails);
    await page.painted();
    assert.equal(await page.evaluate('typeof globalThis.injected'), 'undefined');
    assert.equal(await page.evaluate('document.querySelectorAll("img, iframe, object, link").length'), 0);
    assert.equal(await page.evaluate('document.querySelectorAll("script").length'), 4);
    assert.ok(await page.evaluate('document.querySelector("h1").textContent.includes("</script><script>globalThis.injected = 1")'));
    await fixture.close(page);
  },

  async 'the policy blocks scripts, styles and requests'() {
    const page = await opened('hostile');
    const blocked = await page.evaluate(`(async () => {
      const blocked = [];
      addEventListener('securitypolicyviolation', (event) => blocked.push(event.effectiveDirective));
      const script = document.createElement('script');
      script.textContent = 'globalThis.injected = 1';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="file:///x.png" onerror="globalThis.injected = 1"><p style="color: red">');
      await fetch('http://127.0.0.1:9/').catch(() => {});
      await new Promise((resolve) => setTimeout(resolve));
      await new Promise((resolve) => { const poll = () => (blocked.length >= 4 ? resolve() : requestAnimationFrame(poll)); poll(); });
      return blocked.sort();
    })()`);
    for (const directive of ['connect-src', 'img-src', 'script-src-elem', 'style-src-attr']) assert.ok(blocked.includes(directive), `${directive} in ${blocked}`);
    assert.equal(await page.evaluate('typeof globalThis.injected'), 'undefined');
    await page.close();
  },

  async 'reports print'() {
    const page = await opened('stacks', { scheme: 'dark' });
    const { data } = await page.send('Page.printToPDF', { printBackground: true });
    const pdf = Buffer.from(data, 'base64');
    assert.equal(pdf.subarray(0, 4).toString(), '%PDF');
    fs.writeFileSync(path.join(fixture.folder, 'screenshots', 'stacks.pdf'), pdf);
    await fixture.close(page);
  },
};

let failures = 0, passes = 0;
for (const [name, test] of Object.entries({ ...tests, ...stackTests(fixture, opened) })) {
  const start = performance.now();
  try {
    await test();
    ++passes;
    console.log(`ok      ${name} (${Math.round(performance.now() - start)} ms)`);
  } catch (error) {
    ++failures;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await fixture.browser.close();
console.log(`${passes} passed, ${failures} failed`);
process.exit(failures ? 1 : 0);
