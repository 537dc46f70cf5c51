// The panel on the right (a sheet from below on phones): pages behind tabs.
import { h, setAttribute } from './dom';

export type PageName = 'body' | 'world' | 'view' | 'plots' | 'capture';

export interface Page {
  name: PageName;
  title: string;
  element: HTMLElement;
  liveOnly?: boolean; // makes no sense in a recording
}

export class SidePanel {
  readonly element: HTMLElement;
  private readonly tabs: HTMLButtonElement[];
  private at: PageName;
  private listeners: (() => void)[] = [];

  constructor(private readonly pages: Page[], open: boolean) {
    this.at = pages[0].name;
    this.tabs = pages.map((page) => h('button', {
      class: `tab${page.liveOnly ? ' live-only' : ''}`, role: 'tab', test: page.name, id: `tab-${page.name}`,
      'aria-controls': `page-${page.name}`, onclick: () => this.show(page.name),
    }, page.title));
    const bar = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Panel' }, this.tabs);
    bar.addEventListener('keydown', (event) => this.move(event));
    for (const page of pages) {
      page.element.id = `page-${page.name}`;
      page.element.setAttribute('role', 'tabpanel');
      page.element.setAttribute('aria-labelledby', `tab-${page.name}`);
    }
    this.element = h('aside', { class: 'side surface', 'aria-label': 'Panel' }, bar,
      h('div', { class: 'pages' }, pages.map((p) => p.element)));
    this.element.hidden = !open;
    this.refresh();
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }
  shows(name: PageName): boolean {
    return this.isOpen && this.at === name;
  }
  show(name: PageName): void {
    this.at = name;
    this.element.hidden = false;
    this.refresh();
  }
  toggle(): void {
    this.element.hidden = !this.element.hidden;
    this.refresh();
  }
  // For a key: opens the page, or closes the panel when that is what it shows.
  togglePage(name: PageName): void {
    if (this.shows(name)) this.toggle();
    else this.show(name);
  }
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private refresh(): void {
    this.pages.forEach((page, i) => {
      const chosen = page.name === this.at;
      page.element.hidden = !chosen;
      setAttribute(this.tabs[i], 'aria-selected', String(chosen));
      this.tabs[i].tabIndex = chosen ? 0 : -1;
    });
    document.documentElement.dataset.panel = this.isOpen ? this.at : 'closed';
    for (const listener of this.listeners) listener();
  }

  private move(event: KeyboardEvent): void {
    const direction = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!direction) return;
    const seen = this.pages.filter((_, i) => this.tabs[i].offsetParent);
    const at = seen.findIndex((p) => p.name === this.at);
    const next = seen[(at + direction + seen.length) % seen.length];
    this.show(next.name);
    this.tabs[this.pages.indexOf(next)].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
