// Distributions: a histogram of all elements or one, a heat map over time, and a table of the elements.

const maxChoices = 200;

// The bucket that holds the value at `share` of all counted values; -1: none were counted.
function quantileBucket(counts, share) {
  const total = sumOf([...counts.values()]);
  const ordered = [...counts].sort((a, b) => a[0] - b[0]);
  let sum = 0;
  for (const [bucket, count] of ordered) {
    sum = add(sum, count);
    if (Number(sum) >= Number(total) * share) return bucket;
  }
  return ordered.at(-1)?.[0] ?? -1;
}

function mergedCounts(aggregation) {
  const all = new Map();
  for (let i = 0; i < aggregation.count; ++i)
    for (const [bucket, count] of aggregation.bucketCounts(i)) all.set(bucket, add(all.get(bucket) ?? 0, count));
  return all;
}

// One row for each bucket between the first and the last one that counts something.
function histogramTable(aggregation, counts) {
  const used = [...counts.keys()];
  if (used.length === 0) return element('p', { class: 'muted' }, 'no values');
  const first = Math.min(...used), last = Math.max(...used);
  const total = sumOf([...counts.values()]);
  const highest = Math.max(...[...counts.values()].map(Number));
  const rows = [];
  for (let bucket = first; bucket <= last; ++bucket) {
    const count = counts.get(bucket) ?? 0;
    const bar = element('div');
    bar.style.width = `${(Number(count) / highest) * 100}%`;
    if (count === 0) bar.style.visibility = 'hidden';
    rows.push(element('tr', {}, element('th', { scope: 'row', class: 'number' }, bucketText(aggregation.buckets[bucket])),
      element('td', { class: 'bar', 'aria-hidden': 'true' }, bar), element('td', { class: 'number' }, numberText(count)),
      element('td', { class: 'number muted' }, percent(ratio(count, total)))));
  }
  const head = element('tr', {}, element('th', { scope: 'col', class: 'number' }, 'value'), element('td', { 'aria-hidden': 'true' }),
    element('th', { scope: 'col', class: 'number' }, 'count'), element('th', { scope: 'col', class: 'number' }, 'share'));
  return element('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Histogram' },
    element('table', { class: 'bins' }, element('caption', {}, 'Histogram'), element('thead', {}, head),
      element('tbody', {}, rows)));
}

function distributionTable(aggregation, onPick) {
  const counts = Array.from({ length: aggregation.count }, (_, i) => aggregation.bucketCounts(i));
  const quantile = (title, share) => {
    const buckets = counts.map((c) => quantileBucket(c, share));
    return { title, isNumber: true, get: (i) => buckets[i], text: (i) => (buckets[i] < 0 ? '–' : bucketText(aggregation.buckets[buckets[i]])) };
  };
  const columns = [...keyColumns(aggregation),
    { title: 'values', isNumber: true, get: (i) => aggregation.weights[i], text: (i) => numberText(aggregation.weights[i]) },
    { isBar: true, get: (i) => aggregation.weights[i] },
    quantile('p50', 0.5), quantile('p90', 0.9), quantile('p99', 0.99)];
  return new ElementTable({ caption: `Elements of ${aggregation.title}`, noun: 'element', columns, onPick,
    count: aggregation.count, sortBy: aggregation.keys.length }).node;
}

function largestElements(aggregation) {
  const order = Array.from({ length: aggregation.count }, (_, i) => i);
  return order.sort((a, b) => -compare(aggregation.weights[a], aggregation.weights[b]) || a - b).slice(0, maxChoices);
}

function distributionPictures(aggregation) {
  const histogram = element('div'), heat = element('div', { class: 'block' });
  const hasHeat = (aggregation.history?.ends.length ?? 0) > 1;
  const choices = [['-1', `all ${plural(aggregation.count, 'element')}`],
    ...largestElements(aggregation).map((i) => [String(i), aggregation.label(i)])];
  const { node: chooser, select } = selection('Element', choices, (value) => show(Number(value)));
  function show(i) {
    if ([...select.options].some((option) => option.value === String(i))) select.value = String(i);
    histogram.replaceChildren(histogramTable(aggregation, i < 0 ? mergedCounts(aggregation) : aggregation.bucketCounts(i)));
    if (hasHeat) heat.replaceChildren(...heatMap(aggregation, i));
  }
  show(-1);
  const isAlone = aggregation.count <= 1;
  const pictures = element('div', { class: hasHeat ? 'pair' : '' }, block('Distribution', histogram), hasHeat && heat);
  return [isAlone ? null : element('div', { class: 'tools' }, chooser), pictures,
    isAlone ? null : block('Elements', element('p', { class: 'note hint' }, 'Choose a row to see its distribution.'), distributionTable(aggregation, show))];
}
