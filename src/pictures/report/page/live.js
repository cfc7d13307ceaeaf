// The page of a run that goes on: asks the server for the report when it has changed, and builds the page anew with
// the reader's choices. The controller has a box for another program.

const live = { revision: -1, isBusy: false, isPaused: false, status: null, report: null };

// ---------------------------------------------------------------- choices

const choiceSelector = 'input, select, details, button[aria-pressed], th[aria-sort], .scroll, .log, .stage';

// Names the element among those of its section, however many there are before it.
function choiceName(node) {
  if (node.tagName === 'DETAILS') return `details ${node.className} ${node.querySelector('summary')?.textContent.replace(/[\d,.]+/g, '')}`;
  const label = node.getAttribute('aria-label') || node.closest('label')?.firstChild?.textContent || node.textContent;
  return `${node.tagName} ${node.className} ${label.replace(/[↑↓]/g, '').trim()}`;
}

const choiceNodes = (section) => [...section.querySelectorAll(choiceSelector)].map((node) => [choiceName(node), node]);

function choicesOf(section) {
  const choices = new Map();
  for (const [name, node] of choiceNodes(section)) {
    const choice = { focus: node.contains(document.activeElement), left: node.scrollLeft, top: node.scrollTop };
    if (node.tagName === 'DETAILS') choice.open = node.open;
    else if (node.ariaPressed !== null && node.tagName === 'BUTTON') choice.pressed = node.getAttribute('aria-pressed');
    else if (node.tagName === 'TH') choice.sort = node.getAttribute('aria-sort');
    else if ('value' in node) choice.value = node.value;
    choices.set(name, choice);
  }
  return choices;
}

function sortBy(section, name, direction) {
  for (let tries = 0; tries < 2; ++tries) {
    const header = [...section.querySelectorAll('th')].find((node) => choiceName(node) === name);
    if (!header || header.getAttribute('aria-sort') === direction) return;
    header.querySelector('button')?.click();
  }
}

function apply(section, name, node, choice) {
  if (choice.open !== undefined && node.open !== choice.open) node.open = choice.open;
  if (choice.pressed !== undefined && node.getAttribute('aria-pressed') !== choice.pressed) node.click();
  if (choice.value !== undefined && node.value !== choice.value && node.type !== 'file') {
    node.value = choice.value;
    node.dispatchEvent(new Event(node.tagName === 'SELECT' ? 'change' : 'input'));
  }
  if (choice.top || choice.left) node.scrollTo(choice.left, choice.top);
  if (choice.focus) (node.tagName === 'DETAILS' ? node.querySelector('summary') : node).focus({ preventScroll: true });
}

function applyChoices(section, choices) {
  for (const [name, choice] of choices) if (choice.sort) sortBy(section, name, choice.sort);
  for (const [name, node] of choiceNodes(section)) {
    const choice = choices.get(name);
    if (choice) apply(section, name, node, choice);
  }
}

// Replaces a section by its successor.
function replaceSection(old, built) {
  if (!old) {
    byId('main').append(built);
    return;
  }
  const choices = choicesOf(old);
  const zoomed = old.querySelector('.flame')?.flameView.zoomedPath() ?? [];
  old.replaceWith(built);
  applyChoices(built, choices);
  if (zoomed.length) built.querySelector('.flame')?.flameView.zoomTo(zoomed);
}

// ---------------------------------------------------------------- the report

function liveSections(report) {
  const sections = report.aggregations.map((aggregation) => aggregationSection(aggregation, null));
  return [...sections, callSection(report), rowSection(report)].filter((section) => section);
}

