// The selected body and what can be changed in it; when none is selected, a list of them all.
import type { Model } from '../model';
import type { BodyInfo } from '../protocol';
import type { StageLike } from './host';
import { canAct } from './actions';
import { h, replace, setAttribute } from './dom';
import { fieldList } from './field_list';
import { formatQuantity } from './format';
import { icon } from './icons';

// More rows than this nobody reads; the search box finds the others.
const mostRows = 200;

export function bodyPanel(model: Model, stage: StageLike): HTMLElement {
  const head = h('div', { class: 'body-head' });
  const fields = fieldList(model, () => model.selected?.id ?? null);
  const nothing = h('p', { class: 'hint', hidden: true }, 'Nothing of this body can be changed while it runs.');
  const chosen = h('div', { class: 'chosen', hidden: true }, head, fields.element, nothing);
  const list = bodyList(model);
  const panel = h('div', { class: 'panel-page', test: 'body-panel' }, list, chosen);

  const showBody = () => {
    const body = model.selected;
    list.hidden = !!body;
    chosen.hidden = !body;
    if (body) replace(head, ...heading(model, stage, body));
    showFields();
  };
  const showFields = () => {
    const told = model.bodyFields?.body === model.selected?.id ? model.bodyFields : null;
    fields.show(told?.fields ?? []);
    nothing.hidden = !told || told.fields.length > 0;
  };
  model.on('select', showBody);
  model.on('fields', showFields);
  model.on('status', () => {
    const remove = head.querySelector<HTMLButtonElement>('.remove');
    if (remove) remove.disabled = !canAct(model);
  });
  showBody();
  return panel;
}

function heading(model: Model, stage: StageLike, body: BodyInfo): HTMLElement[] {
  const remove = h('button', {
    class: 'button remove', test: 'remove-body', title: 'Remove this body', 'aria-label': 'Remove this body',
    onclick: () => model.send({ type: 'remove', body: body.id }),
  }, icon('trash'));
  remove.disabled = !canAct(model);
  return [
    h('button', {
      class: 'button', test: 'all-bodies', title: 'All bodies', 'aria-label': 'All bodies',
      onclick: () => model.select(null),
    }, icon('back')),
    swatch(body),
    h('div', { class: 'body-title' },
      h('h2', { test: 'body-name' }, body.name || `Body ${body.id}`),
      h('p', { class: 'muted' }, kindOf(body), body.mass !== undefined && ` · ${formatQuantity(body.mass, 'kg')}`)),
    h('button', {
      class: 'button', test: 'frame-body', title: 'Frame it  ( F )', 'aria-label': 'Frame this body',
      onclick: () => stage.frameSelected(),
    }, icon('frame')),
    remove,
  ];
}

const kindOf = (body: BodyInfo) => (body.shape ? `${body.kind} ${body.shape}` : body.kind);

function swatch(body: BodyInfo): HTMLElement {
  const element = h('span', { class: `swatch ${body.kind}`, 'aria-hidden': 'true' });
  element.style.setProperty('--colour', `rgb(${body.colour.map((c) => Math.round(255 * c)).join(' ')})`);
  return element;
}

function bodyList(model: Model): HTMLElement {
  const count = h('span', { class: 'muted' });
  const search = h('input', {
    type: 'search', class: 'search', placeholder: 'Find a body', 'aria-label': 'Find a body', test: 'body-search',
  });
  const rows = h('ul', { class: 'body-list', 'aria-label': 'Bodies' });
  const hint = h('p', { class: 'hint' }, 'Pick a body in the picture or here to see and change what it is made of.');
  const box = h('div', { class: 'all-bodies' },
    h('div', { class: 'list-head' }, h('h2', null, 'Bodies'), count), hint, search, rows);

  const show = () => {
    const wanted = search.value.trim().toLowerCase();
    const all = [...model.bodies.values()];
    const found = wanted ? all.filter((b) => `${b.name} ${b.kind}`.toLowerCase().includes(wanted)) : all;
    count.textContent = String(all.length);
    search.hidden = all.length < 8;
    replace(rows,
      found.slice(0, mostRows).map((body) => h('li', null, h('button', {
        class: 'body-row', test: `body-${body.id}`, onclick: () => model.select(body),
      }, swatch(body), h('span', { class: 'name' }, body.name || `Body ${body.id}`),
      h('span', { class: 'muted' }, kindOf(body))))),
      found.length > mostRows && h('li', { class: 'hint' }, `… and ${found.length - mostRows} more`));
    setAttribute(box, 'data-empty', all.length === 0);
  };
  search.addEventListener('input', show);
  // A scene that drops bodies one by one tells of each; one list per picture is enough.
  let waiting = false;
  model.on('scene', () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      show();
    });
  });
  show();
  return box;
}
