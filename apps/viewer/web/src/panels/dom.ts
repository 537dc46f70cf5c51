// The few helpers that stand in for a UI framework.

export type Child = Node | string | number | false | null | undefined;
type Props = Record<string, unknown>;

// An element with its properties and children. `onX` listens to x; `test` is the name browser tests find it by; true
// and false switch attributes on and off; everything else is an attribute.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Props | null = null, ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2).toLowerCase(), value as EventListener);
    else if (name === 'test') element.dataset.test = String(value);
    else if (name === 'value') (element as HTMLInputElement).value = String(value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  add(element, children);
  return element;
}

function add(element: Element, children: (Child | Child[])[]): void {
  for (const child of children.flat()) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

export function replace(element: Element, ...children: (Child | Child[])[]): void {
  element.replaceChildren();
  add(element, children);
}

// Writing the same text again costs a layout; most of what arrives sixty times a second has not changed.
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
export function setAttribute(element: Element, name: string, value: string | boolean | null): void {
  const text = value === true ? '' : value;
  if (text === false || text === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

// Calls at most once in `interval` ms; the last value is always delivered.
export function throttled<T>(interval: number, call: (value: T) => void): (value: T) => void {
  let waiting: { value: T } | null = null;
  let timer = 0;
  const tick = () => {
    timer = 0;
    if (!waiting) return;
    const { value } = waiting;
    waiting = null;
    timer = window.setTimeout(tick, interval);
    call(value);
  };
  return (value) => {
    waiting = { value };
    if (!timer) tick();
  };
}

// A button press by mouse or finger should not keep the focus: the next space would press it again instead of pausing.
export function forgetPointerFocus(root: HTMLElement): void {
  root.addEventListener('click', (event) => {
    // By path: the picture in the button may have been exchanged by the press itself.
    const button = event.composedPath().find((e) => e instanceof HTMLButtonElement);
    if (event.detail > 0) (button as HTMLButtonElement | undefined)?.blur();
  });
  root.addEventListener('change', (event) => {
    if (event.target instanceof HTMLSelectElement) event.target.blur();
  });
}

export function download(blob: Blob, name: string): void {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
