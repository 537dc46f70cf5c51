// One field of a body or of the world: its name, and the control that fits its kind.
import type { Model } from '../model';
import type { Field } from '../protocol';
import { h, setAttribute, throttled, type Child } from './dom';
import { formatNumber, readable } from './format';
import { complaint, fromSlider, scaleFor, sliderSteps, toSlider } from './scale';

// At most ten changes a second: a change of a material may rebuild what the solver has prepared.
const sendInterval = 100;

// So long after the last change of a slider, what the program says may still be an answer to an earlier one [ms].
const answerTime = 400;

export interface FieldControl {
  element: HTMLElement;
  show(field: Field): void; // takes in what the program says, unless somebody is just changing it
}

export function fieldControl(model: Model, field: Field): FieldControl {
  const send = throttled(sendInterval, (value: unknown) => {
    lastSet = performance.now();
    model.send({ type: 'set', pointer: field.pointer, value });
  });
  switch (field.kind) {
    case 'flag': return flagControl(field, send);
    case 'word':
    case 'choice': return wordControl(field, send);
    case 'vector': return vectorControl(field, send);
    default: return numberControl(field, send);
  }
}

type Send = (value: unknown) => void;

// When something was changed last, from any field: an error right after it is the answer, and the fields must be asked
// for again to show what holds.
let lastSet = -Infinity;
export const changedJustNow = () => performance.now() - lastSet < 1000;

function row(field: Field, kind: string, label: Child, ...rest: Child[]): HTMLElement {
  return h('div', { class: `field field-${kind}`, title: tip(field), 'data-pointer': field.pointer }, label, ...rest);
}
function tip(field: Field): string {
  return `${field.doc}${field.doc ? '\n' : ''}${field.pointer}`;
}
const labelOf = (field: Field, id: string) => h('label', { class: 'field-name', for: id }, readable(field.name));

let nextId = 0;

function numberControl(field: Field, send: Send): FieldControl {
  const id = `field${nextId++}`;
  let value = Number(field.value);
  let scale = scaleFor(field, value);
  let held = false;
  let moved = -Infinity; // when the slider was moved last [ms]
  let later = 0; // a timer: the program said something while it was moving

  const slider = h('input', {
    type: 'range', class: 'slider', min: 0, max: sliderSteps, step: 1, 'aria-label': readable(field.name),
    test: `slider-${field.pointer}`,
  });
  const entry = numberEntry(field, (typed) => {
    take(typed);
    send(typed);
  }, { id, test: `field-${field.pointer}` });
  const paint = () => {
    slider.value = String(toSlider(scale, value));
    slider.style.setProperty('--at', String(Number(slider.value) / sliderSteps));
    slider.setAttribute('aria-valuetext', `${formatNumber(value)} ${field.unit}`);
  };
  const take = (next: number) => {
    value = next;
    // A value that was typed beyond the slider's ends moves them.
    if (value > scale.high || (value < scale.low && !(scale.log && value === 0))) scale = scaleFor(field, value);
    paint();
  };
  slider.addEventListener('input', () => {
    value = fromSlider(scale, Number(slider.value), field);
    slider.style.setProperty('--at', String(Number(slider.value) / sliderSteps));
    entry.show(value);
    send(value);
    moved = performance.now();
  });
  slider.addEventListener('pointerdown', () => (held = true));
  for (const end of ['pointerup', 'pointercancel', 'change']) slider.addEventListener(end, () => (held = false));
  slider.addEventListener('pointerup', () => slider.blur());
  entry.show(value);
  paint();
  const element = row(field, 'number',
    labelOf(field, id), h('span', { class: 'entry' }, entry.input, unit(field)), slider);
  return {
    element,
    show(next) {
      clearTimeout(later);
      const wait = moved + answerTime - performance.now();
      if (held || wait > 0) {
        later = window.setTimeout(() => this.show(next), Math.max(wait, 100));
        return;
      }
      if (entry.editing()) return;
      take(Number(next.value));
      entry.show(value);
    },
  };
}

const unit = (field: Field) => h('span', { class: 'unit', 'aria-hidden': 'true' }, field.unit);

