// The scenes there are, as cards. Opens by itself when the program runs without a scene.
import type { Model } from '../model';
import { canAct } from './actions';
import { h, replace, setAttribute } from './dom';
import { icon } from './icons';
import { Overlay } from './overlay';

interface Entry {
  name: string;
  title: string;
  description: string;
  picture: string | null;
}

export function gallery(model: Model, behind: () => HTMLElement[]): Overlay {
  const search = h('input', {
    type: 'search', class: 'search', placeholder: 'Search scenes', 'aria-label': 'Search scenes', autocomplete: 'off',
    test: 'gallery-search',
  });
  const grid = h('ul', { class: 'cards', 'aria-label': 'Scenes' });
  const note = h('p', { class: 'hint', role: 'status' });
  const touch = matchMedia('(pointer: coarse)');
  const overlay = new Overlay({
    name: 'gallery',
    title: 'Scenes',
    canClose: () => model.status?.scene != null,
    onOpen: () => {
      void load();
      showCurrent();
      // On a phone the focus would bring up the keyboard over the pictures.
      if (touch.matches) overlay.element.querySelector<HTMLElement>('.close')?.focus();
      else search.focus();
    },
  }, behind);
  overlay.head.append(h('span', { class: 'search-box' }, icon('search'), search));
  // Without the controls nothing can be opened, and the banner that offers them is behind this sheet.
  const watching = h('p', { class: 'gallery-watching hint', hidden: true }, 'Another page holds the controls. ',
    h('button', { class: 'text-button primary', onclick: () => model.send({ type: 'control' }) }, 'Take the controls'));
  overlay.content.append(watching, note, grid);

  let entries: Entry[] = [];
  let asked = false;
  let wanted: string | null = null; // clicked, not yet open

  const load = async () => {
    if (asked) return;
    asked = true;
    note.textContent = 'Loading …';
    try {
      const answer = await fetch('gallery.json');
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      entries = ((await answer.json()) as { scenes: Entry[] }).scenes;
      note.textContent = '';
    } catch (error) {
      asked = false; // the next opening tries again
      note.textContent = `The list of scenes could not be loaded: ${(error as Error).message}`;
    }
    show();
  };
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = entries.filter((entry) => {
      const text = `${entry.name} ${entry.title} ${entry.description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    replace(grid, found.map((entry) => card(entry, open)));
    if (entries.length) note.textContent = found.length ? '' : `No scene tells of “${search.value.trim()}”.`;
    showCurrent();
  };
  const open = (entry: Entry) => {
    wanted = entry.name;
    model.send({ type: 'open', scene: entry.name });
    showCurrent();
  };
  const showCurrent = () => {
    for (const element of grid.querySelectorAll<HTMLElement>('.card')) {
      const name = element.dataset.name!;
      setAttribute(element, 'aria-current', name === model.status?.scene ? 'true' : null);
      setAttribute(element, 'aria-busy', name === wanted ? 'true' : null);
      (element as HTMLButtonElement).disabled = !canAct(model);
    }
    watching.hidden = model.status === null || model.inControl;
    overlay.refresh();
  };
  search.addEventListener('input', show);
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') grid.querySelector<HTMLElement>('.card')?.click();
  });

  let seen: string | null | undefined;
  const arrived = () => {
    wanted = null;
    showCurrent();
    if (overlay.isOpen) overlay.close();
  };
  model.on('scene', ({ header }) => header.whole && wanted !== null && arrived());
  model.on('error', () => {
    wanted = null;
    showCurrent();
  });
  model.on('status', (status) => {
    if (overlay.isOpen) showCurrent();
    if (status.scene === seen) return;
    seen = status.scene;
    if (status.scene === null && model.mode === 'live') overlay.show();
    else arrived();
  });
  return overlay;
}

function card(entry: Entry, open: (entry: Entry) => void): HTMLElement {
  const art = placeholder(entry.name);
  if (entry.picture) {
    const picture = h('img', { src: entry.picture, alt: '', loading: 'lazy', decoding: 'async' });
    picture.addEventListener('error', () => picture.remove()); // leaves the placeholder
    art.append(picture);
  }
  return h('li', null, h('button', {
    class: 'card', test: `gallery-card-${entry.name}`, 'data-name': entry.name, onclick: () => open(entry),
  }, art, h('span', { class: 'card-text' },
    h('span', { class: 'card-title' }, entry.title || entry.name),
    h('span', { class: 'card-description' }, entry.description))));
}

// Fibres, different for every scene but always the same for one.
function placeholder(name: string): HTMLElement {
  let seed = 2166136261;
  for (const c of name) seed = Math.imul(seed ^ c.charCodeAt(0), 16777619);
  const random = () => {
    seed = Math.imul(seed ^ (seed >>> 15), 2246822519) + 0x9e3779b9 | 0;
    return (seed >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 4; i++) random(); // the first ones still show the letters
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 160 90');
  svg.setAttribute('preserveAspectRatio', 'xMidYMid slice');
  const [phase, waves, tall] = [random() * 6.3, 0.4 + random() * 1.6, 8 + random() * 22];
  svg.style.setProperty('--thread', `var(--plot-${1 + Math.floor(random() * 7)})`);
  for (let line = 0; line < 9; line++) {
    let d = '';
    for (let x = -4; x <= 164; x += 6) {
      const apart = (line - 4) * 3.2 * (1 + 0.9 * Math.sin(x / 60 + phase));
      const y = 45 + apart + tall * Math.sin((x / 160) * waves * 6.3 + phase + line * 0.14);
      d += `${d ? 'L' : 'M'}${x} ${y.toFixed(1)}`;
    }
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', d);
    path.setAttribute('opacity', (0.2 + 0.6 * (line / 8)).toFixed(2));
    svg.append(path);
  }
  return h('span', { class: 'card-picture', 'aria-hidden': 'true' }, svg);
}
