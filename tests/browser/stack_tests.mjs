// Flame graphs, samples over time, and the files that other programs read.
import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const total = 9440;  // samples of the report `stacks`
const status = 'document.querySelector(".flame + .status").textContent';
const number = (text) => Number(text.replaceAll(',', ''));

export function stackTests(fixture, opened) {
  // The text about the frame that `keys` lead to, from the root on.
  async function frameAt(page, ...keys) {
    await page.evaluate('document.querySelector(".flame").focus()');
    for (const key of ['Home', ...keys]) await page.press(key);
    return page.evaluate(status);
  }

  const allSamples = async (page) => number(/^all {3}([\d,]+)/.exec(await frameAt(page))[1]);
  const saved = (page, format) => fixture.download(() => page.evaluate(`buttonOf("${format}").click()`));

  return {
    async 'flame graphs: search, zoom and keyboard'() {
      const page = await opened('stacks');
      assert.equal(await allSamples(page), total);
      await page.evaluate('type("Search frames", "vfs_read")');
      const matched = await page.evaluate('[...document.querySelectorAll("[role=status]")].map((node) => node.textContent).find((text) => text.includes("matched"))');
      assert.match(matched, /^\d+\.\d+ % matched$/);
      await fixture.screenshot(page, 'flame-search', '#a0');
      await page.evaluate('type("Search frames", "")');
      assert.match(await frameAt(page, 'ArrowUp', 'ArrowUp', 'ArrowUp'), /^cc1plus`compile_file {3}user {3}[\d,]+ \(\d+\.\d %\)/);
      await page.press('Enter');
      assert.equal(await page.evaluate('buttonOf("reset zoom").disabled'), false);
      await fixture.screenshot(page, 'flame-zoom', '#a0');
      for (let i = 0; i < 4; ++i) await page.press('Escape');
      assert.equal(await page.evaluate('buttonOf("reset zoom").disabled'), true);
      const { x, y, width, height } = await page.evaluate('boxOf(".flame")');
      await page.click(x + width / 4, y + height - 18 * 3.5);
      assert.match(await page.evaluate(status), /^cc1plus`(main|compile_file)/);
      assert.equal(await page.evaluate('buttonOf("reset zoom").disabled'), false);
      await page.press('/');
      assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Search frames');
      await fixture.close(page);
    },

    async 'flame graphs: icicle, inverted, keys and differences'() {
      const page = await opened('stacks');
      await page.evaluate('buttonOf("icicle").click()');
      assert.match(await frameAt(page, 'ArrowDown'), /^libc\.so\.6`__libc_start_main/);
      await page.evaluate('buttonOf("inverted").click()');
      assert.equal(await allSamples(page), total);
      assert.doesNotMatch(await frameAt(page, 'ArrowDown'), /__libc_start_main/);
      await page.evaluate('buttonOf("inverted").click(); choose("execname", "cc1plus")');
      const part = await allSamples(page);
      assert.ok(part > 0 && part < total);
      await page.evaluate('choose("compare with", "bash")');
      assert.match(await frameAt(page, 'ArrowDown', 'ArrowDown', 'ArrowDown'), /before \d+\.\d+ % {3}[+-]?\d+\.\d\d points$/);
      await fixture.screenshot(page, 'flame-difference', '#a0');
      await page.evaluate('document.querySelector("#a0 .block:nth-child(2) .as-table").open = true');
      await page.until('document.querySelector("#a0 .block:nth-child(2) .as-table table")');
      const columns = await page.evaluate('[...document.querySelectorAll("#a0 .block:nth-child(2) .as-table th")].map((th) => th.textContent)');
      assert.deepEqual(columns, ['function', 'kind', 'self', 'total', 'share', 'before']);
      await fixture.close(page);
    },

    async 'a range of time filters the flame graph'() {
      const page = await opened('stacks');
      const { x, y, width } = await page.evaluate('boxOf("#a0 .stage canvas")');
      await page.mouse('mouseMoved', x + width * 0.3, y + 40);
      await page.mouse('mousePressed', x + width * 0.3, y + 40, 1);
      await page.mouse('mouseMoved', x + width * 0.5, y + 40, 1);
      await page.mouse('mouseReleased', x + width * 0.5, y + 40);
      const text = await page.evaluate('document.querySelector("#a0 .status").textContent');
      const inRange = number(/^range [\d.]+ s – [\d.]+ s: ([\d,]+)/.exec(text)[1]);
      assert.ok(inRange > 0 && inRange < total);
      await fixture.screenshot(page, 'flame-range', '#a0');
      assert.equal(await allSamples(page), inRange, 'the flame graph has the samples of the range');
      const folded = String(await saved(page, 'folded'));
      assert.equal(folded.trim().split('\n').reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0), inRange);
      await page.evaluate('buttonOf("all times").click()');
      assert.equal(await allSamples(page), total);
      await page.evaluate('document.querySelector("#a0 .stage").focus()');
      for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.press(key);
      assert.match(await page.evaluate('document.querySelector("#a0 .status").textContent'), /^range /);
      await page.press('Escape');
      assert.equal(await page.evaluate('buttonOf("all times").disabled'), true);
      await fixture.close(page);
    },

    async 'folded, speedscope and pprof have the samples'() {
      const page = await opened('stacks');
      const folded = String(await saved(page, 'folded')).trim().split('\n');
      assert.ok(folded.every((line) => /^libc\.so\.6`__libc_start_main(;[^;]+)* \d+$/.test(line)));
      const speedscope = await saved(page, 'speedscope');
      const schema = path.join(fixture.packages, 'speedscope/dist/release/file-format-schema.json');
      assert.equal(fixture.schemaProblems(schema, speedscope), '');
      const { profiles: [profile], shared } = JSON.parse(speedscope);
      assert.equal(profile.weights.reduce((a, b) => a + b, 0), total);
      assert.equal(profile.endValue, total);
      assert.equal(shared.frames[profile.samples[0][0]].name, 'libc.so.6`__libc_start_main');
      const { Profile } = await import(pathToFileURL(path.join(fixture.packages, 'pprof-format/dist/esm/index.js')));
      const pprof = Profile.decode(gunzipSync(await saved(page, 'pprof')));
      const text = (index) => pprof.stringTable.strings[Number(index)];
      assert.equal(pprof.sample.reduce((sum, sample) => sum + BigInt(sample.value[0]), 0n), BigInt(total));
      assert.equal(text(pprof.sampleType[0].type), 'samples');
      const outermost = pprof.sample[0].locationId.at(-1);
      const location = pprof.location.find(({ id }) => id === outermost);
      const code = pprof.function.find(({ id }) => id === location.line[0].functionId);
      assert.equal(text(code.name), '__libc_start_main');
      assert.equal(text(code.filename), 'libc.so.6');
      assert.equal(BigInt(pprof.durationNanos), 40_000_000_001n);
      await fixture.close(page);
    },

    async 'speedscope loads its file'() {
      const page = await opened('stacks');
      const content = await saved(page, 'speedscope');
      await fixture.close(page);
      const release = path.join(fixture.packages, 'speedscope/dist/release');
      const script = path.join(fixture.folder, 'downloads', 'profile.js');
      fs.writeFileSync(script, `speedscope.loadFileFromBase64("stacks", ${JSON.stringify(content.toString('base64'))})`);
      const viewer = await fixture.browser.open('about:blank', {}, false);
      await viewer.send('Page.navigate', { url: `${pathToFileURL(path.join(release, 'index.html'))}#localProfilePath=${script}` });
      await viewer.until('document.querySelector("canvas") && document.title.includes("execname")');
      await viewer.painted();
      await fixture.screenshot(viewer, 'speedscope');
      await viewer.close();
    },

    async 'two reports are compared'() {
      const page = await opened('stacks');
      const { root } = await page.send('DOM.getDocument');
      const { nodeId } = await page.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#compare' });
      await page.send('DOM.setFileInputFiles', { nodeId, files: [fixture.reportFile('stacks2')] });
      await page.until('document.querySelector("main > [role=status]")');
      await page.painted();
      assert.match(await frameAt(page, 'ArrowUp', 'ArrowUp', 'ArrowUp'), /before \d+\.\d+ %/);
      const titles = await page.evaluate('[...document.querySelectorAll("#a0 th")].map((th) => th.textContent)');
      assert.ok(titles.includes('other report') && titles.includes('change'));
      await fixture.screenshot(page, 'compared');
      assert.deepEqual(await fixture.violations(page), []);
      await page.send('DOM.setFileInputFiles', { nodeId, files: [path.join(fixture.folder, 'package.json')] });
      await page.until('document.querySelector("[role=alert]")');
      assert.match(await page.evaluate('document.querySelector("[role=alert]").textContent'), /not a report of dscope/);
      await fixture.close(page);
    },

    async 'a report with 50,000 frames'() {
      const page = await opened('large');
      const paint = await page.evaluate('performance.getEntriesByName("first-contentful-paint")[0].startTime');
      console.log(`        first paint after ${Math.round(paint)} ms, ${fs.statSync(fixture.reportFile('large')).size} bytes`);
      await page.evaluate('type("Search frames", "Node")');
      await page.evaluate('buttonOf("inverted").click()');
      assert.ok(await allSamples(page) > 200_000);
      await fixture.close(page);
    },
  };
}