// A box to type a number in; what is typed counts on Enter or when it is left. A text box, because browsers' number
// boxes know neither 2.5e4 as people write it nor how to say what is wrong.
function numberEntry(field: Field, commit: (value: number) => void, attributes: Record<string, unknown>) {
  const input = h('input', {
    type: 'text', inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false', class: 'number', ...attributes,
  });
  let shown = '';
  const show = (value: number) => {
    shown = input.value = formatNumber(value, 5);
    problem(null);
  };
  const problem = (text: string | null) => {
    setAttribute(input, 'aria-invalid', text ? 'true' : null);
    input.setCustomValidity(text ?? '');
  };
  const finish = () => {
    if (input.value === shown) return;
    const value = parse(input.value);
    const wrong = complaint(field, value);
    problem(wrong);
    if (wrong) return void input.reportValidity();
    show(value);
    commit(value);
  };
  input.addEventListener('change', finish);
  input.addEventListener('input', () => problem(null));
  input.addEventListener('focus', () => input.select());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      finish();
      if (!input.validationMessage) input.blur();
    } else if (event.key === 'Escape') {
      input.value = shown;
      problem(null);
      input.blur();
      event.stopPropagation();
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      nudge(event.key === 'ArrowUp' ? 1 : -1, event.shiftKey);
    }
  });
  // One in the second digit; with Shift one in the first.
  const nudge = (direction: number, coarse: boolean) => {
    const value = parse(input.value);
    if (!Number.isFinite(value)) return;
    const size = value === 0 ? 0.1 : 10 ** (Math.floor(Math.log10(Math.abs(value)) + 1e-9) - (coarse ? 0 : 1));
    const step = field.kind === 'integer' ? Math.max(1, Math.round(size)) : size;
    const next = Number((value + direction * step).toPrecision(10));
    if (complaint(field, next)) return;
    show(next);
    commit(next);
  };
  return { input, show, editing: () => document.activeElement === input };
}

function parse(text: string): number {
  const clean = text.trim().replace(',', '.');
  return clean === '' ? NaN : Number(clean);
}

function vectorControl(field: Field, send: Send): FieldControl {
  const axes = ['X', 'Y', 'Z'];
  let values = [...(field.value as number[])];
  const entries = values.map((_, i) => numberEntry(field, (value) => {
    values[i] = value;
    send([...values]);
  }, { test: `field-${field.pointer}-${i}`, 'aria-label': `${readable(field.name)} ${axes[i] ?? i}` }));
  const paint = () => entries.forEach((entry, i) => !entry.editing() && entry.show(values[i]));
  paint();
  const boxes = entries.map((entry, i) => h('span', { class: 'axis' },
    h('span', { class: `axis-name axis-${i}`, 'aria-hidden': 'true' }, axes[i] ?? String(i)), entry.input));
  const name = h('span', { class: 'field-name' }, readable(field.name));
  return {
    element: row(field, 'vector', name, unit(field),
      h('span', { class: 'axes', test: `field-${field.pointer}` }, boxes)),
    show(next) {
      values = [...(next.value as number[])];
      paint();
    },
  };
}

function flagControl(field: Field, send: Send): FieldControl {
  const id = `field${nextId++}`;
  const box = h('input', { type: 'checkbox', role: 'switch', class: 'switch', id, test: `field-${field.pointer}` });
  box.checked = field.value === true;
  box.addEventListener('change', () => send(box.checked));
  return {
    element: row(field, 'flag', labelOf(field, id), box),
    show: (next) => void (box.checked = next.value === true),
  };
}

function wordControl(field: Field, send: Send): FieldControl {
  const id = `field${nextId++}`;
  const words = field.words ?? [String(field.value)];
  const list = h('select', { id, test: `field-${field.pointer}` },
    words.map((word) => h('option', { value: word }, readable(word))));
  list.value = String(field.value);
  list.addEventListener('change', () => send(list.value));
  return {
    element: row(field, 'word', labelOf(field, id), list),
    show(next) {
      if (document.activeElement !== list) list.value = String(next.value);
    },
  };
}

// A dot beside what has been changed since the scene was opened.
export function markChanged(element: HTMLElement, changed: boolean): void {
  element.classList.toggle('changed', changed);
  const name = element.querySelector('.field-name');
  if (name) setAttribute(name, 'data-changed', changed ? 'changed' : null);
}

