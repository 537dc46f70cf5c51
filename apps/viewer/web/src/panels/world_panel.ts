// What can be changed in the world: time step, solver, gravity.
import type { Model } from '../model';
import { h } from './dom';
import { fieldList } from './field_list';

export function worldPanel(model: Model): HTMLElement {
  const fields = fieldList(model, () => null);
  const waiting = h('p', { class: 'hint' }, 'Open a scene to see its world.');
  const show = () => {
    fields.show(model.worldFields?.fields ?? []);
    waiting.hidden = !!model.worldFields;
  };
  model.on('fields', show);
  show();
  return h('div', { class: 'panel-page', test: 'world-panel' }, waiting, fields.element);
}
