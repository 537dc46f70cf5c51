// States that change what one can do here: no connection, somebody else at the controls, the past on the screen.
import type { Model } from '../model';
import { canAct, inThePast } from './actions';
import { h, setText } from './dom';
import { formatTime } from './format';
import { icon } from './icons';

export function banners(model: Model): HTMLElement {
  const lost = h('div', { class: 'banner lost surface', role: 'alert', test: 'connection-lost', hidden: true },
    h('span', { class: 'dot', 'aria-hidden': 'true' }), h('span', null, 'Connection lost. Trying again …'));
  const watching = h('div', { class: 'banner watching surface', role: 'status', test: 'watching', hidden: true },
    h('span', null, 'Watching: another page holds the controls.'),
    h('button', { class: 'text-button primary', test: 'take-control', onclick: () => model.send({ type: 'control' }) },
      'Take the controls'));
  const show = () => {
    const live = model.mode === 'live';
    lost.hidden = !(live && model.connection === 'lost');
    watching.hidden = !(live && model.connection === 'open' && model.status !== null && !model.inControl);
  };
  model.on('status', show);
  model.on('connection', show);
  show();
  return h('div', { class: 'banners' }, lost, watching);
}

export function pastBanner(model: Model): HTMLElement {
  const ago = h('span', { class: 'ago' });
  const box = h('div', {
    class: 'past surface', role: 'group', 'aria-label': 'The past is shown', test: 'past', hidden: true,
  },
    h('span', { class: 'past-text' }, h('strong', null, 'Past'), ago),
    h('button', {
      class: 'text-button primary', test: 'continue-here',
      title: 'Goes on from this moment; what came after it is forgotten',
      onclick: () => model.send({ type: 'play' }),
    }, icon('play'), h('span', null, 'Continue', h('span', { class: 'roomy-only' }, ' from here'))),
    h('button', {
      class: 'text-button', test: 'back-to-now', title: 'Shows the latest moment again',
      onclick: () => model.status && model.send({ type: 'scrub', step: model.status.history.last }),
    }, 'Back to now'));
  const show = () => {
    const past = inThePast(model);
    box.hidden = !past;
    document.documentElement.toggleAttribute('data-past', past);
    if (!past) return;
    const { at, last } = model.status!.history;
    setText(ago, `${formatTime((last - at) * (model.scene?.header.dt ?? 1 / 60))} ago`);
    for (const button of box.querySelectorAll('button')) button.disabled = !canAct(model);
  };
  model.on('status', show);
  show();
  return box;
}
