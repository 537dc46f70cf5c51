// A sheet over everything. While it is open the panels behind it cannot be reached, but messages can.
import { h } from './dom';
import { icon } from './icons';

export interface OverlayOptions {
  name: string;
  title: string;
  canClose?: () => boolean; // a gallery without a scene behind it has nothing to close to
  onOpen?: () => void;
}

export class Overlay {
  readonly element: HTMLElement;
  readonly content: HTMLElement;
  readonly head: HTMLElement;
  private static open: Overlay | null = null;
  private before: Element | null = null;

  constructor(private readonly options: OverlayOptions, private readonly behind: () => HTMLElement[]) {
    this.content = h('div', { class: 'overlay-content' });
    this.head = h('header', { class: 'overlay-head' }, h('h1', { id: `${options.name}-title` }, options.title));
    const close = h('button', {
      class: 'button close', test: `close-${options.name}`, 'aria-label': 'Close', title: 'Close  ( Esc )',
      onclick: () => this.close(),
    }, icon('close'));
    this.element = h('div', {
      class: `overlay overlay-${options.name}`, role: 'dialog', 'aria-modal': 'true',
      'aria-labelledby': `${options.name}-title`, hidden: true, test: `${options.name}-overlay`,
      onclick: (event: MouseEvent) => event.target === this.element && this.close(),
    }, h('div', { class: 'overlay-sheet' }, h('div', { class: 'overlay-top' }, this.head, close), this.content));
  }

  static get current(): Overlay | null {
    return Overlay.open;
  }
  get isOpen(): boolean {
    return !this.element.hidden;
  }
  show(): void {
    if (this.isOpen) return;
    Overlay.open?.hide();
    Overlay.open = this;
    this.before = document.activeElement;
    this.element.hidden = false;
    this.element.classList.toggle('fixed', this.options.canClose?.() === false);
    for (const element of this.behind()) element.inert = true;
    this.options.onOpen?.();
  }
  close(): void {
    if (this.options.canClose?.() === false) return;
    this.hide();
  }
  toggle(): void {
    if (this.isOpen) this.close();
    else this.show();
  }
  private hide(): void {
    if (!this.isOpen) return;
    this.element.hidden = true;
    Overlay.open = null;
    for (const element of this.behind()) element.inert = false;
    if (this.before instanceof HTMLElement && this.before !== document.body) this.before.focus();
  }
  refresh(): void {
    this.element.classList.toggle('fixed', this.options.canClose?.() === false);
  }
  forceClose(): void {
    this.hide();
  }
}
