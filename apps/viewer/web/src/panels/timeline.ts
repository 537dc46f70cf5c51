// The scrubber: the history that is kept, where the snapshots are in it, and the state of being in the past.
import type { Model } from '../model';
import { h, setText, throttled } from './dom';
import { formatTime } from './format';

export function timeline(model: Model): HTMLElement {
  const slider = h('input', {
    type: 'range', class: 'timeline-slider', test: 'scrub', min: 0, max: 1, step: 1, value: 1, 'aria-label': 'Timeline',
  });
  const bubble = h('span', { class: 'bubble', hidden: true, 'aria-hidden': 'true' });
  const marks = h('span', { class: 'marks', 'aria-hidden': 'true' });
  const box = h('fieldset', { class: 'timeline', 'aria-label': 'Timeline' }, marks, slider, bubble);
  const send = throttled(50, (step: number) => model.send({ type: 'scrub', step }));
  let dragging = false;

  const timeOf = (step: number) => step * (model.scene?.header.dt ?? 1 / 60);
  const paint = () => {
    const [low, high, at] = [Number(slider.min), Number(slider.max), Number(slider.value)];
    box.style.setProperty('--at', high > low ? String((at - low) / (high - low)) : '1');
    slider.setAttribute('aria-valuetext', formatTime(timeOf(at)));
  };
  slider.addEventListener('pointerdown', () => (dragging = true));
  for (const end of ['pointerup', 'pointercancel', 'change'])
    slider.addEventListener(end, () => (dragging = false));
  slider.addEventListener('input', () => {
    paint();
    send(Number(slider.value));
  });
  slider.addEventListener('pointerup', () => slider.blur());

  // The time under the pointer, before anything is clicked.
  const hover = (event: PointerEvent) => {
    const { left, width } = slider.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
    const step = Number(slider.min) + Math.round(share * (Number(slider.max) - Number(slider.min)));
    bubble.hidden = false;
    bubble.style.setProperty('--over', String(share));
    setText(bubble, formatTime(timeOf(dragging ? Number(slider.value) : step)));
  };
  slider.addEventListener('pointermove', hover);
  slider.addEventListener('pointerleave', () => (bubble.hidden = true));

  const refresh = () => {
    const history = model.status?.history;
    if (!history) return;
    slider.min = String(history.first);
    slider.max = String(Math.max(history.last, history.first + 1));
    if (!dragging) slider.value = String(history.last > history.first ? history.at : history.first + 1);
    paint();
    showMarks();
  };
  let drawn = '';
  const showMarks = () => {
    const { history, slots } = model.status!;
    const [first, last] = [timeOf(history.first), timeOf(history.last)];
    const inside = slots.filter((s) => s.time >= first && s.time <= last && last > first);
    const key = inside.map((s) => `${s.slot}:${((s.time - first) / (last - first)).toFixed(3)}`).join();
    if (key === drawn) return;
    drawn = key;
    marks.replaceChildren(...inside.map((s) => {
      const mark = h('span', { class: 'mark' }, s.slot);
      mark.style.setProperty('--over', String((s.time - first) / (last - first)));
      return mark;
    }));
  };
  // Between two statuses, frames tell how far it has come.
  model.on('frame', ({ header }) => {
    if (dragging || !model.status) return;
    if (header.step > Number(slider.max)) slider.max = String(header.step);
    slider.value = String(header.step);
    paint();
  });
  model.on('status', refresh);
  model.on('scene', () => model.status && refresh());
  refresh();
  return box;
}
