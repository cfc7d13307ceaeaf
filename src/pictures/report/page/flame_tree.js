// The tree behind a flame graph. Columns by node; node 0 is the root, above all outermost frames.

class FlameTree {
  // samples, bases: [path of frames, exact weight] pairs; `bases` are what a difference compares with, or null.
  constructor(samples, bases) {
    this.frame = [-1];
    this.parent = [-1];
    this.depth = [0];
    this.total = [0];
    this.self = [0];
    this.base = [0];
    this.isDifference = bases !== null;
    this.edges = new Map();
    this.maxDepth = 0;
    this.negative = 0;
    for (const [path, weight] of samples) this.insert(path, weight, this.total, this.self);
    for (const [path, weight] of bases ?? []) this.insert(path, weight, this.base, null);
    this.edges = null;
    this.sortChildren();
    this.place();
  }

  insert(path, weight, totals, selves) {
    if (!(weight > 0)) {
      this.negative += weight < 0;
      return;
    }
    let node = 0;
    totals[0] = add(totals[0], weight);
    for (const frame of path) {
      node = this.child(node, frame);
      totals[node] = add(totals[node], weight);
    }
    if (selves) selves[node] = add(selves[node], weight);
  }

  child(node, frame) {
    const edge = node * 4194304 + frame;
    let child = this.edges.get(edge);
    if (child !== undefined) return child;
    child = this.frame.push(frame) - 1;
    this.edges.set(edge, child);
    this.parent.push(node);
    this.depth.push(this.depth[node] + 1);
    this.total.push(0);
    this.self.push(0);
    this.base.push(0);
    this.maxDepth = Math.max(this.maxDepth, this.depth[child]);
    return child;
  }

  // The largest child first, so that the left side shows where the weight is.
  sortChildren() {
    this.children = this.frame.map(() => []);
    for (let node = 1; node < this.frame.length; ++node) this.children[this.parent[node]].push(node);
    const name = (node) => frameNames[this.frame[node]];
    for (const list of this.children)
      if (list.length > 1) list.sort((a, b) => -compare(this.total[a], this.total[b]) || compare(name(a), name(b)));
  }

  // The begin and the width of each node as shares of the root.
  place() {
    const whole = Number(this.total[0]) || 1;
    this.width = this.total.map((total) => Number(total) / whole);
    this.begin = new Array(this.frame.length).fill(0);
    // Children have larger numbers than their parents.
    for (let node = 0; node < this.frame.length; ++node) {
      let x = this.begin[node];
      for (const child of this.children[node]) {
        this.begin[child] = x;
        x += this.width[child];
      }
    }
    if (!this.isDifference) return;
    const before = Number(this.base[0]) || 1;
    this.change = this.width.map((share, node) => share - Number(this.base[node]) / before);
    this.largestChange = this.change.reduce((a, b) => Math.max(a, Math.abs(b)), 1e-9);
  }

  name(node) {
    return node === 0 ? 'all' : frameNames[this.frame[node]];
  }

  label(node) {
    return node === 0 ? 'all' : functionName(this.frame[node]);
  }

  kind(node) {
    return node === 0 ? 'x' : frameKinds[this.frame[node]];
  }

  // The nodes whose name contains `text`, and the weight below at least one of them.
  search(text) {
    const wanted = text.toLowerCase();
    const matches = new Set();
    const isMatch = new Map();
    let weight = 0;
    const covered = new Uint8Array(this.frame.length);
    for (let node = 1; node < this.frame.length; ++node) {
      const frame = this.frame[node];
      if (!isMatch.has(frame)) isMatch.set(frame, frameNames[frame].toLowerCase().includes(wanted));
      if (isMatch.get(frame)) matches.add(node);
      const parent = this.parent[node];
      covered[node] = covered[parent] || isMatch.get(frame) ? 1 : 0;
      if (covered[node] && !covered[parent]) weight = add(weight, this.total[node]);
    }
    return { matches, weight };
  }

  isBelow(node, ancestor) {
    while (node > ancestor) node = this.parent[node];
    return node === ancestor;
  }
}

// Weights by function: of all stacks that contain it, and of those whose innermost frame it is. A function that
// calls itself counts once for each stack.
function functionWeights(samples) {
  const totals = new Map(), selves = new Map();
  for (const [path, weight] of samples) {
    for (const frame of new Set(path)) totals.set(frame, add(totals.get(frame) ?? 0, weight));
    if (path.length) selves.set(path.at(-1), add(selves.get(path.at(-1)) ?? 0, weight));
  }
  return [...totals].map(([frame, total]) => ({ frame, total, self: selves.get(frame) ?? 0 }))
    .sort((a, b) => -compare(a.self, b.self) || -compare(a.total, b.total) || compare(frameNames[a.frame], frameNames[b.frame]));
}
