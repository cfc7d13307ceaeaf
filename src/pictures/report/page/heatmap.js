// Heat maps: time to the right, buckets upwards, the count as lightness.

// Counts by column and bucket of the element `i`, or of all elements if it is -1; null: the history does not have it.
function heatColumns(aggregation, i) {
  const { history } = aggregation;
  const place = i < 0 ? -1 : history.elements.indexOf(i);
  if (i >= 0 && place < 0) return null;
  const columns = i < 0 ? history.total : history.series[place];
  return columns.map((cells) => {
    const counts = new Map();
    for (let k = 0; k < cells.length; k += 2) counts.set(cells[k], exact(cells[k + 1]));
    return counts;
  });
}

class HeatMap {
  constructor(aggregation, columns) {
    this.aggregation = aggregation;
    this.columns = columns;
    this.times = columnTimes(aggregation.history.begin, aggregation.history.ends);
    const used = columns.flatMap((counts) => [...counts.keys()]);
    this.first = used.reduce((a, b) => Math.min(a, b), Infinity);
    this.last = used.reduce((a, b) => Math.max(a, b), -Infinity);
    this.rows = this.last - this.first + 1;
    this.highest = columns.reduce((top, counts) => [...counts.values()].reduce((a, b) => Math.max(a, Number(b)), top), 1);
    this.rowHeight = Math.max(2, Math.min(17, Math.floor(300 / this.rows)));
    this.left = 64;
    this.cursor = null;
    this.status = element('div', { class: 'status' });
    setStatus(this.status, '', this.hint());
    const { canvas, redraw } = picture(`Heat map of ${aggregation.title} over time`,
      () => this.rows * this.rowHeight + 26, (context, width) => this.draw(context, width));
    Object.assign(this, { canvas, redraw });
  }

  hint() {
    return 'Point at a cell, or focus the picture and press the arrow keys, for its count.';
  }

  xOf(time, width) {
    return this.left + ((time - this.times[0]) / (this.times.at(-1) - this.times[0])) * (width - this.left - 8);
  }

  yOf(bucket) {
    return 2 + (this.last - bucket) * this.rowHeight;
  }

  draw(context, width) {
    context.fillStyle = cssColor('soft');
    context.fillRect(this.left, 2, width - this.left - 8, this.rows * this.rowHeight);
    const gap = this.rowHeight > 6 ? 1 : 0;
    this.columns.forEach((counts, column) => {
      const x = Math.floor(this.xOf(this.times[column], width));
      const next = Math.max(x + 1, Math.floor(this.xOf(this.times[column + 1], width)));
      for (const [bucket, count] of counts) {
        if (!(count > 0)) continue;
        context.fillStyle = rampColor(0.08 + 0.92 * (Math.log1p(Number(count)) / Math.log1p(this.highest)));
        context.fillRect(x, this.yOf(bucket), next - x - (next - x > 4 ? 1 : 0), this.rowHeight - gap);
      }
    });
    this.drawLabels(context);
    this.drawCursor(context, width);
    drawTimeAxis(context, { left: this.left, right: width - 8, top: this.rows * this.rowHeight + 4,
      begin: this.times[0], end: this.times.at(-1) });
  }

  drawLabels(context) {
    context.font = '11px system-ui, sans-serif';
    context.fillStyle = cssColor('muted');
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    const step = Math.ceil(15 / this.rowHeight);
    for (let bucket = this.first; bucket <= this.last; bucket += step) {
      const [low, high] = this.aggregation.buckets[bucket];
      const text = Number(low) < -9e18 ? `< ${shortNumber(high)}` : shortNumber(low);
      context.fillText(text, this.left - 6, this.yOf(bucket) + this.rowHeight / 2);
    }
  }

  drawCursor(context, width) {
    if (!this.cursor) return;
    const { column, bucket } = this.cursor;
    const x = this.xOf(this.times[column], width);
    context.strokeStyle = cssColor('text');
    context.strokeRect(Math.floor(x) + 0.5, this.yOf(bucket) + 0.5, Math.max(3, this.xOf(this.times[column + 1], width) - x) - 1, this.rowHeight - 1);
  }

  point(cursor) {
    this.cursor = cursor;
    setStatus(this.status, cursor && this.describe(cursor), this.hint());
    this.redraw();
  }

  describe({ column, bucket }) {
    const count = this.columns[column].get(bucket) ?? 0;
    return `${timeText(this.times[column])} – ${timeText(this.times[column + 1])}   ` +
      `${bucketText(this.aggregation.buckets[bucket])}: ${numberText(count)}`;
  }

  cellAt(event) {
    const bucket = this.last - Math.floor((event.offsetY - 2) / this.rowHeight);
    const column = this.times.findIndex((_, c) => c + 1 < this.times.length && event.offsetX < this.xOf(this.times[c + 1], this.canvas.clientWidth));
    return column < 0 || event.offsetX < this.left || bucket < this.first || bucket > this.last ? null : { column, bucket };
  }

  move(event) {
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (!steps[event.key]) return;
    event.preventDefault();
    const now = this.cursor ?? { column: 0, bucket: this.first };
    const [right, up] = this.cursor ? steps[event.key] : [0, 0];
    this.point({ column: Math.max(0, Math.min(this.columns.length - 1, now.column + right)),
      bucket: Math.max(this.first, Math.min(this.last, now.bucket + up)) });
  }

  node() {
    return element('div', { class: 'picture stage', tabindex: 0, role: 'application', onmousemove: (event) => this.point(this.cellAt(event)),
      'aria-label': 'Heat map: arrow keys move from cell to cell', onmouseleave: () => this.point(null),
      onkeydown: (event) => this.move(event) }, this.canvas);
  }

  tableRows() {
    return this.columns.flatMap((counts, column) => [...counts].sort((a, b) => a[0] - b[0]).map(([bucket, count]) =>
      [timeText(this.times[column]), bucketText(this.aggregation.buckets[bucket]), numberText(count)]));
  }
}

function heatMap(aggregation, i) {
  const title = element('h3', {}, 'Over time');
  const columns = heatColumns(aggregation, i);
  const kept = aggregation.history.elements.length;
  if (columns === null)
    return [title, element('p', { class: 'note' }, `Only the ${plural(kept, 'largest element')} of ${numberText(aggregation.count)} have a history of their own.`)];
  const map = new HeatMap(aggregation, columns);
  if (map.rows < 1) return [title, element('p', { class: 'muted' }, 'no values')];
  return [title, rampLegend('1', `${numberText(map.highest)} in a cell, logarithmic`), map.node(), map.status,
    tableOf('Heat map', [['from', true], ['value', true], ['count', true]], () => map.tableRows())];
}
