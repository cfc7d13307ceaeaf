// Chromium, driven by its DevTools protocol over a pipe: file descriptor 3 takes commands, 4 sends answers and events.
// Messages are JSON texts that end in a zero byte.
import { spawn } from 'node:child_process';

export class Chromium {
  static async start(profileFolder) {
    const browser = new Chromium();
    browser.process = spawn('chromium', ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-extensions', '--hide-scrollbars', '--allow-file-access-from-files=false',
      `--user-data-dir=${profileFolder}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    browser.exited = new Promise((resolve) => browser.process.on('exit', resolve));
    browser.pending = new Map();
    browser.listeners = [];
    browser.lastId = 0;
    let buffered = '';
    browser.process.stdio[4].setEncoding('utf8');
    browser.process.stdio[4].on('data', (text) => {
      const messages = (buffered + text).split('\0');
      buffered = messages.pop();
      messages.forEach((message) => browser.receive(JSON.parse(message)));
    });
    return browser;
  }

  receive(message) {
    if (message.id) {
      const { resolve, reject } = this.pending.get(message.id);
      this.pending.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    } else for (const listener of this.listeners) listener(message);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.lastId;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
  }

  // A new tab whose requests, console messages and exceptions are recorded.
  async open(url, { width = 1280, height = 900, scheme = 'light', context = undefined } = {}, isReport = true) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank', browserContextId: context });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'DOM']) await page.send(`${domain}.enable`);
    await page.view({ width, height, scheme });
    await page.navigate(url, isReport);
    return page;
  }

  async close() {
    await this.send('Browser.close').catch(() => {});
    await this.exited;
  }
}

export class Page {
  constructor(browser, sessionId, targetId) {
    Object.assign(this, { browser, sessionId, targetId, problems: [], requests: [], waiters: [] });
    browser.listeners.push((message) => message.sessionId === sessionId && this.receive(message));
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  receive({ method, params }) {
    if (method === 'Runtime.exceptionThrown') this.problems.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled') this.problems.push(params.args.map((arg) => arg.value ?? arg.description).join(' '));
    if (method === 'Log.entryAdded') this.problems.push(params.entry.text);
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
    for (const waiter of this.waiters) if (waiter.method === method) waiter.resolve(params);
    this.waiters = this.waiters.filter((waiter) => waiter.method !== method);
  }

  event(method) {
    return new Promise((resolve) => this.waiters.push({ method, resolve }));
  }

  async navigate(url, isReport) {
    const loaded = this.event('Page.loadEventFired');
    await this.send('Page.navigate', { url });
    await loaded;
    if (isReport) await this.until('document.getElementById("main")?.dataset.ready === "true" || document.querySelector("[role=alert]")');
  }

  view({ width, height, scheme, scale = 1 }) {
    return Promise.all([
      this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: false }),
      this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] }),
    ]);
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(`${exceptionDetails.exception?.description ?? exceptionDetails.text} in ${expression}`);
    return result.value;
  }

  // Waits, by the page's own frames, until the expression is true.
  async until(expression) {
    await this.evaluate(`new Promise((resolve) => { const poll = () => ((${expression}) ? resolve() : requestAnimationFrame(poll)); poll(); })`);
  }

  // Waits until what has been changed is drawn.
  painted() {
    return this.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  }

  async press(key, modifiers = 0) {
    const text = key.length === 1 ? key : key === 'Enter' ? '\r' : undefined;
    const code = { Enter: 13, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Tab: 9 }[key];
    const event = { key, text, modifiers, code: key, windowsVirtualKeyCode: code };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event, text: undefined });
  }

  // buttons: 1 while the left button is down.
  mouse(type, x, y, buttons = 0) {
    const button = type === 'mouseMoved' ? 'none' : 'left';
    return this.send('Input.dispatchMouseEvent', { type, x, y, button, buttons, clickCount: 1 });
  }

  async click(x, y) {
    await this.mouse('mouseMoved', x, y);
    await this.mouse('mousePressed', x, y, 1);
    await this.mouse('mouseReleased', x, y);
  }

  // The whole page, or the part of it that the selector names, as PNG.
  async screenshot(selector) {
    const box = await this.evaluate(selector
      ? `(() => { const r = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return { x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height }; })()`
      : '({ x: 0, y: 0, width: innerWidth, height: document.documentElement.scrollHeight })');
    const { data } = await this.send('Page.captureScreenshot', { captureBeyondViewport: true, clip: { ...box, scale: 1 } });
    return Buffer.from(data, 'base64');
  }

  // What the window shows, as PNG.
  async windowShot() {
    const { data } = await this.send('Page.captureScreenshot');
    return Buffer.from(data, 'base64');
  }

  close() {
    return this.browser.send('Target.closeTarget', { targetId: this.targetId });
  }
}
