// What the colours mean: a small key over the picture, and the same in the panel.
import type { Legend, Model } from '../model';
import { h, replace } from './dom';
import { formatQuantity, readable } from './format';

export function legend(model: Model, place: 'panel' | 'stage'): HTMLElement {
  const look = place === 'stage' ? 'legend legend-stage surface' : 'legend legend-panel';
  const box = h('div', { class: look, test: `legend-${place}`, hidden: true });
  const show = (now: Legend | null) => {
    box.hidden = !now;
    if (!now) return;
    const bar = now.gradient ? h('div', { class: 'legend-bar' }) : null;
    if (bar) bar.style.background = now.gradient;
    replace(box,
      h('p', { class: 'legend-name' }, readable(now.name), now.unit && h('span', { class: 'muted' }, ` [${now.unit}]`)),
      bar,
      bar && h('p', { class: 'legend-ends' },
        h('span', null, formatQuantity(now.min, now.unit)),
        h('span', null, formatQuantity((now.min + now.max) / 2, now.unit)),
        h('span', null, formatQuantity(now.max, now.unit))),
      now.marks.length > 0 && h('ul', { class: 'legend-marks' }, now.marks.map((mark) => {
        const colour = h('span', { class: 'legend-colour' });
        colour.style.background = mark.colour;
        return h('li', null, colour, mark.label);
      })));
  };
  model.on('legend', show);
  show(model.legend);
  return box;
}
