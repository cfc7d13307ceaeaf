// Calls and their times: pairs of rows of entry and return probes of a thread, as dscope -F prints them.

// "provider:module:function:name". Functions of C++ contain colons.
function readProbe(text) {
  const [provider, module] = text.split(':', 2);
  const end = text.lastIndexOf(':');
  const name = text.slice(end + 1);
  const label = text.slice(provider.length + module.length + 2, end);
  const kind = ['pid', 'uprobe', 'usdt'].some((user) => provider.startsWith(user)) ? 'u' : 'k';
  return { isEntry: name === 'entry', isReturn: name === 'return', frame: frameNumber(module ? `${module}\`${label}` : label, kind) };
}

class CallTree {
  constructor({ raw: { rows } }) {
    this.samples = [];  // of completed calls: path of frames, outermost first, and nanoseconds outside of inner calls
    this.functions = new Map();
    const probes = rows.probes.map(readProbe);
    const threads = new Map();
    const order = rows.fired.map((_, i) => i).filter((i) => rows.fired[i] !== null && rows.tid[i] !== 0);
    order.sort((a, b) => rows.fired[a] - rows.fired[b] || a - b);
    for (const i of order) {
      const probe = probes[rows.probe[i]];
      if (!threads.has(rows.tid[i])) threads.set(rows.tid[i], []);
      const calls = threads.get(rows.tid[i]);
      if (probe.isEntry) calls.push({ frame: probe.frame, begin: rows.fired[i], inner: 0 });
      else if (probe.isReturn) this.end(calls, probe.frame, rows.fired[i]);
    }
  }

  // Inner calls without a return are dropped, and returns without an entry ignored.
  end(calls, frame, time) {
    const place = calls.findLastIndex((call) => call.frame === frame);
    if (place < 0) return;
    const path = calls.slice(0, place + 1).map((call) => call.frame);
    const { begin, inner } = calls[place];
    calls.length = place;
    const length = time - begin;
    if (place > 0) calls[place - 1].inner += length;
    this.samples.push([path, Math.max(0, length - inner)]);
    const sums = this.functions.get(frame) ?? { calls: 0, total: 0, self: 0, longest: 0 };
    sums.calls += 1;
    sums.total += length;
    sums.self += Math.max(0, length - inner);
    sums.longest = Math.max(sums.longest, length);
    this.functions.set(frame, sums);
  }

  table() {
    const rows = [...this.functions].sort((a, b) => b[1].self - a[1].self || compare(frameNames[a[0]], frameNames[b[0]]))
      .map(([frame, { calls, total, self, longest }]) => [frameNames[frame], ...[calls, self, total, longest].map(numberText)]);
    return plainTable('Calls', [['function', false], ['calls', true], ['self', true], ['total', true], ['longest', true]], rows);
  }
}

function callSection(report) {
  const calls = new CallTree(report);
  if (calls.samples.length === 0) return null;
  const view = new FlameView('Calls by time');
  view.isIcicle = true;
  view.setTree(new FlameTree(calls.samples, null));
  const search = element('input', { type: 'search', placeholder: 'search calls', 'aria-label': 'Search calls', oninput: () => view.search(search.value) });
  const reset = button('reset zoom', () => view.zoom(0));
  view.onsearch = () => search.focus();
  return element('section', { id: 'calls', 'aria-label': 'Calls' },
    element('div', { class: 'section-head' }, element('h2', {}, 'Calls'),
      element('span', { class: 'muted' }, `${plural(calls.samples.length, 'call')} between rows of entry and return probes, in nanoseconds`)),
    element('div', { class: 'tools' }, search, element('span', { class: 'grow' }), reset), view.node, view.status, calls.table());
}
