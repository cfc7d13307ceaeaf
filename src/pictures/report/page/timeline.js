// The largest elements of an aggregation over time: stacked areas of counts and sums, lines of other numbers.

const maxLines = 6;

class Timeline {
  constructor(aggregation) {
    const { history } = aggregation;
    this.aggregation = aggregation;
    this.times = columnTimes(history.begin, history.ends);
    this.series = history.elements.slice(0, maxLines).map((element, k) =>
      this.line(aggregation.label(element), history.series[k]));
    if (aggregation.isAdditive) this.addOthers(history.total);
    const isNegative = this.series.some((line) => line.values.some((value) => value < 0));
    this.isStacked = aggregation.isAdditive && !isNegative;
    this.unit = aggregation.isAdditive ? `${aggregation.raw.function} per second` : aggregation.raw.function;
    this.hovered = -1;
    this.status = element('div', { class: 'status' });
    const { canvas, redraw } = picture(`${this.unit} of ${aggregation.title} over time`, () => 170,
      (context, width, height) => this.draw(context, width, height));
    Object.assign(this, { canvas, redraw });
    this.show(-1);
  }

  // Counts and sums are shown as rates. `cells`: exact numbers by column, or null.
  line(label, cells) {
    const seconds = (column) => (this.times[column + 1] - this.times[column]) / 1e9;
    const rate = (cell, column) => Number(exact(cell ?? 0)) / seconds(column);
    const number = (cell) => (cell === null ? null : Number(exact(cell)));
    return { label, cells, values: cells.map(this.aggregation.isAdditive ? rate : number), isShown: true };
  }

  addOthers(total) {
    const shown = (column) => sumOf(this.series.map(({ cells }) => exact(cells[column] ?? 0)));
    const rest = total.map((cell, column) => subtract(exact(cell ?? 0), shown(column)));
    if (!rest.some((value) => value !== 0)) return;
    const line = this.line(this.series.length ? 'all others' : 'all elements', rest);
    line.isOthers = this.series.length > 0;
    this.series.push(line);
  }

  color(index) {
    return this.series[index].isOthers ? cssColor('line') : lineColor(index);
  }

  get shown() {
    return this.series.filter((line) => line.isShown);
  }

  highest() {
    if (!this.isStacked) return Math.max(1e-9, ...this.shown.flatMap((line) => line.values));
    return Math.max(1e-9, ...this.times.slice(1).map((_, column) => this.shown.reduce((sum, { values }) => sum + values[column], 0)));
  }

  xOf(time, width) {
    return 56 + ((time - this.times[0]) / (this.times.at(-1) - this.times[0])) * (width - 64);
  }

  draw(context, width, height) {
    const top = 6, floor = height - 22;
    const ticks = ticksUpTo(this.highest(), 4);
    const limit = Math.max(ticks.at(-1), this.highest());
    const yOf = (value) => floor - (Math.max(0, value) / limit) * (floor - top);
    const xOf = (column) => this.xOf((this.times[column] + this.times[column + 1]) / 2, width);
    drawGrid(context, ticks, yOf, 56, width);
    if (this.isStacked) this.drawAreas(context, xOf, yOf, width);
    else this.series.forEach((line, index) => line.isShown && this.drawLine(context, line, index, xOf, yOf));
    if (this.hovered >= 0) {
      context.fillStyle = cssColor('text');
      context.fillRect(Math.round(xOf(this.hovered)), top, 1, floor - top);
    }
    drawTimeAxis(context, { left: 56, right: width - 8, top: floor, begin: this.times[0], end: this.times.at(-1) });
  }

