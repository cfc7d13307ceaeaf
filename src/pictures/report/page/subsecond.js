// Samples over time, with a range that filters the flame graph. Where intervals are short, a column is a second and
// a row a part of it: work that repeats shows as a pattern.

const maxBars = 240;

// The cells of the map: which cell each interval belongs to.
class SampleGrid {
  constructor(aggregation) {
    const { begin, samples } = aggregation.history;
    this.times = columnTimes(begin, samples.ends);
    this.cells = samples.cells;
    const count = samples.ends.length;
    const length = this.times.at(-1) - begin;
    const typical = [...samples.ends].sort((a, b) => a - b)[count >> 1];
    this.isMap = typical <= 250e6 && length >= 2e9;
    this.rows = this.isMap ? Math.max(4, Math.min(50, Math.round(1e9 / typical))) : 1;
    // Seconds of the clock, so that timers are at the same height in all reports.
    const phase = this.isMap ? Number(BigInt(aggregation.report.run.start) % 1000000000n) : 0;
    this.origin = this.isMap ? Math.floor((begin + phase) / 1e9) * 1e9 - phase : begin;
    this.cellLength = this.isMap ? 1e9 / this.rows : length / Math.min(maxBars, count);
    const middle = (i) => (this.times[i] + this.times[i + 1]) / 2;
    const bins = samples.ends.map((_, i) => Math.floor((middle(i) - this.origin) / this.cellLength));
    if (this.isMap) this.makeCells(bins);
    else this.makeBars(count <= maxBars ? bins.map((_, i) => i) : bins);
  }

  makeCells(bins) {
    this.cellOf = bins;
    this.columns = Math.ceil((Math.max(...bins) + 1) / this.rows);
    this.count = Math.max(...bins) + 1;
    this.edges = Array.from({ length: this.count + 1 }, (_, cell) => Math.max(this.origin + cell * this.cellLength, this.times[0]));
  }

  // Bars are as wide as their intervals are long: these may differ.
  makeBars(bins) {
    this.edges = [this.times[0]];
    this.cellOf = bins.map((bin, i) => {
      if (i === 0 || bin !== bins[i - 1]) this.edges.push(0);
      this.edges[this.edges.length - 1] = this.times[i + 1];
      return this.edges.length - 2;
    });
    this.count = this.columns = this.edges.length - 1;
  }

  // Samples by cell of the elements for which `isWanted(element)`.
  totals(isWanted) {
    const totals = new Array(this.count).fill(0);
    this.cells.forEach((interval, i) => {
      for (let k = 0; k < interval.length; k += 2)
        if (isWanted(interval[k])) totals[this.cellOf[i]] = add(totals[this.cellOf[i]], exact(interval[k + 1]));
    });
    return totals;
  }

  // Weights by element in the cells from `first` to `last`.
  weights(first, last) {
    const weights = new Map();
    this.cells.forEach((interval, i) => {
      if (this.cellOf[i] < first || this.cellOf[i] > last) return;
      for (let k = 0; k < interval.length; k += 2)
        weights.set(interval[k], add(weights.get(interval[k]) ?? 0, exact(interval[k + 1])));
    });
    return weights;
  }
}

class SampleMap {
  // `onselect(range)`: the cells [first, last], or null for all.
  constructor(aggregation, onselect) {
    this.grid = new SampleGrid(aggregation);
    this.onselect = onselect;
    this.range = null;
    this.cursor = -1;
    this.isByKeys = false;  // keys moved the cursor, and the pointer has not moved since
    this.left = this.grid.isMap ? 52 : 8;
    this.cellHeight = Math.max(3, Math.min(14, Math.floor(170 / this.grid.rows)));
    this.bodyHeight = this.grid.isMap ? this.grid.rows * this.cellHeight : 64;
    const label = this.grid.isMap ? 'Samples by second and offset within the second' : 'Samples over time';
    const { canvas, redraw } = picture(label, () => this.bodyHeight + 26, (context, width) => this.draw(context, width));
    Object.assign(this, { canvas, redraw, label });
    this.status = element('div', { class: 'status' });
    this.clear = button('all times', () => this.select(null), { disabled: true });
    this.setFilter(() => true);
  }

  setFilter(isWanted) {
    this.totals = this.grid.totals(isWanted);
    const { edges, isMap } = this.grid;
    // Bars show samples per second, because their intervals may differ.
    this.sizes = this.totals.map((total, cell) => Number(total) / (isMap ? 1 : (edges[cell + 1] - edges[cell]) / 1e9));
    this.highest = this.sizes.reduce((a, b) => Math.max(a, b), 1e-9);
    this.describe();
    this.redraw();
  }

  cellWidth(width) {
    return Math.min((width - this.left - 8) / this.grid.columns, this.grid.isMap ? 40 : Infinity);
  }

  // x, y, width and height of a cell. Offsets within the second grow upwards.
  box(cell, width) {
    const column = Math.floor(cell / this.grid.rows), row = cell % this.grid.rows;
    const w = this.cellWidth(width);
    if (this.grid.isMap) return [this.left + column * w, this.bodyHeight - (row + 1) * this.cellHeight, w, this.cellHeight];
    const { edges } = this.grid;
    const xOf = (time) => this.left + ((time - edges[0]) / (edges.at(-1) - edges[0])) * (width - this.left - 8);
    const height = (this.sizes[cell] / this.highest) * (this.bodyHeight - 4);
    return [xOf(edges[cell]), this.bodyHeight - height, xOf(edges[cell + 1]) - xOf(edges[cell]), height];
  }

