// Where the frames of a flame graph are on the screen, and their colors.

const frameHeight = 18;

// Colors of Okabe and Ito, lightened so that dark text is readable on them.
const kindColors = { k: [124, 184, 230], u: [243, 192, 106], i: [126, 205, 173], j: [222, 165, 202], x: [196, 202, 207] };

function hashOf(text) {
  let hash = 0;
  for (let i = 0; i < text.length; ++i) hash = (hash * 31 + text.charCodeAt(i)) | 0;
  return (hash >>> 0) / 4294967296;
}

const shadeOfFrame = new Map();
function kindColor(tree, node) {
  const frame = tree.frame[node];
  if (!shadeOfFrame.has(frame)) shadeOfFrame.set(frame, hashOf(node === 0 ? '' : frameNames[frame]));
  const light = mix(kindColors[tree.kind(node)], [255, 255, 255], 0.42 * shadeOfFrame.get(frame));
  return isDark() ? mix(light, [24, 27, 30], 0.14) : light;
}

class FlameLayout {
  constructor(tree, width, zoomed, isIcicle) {
    Object.assign(this, { tree, width, zoomed, isIcicle });
    this.rows = tree.maxDepth + 1;
    this.height = this.rows * frameHeight;
  }

  // Ancestors of the zoomed frame are as wide as the picture.
  xOf(node) {
    const { begin, width } = this.tree;
    const whole = width[this.zoomed] || 1;
    return Math.max(0, ((begin[node] - begin[this.zoomed]) / whole) * this.width);
  }

  widthOf(node) {
    const share = this.tree.width[node] / (this.tree.width[this.zoomed] || 1);
    return Math.min(this.width, share * this.width);
  }

  yOf(node) {
    const row = this.isIcicle ? this.tree.depth[node] : this.rows - 1 - this.tree.depth[node];
    return row * frameHeight;
  }

  // Calls `visit(node, x, y, width)` for the frames between two heights. Frames below half a pixel are left out.
  forEachVisible(top, bottom, visit) {
    for (let node = this.zoomed; node >= 0; node = this.tree.parent[node]) this.visitIn(node, top, bottom, visit);
    const pending = [this.zoomed];
    while (pending.length) {
      for (const child of this.tree.children[pending.pop()]) {
        if (this.widthOf(child) < 0.5) break;  // the children after it are narrower
        this.visitIn(child, top, bottom, visit);
        pending.push(child);
      }
    }
  }

  visitIn(node, top, bottom, visit) {
    const y = this.yOf(node);
    if (y + frameHeight > top && y < bottom) visit(node, this.xOf(node), y, this.widthOf(node));
  }

  nodeAt(x, y) {
    const row = Math.floor(y / frameHeight);
    const depth = this.isIcicle ? row : this.rows - 1 - row;
    let node = this.zoomed;
    if (depth <= this.tree.depth[node]) {
      while (node >= 0 && this.tree.depth[node] > depth) node = this.tree.parent[node];
      return node;
    }
    while (this.tree.depth[node] < depth) {
      node = this.tree.children[node].find((child) => x >= this.xOf(child) && x < this.xOf(child) + this.widthOf(child));
      if (node === undefined) return -1;
    }
    return node;
  }
}

function fitText(text, width, letterWidth) {
  const room = Math.floor((width - 7) / letterWidth);
  if (text.length <= room) return text;
  return room < 3 ? '' : `${text.slice(0, room - 1)}…`;
}
