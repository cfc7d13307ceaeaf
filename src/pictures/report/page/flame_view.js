// A flame graph on a canvas: zoom, search, keyboard, status line. The canvas is as high as the window at most and draws
// the part of the graph that is scrolled into view.

class FlameView {
  constructor(label) {
    this.zoomed = 0;
    this.current = -1;
    this.isIcicle = false;
    this.found = null;
    this.status = element('div', { class: 'status', 'aria-live': 'off' });
    const { canvas, redraw } = picture(label, () => this.canvasHeight(), (context, width) => this.draw(context, width));
    Object.assign(this, { canvas, redraw });
    this.content = element('div', {}, canvas);
    this.node = element('div', { class: 'flame stage', tabindex: 0, role: 'application',
      'aria-label': `${label}: arrow keys move, Enter zooms, Escape zooms out`, onscroll: () => this.redraw(),
      onkeydown: (event) => this.press(event), onmousemove: (event) => this.hover(event),
      onmouseleave: () => this.point(-1, false), onclick: (event) => this.click(event) }, this.content);
    this.node.flameView = this;
  }

  get height() {
    return (this.tree.maxDepth + 1) * frameHeight;
  }

  canvasHeight() {
    const limit = isPaper ? 2000 : Math.max(240, Math.floor(innerHeight * 0.75) - 4);
    return Math.min(this.height, limit);
  }

  setTree(tree) {
    this.tree = tree;
    this.zoomed = 0;
    this.current = -1;
    this.content.style.height = `${this.height}px`;
    this.search(this.searched ?? '');
    this.scrollToRoot();
    this.point(-1, false);
  }

  setIcicle(isOn) {
    this.isIcicle = isOn;
    this.scrollToRoot();
    this.redraw();
  }

  scrollToRoot() {
    this.node.scrollTop = this.isIcicle ? 0 : this.height;
    // A node outside of the document does not scroll.
    this.isAtRoot = this.node.isConnected;
  }

  search(text) {
    this.searched = text;
    this.found = text ? this.tree.search(text) : null;
    this.redraw();
    return this.found;
  }

  color(node) {
    const { tree } = this;
    const fill = tree.isDifference && node > 0
      ? changeColor(Math.sign(tree.change[node]) * Math.sqrt(Math.abs(tree.change[node]) / tree.largestChange))
      : rgb(kindColor(tree, node));
    return fill;
  }

  draw(context, width) {
    if (!this.isAtRoot) this.scrollToRoot();
    const height = this.canvasHeight();
    const top = Math.min(this.node.scrollTop, Math.max(0, this.height - height));
    const layout = new FlameLayout(this.tree, width, this.zoomed, this.isIcicle);
    this.layout = layout;
    context.font = monoFont(11);
    context.textBaseline = 'middle';
    const letterWidth = context.measureText('m').width;
    layout.forEachVisible(top, top + height, (node, x, y, w) => {
      const isFaded = this.found ? !this.found.matches.has(node) : node !== this.zoomed && this.tree.isBelow(this.zoomed, node);
      context.globalAlpha = isFaded ? 0.38 : 1;
      context.fillStyle = this.color(node);
      context.fillRect(x, y - top, Math.max(0.5, w - (w > 3 ? 1 : 0)), frameHeight - 1);
      const text = w > 24 ? fitText(this.tree.label(node), w, letterWidth) : '';
      if (text) {
        context.globalAlpha = isFaded && this.found ? 0.6 : 1;
        context.fillStyle = this.textColor(isFaded);
        context.fillText(text, x + 4, y - top + frameHeight / 2);
      }
    });
    context.globalAlpha = 1;
    if (this.current >= 0) this.drawOutline(context, layout, top);
  }

  textColor(isFaded) {
    const isLight = isDark() && (isFaded || this.tree.isDifference);
    return isLight ? '#e8ebee' : '#14181c';
  }