  draw(context, width) {
    const w = this.cellWidth(width), { grid } = this;
    context.fillStyle = cssColor('soft');
    context.fillRect(this.left, 0, grid.columns * w, this.bodyHeight);
    const gap = w > 4 ? 1 : 0;
    for (let cell = 0; cell < grid.count; ++cell) {
      if (!(this.totals[cell] > 0)) continue;
      const isIn = !this.range || (cell >= this.range[0] && cell <= this.range[1]);
      context.globalAlpha = isIn ? 1 : 0.3;
      const [x, y, cw, ch] = this.box(cell, width);
      context.fillStyle = rampColor(grid.isMap ? 0.08 + 0.92 * (this.sizes[cell] / this.highest) : 0.5);
      context.fillRect(x, y, Math.max(0.7, cw - gap), Math.max(1, ch - (grid.isMap && ch > 6 ? 1 : 0)));
    }
    context.globalAlpha = 1;
    this.drawMarks(context, width);
    drawTimeAxis(context, { left: this.left, right: this.left + grid.columns * w, top: this.bodyHeight + 3,
      begin: grid.origin, end: grid.isMap ? grid.origin + grid.columns * 1e9 : grid.edges.at(-1) });
  }

  drawMarks(context, width) {
    if (this.grid.isMap) {
      context.font = '11px system-ui, sans-serif';
      context.fillStyle = cssColor('muted');
      context.textAlign = 'right';
      for (const [offset, baseline] of [[0, 'bottom'], [500, 'middle'], [1000, 'top']]) {
        context.textBaseline = baseline;
        context.fillText(`${offset} ms`, this.left - 6, this.bodyHeight * (1 - offset / 1000));
      }
    }
    if (this.cursor < 0) return;
    const [x, , w] = this.box(this.cursor, width);
    const y = this.grid.isMap ? this.box(this.cursor, width)[1] : 0;
    context.strokeStyle = cssColor('text');
    context.strokeRect(x + 0.5, y + 0.5, Math.max(2, w - 1), (this.grid.isMap ? this.cellHeight : this.bodyHeight) - 1);
  }

  cellAt(event) {
    const width = this.canvas.clientWidth;
    if (!this.grid.isMap) return this.totals.findIndex((_, cell) => {
      const [x, , w] = this.box(cell, width);
      return event.offsetX >= x && event.offsetX < x + w;
    });
    const column = Math.floor((event.offsetX - this.left) / this.cellWidth(width));
    const row = this.grid.rows - 1 - Math.floor(event.offsetY / this.cellHeight);
    const cell = column * this.grid.rows + Math.max(0, row);
    return column < 0 || column >= this.grid.columns || cell >= this.grid.count ? -1 : cell;
  }

  select(range) {
    this.range = range && [Math.min(...range), Math.max(...range)];
    this.clear.disabled = !range;
    this.onselect(this.range);
    this.describe();
    this.redraw();
  }

  describe() {
    const { grid, range, cursor } = this;
    const span = (first, last) => `${timeText(grid.edges[first], grid.cellLength)} – ${timeText(grid.edges[last + 1], grid.cellLength)}`;
    const texts = [];
    if (range) texts.push(`range ${span(...range)}: ${numberText(sumOf(this.totals.slice(range[0], range[1] + 1)))}`);
    if (cursor >= 0) texts.push(`${span(cursor, cursor)}: ${numberText(this.totals[cursor])}`);
    setStatus(this.status, texts.join('   '),
      'Drag over a range of time to see its stacks. With the keyboard: arrow keys, Enter; Shift extends; Escape clears.');
  }

  press(event) {
    const { rows } = this.grid;
    const steps = { ArrowRight: rows, ArrowLeft: -rows, ArrowUp: this.grid.isMap ? 1 : 0, ArrowDown: this.grid.isMap ? -1 : 0 };
    if (event.key === 'Escape') this.select(null);
    else if (event.key === 'Enter' && this.cursor >= 0) this.select([this.cursor, this.cursor]);
    else if (event.key in steps) {
      const last = this.cursor;
      this.isByKeys = true;
      this.cursor = Math.max(0, Math.min(this.grid.count - 1, last < 0 ? 0 : last + steps[event.key]));
      if (event.shiftKey && last >= 0) {
        this.anchor ??= last;
        this.select([this.anchor, this.cursor]);
      } else this.anchor = null;
      this.describe();
      this.redraw();
    } else return;
    event.preventDefault();
  }

  node() {
    let start = -1;
    const move = (cell) => { if (cell !== this.cursor) { this.cursor = cell; this.describe(); this.redraw(); } };
    return element('div', { class: 'picture stage', tabindex: 0, role: 'application', 'aria-label': `${this.label}: arrow keys, Enter selects`,
      onpointerdown: (event) => { start = this.cellAt(event); event.currentTarget.setPointerCapture?.(event.pointerId); },
      onpointermove: (event) => {
        if (event.target !== this.canvas && !event.buttons) return;
        // Browsers report a pointer that rests while the page moves below it.
        if (this.isByKeys && event.movementX === 0 && event.movementY === 0) return;
        this.isByKeys = false;
        const cell = this.cellAt(event);
        move(cell);
        if (start >= 0 && event.buttons && cell >= 0) this.select([start, cell]);
      },
      onpointerup: (event) => {
        const cell = this.cellAt(event);
        if (start >= 0 && cell >= 0) this.select([start, cell]);
        start = -1;
      },
      onmouseleave: () => { if (!this.isByKeys) move(-1); }, onkeydown: (event) => this.press(event) }, this.canvas);
  }

  tableRows() {
    const rows = [];
    this.totals.forEach((total, cell) => total > 0 && rows.push([timeText(this.grid.edges[cell], this.grid.cellLength), numberText(total)]));
    return rows;
  }
}
