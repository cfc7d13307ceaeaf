// Stacks: a flame graph with the keys beside the stacks as choices, differences, and samples over time.

class StackSection {
  constructor(aggregation, other) {
    this.aggregation = aggregation;
    this.key = '';
    this.base = other ? 'other' : '';
    this.range = null;
    this.isInverted = false;
    this.paths = new Map();
    this.other = other;
    this.view = new FlameView(`Flame graph of ${aggregation.title}`);
    this.view.onzoom = (node) => { this.reset.disabled = node === 0; };
    this.view.onsearch = () => this.searchBox.focus();
    const hasSamples = (aggregation.history?.samples?.ends.length ?? 0) > 1;
    this.map = hasSamples ? new SampleMap(aggregation, (range) => { this.range = range; this.update(); }) : null;
    this.node = element('div', {}, this.mapBlock(), this.flameBlock());
    this.update();
  }

  // Labels of the keys beside the stacks, the largest first.
  labels() {
    const sums = new Map();
    const { aggregation } = this;
    for (let i = 0; i < aggregation.count; ++i) {
      const label = aggregation.plainLabel(i);
      sums.set(label, add(sums.get(label) ?? 0, aggregation.weights[i]));
    }
    return [...sums].sort((a, b) => -compare(a[1], b[1]) || compare(a[0], b[0])).map(([label]) => label);
  }

  mapBlock() {
    if (!this.map) return null;
    const { samples } = this.aggregation.history;
    const note = samples.joined > 1 && element('p', { class: 'note' }, `${samples.joined} intervals are joined in one, to limit the size of the report.`);
    return block(this.map.label, element('div', { class: 'tools' }, this.map.clear,
      this.map.grid.isMap && rampLegend('0', `${numberText(this.map.highest)} samples in ${durationText(this.map.grid.cellLength)}`)),
      this.map.node(), this.map.status, note, tableOf('Samples', [['from', true], ['samples', true]], () => this.map.tableRows()));
  }

  flameBlock() {
    this.matched = element('span', { class: 'muted', role: 'status' });
    this.searchBox = element('input', { type: 'search', placeholder: 'search frames', 'aria-label': 'Search frames',
      oninput: () => this.search() });
    this.reset = button('reset zoom', () => this.view.zoom(0), { disabled: true });
    this.legend = element('div', { class: 'legend' });
    const tools = element('div', { class: 'tools' }, this.choices(), this.searchBox, this.matched, element('span', { class: 'grow' }),
      toggle('icicle', false, (isOn) => this.view.setIcicle(isOn), { title: 'callers on top' }),
      toggle('inverted', false, (isOn) => { this.isInverted = isOn; this.update(); }, { title: 'from the innermost frames to their callers' }),
      this.reset);
    this.note = element('p', { class: 'note' });
    this.table = element('div');
    const saves = element('div', { class: 'tools links' }, element('span', { class: 'muted' }, 'save these stacks:'),
      stackDownloads(this.aggregation, () => this.samples(this.key)));
    return block('Flame graph', tools, this.legend, this.view.node, this.view.status, this.note, this.table, saves);
  }

  choices() {
    const labels = this.labels();
    const hasKeys = this.aggregation.plainKeys.length > 0 && labels.length > 1;
    const shown = labels.slice(0, maxChoices).map((label, i) => [`key ${i}`, label || '(empty)']);
    this.labelOf = (value) => labels[Number(value.slice(4))];
    const name = this.aggregation.plainKeys.map((key) => key.name).join(', ');
    const keyChoice = hasKeys && selection(name, [['', `all ${numberText(labels.length)}`], ...shown], (value) => { this.key = value; this.update(); });
    const bases = [['', 'nothing'], ...(this.other ? [['other', 'the other report']] : []), ...(hasKeys ? shown : [])];
    const baseChoice = bases.length > 1 && selection('compare with', bases, (value) => { this.base = value; this.update(); });
    if (this.other) baseChoice.select.value = this.base;
    return [keyChoice?.node, baseChoice?.node];
  }

  isWanted(key) {
    if (key === '') return () => true;
    const label = this.labelOf(key);
    return (i) => this.aggregation.plainLabel(i) === label;
  }

  path(aggregation, i) {
    const cache = aggregation === this.aggregation ? this.paths : null;
    if (cache?.has(i)) return cache.get(i);
    const path = aggregation.path(i);
    cache?.set(i, path);
    return path;
  }

  samples(key) {
    const { aggregation } = this;
    const isWanted = this.isWanted(key);
    const weights = this.range ? this.map.grid.weights(...this.range) : null;
    const samples = [];
    for (let i = 0; i < aggregation.count; ++i) {
      if (!isWanted(i)) continue;
      const weight = weights ? weights.get(i) ?? 0 : aggregation.weights[i];
      if (weight !== 0) samples.push([this.path(aggregation, i), weight]);
    }
    return samples;
  }

  otherSamples() {
    const { other } = this;
    const label = this.key === '' ? null : this.labelOf(this.key);
    const samples = [];
    for (let i = 0; i < other.count; ++i)
      if (label === null || other.plainLabel(i) === label) samples.push([this.path(other, i), other.weights[i]]);
    return samples;
  }

  update() {
    const samples = this.samples(this.key);
    const bases = this.base === '' ? null : this.base === 'other' ? this.otherSamples() : this.samples(this.base);
    const reversed = (list) => (this.isInverted ? list?.map(([path, weight]) => [path.toReversed(), weight]) : list) ?? null;
    const tree = new FlameTree(reversed(samples), reversed(bases));
    this.reset.disabled = true;
    this.view.setTree(tree);
    this.search();
    this.map?.setFilter(this.isWanted(this.key));
    this.showLegend(tree);
    this.note.textContent = tree.negative ? `${plural(tree.negative, 'stack')} with negative sums are not shown.` : '';
    this.table.replaceChildren(this.functionTable(samples, bases));
  }

  search() {
    const found = this.view.search(this.searchBox.value);
    const { tree } = this.view;
    this.matched.textContent = found ? `${percent(ratio(found.weight, tree.total[0]))} matched` : '';
  }

  showLegend(tree) {
    const item = (color, text) => {
      const swatch = element('i');
      swatch.style.background = color;
      return element('span', {}, swatch, text);
    };
    const kinds = new Set(tree.frame.slice(1).map((frame) => frameKinds[frame]));
    const items = tree.isDifference
      ? [item(changeColor(1), 'larger share'), item(changeColor(0), 'same'), item(changeColor(-1), 'smaller share than compared with')]
      : Object.keys(kindNames).filter((kind) => kinds.has(kind)).map((kind) => item(rgb(kindColors[kind]), kindNames[kind]));
    this.legend.replaceChildren(...items);
  }

  functionTable(samples, bases) {
    const columns = [['function', false], ['kind', false], ['self', true], ['total', true], ['share', true]];
    if (bases) columns.push(['before', true]);
    return tableOf('Flame graph', columns, () => {
      const whole = sumOf(samples.map(([, weight]) => weight));
      const before = bases && new Map(functionWeights(bases).map(({ frame, total }) => [frame, total]));
      const allBefore = bases && sumOf(bases.map(([, weight]) => weight));
      return functionWeights(samples).map(({ frame, total, self }) => [frameNames[frame], kindNames[frameKinds[frame]],
        numberText(self), numberText(total), percent(ratio(total, whole)),
        ...(bases ? [percent(ratio(before.get(frame) ?? 0, allBefore))] : [])]);
    });
  }
}