async function showReport(report) {
  const head = byId('head');
  const choices = choicesOf(head);
  document.title = `${report.run.command || 'dscope'} – dscope`;
  head.replaceChildren(...header(report, liveTools()).filter((node) => node));
  head.querySelector('.eyebrow').textContent = live.status.of_box ? 'dscope live: the program of the box' : 'dscope live';
  if (live.status.of_box) head.querySelector('h1').textContent = report.run.script.trim().split('\n')[0];
  applyChoices(head, choices);
  const isOther = live.report?.run.script !== report.run.script || live.report?.raw.run.start !== report.raw.run.start;
  pictures.clear();
  const main = byId('main');
  if (isOther) main.replaceChildren();
  for (const section of liveSections(report)) {
    replaceSection(byId(section.id), section);
    await nextFrame();
  }
  navigation(report);
  showCallLink();
  live.report = report;
  main.dataset.ready = 'true';
}

function liveTools() {
  const pause = toggle('pause', live.isPaused, (isOn) => { live.isPaused = isOn; update(); });
  const state = live.status.state === 'running' ? `running, ${live.status.cpu.toFixed(1)} % of a CPU` : live.status.state;
  return element('span', { class: 'tools links' }, element('span', { class: 'muted', id: 'live-state' }, state), pause,
    element('a', { href: 'report.html', download: 'dscope-report.html', id: 'save', title: 'save the report so far (h)' }, 'report'),
    button('JSON', () => download('report.json', 'application/json', [JSON.stringify(live.report.raw)])), button('print', () => print()));
}

// One request at a time: a slow browser skips revisions.
async function update() {
  if (live.isBusy || live.isPaused || !live.status || live.status.revision === live.revision) return;
  live.isBusy = true;
  const { revision } = live.status;
  try {
    const response = await fetch('report.json');
    if (response.ok) {
      await showReport(new Report(await response.json()));
      live.revision = byId('main').dataset.revision = revision;
    }
  } catch (error) {
    showLost();
  }
  live.isBusy = false;
  setTimeout(update, 500);
}

function showLost() {
  if (byId('lost')) return;
  byId('main').prepend(element('p', { class: 'note-box', role: 'alert', id: 'lost' },
    'The connection to dscope is lost. The page shows what has arrived.'));
}

// ---------------------------------------------------------------- the box

function programBox() {
  const text = element('textarea', { id: 'program', rows: 3, spellcheck: 'false', autocapitalize: 'off', class: 'mono',
    placeholder: 'syscall:::entry { @[execname, probefunc] = count(); }' });
  const problem = element('pre', { id: 'problem', role: 'alert', hidden: true, tabindex: 0 });
  const run = button('run', () => send('program', text.value), { id: 'run' });
  const back = button('back to the first program', () => send('back', ''), { id: 'back' });
  async function send(path, body) {
    run.disabled = back.disabled = true;
    const response = await fetch(path, { method: 'POST', headers: { 'X-Dscope': '1', 'Content-Type': 'text/plain' }, body }).catch(() => null);
    const isFine = response?.ok ?? false;
    problem.textContent = isFine ? '' : (response ? (await response.text()).trimEnd() : 'dscope does not answer');
    problem.hidden = isFine;
    run.disabled = back.disabled = false;
  }
  text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run.click();
  });
  return element('div', { class: 'beside' }, element('section', { id: 'box', 'aria-label': 'Another program' },
    element('label', { for: 'program' }, 'Another D program, beside the first one. Ctrl+Enter runs it.'), text,
    element('div', { class: 'tools' }, run, back), problem));
}

function takeStatus(status) {
  const isFirst = live.status === null;
  live.status = status;
  byId('main').dataset.latest = status.revision;
  if (isFirst && status.controls) byId('main').before(programBox());
  if (byId('back')) byId('back').hidden = !status.of_box;
  if (byId('live-state') && status.state !== 'running') byId('live-state').textContent = status.state;
  byId('lost')?.remove();
  update();
}

function startLive() {
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.matches?.('textarea, input, select') || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key === 'h' && !isTyping) byId('save')?.click();
  });
  byId('loading').textContent = 'Waiting for data …';
  const events = new EventSource('updates');
  events.addEventListener('status', (event) => takeStatus(JSON.parse(event.data)));
  events.addEventListener('error', showLost);
}