  // From the top area down, each over the ones below it. The ends are those of the time axis.
  drawAreas(context, xOf, yOf, width) {
    const sums = this.times.slice(1).map(() => 0);
    const areas = this.series.flatMap((line, index) => {
      if (!line.isShown) return [];
      line.values.forEach((value, column) => { sums[column] += value; });
      return [{ index, tops: [...sums] }];
    });
    const right = this.xOf(this.times.at(-1), width);
    for (const { index, tops } of areas.reverse()) {
      context.beginPath();
      context.moveTo(56, yOf(0));
      context.lineTo(56, yOf(tops[0]));
      tops.forEach((value, column) => context.lineTo(xOf(column), yOf(value)));
      context.lineTo(right, yOf(tops.at(-1)));
      context.lineTo(right, yOf(0));
      context.fillStyle = cssColor('card');
      context.fill();
      context.globalAlpha = 0.78;
      context.fillStyle = this.color(index);
      context.fill();
      context.globalAlpha = 1;
    }
  }

  drawLine(context, line, index, xOf, yOf) {
    context.strokeStyle = this.color(index);
    context.lineWidth = 1.5;
    context.lineJoin = 'round';
    context.setLineDash(lineDashes[index % lineDashes.length]);
    context.beginPath();
    line.values.forEach((value, column) => {
      if (value === null) return;
      if (column === 0 || line.values[column - 1] === null) context.moveTo(xOf(column), yOf(value));
      context.lineTo(xOf(column), yOf(value));
    });
    context.stroke();
    context.setLineDash([]);
  }

  show(column) {
    this.hovered = column;
    const value = (line) => (line.cells[column] === null ? '–' : shortNumber(line.values[column]));
    const text = column < 0 ? '' : [`${timeText(this.times[column])} – ${timeText(this.times[column + 1])}`,
      ...this.shown.map((line) => `${line.label}: ${value(line)}`)].join('   ');
    setStatus(this.status, text, 'Point at the picture, or focus it and press ← and →, for numbers.');
    this.redraw();
  }

  columnAt(event) {
    const width = this.canvas.clientWidth;
    if (event.offsetX < 56) return -1;
    return this.times.slice(1).findIndex((time) => event.offsetX < this.xOf(time, width));
  }

  press(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.show(Math.max(0, Math.min(this.times.length - 2, this.hovered + step)));
  }

  stage() {
    return element('div', { class: 'stage', tabindex: 0, role: 'application', onkeydown: (event) => this.press(event),
      'aria-label': `${this.unit} over time: arrow keys move through time`, onmousemove: (event) => this.show(this.columnAt(event)),
      onmouseleave: () => this.show(-1) }, this.canvas);
  }

  legend() {
    if (this.series.length === 1) return null;
    const items = this.series.map((line, index) => {
      const item = toggle('', true, (isOn) => { line.isShown = isOn; this.redraw(); });
      item.append(this.swatch(index), line.label);
      return item;
    });
    return element('div', { class: 'legend', role: 'group', 'aria-label': 'Shown elements' }, items);
  }

  swatch(index) {
    const { canvas } = picture('', () => 11, (context, width, height) => {
      context.fillStyle = context.strokeStyle = this.color(index);
      if (this.isStacked) context.fillRect(0, 0, width, height);
      context.lineWidth = 2;
      context.setLineDash(lineDashes[index % lineDashes.length]);
      context.moveTo(0, 5);
      context.lineTo(width, 5);
      context.stroke();
    });
    canvas.removeAttribute('role');
    canvas.setAttribute('aria-hidden', 'true');
    canvas.className = this.isStacked ? 'swatch' : 'swatch wide';
    return canvas;
  }

  table() {
    const cell = (value) => (value === null ? '' : numberText(exact(value)));
    return tableOf('Time line', [['from', true], ...this.series.map((line) => [line.label, true])], () =>
      this.times.slice(1).map((_, column) => [timeText(this.times[column]), ...this.series.map(({ cells }) => cell(cells[column]))]));
  }
}

function timeline(aggregation) {
  const line = new Timeline(aggregation);
  return block(`Over time, ${line.unit}`, line.legend(), line.stage(), line.status, line.table());
}

function drawGrid(context, ticks, yOf, left, width) {
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const tick of ticks) {
    context.fillStyle = cssColor('line');
    context.fillRect(left, Math.round(yOf(tick)), width - left - 8, 1);
    context.fillStyle = cssColor('muted');
    context.fillText(shortNumber(tick), left - 6, yOf(tick));
  }
}
