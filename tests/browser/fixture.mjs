// What the browser tests share: the reports, the packages of npm, and checks of pages.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Chromium } from './chromium.mjs';

const skipped = 77;
const sources = import.meta.dirname;

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(skipped);
}

export class Fixture {
  // `folder`: for everything that the tests write.
  static async start(makeReports, folder) {
    if (spawnSync('chromium', ['--version']).status !== 0) skip('Chromium is not installed');
    const fixture = new Fixture();
    fixture.folder = folder;
    for (const name of ['reports', 'screenshots', 'downloads']) fs.mkdirSync(path.join(folder, name), { recursive: true });
    fixture.installPackages();
    const made = spawnSync(makeReports, [path.join(folder, 'reports')], { stdio: 'inherit' });
    assert.equal(made.status, 0, 'make_reports failed');
    fs.rmSync(path.join(folder, 'profile'), { recursive: true, force: true });
    fixture.browser = await Chromium.start(path.join(folder, 'profile'));
    await fixture.browser.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: path.join(folder, 'downloads'), eventsEnabled: true });
    return fixture;
  }

  // The packages of package-lock.json, once.
  installPackages() {
    const installed = path.join(this.folder, 'package-lock.json');
    const wanted = fs.readFileSync(path.join(sources, 'package-lock.json'));
    this.packages = path.join(this.folder, 'node_modules');
    if (fs.existsSync(path.join(this.packages, '.package-lock.json')) && fs.existsSync(installed) && fs.readFileSync(installed).equals(wanted)) return;
    for (const name of ['package.json', 'package-lock.json']) fs.copyFileSync(path.join(sources, name), path.join(this.folder, name));
    const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: this.folder, encoding: 'utf8' });
    if (npm.status !== 0) {
      fs.rmSync(installed, { force: true });
      skip(`npm could not install the packages: ${npm.stderr ?? npm.error}`);
    }
  }

  reportFile(name) {
    return path.join(this.folder, 'reports', `${name}.html`);
  }

  async open(name, options) {
    const page = await this.browser.open(pathToFileURL(this.reportFile(name)).href, options);
    await page.painted();
    return page;
  }

  // Closes the page, which must have had neither errors nor requests.
  async close(page) {
    assert.deepEqual(page.problems, [], 'the console has messages');
    assert.deepEqual(page.requests.filter((url) => !url.startsWith('file:///') && !url.startsWith('blob:')), [], 'the page made requests');
    await page.close();
  }

  async screenshot(page, name, selector) {
    fs.writeFileSync(path.join(this.folder, 'screenshots', `${name}.png`), await page.screenshot(selector));
  }

  // The accessibility rules of axe-core that the page violates. Removes all but the first rows of tables, which stand
  // for the others: axe-core takes a second for each thousand cells.
  async violations(page) {
    const axe = fs.readFileSync(path.join(this.packages, 'axe-core/axe.min.js'), 'utf8');
    await page.evaluate('document.querySelectorAll("tbody tr:nth-child(n+5), .log-row:nth-child(n+5)").forEach((row) => row.remove())');
    await page.evaluate(`${axe}; undefined`);
    return page.evaluate(`axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + ' ' + (node.any[0]?.message ?? '')).join(' | ')))`);
  }

  // Runs the action and returns the content of the file that it saves.
  async download(action) {
    let name;
    const done = new Promise((resolve, reject) => {
      const listener = ({ method, params }) => {
        if (method === 'Browser.downloadWillBegin') name = params.suggestedFilename;
        if (method !== 'Browser.downloadProgress' || params.state === 'inProgress') return;
        this.browser.listeners.splice(this.browser.listeners.indexOf(listener), 1);
        if (params.state === 'completed') resolve();
        else reject(new Error('the download was canceled'));
      };
      this.browser.listeners.push(listener);
    });
    await action();
    await done;
    const file = path.join(this.folder, 'downloads', name);
    const content = fs.readFileSync(file);
    fs.rmSync(file);
    return content;
  }

  // Problems of a document by a JSON schema, by Python's jsonschema.
  schemaProblems(schemaFile, document) {
    const file = path.join(this.folder, 'downloads', 'document.json');
    fs.writeFileSync(file, document);
    const check = 'import json, jsonschema, sys; schema, document = (json.load(open(name)) for name in sys.argv[1:]); ' +
      'print(*(error.message for error in jsonschema.Draft7Validator(schema).iter_errors(document)), sep="\\n", end="")';
    const { status, stdout, stderr } = spawnSync('python3', ['-c', check, schemaFile, file], { encoding: 'utf8' });
    return status === 0 ? stdout : stderr;
  }
}

// Helpers that run in the page: controls are found as users find them, by their texts and labels.
export const inPage = `
  globalThis.buttonOf = (text, scope = document) => [...scope.querySelectorAll('button')].find((b) => b.textContent.trim() === text);
  globalThis.choose = (label, text) => {
    const found = [...document.querySelectorAll('label')].find((l) => l.firstChild.textContent === label).querySelector('select');
    found.value = [...found.options].find((option) => option.textContent === text).value;
    found.dispatchEvent(new Event('change'));
  };
  globalThis.type = (label, text) => {
    const input = document.querySelector('input[aria-label="' + label + '"]');
    input.value = text;
    input.dispatchEvent(new Event('input'));
  };
  globalThis.cells = (selector) => [...document.querySelectorAll(selector + ' tbody tr')].map((tr) => [...tr.children].map((td) => td.textContent));
  globalThis.boxOf = (selector) => { const node = document.querySelector(selector); node.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { x, y, width, height } = node.getBoundingClientRect(); return { x, y, width, height }; };
`;
