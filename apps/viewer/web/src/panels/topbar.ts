// The slim bar at the top: whose page this is, which scene, how the connection does.
import type { Model } from '../model';
import { toggleTheme } from './actions';
import { h, replace, setAttribute, setText } from './dom';
import { icon, logo } from './icons';

export interface TopBarActions {
  openGallery(): void;
  openHelp(): void;
  togglePanel(): void;
}

export function topbar(model: Model, actions: TopBarActions): HTMLElement {
  const theme = h('button', {
    class: 'button', test: 'theme', 'aria-label': 'Theme', onclick: () => toggleTheme(model),
  });
  const showTheme = () => {
    const light = model.options.theme === 'light';
    theme.title = `${light ? 'Dark' : 'Light'} theme  ( T )`;
    replace(theme, icon(light ? 'moon' : 'sun'));
  };
  model.on('options', showTheme);
  showTheme();
  return h('header', { class: 'topbar surface' },
    h('span', { class: 'wordmark' }, logo(), h('span', { class: 'wordmark-name' }, 'Sinew')),
    sceneButton(model, actions),
    h('span', { class: 'spacer' }),
    state(model),
    theme,
    h('button', {
      class: 'button', test: 'help', title: 'Keys and gestures  ( ? )', 'aria-label': 'Help', onclick: actions.openHelp,
    }, icon('help')),
    h('button', {
      class: 'button', test: 'panel-toggle', title: 'Show or hide the panel  ( \\ )',
      'aria-label': 'Show or hide the panel', onclick: actions.togglePanel,
    }, icon('panel')));
}

function sceneButton(model: Model, actions: TopBarActions): HTMLElement {
  const title = h('span', { class: 'scene-title', test: 'scene-title' });
  const button = h('button', {
    class: 'scene-button', test: 'gallery', title: 'Scenes  ( G )', 'aria-haspopup': 'dialog',
    onclick: actions.openGallery,
  }, icon('gallery'), title, icon('chevron'));
  const fixed = h('span', { class: 'scene-title fixed replay-only' });
  const show = () => {
    const header = model.scene?.header;
    const open = model.mode === 'replay' || model.status?.scene;
    const text = (open && (header?.title || header?.name || model.status?.scene)) || 'Choose a scene';
    setText(title, text);
    setText(fixed, text);
    const about = header?.description && open ? `${header.description}\n` : '';
    setAttribute(button, 'title', `${about}Scenes  ( G )`);
    const pageTitle = open ? `${text} · Sinew` : 'Sinew';
    if (document.title !== pageTitle) document.title = pageTitle;
  };
  model.on('scene', show);
  model.on('status', show);
  show();
  button.classList.add('live-only');
  return h('span', { class: 'scene' }, button, fixed);
}

// One chip: what the connection does, and whose hands are on the controls.
function state(model: Model): HTMLElement {
  const text = h('span');
  const chip = h('span', { class: 'chip', test: 'state', role: 'status' },
    h('span', { class: 'dot', 'aria-hidden': 'true' }), text);
  const show = () => {
    const others = (model.status?.clients ?? 1) - 1;
    const [kind, words] =
      model.mode === 'replay' ? ['replay', 'Recording'] :
      model.connection === 'lost' ? ['lost', 'Disconnected'] :
      model.connection === 'connecting' || !model.status ? ['connecting', 'Connecting'] :
      model.inControl ? ['live', others > 0 ? `Live · ${others} watching` : 'Live'] : ['watching', 'Watching'];
    setAttribute(chip, 'data-state', kind);
    setText(text, words);
    const pages = model.status?.clients ?? 0;
    const count = model.mode === 'live' && pages > 0 ? `${pages} ${pages === 1 ? 'page' : 'pages'} open` : '';
    setAttribute(chip, 'title', [model.program, count].filter(Boolean).join(' · '));
  };
  model.on('status', show);
  model.on('connection', show);
  show();
  return chip;
}
