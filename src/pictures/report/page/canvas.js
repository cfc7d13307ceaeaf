// Canvases that follow their width, the resolution of the screen, and the color scheme; palettes.

const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const pictures = new Set();
let isPaper = false;

const isDark = () => darkScheme.matches && !isPaper;
const cssColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const redrawPictures = () => pictures.forEach((draw) => draw());

darkScheme.addEventListener('change', redrawPictures);
function setPaper(isOn) {
  isPaper = isOn;
  document.documentElement.classList.toggle('paper', isOn);
  redrawPictures();
}
addEventListener('beforeprint', () => setPaper(true));
addEventListener('afterprint', () => setPaper(false));

const monoFont = (size) => `${size}px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace`;

// Makes a canvas of the height that `heightOf(width)` returns, in CSS pixels. `draw(context, width, height)` is called
// when something changes, and by the returned function.
function picture(label, heightOf, draw) {
  const canvas = element('canvas', { role: 'img', 'aria-label': label });
  let width = 0;
  function redraw() {
    if (width === 0) return;
    const scale = devicePixelRatio || 1;
    const height = heightOf(width);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.height = `${height}px`;
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    draw(context, width, height);
  }
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry.contentRect.width);
    if (now === width) return;
    width = now;
    redraw();
  }).observe(canvas);
  pictures.add(redraw);
  return { canvas, redraw };
}

const mix = (a, b, t) => a.map((v, i) => Math.round(v + (b[i] - v) * t));
const rgb = (c) => `rgb(${c[0]} ${c[1]} ${c[2]})`;

// Sequential: the lightness is monotonic, so it reads without colors too. `share`: 0 to 1.
const lightRamp = [[232, 240, 247], [158, 202, 225], [66, 146, 198], [16, 84, 156], [8, 38, 92]];
const darkRamp = [[27, 38, 50], [24, 72, 122], [32, 125, 178], [110, 190, 205], [248, 240, 170]];
function rampColor(share) {
  const ramp = isDark() ? darkRamp : lightRamp;
  const place = Math.max(0, Math.min(1, share)) * (ramp.length - 1);
  const index = Math.min(ramp.length - 2, Math.floor(place));
  return rgb(mix(ramp[index], ramp[index + 1], place - index));
}

// Differences: blue is less, orange more. `change`: -1 to 1.
function changeColor(change) {
  const middle = isDark() ? [62, 66, 71] : [232, 233, 235];
  const end = change > 0 ? [230, 120, 30] : [70, 150, 220];
  return rgb(mix(middle, end, Math.min(1, Math.abs(change))));
}

// Categories after Okabe and Ito; lines also differ in their dashes.
const lineColors = [['#0072b2', '#56b4e9'], ['#c65000', '#f0a050'], ['#007a5a', '#3fcf9f'], ['#a8437f', '#e39ac4'],
  ['#7a6a00', '#e6d84a'], ['#555b61', '#b4bbc2'], ['#4b3fb0', '#a79cf5'], ['#8a1c1c', '#ff8f86']];
const lineDashes = [[], [6, 3], [2, 3], [8, 3, 2, 3]];
const lineColor = (index) => lineColors[index % lineColors.length][isDark() ? 1 : 0];

// A legend of the ramp from `low` to `high`.
function rampLegend(low, high) {
  const { canvas } = picture('color scale', () => 10, (context, width, height) => {
    for (let x = 0; x < width; ++x) {
      context.fillStyle = rampColor(x / width);
      context.fillRect(x, 0, 1, height);
    }
  });
  return element('div', { class: 'legend' }, element('span', {}, low), canvas, element('span', {}, high));
}

// Round numbers up to `max`, about `count` of them.
function ticksUpTo(max, count) {
  if (!(max > 0)) return [0];
  const raw = max / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((s) => s * power >= raw) * power;
  const ticks = [];
  for (let i = 0; i * step <= max * 1.0001; ++i) ticks.push(i * step);
  return ticks;
}

// Marks whole steps of time since the start of the run. `begin`, `end`: nanoseconds.
function drawTimeAxis(context, { left, right, top, begin, end }) {
  const length = Math.max(end - begin, 1);
  const step = (ticksUpTo(length / 1e9, Math.max(2, Math.floor((right - left) / 90)))[1] ?? 1) * 1e9;
  const digits = Math.max(0, Math.ceil(-Math.log10(step / 1e9) - 1e-9));
  context.font = '11px system-ui, sans-serif';
  context.fillStyle = cssColor('muted');
  context.textBaseline = 'top';
  for (let k = Math.ceil(begin / step - 1e-9); k * step <= end; ++k) {
    const x = left + ((k * step - begin) / length) * (right - left);
    context.fillRect(Math.round(x), top, 1, 3);
    context.textAlign = x < left + 14 ? 'left' : x > right - 20 ? 'right' : 'center';
    context.fillText(`${Math.abs((k * step) / 1e9).toFixed(digits)} s`, x, top + 5);
  }
}
