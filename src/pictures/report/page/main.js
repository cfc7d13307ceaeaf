// Reads the data and fills the page. The first sections are painted before the later ones are built.

const byId = (id) => document.getElementById(id);
const nextFrame = () => new Promise((resolve) => setTimeout(resolve));

function showError(error) {
  byId('main').prepend(element('p', { class: 'note-box', role: 'alert' }, `The report cannot be shown: ${error.message}`));
}

function actions(text, report) {
  const file = element('input', { type: 'file', id: 'compare', accept: '.html,.json', tabindex: -1, 'aria-label': 'Report to compare with',
    onchange: () => compareWith(report, file.files[0]) });
  return element('span', { class: 'tools links' }, button('compare with …', () => file.click()), file,
    button('JSON', () => download('report.json', 'application/json', [text])), button('print', () => print()));
}

async function compareWith(report, file) {
  if (!file) return;
  try {
    const other = new Report(JSON.parse(await documentText(await file.text())));
    await fill(report, other);
    byId('main').prepend(element('p', { class: 'note-box calm', role: 'status' },
      element('strong', {}, 'Compared with '), `${other.run.command} on ${other.run.host}, ${startText(other.run)}`));
  } catch (error) {
    showError(error);
  }
}

function navigation(report) {
  const links = report.aggregations.map((aggregation) => [`#a${aggregation.index}`, aggregation.title]);
  if (report.raw.rows.count) links.push(['#calls', 'Calls'], ['#rows', 'Rows']);
  byId('nav').hidden = links.length < 2;
  byId('nav').replaceChildren(element('div', {}, links.map(([href, text]) => element('a', { href, class: 'mono' }, text))));
}

// Whether there are calls is known when the rows have been read.
function showCallLink() {
  const link = document.querySelector('nav a[href="#calls"]');
  if (link) link.hidden = !byId('calls');
  byId('nav').hidden = document.querySelectorAll('nav a:not([hidden])').length < 2;
}

async function fill(report, other) {
  const main = byId('main');
  pictures.clear();
  main.replaceChildren();
  for (const aggregation of report.aggregations) {
    main.append(aggregationSection(aggregation, other));
    await nextFrame();
  }
  for (const section of [callSection(report), rowSection(report)]) main.append(section ?? '');
  showCallLink();
  main.dataset.ready = 'true';
}

async function start() {
  if (byId('data').textContent === '') return startLive();
  const text = await unpack(byId('data').textContent);
  const report = new Report(JSON.parse(text));
  document.title = `${report.run.command || 'dscope'} – dscope report`;
  byId('head').replaceChildren(...header(report, actions(text, report)).filter((node) => node));
  navigation(report);
  await nextFrame();
  await fill(report, null);
  if (location.hash) byId(location.hash.slice(1))?.scrollIntoView();
}

start().catch(showError);
