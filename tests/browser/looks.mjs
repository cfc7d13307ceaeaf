// Compares what a window shows with a small picture in looks/. The comparison is loose: fonts and versions of Chromium
// may differ, a missing chart or other colors may not. DSCOPE_UPDATE_GOLDEN=1 rewrites the pictures.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'looks');
const pixels = 11500;  // of a picture: 128 columns of a wide window
const block = 8;       // pixels of a picture whose colors are averaged
// Shares of the distance between black and white.
const maxMeanDifference = 0.015, maxBlockDifference = 0.08;

// Runs in a page of its own: decodes the PNGs, draws them at the size of the picture, and returns the mean colors of
// their blocks and the first one as PNG.
const measure = (sources) => `Promise.all(${JSON.stringify(sources)}.map(async (source) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + source;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(Math.sqrt(${pixels} * image.width / image.height));
  canvas.height = Math.round(${pixels} / canvas.width);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blocks = [];
  for (let y = 0; y < canvas.height; y += ${block})
    for (let x = 0; x < canvas.width; x += ${block}) {
      const { data } = context.getImageData(x, y, Math.min(${block}, canvas.width - x), Math.min(${block}, canvas.height - y));
      const sum = [0, 0, 0];
      for (let i = 0; i < data.length; ++i) if (i % 4 < 3) sum[i % 4] += data[i];
      blocks.push(sum.map((value) => value / (data.length / 4) / 255));
    }
  return { height: canvas.height, blocks, png: canvas.toDataURL('image/png').split(',')[1] };
}))`;

// The mean and the greatest difference of two lists of colors.
export function difference(one, other) {
  const differences = one.map((color, i) => color.reduce((sum, value, channel) => sum + Math.abs(value - other[i][channel]), 0) / 3);
  return { mean: differences.reduce((a, b) => a + b, 0) / differences.length, greatest: Math.max(...differences) };
}

// `shot`: what the window shows, as PNG. `written`: the folder for the picture of a window that looks different.
export async function checkLook(browser, name, shot, written) {
  const file = path.join(folder, `${name}.png`);
  const page = await browser.open('about:blank', {}, false);
  try {
    const stored = fs.existsSync(file) ? [fs.readFileSync(file).toString('base64')] : [];
    const [seen, expected] = await page.evaluate(measure([shot.toString('base64'), ...stored]));
    if (process.env.DSCOPE_UPDATE_GOLDEN === '1') {
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(file, Buffer.from(seen.png, 'base64'));
      return;
    }
    assert.ok(expected, `${file} does not exist: DSCOPE_UPDATE_GOLDEN=1 writes it`);
    assert.equal(seen.height, expected.height, `the shape of ${name}`);
    const { mean, greatest } = difference(seen.blocks, expected.blocks);
    if (process.env.DSCOPE_BROWSER_VERBOSE) console.log(`        ${name}: mean ${mean.toFixed(4)}, greatest ${greatest.toFixed(4)}`);
    if (mean <= maxMeanDifference && greatest <= maxBlockDifference) return;
    const actual = path.join(written, `${name}-small.png`);
    fs.writeFileSync(actual, Buffer.from(seen.png, 'base64'));
    assert.fail(`${name} looks different: mean ${mean.toFixed(3)}, greatest ${greatest.toFixed(3)}; compare ${actual} with ${file}`);
  } finally {
    await page.close();
  }
}
