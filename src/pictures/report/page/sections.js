// The parts of the page: what ran, what was lost, what it cost, and a section for each aggregation.

function tile(title, value, note, isBad) {
  return element('div', { class: isBad && 'bad' }, element('dt', {}, title), element('dd', {}, value),
    note && element('dd', { class: 'note' }, note));
}

function costTiles({ cost, run }) {
  const own = tile('CPU of dscope', durationText(exact(cost.consumer_cpu)), `${percent(ratio(exact(cost.consumer_cpu), exact(run.length)))} of a CPU`);
  const firings = exact(cost.firings), spent = exact(cost.program_cpu);
  if (Number(firings) === 0) return [own, tile('CPU of probes', '–', 'not measured')];
  const each = Number(spent) ? `${numberText(firings)} × ${durationText(Number(spent) / Number(firings))}` : `${numberText(firings)} firings`;
  return [own, tile('CPU of probes', Number(spent) ? durationText(spent) : '–', each)];
}

function tiles(raw) {
  const { run, drops, faults, aggregations, rows } = raw;
  const elements = aggregations.reduce((sum, aggregation) => sum + aggregation.count, 0);
  const status = run.exit_status;
  return element('dl', { class: 'tiles' },
    tile('Length', durationText(exact(run.length)), run.exit_status === null ? 'so far' : `${numberText(exact(run.length))} ns`),
    tile('Exit status', status === null ? '–' : String(status), status === null ? 'still running' : status === 0 ? 'success' : 'failure', status !== null && status !== 0),
    tile('Drops', numberText(exact(drops.count)), Number(drops.count) ? 'data was lost' : 'nothing was lost', Number(drops.count) > 0),
    tile('Faults', numberText(exact(faults.count)), Number(faults.count) ? 'errors in clauses' : 'no errors in clauses', Number(faults.count) > 0),
    costTiles(raw),
    tile('Elements', numberText(elements), `of ${plural(aggregations.length, 'aggregation')}, ${plural(rows.count, 'row')}`));
}

// Drops and faults in full.
function problems({ drops, faults }) {
  const lists = [];
  if (drops.list.length)
    lists.push(element('h2', {}, 'Drops'), plainTable('Drops', [['time', true], ['count', true], ['drop', false]],
      drops.list.map((d) => [timeText(exact(d.time)), numberText(exact(d.count)), d.text])));
  if (faults.list.length)
    lists.push(element('h2', {}, 'Faults'), plainTable('Faults', [['time', true], ['probe', false], ['fault', false]],
      faults.list.map((f) => [timeText(exact(f.time)), f.probe, f.text])));
  if (exact(faults.count) > faults.list.length && faults.list.length)
    lists.push(element('p', { class: 'note' }, `The first ${numberText(faults.list.length)} of ${plural(exact(faults.count), 'fault')} are listed.`));
  if (!lists.length) return null;
  return element('details', { class: 'problems', open: drops.list.length + faults.list.length <= 5 }, element('summary', {}, 'What was lost or failed'), lists.flat());
}

const startText = (run) => `${new Date(Number(exact(run.start)) / 1e6).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function header(report, actions) {
  const { run } = report.raw;
  const facts = [run.host, run.kernel, `started ${startText(run)}`, run.program].filter((text) => text !== '');
  const lines = run.script.split('\n').length;
  return [
    element('div', { class: 'head-row' }, element('span', { class: 'eyebrow' }, 'dscope report'), element('span', { class: 'grow' }), actions),
    element('h1', {}, run.command || 'dscope'),
    element('p', { class: 'facts' }, facts.map((text) => element('span', {}, text))),
    tiles(report.raw), problems(report.raw),
    run.script && element('details', { open: lines <= 8 }, element('summary', {}, `Script, ${plural(lines, 'line')}`), element('pre', { tabindex: 0 }, run.script)),
  ];
}

function aggregationHead(aggregation) {
  const facts = [aggregation.raw.function, plural(aggregation.count, 'element')];
  if (aggregation.isAdditive) facts.push(`total ${numberText(aggregation.total)}`);
  return element('div', { class: 'section-head' }, element('h2', {}, aggregation.title), element('span', { class: 'muted' }, facts.join(' · ')),
    element('span', { class: 'grow' }), element('span', { class: 'links' }, button('CSV', () => saveCsv(aggregation))));
}

// A sentence for each limit of size that left something out of the model or the report.
function sizeNote(aggregation) {
  const { history, raw } = aggregation;
  const notes = [];
  if (raw.removed) notes.push(`${plural(raw.removed, 'element')} removed by trunc() ${raw.removed === 1 ? 'is' : 'are'} not shown.`);
  if (history && history.elements.length === 0 && aggregation.count > 0) notes.push('The history has no single elements: there were too many.');
  if (history && aggregation.stackKeys.length && aggregation.isAdditive && !history.samples) notes.push('Samples over time are left out: there were too many.');
  return notes.length ? element('p', { class: 'note' }, notes.join(' ')) : null;
}

const hasHistory = ({ history }) => history && history.ends.length > 1 && (history.total || history.elements.length > 0);

function aggregationPictures(aggregation, other) {
  if (aggregation.count === 0) return [element('p', { class: 'muted' }, 'no elements')];
  const isOfStacks = aggregation.stackKeys.length > 0 && aggregation.isAdditive;
  const stacks = isOfStacks ? new StackSection(aggregation, other).node : null;
  if (aggregation.isDistribution) return [stacks, ...distributionPictures(aggregation)];
  const hasLines = !aggregation.isPercentile && !isOfStacks && hasHistory(aggregation);
  return [stacks, hasLines && timeline(aggregation), block(isOfStacks || hasLines ? 'Elements' : '', numberTable(aggregation, other))];
}

function aggregationSection(aggregation, otherReport) {
  const id = `a${aggregation.index}`;
  const pictures = aggregationPictures(aggregation, aggregation.matchIn(otherReport));
  return element('section', { id, 'aria-label': aggregation.title }, aggregationHead(aggregation), pictures.flat(), sizeNote(aggregation));
}

function rowSection(report) {
  const { rows } = report.raw;
  if (rows.count === 0) return null;
  const note = (count, noun, what) => Number(count) > 0 && element('p', { class: 'note' }, `${plural(exact(count), noun)} ${what}.`);
  const notes = [note(rows.expired, 'earlier row', 'not kept'), note(rows.dropped, 'row', 'dropped: the clauses printed faster than dscope reads')];
  return element('section', { id: 'rows', 'aria-label': 'Rows' }, element('div', { class: 'section-head' }, element('h2', {}, 'Rows'),
    element('span', { class: 'muted' }, 'what the clauses printed')), new RowLog(report).node, ...notes);
}
