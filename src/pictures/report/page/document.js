// The data of a report, read into the form that the pictures use.

// The frames of all reports that are open: names and kinds by number.
const frameNames = [];
const frameKinds = [];
const frameNumbers = new Map();
const kindNames = { k: 'kernel', u: 'user', i: 'inlined', j: 'JIT', x: 'unknown' };

function frameNumber(name, kind) {
  const key = kind + name;
  let number = frameNumbers.get(key);
  if (number === undefined) {
    number = frameNames.push(name) - 1;
    frameKinds.push(kind);
    frameNumbers.set(key, number);
  }
  return number;
}

// "object`function" without the object.
const functionName = (frame) => frameNames[frame].slice(frameNames[frame].lastIndexOf('`') + 1) || frameNames[frame];

async function unpack(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}

// The JSON text in a report, or in the JSON that a report's button saves.
async function documentText(text) {
  if (text.trimStart().startsWith('{')) return text;
  const found = /<script type="application\/octet-stream;base64" id="data">([A-Za-z0-9+/=\s]*)<\/script>/.exec(text);
  if (!found) throw new Error('this file is not a report of dscope');
  return unpack(found[1]);
}

class Report {
  constructor(raw) {
    if (raw.format !== 'dscope-report') throw new Error('this file is not a report of dscope');
    if (raw.version !== 1) throw new Error(`the report has a format of another version: ${raw.version}`);
    this.raw = raw;
    this.run = raw.run;
    const { text, kind, frame, parent } = raw.stacks;
    const numbers = text.map((name, i) => frameNumber(name, kind[i]));
    this.nodeFrame = frame.map((i) => numbers[i]);
    this.nodeParent = parent.map((distance, i) => (distance === 0 ? -1 : i - distance));
    this.aggregations = raw.aggregations.map((aggregation, i) => new Aggregation(this, aggregation, i));
  }

  // The frames of a stack, outermost first.
  path(node) {
    const frames = [];
    for (; node >= 0; node = this.nodeParent[node]) frames.push(this.nodeFrame[node]);
    return frames.reverse();
  }
}

class Aggregation {
  constructor(report, raw, index) {
    Object.assign(this, { report, raw, index, count: raw.count, keys: raw.keys, isAdditive: raw.additive,
      isDistribution: raw.distribution, isPercentile: raw.columns.length > 0 });
    const name = raw.name === '_' ? '' : raw.name;
    this.title = `@${name}${raw.keys.length ? `[${raw.keys.map((key) => key.name).join(', ')}]` : ''}`;
    this.fileName = `${name || 'aggregation'}`.replace(/[^\w.-]/g, '_') || 'aggregation';
    this.plainKeys = raw.keys.filter((key) => key.kind !== 'stack');
    // Stacks of processes before those of the kernel: they are the callers.
    const stacks = raw.keys.filter((key) => key.kind === 'stack');
    this.stackKeys = stacks.sort((a, b) => this.isKernel(a) - this.isKernel(b));
    this.values = raw.values;
    this.buckets = (raw.buckets ?? []).map(([low, high]) => [exact(low), exact(high)]);
    this.history = raw.history;
  }

  isKernel(key) {
    const node = key.values.find((n) => n >= 0);
    return node !== undefined && frameKinds[this.report.nodeFrame[node]] === 'k';
  }

  value(i) {
    return exact(this.values[i] ?? 0);
  }

  // Counts by bucket.
  bucketCounts(i) {
    const counts = new Map();
    const cells = this.values[i];
    for (let k = 0; k < cells.length; k += 2) counts.set(cells[k], exact(cells[k + 1]));
    return counts;
  }

  // The element's part of a total: its number, or how many values its distribution counts.
  weight(i) {
    return this.isDistribution ? sumOf([...this.bucketCounts(i).values()]) : this.value(i);
  }

  get weights() {
    this.cachedWeights ??= Array.from({ length: this.count }, (_, i) => this.weight(i));
    return this.cachedWeights;
  }

  get total() {
    return sumOf(this.weights);
  }

  // The frames of an element's stacks, outermost first.
  path(i) {
    return this.stackKeys.flatMap((key) => this.report.path(key.values[i]));
  }

  plainLabel(i) {
    return this.plainKeys.map((key) => key.values[i]).join(', ');
  }

  keyText(key, i) {
    return key.kind === 'stack' ? this.stackText(key.values[i]) : key.values[i];
  }

  // The innermost frames.
  stackText(node) {
    const frames = [];
    for (; node >= 0; node = this.report.nodeParent[node]) frames.push(functionName(this.report.nodeFrame[node]));
    return frames.length > 3 ? `${frames.slice(0, 3).join(' ← ')} ← … (${frames.length})` : frames.join(' ← ') || '(empty)';
  }

  label(i) {
    return this.keys.map((key) => this.keyText(key, i)).join(', ') || '(no keys)';
  }

  // Finds the same element in another report: by its keys as text.
  identity(i) {
    return this.keys.map((key) => (key.kind === 'stack'
      ? this.report.path(key.values[i]).map((f) => frameNames[f]).join(';') : key.values[i])).join('\u0000');
  }

  // The aggregation of another report with the same name, function and keys.
  matchIn(report) {
    return report?.aggregations.find((other) => other.raw.function === this.raw.function && other.title === this.title);
  }
}

function bucketText([low, high]) {
  const least = -9223372036854775808n, most = 9223372036854775807n;
  if (low === least && high === most) return 'all';
  if (low === least) return `< ${numberText(high)}`;
  if (high === most) return `≥ ${numberText(low)}`;
  const isSingle = add(low, 1) === high;
  return isSingle ? numberText(low) : `${numberText(low)} – ${numberText(subtract(high, 1))}`;
}

// The end of each column, and the begin of the first one, in nanoseconds since the start of the run.
function columnTimes(begin, lengths) {
  const times = [begin];
  for (const length of lengths) times.push(times[times.length - 1] + length);
  return times;
}
