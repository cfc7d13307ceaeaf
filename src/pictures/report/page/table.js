// A table of an aggregation's elements that sorts by each column and filters by text.
// columns: { title, isNumber, get(i): to sort by, text(i), isBar: `get` as a bar }.

class ElementTable {
  constructor({ caption, noun, columns, count, onPick, sortBy }) {
    Object.assign(this, { caption, noun, columns, onPick });
    this.order = Array.from({ length: count }, (_, i) => i);
    this.count = count;
    this.sort = { column: sortBy, isDescending: columns[sortBy]?.isNumber ?? false };
    this.filter = '';
    this.picked = -1;
    this.node = element('div', {}, this.toolbar(), this.scroller(), this.more);
    this.update();
  }

  toolbar() {
    const input = element('input', { type: 'search', placeholder: 'filter', 'aria-label': `Filter ${this.caption}`,
      oninput: () => { this.filter = input.value.toLowerCase(); this.update(); } });
    this.summary = element('span', { class: 'muted', role: 'status' });
    return this.count > 8 ? element('div', { class: 'tools' }, input, this.summary) : null;
  }

  scroller() {
    this.body = element('tbody');
    this.headers = this.columns.map((column, index) => (column.isBar ? element('td', { 'aria-hidden': 'true' })
      : element('th', { scope: 'col', class: column.isNumber && 'number' }, button(column.title, () => this.sortBy(index)))));
    this.more = button('', () => this.append(1000));
    const table = element('table', {}, element('caption', {}, this.caption),
      element('thead', {}, element('tr', {}, this.headers)), this.body);
    return element('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': this.caption }, table);
  }

  sortBy(index) {
    const isSame = this.sort.column === index;
    this.sort = { column: index, isDescending: isSame ? !this.sort.isDescending : !!this.columns[index].isNumber };
    this.update();
  }

  matches(i) {
    return this.columns.some((column) => !column.isNumber && !column.isBar && column.text(i).toLowerCase().includes(this.filter));
  }

  update() {
    const { column, isDescending } = this.sort;
    const { get } = this.columns[column];
    const sign = isDescending ? -1 : 1;
    const all = Array.from({ length: this.count }, (_, i) => i);
    this.order = this.filter ? all.filter((i) => this.matches(i)) : all;
    const values = all.map(get);
    this.order.sort((a, b) => sign * compare(values[a], values[b]) || a - b);
    this.headers.forEach((header, i) => {
      if (i === column) header.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
      else header.removeAttribute('aria-sort');
      const arrow = i === column ? (isDescending ? ' ↓' : ' ↑') : '';
      if (!this.columns[i].isBar) header.firstChild.textContent = this.columns[i].title + arrow;
    });
    const part = this.filter ? `${numberText(this.order.length)} of ` : '';
    if (this.summary) this.summary.textContent = part + plural(this.count, this.noun);
    this.scales = this.columns.map((c) => (c.isBar ? all.reduce((most, i) => Math.max(most, Math.abs(Number(c.get(i)))), 1e-9) : 0));
    this.body.replaceChildren();
    this.shown = 0;
    this.append(100);
  }

  append(count) {
    const rows = this.order.slice(this.shown, this.shown + count).map((i) => this.row(i));
    this.body.append(...rows);
    this.shown += rows.length;
    this.more.hidden = this.shown >= this.order.length;
    this.more.textContent = `show more of ${plural(this.order.length, 'row')}`;
  }

  row(i) {
    const cells = this.columns.map((column, k) => {
      if (column.isBar) return this.bar(Math.abs(Number(column.get(i))) / this.scales[k]);
      return element('td', { class: column.isNumber ? `number ${column.tone?.(i) ?? ''}` : null }, column.text(i));
    });
    if (!this.onPick) return element('tr', {}, cells);
    const pick = () => { this.picked = i; this.onPick(i); this.markPicked(); };
    const row = element('tr', { class: 'pick', tabindex: 0, 'data-row': i, onclick: pick,
      onkeydown: (event) => { if (event.key === 'Enter') pick(); } }, cells);
    if (i === this.picked) row.setAttribute('aria-selected', 'true');
    return row;
  }

  markPicked() {
    for (const row of this.body.children) row.toggleAttribute('aria-selected', false);
    this.body.querySelector(`[data-row="${this.picked}"]`)?.setAttribute('aria-selected', 'true');
  }

  bar(share) {
    const fill = element('div');
    fill.style.width = `${Math.max(0, share * 100)}%`;
    return element('td', { class: 'bar', 'aria-hidden': 'true' }, fill);
  }
}

function keyColumns(aggregation) {
  return aggregation.keys.map((key) => ({
    title: key.name,
    isNumber: key.kind === 'number',
    get: key.kind === 'number' ? (i) => keyNumber(key.values[i]) : (i) => aggregation.keyText(key, i),
    text: (i) => aggregation.keyText(key, i),
  }));
}

// Keys are sorted as numbers even where doubles do not hold them.
const keyNumber = (text) => (/^\s*-?\d+\s*$/.test(text) ? narrow(BigInt(text.trim())) : Number(text) || 0);

// The columns that compare the elements with those of another report.
function comparedColumns(aggregation, other) {
  const numbers = new Map(Array.from({ length: other.count }, (_, i) => [other.identity(i), other.weight(i)]));
  const befores = Array.from({ length: aggregation.count }, (_, i) => numbers.get(aggregation.identity(i)) ?? 0);
  const before = (i) => befores[i];
  const change = (i) => subtract(aggregation.weight(i), before(i));
  const signed = (value) => (value > 0 ? `+${numberText(value)}` : numberText(value));
  return [{ title: 'other report', isNumber: true, get: before, text: (i) => numberText(before(i)) },
    { title: 'change', isNumber: true, get: change, text: (i) => signed(change(i)),
      tone: (i) => (change(i) > 0 ? 'up' : change(i) < 0 ? 'down' : '') }];
}

function numberColumns(aggregation) {
  const { raw } = aggregation;
  if (aggregation.isPercentile)
    return raw.columns.map((title, k) => ({ title, isNumber: true, get: (i) => exact(aggregation.values[i][k] ?? 0),
      text: (i) => numberText(exact(aggregation.values[i][k] ?? 0)) }));
  const value = (i) => aggregation.value(i);
  const columns = [{ title: raw.function, isNumber: true, get: value, text: (i) => numberText(value(i)) }];
  const total = aggregation.isAdditive ? aggregation.total : 0;
  const hasShares = total > 0 && !aggregation.weights.some((weight) => weight < 0);
  if (hasShares)
    columns.push({ title: 'share', isNumber: true, get: value, text: (i) => percent(ratio(value(i), total)) });
  columns.push({ isBar: true, get: value });
  return columns;
}

// The table of an aggregation with one number, or percentiles, for each element.
function numberTable(aggregation, other) {
  const columns = [...keyColumns(aggregation), ...numberColumns(aggregation),
    ...(other && !aggregation.isPercentile ? comparedColumns(aggregation, other) : [])];
  return new ElementTable({ caption: `Elements of ${aggregation.title}`, noun: 'element', columns,
    count: aggregation.count, sortBy: aggregation.keys.length }).node;
}