  drawOutline(context, layout, top) {
    context.strokeStyle = cssColor('text');
    context.lineWidth = 1.5;
    context.strokeRect(layout.xOf(this.current) + 0.75, layout.yOf(this.current) - top + 0.75,
      Math.max(2, layout.widthOf(this.current) - 2), frameHeight - 2.5);
  }

  describe(node) {
    const { tree } = this;
    const share = percent(tree.width[node]);
    if (node === 0) return `all   ${numberText(tree.total[0])}`;
    const kind = kindNames[tree.kind(node)];
    const own = `${tree.name(node)}   ${kind}   ${numberText(tree.total[node])} (${share})   self ${numberText(tree.self[node])}`;
    if (!tree.isDifference) return own;
    const change = tree.change[node];
    return `${own}   before ${percent(ratio(tree.base[node], tree.base[0]))}   ${change > 0 ? '+' : ''}${(change * 100).toFixed(2)} points`;
  }

  point(node, isByKey) {
    const hint = 'Click a frame to zoom. With the keyboard: arrow keys, Enter, Escape; / searches.';
    this.current = node;
    this.status.setAttribute('aria-live', isByKey ? 'polite' : 'off');
    setStatus(this.status, node < 0 ? '' : this.describe(node), hint);
    this.redraw();
  }

  nodeAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const top = Math.min(this.node.scrollTop, Math.max(0, this.height - box.height));
    const y = event.clientY - box.top + top;
    return this.layout && y >= 0 && y < this.height ? this.layout.nodeAt(event.clientX - box.left, y) : -1;
  }

  hover(event) {
    const node = this.nodeAt(event);
    if (node !== this.current) this.point(node, false);
  }

  click(event) {
    const node = this.nodeAt(event);
    if (node >= 0) this.zoom(node);
  }

  zoom(node) {
    this.zoomed = node;
    this.onzoom?.(node);
    this.redraw();
  }

  // The frames that lead to the zoomed one, outermost first.
  zoomedPath() {
    const frames = [];
    for (let node = this.zoomed; node > 0; node = this.tree.parent[node]) frames.unshift(this.tree.frame[node]);
    return frames;
  }

  zoomTo(frames) {
    const { tree } = this;
    const child = (node, frame) => tree.children[node].find((each) => tree.frame[each] === frame) ?? node;
    this.zoom(frames.reduce(child, 0));
  }

  press(event) {
    const { tree } = this;
    const now = Math.max(0, this.current);
    const outwards = this.isIcicle ? 'ArrowUp' : 'ArrowDown';
    const inwards = this.isIcicle ? 'ArrowDown' : 'ArrowUp';
    const siblings = now === 0 ? [0] : tree.children[tree.parent[now]];
    const place = siblings.indexOf(now);
    const targets = { [inwards]: tree.children[now][0], [outwards]: tree.parent[now], ArrowRight: siblings[place + 1],
      ArrowLeft: siblings[place - 1], Home: 0 };
    if (event.key === 'Enter') this.zoom(now);
    else if (event.key === 'Escape') this.zoom(Math.max(0, tree.parent[this.zoomed]));
    else if (event.key === '/') this.onsearch?.();
    else if (event.key in targets) this.step(targets[event.key]);
    else return;
    event.preventDefault();
  }

  step(node) {
    if (node === undefined || node < 0 || (node > 0 && !(this.tree.total[node] > 0))) return;
    // The frame must be visible: it is zoomed out to a common caller.
    const { tree } = this;
    while (!tree.isBelow(node, this.zoomed) && !tree.isBelow(this.zoomed, node)) this.zoomed = tree.parent[this.zoomed];
    this.point(node, true);
    const y = this.layout.yOf(node), shown = this.node.clientHeight;
    if (y < this.node.scrollTop) this.node.scrollTop = y;
    else if (y + frameHeight > this.node.scrollTop + shown) this.node.scrollTop = y + frameHeight - shown;
  }
}
