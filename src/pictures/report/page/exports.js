// Files that the page saves: CSV, folded stacks, speedscope, pprof.

const csvCell = (cell) => {
  const text = String(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const csvText = (rows) => rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

const wholeStack = (aggregation, key, i) => aggregation.report.path(key.values[i]).map((f) => frameNames[f]).join(';');

// All elements: keys and numbers as they are. Distributions have a row for each bucket.
function aggregationCsv(aggregation) {
  const keys = aggregation.keys.map((key) => key.name);
  const cells = (i) => aggregation.keys.map((key) =>
    (key.kind === 'stack' ? wholeStack(aggregation, key, i) : key.values[i]));
  const elements = Array.from({ length: aggregation.count }, (_, i) => i);
  if (aggregation.isDistribution) {
    const rows = elements.flatMap((i) => [...aggregation.bucketCounts(i)].map(([bucket, count]) =>
      [...cells(i), ...aggregation.buckets[bucket], count]));
    return csvText([[...keys, 'low', 'high', 'count'], ...rows]);
  }
  const columns = aggregation.isPercentile ? aggregation.raw.columns : [aggregation.raw.function];
  const numbers = (i) => (aggregation.isPercentile ? aggregation.values[i].map(exact) : [aggregation.value(i)]);
  return csvText([[...keys, ...columns], ...elements.map((i) => [...cells(i), ...numbers(i)])]);
}

function saveCsv(aggregation) {
  download(`${aggregation.fileName}.csv`, 'text/csv', [aggregationCsv(aggregation)]);
}

// samples: [path of frames, outermost first, exact weight] pairs.
function foldedText(samples) {
  const sums = new Map();
  for (const [path, weight] of samples) {
    const stack = path.map((f) => frameNames[f].replaceAll(';', ':')).join(';') || '(empty)';
    sums.set(stack, add(sums.get(stack) ?? 0, weight));
  }
  return [...sums].map(([stack, weight]) => `${stack} ${weight}\n`).join('');
}

function speedscopeText(samples, name, unit) {
  const frames = [], numbers = new Map();
  const number = (frame) => {
    if (!numbers.has(frame)) numbers.set(frame, frames.push({ name: frameNames[frame] }) - 1);
    return numbers.get(frame);
  };
  const profile = { type: 'sampled', name, unit, startValue: 0,
    endValue: Number(sumOf(samples.map(([, weight]) => weight))),
    samples: samples.map(([path]) => path.map(number)), weights: samples.map(([, weight]) => Number(weight)) };
  return JSON.stringify({ $schema: 'https://www.speedscope.app/file-format-schema.json', exporter: 'dscope', name,
    activeProfileIndex: 0, shared: { frames }, profiles: [profile] });
}

async function gzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Buttons that save the stacks of `samples()`.
function stackDownloads(aggregation, samples) {
  const name = aggregation.fileName;
  const positive = () => samples().filter(([, weight]) => weight > 0);
  const { run } = aggregation.report;
  return [
    button('folded', () => download(`${name}.folded`, 'text/plain', [foldedText(positive())])),
    button('speedscope', () => download(`${name}.speedscope.json`, 'application/json',
      [speedscopeText(positive(), aggregation.title, 'none')])),
    button('pprof', async () => download(`${name}.pb.gz`, 'application/gzip',
      [await gzip(pprofBytes(positive(), aggregation.raw.function, run))])),
  ];
}
