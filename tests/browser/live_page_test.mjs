// The page of --live=http in Chromium, over a real run on this kernel: numbers move, the box compiles and attaches,
// others only read or are refused, and closing the page detaches.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, test as nodeTest } from 'node:test';
import { Fixture, inPage } from './fixture.mjs';

const [, , makeReports, dscope, folder] = process.argv;
const program = 'syscall::getppid:entry { @calls[execname, uid] = count(); } syscall::getppid:entry { @sizes = quantize(tid); }';

const test = (name, body) => nodeTest(name, { timeout: 60_000 }, body);

let fixture, run, workload, url, page;
const origin = () => new URL(url).origin;

// A process that calls getppid() again and again.
function startWorkload() {
  return spawn('python3', ['-c', 'import os\nwhile True:\n  for i in range(100): os.getppid()\n  os.sched_yield()'], { stdio: 'ignore' });
}

function startRun(...words) {
  run = spawn(dscope, ['--live=http', ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  run.text = '';
  run.exited = new Promise((resolve) => run.on('exit', resolve));
  return new Promise((resolve, reject) => {
    run.stderr.on('data', (data) => {
      run.text += data;
      const found = /http:\S+/.exec(run.text);
      if (found) resolve(found[0]);
    });
    run.on('exit', () => reject(new Error(`dscope has ended: ${run.text}`)));
  });
}

// Answers the status and the text. Redirections are not followed.
function request(options, body) {
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: '127.0.0.1', port: new URL(url).port, ...options }, (response) => {
      let text = '';
      response.on('data', (data) => { text += data; });
      response.on('end', () => resolve({ status: response.statusCode, text, headers: response.headers }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

// A browser of its own: without the cookies of others.
async function openInNewContext(address) {
  const { browserContextId } = await fixture.browser.send('Target.createBrowserContext');
  return fixture.browser.open(address, { context: browserContextId });
}

// The processes that trace for the page.
const tracers = () => spawnSync('pgrep', ['-x', '-P', run.pid, 'dscope'], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean).length;

async function until(condition) {
  for (let i = 0; i < 3000; ++i) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`never: ${condition}`);
}

const runProgram = (text) => page.evaluate(`document.getElementById('program').value = ${JSON.stringify(text)}; document.getElementById('run').click()`);
const title = () => page.evaluate('document.querySelector("main section h2").textContent');
const firstCount = '(() => { const cells = [...document.querySelectorAll("#a0 tbody tr:first-child td.number")]; return Number(cells.at(-2).textContent.replaceAll(/\\D/g, "")); })()';

if (process.getuid() !== 0 || !fs.existsSync('/sys/kernel/btf/vmlinux')) {
  console.log('skipped: tracing needs root and a kernel with BTF');
  process.exit(77);
}

before(async () => {
  fixture = await Fixture.start(makeReports, folder);
  workload = startWorkload();
  url = await startRun('-n', program);
  page = await openInNewContext(url);
  await page.evaluate(inPage);
});

after(async () => {
  await fixture?.browser.close();
  workload?.kill();
  run?.kill('SIGINT');
  await run?.exited;
});

test('numbers move', async () => {
  await page.until('document.querySelector("#a0 tbody td.number")');
  const now = await page.evaluate(firstCount);
  await page.until(`${firstCount} > ${now}`);
  assert.equal(await title(), '@calls[execname, uid]');
});

test('choices stay when the page is built anew', async () => {
  await page.evaluate('[...document.querySelectorAll("#a0 th button")].find((b) => b.textContent.startsWith("execname")).click()');
  await page.evaluate('document.querySelector("#a0 details").open = true; document.querySelector("#a0").marked = true');
  await page.until('!document.querySelector("#a0").marked');
  assert.match(await page.evaluate('document.querySelector("#a0 th[aria-sort]").textContent'), /^execname/);
  assert.equal(await page.evaluate('document.querySelector("#a0 details").open'), true);
});

test('pause stops the numbers', async () => {
  await page.evaluate('buttonOf("pause").click()');
  await page.until('document.querySelector(".tools [aria-pressed=true]")');
  const shown = 'Number(document.getElementById("main").dataset.revision)';
  const revision = await page.evaluate(shown);
  await page.until(`Number(document.getElementById("main").dataset.latest) > ${revision} + 3`);
  assert.equal(await page.evaluate(shown), revision);
  await page.evaluate('buttonOf("pause").click()');
  await page.until(`${shown} > ${revision}`);
});

test('mistakes are shown at their place', async () => {
  await runProgram('syscall::getppid:entry { @[execnam] = count(); }');
  await page.until('!document.getElementById("problem").hidden');
  const problem = await page.evaluate('document.getElementById("problem").textContent');
  assert.match(problem, /execnam/);
  assert.match(problem, /\^/);
  await fixture.screenshot(page, 'live-problem');
  assert.equal(await title(), '@calls[execname, uid]');
});

for (const text of ['BEGIN { system("true"); }', '#pragma D option destructive\nBEGIN { system("true"); }', 'BEGIN { setopt("destructive"); panic(); }'])
  test(`destructive: ${text}`, async () => {
    await page.evaluate('document.getElementById("problem").textContent = ""');
    await runProgram(text);
    await page.until('document.getElementById("problem").textContent !== ""');
    assert.match(await page.evaluate('document.getElementById("problem").textContent'), /destructive/i);
  });

test('another program is attached and shown', async () => {
  await runProgram('syscall::getppid:entry { @mine[pid] = count(); }');
  await page.until('document.querySelector("main section h2").textContent === "@mine[pid]"');
  const now = await page.evaluate(firstCount);
  await page.until(`${firstCount} > ${now}`);
  assert.equal(await page.evaluate('document.getElementById("problem").hidden'), true);
  assert.equal(tracers(), 2);
  await fixture.screenshot(page, 'live-page');
  assert.deepEqual(await fixture.violations(page), []);
});

test('a second browser only reads', async () => {
  const second = await openInNewContext(url);
  await second.until('document.querySelector("main section h2")');
  assert.equal(await second.evaluate('document.getElementById("program") === null'), true);
  const status = await second.evaluate(`fetch('program', { method: 'POST', headers: { 'X-Dscope': '1' }, body: 'BEGIN {}' }).then((r) => r.status)`);
  assert.equal(status, 403);
  await second.close();
});

test('others are refused', async () => {
  const token = new URL(url).search;
  assert.equal((await request({ path: '/' })).status, 401);
  assert.equal((await request({ path: '/report.json' })).status, 401);
  assert.equal((await request({ path: '/?token=00' })).status, 401);
  const { headers } = await request({ path: `/${token}` });
  const cookie = headers['set-cookie'][0].split(';')[0];
  assert.equal((await request({ path: '/report.json', headers: { cookie } })).status, 200);
  assert.equal((await request({ path: '/report.json', headers: { cookie, host: 'attacker.example' } })).status, 403);
  assert.equal((await request({ path: `/${token}`, headers: { host: 'attacker.example' } })).status, 403);
  assert.equal((await request({ path: '/report.json', headers: { cookie, origin: 'http://attacker.example' } })).status, 403);
  assert.equal((await request({ path: '/report.json', headers: { cookie, 'sec-fetch-site': 'cross-site' } })).status, 403);
  const posted = await request({ method: 'POST', path: '/program', headers: { cookie: cookie, 'x-dscope': '1' } }, 'BEGIN {}');
  assert.equal(posted.status, 403);
});

test('the controller needs the header', async () => {
  const status = await page.evaluate("fetch('program', { method: 'POST', body: 'BEGIN {}' }).then((r) => r.status)");
  assert.equal(status, 403);
});

test('back ends the program of the box', async () => {
  await page.evaluate('document.getElementById("back").click()');
  await page.until('document.querySelector("main section h2").textContent === "@calls[execname, uid]"');
  await until(() => tracers() === 1);
});

test('closing the page detaches what it attached', async () => {
  await runProgram('syscall::getppid:entry { @mine[pid] = count(); }');
  await page.until('document.querySelector("main section h2").textContent === "@mine[pid]"');
  const allowed = [/403 \(Forbidden\)/, /422 \(Unprocessable/];
  assert.deepEqual(page.problems.filter((text) => !allowed.some((pattern) => pattern.test(text))), [], 'the console has messages');
  assert.deepEqual(page.requests.filter((each) => !each.startsWith(origin()) && !each.startsWith('blob:')), [], 'requests to other origins');
  await page.close();
  await until(() => tracers() === 1);
});

test('the server has no privileges', () => {
  const server = spawnSync('pgrep', ['-P', run.pid, 'dscope-http'], { encoding: 'utf8' }).stdout.trim();
  const status = fs.readFileSync(`/proc/${server}/status`, 'utf8');
  assert.match(status, /^CapEff:\s*0+$/m);
  assert.match(status, /^CapPrm:\s*0+$/m);
  assert.match(status, /^Uid:\s*65534\s+65534\s+65534\s+65534$/m);
  assert.match(status, /^Seccomp:\s*2$/m);
});

test('the end of the server ends the run', async () => {
  spawnSync('pkill', ['-KILL', '-P', String(run.pid), 'dscope-http']);
  await run.exited;
  assert.match(run.text, /the web server has ended unexpectedly/);
});

test('the box of a replay asks the capture', async () => {
  const capture = path.join(folder, 'calls.dcap');
  const calls = ['python3', '-c', 'import os\nfor i in range(1000): os.getpgid(0)'];
  const recorded = spawnSync(dscope, [`--record=${capture}`, '-n', 'syscall::getpgid:entry', '--', ...calls], { encoding: 'utf8' });
  assert.equal(recorded.status, 0, recorded.stderr);
  url = await startRun(`--replay=${capture}`, '-n', 'syscall::getpgid:entry { @calls[execname] = count(); }');
  page = await openInNewContext(url);
  await page.evaluate(inPage);
  await runProgram('syscall::getpgid:entry { @mine[probefunc] = count(); }');
  await page.until('document.querySelector("main section h2").textContent === "@mine[probefunc]"');
  await page.until(`${firstCount} === 1000`);
});
