// Fields in groups. When the program tells them again, what is there is brought up to date in place, so that nobody
// loses the slider in hand.
import type { Model } from '../model';
import type { Field } from '../protocol';
import { canAct } from './actions';
import { h, replace } from './dom';
import { changedJustNow, fieldControl, markChanged, type FieldControl } from './field_control';
import { readable } from './format';

export interface FieldList {
  element: HTMLFieldSetElement;
  show(fields: Field[]): void;
}

// `body` tells whose fields these are; null is the world.
export function fieldList(model: Model, body: () => number | null): FieldList {
  const element = h('fieldset', { class: 'field-list' });
  const controls = new Map<string, FieldControl>();
  const closed = new Set<string>(); // groups somebody has folded
  let signature = '';

  const show = (fields: Field[]) => {
    const now = JSON.stringify(fields.map((f) => [f.pointer, f.kind, f.unit, f.min, f.max, f.words]));
    if (now !== signature) {
      signature = now;
      controls.clear();
      replace(element, groupsOf(fields).map(([name, group]) => section(name, group)));
    }
    for (const field of fields) controls.get(field.pointer)?.show(field);
    showChanges();
  };

  const section = (name: string, fields: Field[]): HTMLElement => {
    const rows = fields.map((field) => {
      const control = fieldControl(model, field);
      controls.set(field.pointer, control);
      return control.element;
    });
    const details = h('details', { class: 'group', test: `group-${name}` },
      h('summary', null, readable(name)), h('div', { class: 'group-fields' }, rows));
    details.open = !closed.has(name);
    details.addEventListener('toggle', () => (details.open ? closed.delete(name) : closed.add(name)));
    return details;
  };

  const showChanges = () => {
    const changed = new Set(model.status?.changes.map((c) => c.slice(0, c.indexOf('='))));
    for (const [pointer, control] of controls) markChanged(control.element, changed.has(pointer));
  };
  const refresh = () => (element.disabled = !canAct(model));
  model.on('status', () => {
    showChanges();
    refresh();
  });
  model.on('connection', refresh);
  refresh();
  model.on('error', () => {
    if (changedJustNow() && controls.size) model.send({ type: 'select', body: body() });
  });
  return { element, show };
}

// In the order they come; what kind of material or solver it is, before its numbers.
function groupsOf(fields: Field[]): [string, Field[]][] {
  const groups = new Map<string, Field[]>();
  for (const field of fields) {
    const name = field.group || 'general';
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    if (field.kind === 'choice') group.unshift(field);
    else group.push(field);
  }
  return [...groups];
}
