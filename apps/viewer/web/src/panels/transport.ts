// The bar at the bottom: play, time, speed, snapshots.
import type { Model } from '../model';
import { canAct, changeSpeed, inThePast, speeds, togglePlay } from './actions';
import { h, replace, setAttribute, setText } from './dom';
import { formatSpeed, formatTime } from './format';
import { icon } from './icons';
import { timeline } from './timeline';

const slots = [1, 2, 3];

export function transport(model: Model): HTMLElement {
  const controls = h('fieldset', { class: 'controls', 'aria-label': 'Play' }, ...playButtons(model));
  const bar = h('section', { class: 'transport surface', 'aria-label': 'Transport' },
    controls,
    clock(model),
    timeline(model),
    speedControl(model),
    snapshots(model),
    realTime(model));
  const refresh = () => {
    const idle = !canAct(model) || (model.mode === 'live' && model.status?.scene == null);
    for (const set of bar.querySelectorAll('fieldset')) set.disabled = idle;
  };
  model.on('status', refresh);
  model.on('connection', refresh);
  refresh();
  return bar;
}

function playButtons(model: Model): HTMLElement[] {
  const play = h('button', { class: 'button play', onclick: () => togglePlay(model) });
  const step = h('button', {
    class: 'button', test: 'step', 'aria-label': 'Single step', title: 'Single step  ( . )',
    onclick: () => model.send({ type: 'step', count: 1 }),
  }, icon('step'));
  const reset = h('button', {
    class: 'button', test: 'reset', 'aria-label': 'Reset', title: 'Back to the start  ( R )',
    onclick: () => model.send({ type: 'reset' }),
  }, icon('reset'));
  let shown: boolean | null = null;
  const refresh = () => {
    const playing = model.status?.playing ?? false;
    if (playing === shown) return;
    shown = playing;
    play.dataset.test = playing ? 'pause' : 'play';
    setAttribute(play, 'aria-label', playing ? 'Pause' : 'Play');
    play.title = playing ? 'Pause  ( Space )' : 'Play  ( Space )';
    replace(play, icon(playing ? 'pause' : 'play'));
  };
  model.on('status', refresh);
  refresh();
  return [play, step, reset];
}

function clock(model: Model): HTMLElement {
  const text = h('output', { class: 'clock', test: 'time', title: 'Simulated time', 'aria-live': 'off' });
  setText(text, formatTime(0));
  model.on('frame', ({ header }) => setText(text, formatTime(header.time)));
  return text;
}

function speedControl(model: Model): HTMLElement {
  const buttons = speeds.map((factor) => h('button', {
    class: 'segment', test: `speed-${factor}`, 'aria-label': `Speed ${formatSpeed(factor)}`,
    title: `${formatSpeed(factor)} of real time  ( [  ] )`,
    onclick: () => model.send({ type: 'speed', factor }),
  }, formatSpeed(factor)));
  // The same as a list, for narrow screens.
  const list = h('select', {
    class: 'speed-list', test: 'speed', 'aria-label': 'Speed',
    onchange: () => model.send({ type: 'speed', factor: Number(list.value) }),
  });
  let shown = NaN;
  const refresh = () => {
    const now = model.status?.speed ?? 1;
    if (now === shown) return;
    shown = now;
    buttons.forEach((button, i) => setAttribute(button, 'aria-pressed', String(Math.abs(speeds[i] - now) < 1e-6)));
    const offered = speeds.some((s) => Math.abs(s - now) < 1e-6) ? speeds : [...speeds, now].sort((a, b) => a - b);
    replace(list, offered.map((s) => h('option', { value: s }, formatSpeed(s))));
    list.value = String(now);
  };
  model.on('status', refresh);
  refresh();
  const wheel = (event: WheelEvent) => changeSpeed(model, event.deltaY < 0 ? 1 : -1);
  return h('fieldset', { class: 'speed', 'aria-label': 'Speed', onwheel: wheel },
    h('div', { class: 'segments' }, buttons), list);
}

function snapshots(model: Model): HTMLElement {
  const refreshers: (() => void)[] = [];
  const cells = slots.map((slot) => {
    const load = h('button', {
      class: 'slot-load', test: `load-${slot}`, onclick: () => model.send({ type: 'load', slot }),
    }, String(slot));
    const save = h('button', {
      class: 'slot-save', test: `save-${slot}`, 'aria-label': `Save snapshot ${slot}`,
      title: `Save the whole world as snapshot ${slot}${slot === 1 ? '  ( S )' : ''}`,
      onclick: () => model.send({ type: 'save', slot }),
    }, icon('save'));
    refreshers.push(() => {
      const saved = model.status?.slots.find((s) => s.slot === slot);
      load.disabled = !saved;
      const title = saved ? `Load snapshot ${slot}, saved at ${formatTime(saved.time)}${slot === 1 ? '  ( L )' : ''}`
        : `Snapshot ${slot}: nothing saved yet`;
      setAttribute(load, 'title', title);
      setAttribute(load, 'aria-label', title);
    });
    return h('span', { class: 'slot' }, load, save);
  });
  const refresh = () => refreshers.forEach((r) => r());
  model.on('status', refresh);
  refresh();
  return h('fieldset', { class: 'snapshots live-only', 'aria-label': 'Snapshots' },
    h('span', { class: 'label muted', 'aria-hidden': 'true' }, 'Snapshots'), cells);
}

// How fast the simulation really runs. Read four times a second: quicker digits cannot be read.
function realTime(model: Model): HTMLElement {
  const text = h('output', { test: 'real-time', 'aria-live': 'off' });
  let speed: number | undefined;
  model.on('frame', ({ header }) => (speed = header.stats?.speed ?? speed));
  const show = () => {
    const moving = model.status?.playing && !inThePast(model) && speed !== undefined;
    setText(text, moving ? `${speed!.toFixed(2)}×` : '–');
  };
  setInterval(show, 250);
  model.on('status', show);
  show();
  return h('span', { class: 'real-time', title: 'Simulated time by real time: what the program really achieves' },
    text, h('span', { class: 'muted' }, 'real time'));
}
