// The rows that clauses printed, as a list that filters. Only the visible rows are in the document.

const rowHeight = 20;
const logWidths = { time: '104px', CPU: '44px', TID: '64px', process: '120px', probe: '220px', text: 'minmax(260px, 1fr)' };

function logColumns(rows) {
  let time = 0n;
  const times = rows.time.map((distance) => narrow(time += BigInt(distance)));
  const columns = [['time', (i) => timeText(times[i], 1e3)], ['CPU', (i) => String(rows.cpu[i])]];
  if (rows.tid.some((tid) => tid !== 0)) columns.push(['TID', (i) => (rows.tid[i] ? String(rows.tid[i]) : '')]);
  if (rows.execnames.some((name) => name !== '')) columns.push(['process', (i) => rows.execnames[rows.execname[i]]]);
  columns.push(['probe', (i) => rows.probes[rows.probe[i]]], ['text', (i) => rows.text[i]]);
  return columns;
}

class RowLog {
  constructor(report) {
    const { rows } = report.raw;
    this.rows = rows;
    this.columns = logColumns(rows);
    this.all = Array.from({ length: rows.count }, (_, i) => i);
    this.shown = this.all;
    this.selected = -1;
    this.probe = '';
    this.summary = element('span', { class: 'muted', role: 'status' });
    this.detail = element('pre', { hidden: true, tabindex: 0 });
    this.list = element('div', { role: 'rowgroup' });
    const head = element('div', { class: 'log-head', role: 'row' }, this.columns.map(([title]) => element('span', { role: 'columnheader' }, title)));
    this.style(head);
    this.table = element('div', { role: 'table', 'aria-label': 'Rows', 'aria-rowcount': rows.count + 1 }, element('div', { role: 'rowgroup' }, head), this.list);
    this.box = element('div', { class: 'log', tabindex: 0, role: 'group', 'aria-label': 'Rows: arrow keys select', onscroll: () => this.draw(),
      onkeydown: (event) => this.press(event) }, this.table);
    this.list.style.position = 'relative';
    this.node = element('div', {}, this.toolbar(), this.box, this.detail);
    this.update();
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  style(row) {
    row.style.gridTemplateColumns = this.columns.map(([title]) => logWidths[title]).join(' ');
  }

  toolbar() {
    const input = element('input', { type: 'search', placeholder: 'filter rows', 'aria-label': 'Filter rows',
      oninput: () => { this.filter = input.value.toLowerCase(); this.update(); } });
    const probes = [['', 'all'], ...this.rows.probes.map((name, i) => [String(i), name])];
    const choice = this.rows.probes.length > 1 && selection('probe', probes, (value) => { this.probe = value; this.update(); }).node;
    return element('div', { class: 'tools' }, input, choice, this.summary, element('span', { class: 'grow' }),
      element('span', { class: 'links' }, button('CSV', () => this.save())));
  }

  save() {
    const cells = (i) => this.columns.map(([, text]) => text(i));
    download('rows.csv', 'text/csv', [csvText([this.columns.map(([title]) => title), ...this.shown.map(cells)])]);
  }

  matches(i) {
    if (this.probe !== '' && this.rows.probe[i] !== Number(this.probe)) return false;
    return !this.filter || this.columns.some(([title, text]) => title !== 'time' && text(i).toLowerCase().includes(this.filter));
  }

  update() {
    this.shown = this.filter || this.probe !== '' ? this.all.filter((i) => this.matches(i)) : this.all;
    const part = this.shown.length < this.all.length ? `${numberText(this.shown.length)} of ` : '';
    this.summary.textContent = part + plural(this.all.length, 'row');
    this.list.style.height = `${this.shown.length * rowHeight}px`;
    this.box.style.height = `${Math.min(420, this.shown.length * rowHeight + 46)}px`;
    this.box.scrollTop = 0;
    this.choose(-1);
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / rowHeight) - 10);
    const last = Math.min(this.shown.length, first + Math.ceil(this.box.clientHeight / rowHeight) + 20);
    const nodes = [];
    for (let k = first; k < last; ++k) nodes.push(this.row(k));
    this.list.replaceChildren(...nodes);
  }

  row(k) {
    const cells = this.columns.map(([, text]) => element('span', { role: 'cell' }, text(this.shown[k]).replace(/\n+$/, '').replaceAll('\n', ' ⏎ ')));
    const row = element('div', { class: 'log-row', role: 'row', 'aria-rowindex': k + 2, 'aria-selected': k === this.selected ? 'true' : null,
      onclick: () => this.choose(k) }, cells);
    row.style.top = `${k * rowHeight}px`;
    this.style(row);
    return row;
  }

  choose(k) {
    this.selected = k;
    this.detail.hidden = k < 0;
    if (k >= 0) this.detail.textContent = this.columns.map(([title, text]) => (title === 'text' ? `\n${text(this.shown[k])}` : `${text(this.shown[k])}  `)).join('');
    this.draw();
  }

  press(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (!steps[event.key] || this.shown.length === 0) return;
    event.preventDefault();
    const k = Math.max(0, Math.min(this.shown.length - 1, this.selected + steps[event.key]));
    const y = k * rowHeight;
    const room = this.box.clientHeight - 28 - rowHeight;
    if (y < this.box.scrollTop) this.box.scrollTop = y;
    else if (y > this.box.scrollTop + room) this.box.scrollTop = y - room;
    this.choose(k);
  }
}
