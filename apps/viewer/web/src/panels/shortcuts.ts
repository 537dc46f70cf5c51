// The keyboard.
import type { Model } from '../model';
import { canAct, changeSpeed, cycleColours, scrubBy, toggleTheme, togglePlay } from './actions';
import { Overlay } from './overlay';
import type { ToolLike } from './toolbar';

export interface ShortcutActions {
  gallery(): void;
  help(): void;
  plots(): void;
  panel(): void;
  frame(): void;
  shoot(): void;
}

export function shortcuts(model: Model, tools: readonly ToolLike[], actions: ShortcutActions): void {
  type Shown = 'wireframe' | 'contacts' | 'joints' | 'bounds';
  const flip = (option: Shown) => model.setOptions({ [option]: !model.options[option] });

  // Of no effect on the simulation: for everybody.
  const looking: Record<string, (event: KeyboardEvent) => void> = {
    w: () => flip('wireframe'), c: () => flip('contacts'), j: () => flip('joints'), x: () => flip('bounds'),
    v: () => cycleColours(model), f: () => actions.frame(), p: () => actions.plots(), t: () => toggleTheme(model),
    '\\': () => actions.panel(), escape: () => model.select(null),
  };
  // For the page that holds the controls.
  const acting: Record<string, (event: KeyboardEvent) => void> = {
    ' ': () => togglePlay(model),
    '.': () => model.send({ type: 'step', count: 1 }),
    r: () => model.send({ type: 'reset' }),
    '[': () => changeSpeed(model, -1), ']': () => changeSpeed(model, 1),
    arrowleft: (event) => scrubBy(model, event.shiftKey ? -10 : -1),
    arrowright: (event) => scrubBy(model, event.shiftKey ? 10 : 1),
  };
  // And not for a recording.
  const changing: Record<string, () => void> = {
    s: () => model.send({ type: 'save', slot: 1 }),
    l: () => void (model.status?.slots.some((s) => s.slot === 1) && model.send({ type: 'load', slot: 1 })),
    b: () => actions.shoot(),
  };
  tools.forEach((tool, i) => {
    const choose = () => model.setOptions({ tool: tool.name });
    changing[String(i + 1)] = choose;
    if (tool.key) changing[tool.key.toLowerCase()] ??= choose;
  });

  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event)) return;
    const key = event.key.toLowerCase();
    const once = !event.repeat;
    const page: Record<string, () => void> = { h: actions.help, '?': actions.help };
    if (model.mode === 'live') page.g = actions.gallery;
    if (key in page) {
      if (once) page[key]();
    } else if (Overlay.current) {
      if (key !== 'escape') return;
      Overlay.current.close();
    } else if (key in looking) {
      if (once) looking[key](event);
    } else if (key in acting && canAct(model) && model.status) {
      if (once || key === '.' || key.startsWith('arrow')) acting[key](event);
    } else if (key in changing && canAct(model) && model.mode === 'live' && model.status?.scene != null) {
      if (once) changing[key]();
    } else return;
    event.preventDefault();
  });
}

// Keys that belong to what has the focus.
function typing(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return event.key !== 'Escape';
  const moving = /^(Arrow|Home|End|Page)/.test(event.key);
  if (target instanceof HTMLInputElement) {
    if (target.type === 'range') return moving;
    if (target.type === 'checkbox') return event.key === ' ';
    return event.key !== 'Escape';
  }
  return (event.key === ' ' || event.key === 'Enter') && target.closest('button, summary, a[href]') !== null;
}
