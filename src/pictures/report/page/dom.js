// Elements of the page. Data reaches the page as text nodes and attributes only.

// element('p', { class: 'note', onclick: f }, 'text', child ...): children that are null or false are left out.
function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked') node[name] = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}

const button = (text, onclick, attributes) => element('button', { type: 'button', onclick, ...attributes }, text);

function toggle(text, isOn, onchange, attributes) {
  const node = button(text, () => {
    const now = node.getAttribute('aria-pressed') !== 'true';
    node.setAttribute('aria-pressed', now);
    onchange(now);
  }, { 'aria-pressed': isOn ? 'true' : 'false', ...attributes });
  return node;
}

// choices: [value, text] pairs.
function selection(label, choices, onchange) {
  const options = choices.map(([value, text]) => element('option', { value }, text));
  const select = element('select', { onchange: () => onchange(select.value) }, options);
  return { node: element('label', {}, element('span', {}, label), select), select };
}

function download(name, type, parts) {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = element('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// A plain table that shows 100 rows, and more on demand. columns: [title, isNumber] pairs. rows: arrays of cells.
function plainTable(caption, columns, rows) {
  const body = element('tbody');
  const table = element('table', {}, element('caption', {}, caption),
    element('thead', {}, element('tr', {}, columns.map(([title, isNumber]) =>
      element('th', { scope: 'col', class: isNumber && 'number' }, title)))), body);
  const more = button('', () => append(1000));
  let shown = 0;
  function append(count) {
    for (const row of rows.slice(shown, shown + count))
      body.append(element('tr', {}, row.map((cell, i) => element('td', { class: columns[i][1] && 'number' }, String(cell)))));
    shown = Math.min(rows.length, shown + count);
    more.hidden = shown === rows.length;
    more.textContent = `show more of ${plural(rows.length, 'row')}`;
  }
  append(100);
  return [element('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': caption }, table), more];
}

// The table behind a picture, made when it is opened. rows: a function that returns them.
function tableOf(caption, columns, rows) {
  const node = element('details', { class: 'as-table' }, element('summary', {}, `${caption} as a table`));
  node.addEventListener('toggle', () => {
    if (!node.open) return;
    while (node.childNodes.length > 1) node.lastChild.remove();
    node.append(...plainTable(caption, columns, rows()));
  });
  return node;
}

// The line below a picture: the text about the part under the pointer or cursor, or else a hint.
function setStatus(node, text, hint) {
  node.textContent = text || hint;
  node.classList.toggle('hint', !text);
}

const block = (title, ...children) => element('div', { class: 'block' }, title && element('h3', {}, title), children);
