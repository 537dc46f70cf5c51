// The strip of tools, and the menu of things to drop.
import type { Model } from '../model';
import { canAct } from './actions';
import { h, replace, setAttribute } from './dom';
import { readable } from './format';
import { icon, isIcon } from './icons';
import { popup } from './popup';

export interface ToolLike {
  name: string;
  title: string;
  key?: string;
  icon?: string;
}

export interface ToolbarActions {
  drop(what: string): void;
  shoot(): void;
  frame(): void;
}

export function toolbar(model: Model, tools: readonly ToolLike[], actions: ToolbarActions): HTMLElement {
  const buttons = tools.map((tool, i) => {
    const key = tool.key ?? String(i + 1);
    return h('button', {
      class: 'button tool', test: `tool-${tool.name}`, 'aria-label': tool.title,
      title: `${tool.title}  ( ${key.toUpperCase()} )`,
      onclick: () => model.setOptions({ tool: tool.name }),
    }, toolIcon(tool), h('kbd', { class: 'tool-key', 'aria-hidden': 'true' }, key.toUpperCase()));
  });
  const show = () => {
    tools.forEach((tool, i) => setAttribute(buttons[i], 'aria-pressed', String(tool.name === model.options.tool)));
  };
  model.on('options', show);
  show();
  const set = h('fieldset', { class: 'tools', 'aria-label': 'Tools' },
    buttons, h('hr', { class: 'rule' }), dropMenu(model, actions));
  const refresh = () => (set.disabled = !canAct(model) || model.status?.scene == null);
  model.on('status', refresh);
  model.on('connection', refresh);
  refresh();
  return h('nav', { class: 'toolbar surface', 'aria-label': 'Tools' }, set,
    h('button', {
      class: 'button tool', test: 'frame', 'aria-label': 'Frame', title: 'Frame what is selected, or the scene  ( F )',
      onclick: actions.frame,
    }, icon('frame')));
}

function toolIcon(tool: ToolLike): Node {
  const name = tool.icon && isIcon(tool.icon) ? tool.icon : tool.name;
  return isIcon(name) ? icon(name) : h('span', { class: 'tool-letter' }, tool.title.charAt(0));
}

function dropMenu(model: Model, actions: ToolbarActions): HTMLElement {
  const menu = h('div', { class: 'menu surface', role: 'menu', hidden: true });
  const button = h('button', {
    class: 'button tool', test: 'drop', 'aria-label': 'Drop something', 'aria-haspopup': 'menu',
    title: 'Drop something into the scene',
  }, icon('plus'));
  popup(button, menu);
  let shown = '';
  const show = () => {
    const drops = model.status?.drops ?? [];
    if (drops.join() === shown) return;
    shown = drops.join();
    replace(menu,
      h('p', { class: 'menu-title' }, 'Drop into the scene'),
      drops.map((what) => h('button', {
        class: 'menu-item', role: 'menuitem', test: `drop-${what}`, onclick: () => actions.drop(what),
      }, readable(what))),
      h('hr', { class: 'rule' }),
      h('button', { class: 'menu-item', role: 'menuitem', test: 'shoot-ball', onclick: actions.shoot },
        'Shoot a ball', h('kbd', null, 'B')));
    button.disabled = drops.length === 0;
  };
  model.on('status', show);
  show();
  return h('span', { class: 'menu-holder' }, button, menu);
}
