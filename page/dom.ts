/** Text is always text: nothing here, nor anywhere in the page, makes elements of it. */
export type Child = Node | string | undefined | readonly Child[];

type Attributes = Readonly<Record<string, string | number | boolean | ((event: Event) => void)>>;

type Content = readonly [Attributes, ...Child[]] | readonly Child[];

/** A function among the attributes is called on the event of its name; `true` is an attribute without a value. */
export function h<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, ...content: Content) {
  return filled(document.createElement(tag), content);
}

export function svg<Tag extends keyof SVGElementTagNameMap>(tag: Tag, ...content: Content) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), content);
}

/** On a narrow screen, each cell is shown with the title of its column. */
export function table(titles: readonly string[], rows: readonly (readonly Child[])[]): HTMLElement {
  const head = titles.map((title) => h('th', { scope: 'col' }, title));
  const cells = (row: readonly Child[]) =>
    row.map((cell, i) => h('td', { 'data-column': titles[i] ?? '' }, cell));
  const body = rows.map((row) => h('tr', cells(row)));
  return h('div', { class: 'scroll', tabindex: 0 }, h('table', h('thead', h('tr', head)), h('tbody', body)));
}

export function list(texts: readonly string[]): HTMLElement {
  return h(
    'ul',
    texts.map((text) => h('li', text)),
  );
}

export function code(text: string): HTMLElement {
  return h('pre', { tabindex: 0 }, h('code', text));
}

function filled<Made extends Element>(made: Made, [first, ...others]: Content): Made {
  const hasAttributes = typeof first === 'object' && !(first instanceof Node) && !Array.isArray(first);
  for (const [name, value] of hasAttributes ? Object.entries(first) : []) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...nodes((hasAttributes ? others : [first, ...others]) as Child[]));
  return made;
}

function nodes(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === undefined) return [];
    return typeof child === 'string' || child instanceof Node ? [child] : nodes(child);
  });
}

/** An element of the page that is there from the beginning. */
export function part<Tag extends keyof HTMLElementTagNameMap>(id: string, _tag: Tag) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as HTMLElementTagNameMap[Tag];
}
