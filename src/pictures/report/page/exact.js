// Integers of 64 bits: numbers where doubles are exact, otherwise BigInt. Operators < and > compare both kinds.

const exact = (value) => (typeof value === 'string' ? BigInt(value) : value);

function narrow(big) {
  const number = Number(big);
  return Number.isSafeInteger(number) ? number : big;
}

function add(a, b) {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return narrow(BigInt(a) + BigInt(b));
}

const subtract = (a, b) => add(a, typeof b === 'bigint' ? -b : -b || 0);
const sumOf = (values) => values.reduce(add, 0);
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const ratio = (part, whole) => (Number(whole) === 0 ? 0 : Number(part) / Number(whole));

const grouped = new Intl.NumberFormat('en-US');
const oneDigit = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const compactly = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const numberText = (value) => grouped.format(value);
const shortNumber = (value) => (Math.abs(Number(value)) < 10000 ? oneDigit.format(value) : compactly.format(value));

function percent(share) {
  const value = share * 100;
  if (value === 0) return '0 %';
  const digits = Math.abs(value) >= 10 ? 1 : 2;
  return Math.abs(value) < 0.01 ? '<0.01 %' : `${value.toFixed(digits)} %`;
}

const plural = (count, noun) => `${numberText(count)} ${noun}${Number(count) === 1 ? '' : 's'}`;

// A length of time in nanoseconds, for people.
function durationText(ns) {
  const value = Number(ns);
  const size = Math.abs(value);
  if (size >= 3600e9) return `${Math.floor(value / 3600e9)} h ${Math.round((value % 3600e9) / 60e9)} min`;
  if (size >= 60e9) return `${Math.floor(value / 60e9)} min ${oneDigit.format((value % 60e9) / 1e9)} s`;
  if (size >= 1e9) return `${(value / 1e9).toFixed(size < 10e9 ? 2 : 1)} s`;
  if (size >= 1e6) return `${oneDigit.format(value / 1e6)} ms`;
  return size >= 1e3 ? `${oneDigit.format(value / 1e3)} µs` : `${Math.round(value)} ns`;
}

// A time since the start of the run: seconds with as many digits as needed to tell times `step` apart.
function timeText(ns, step = 1e7) {
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(Number(step) / 1e9))));
  return `${(Number(ns) / 1e9).toFixed(digits)} s`;
}
