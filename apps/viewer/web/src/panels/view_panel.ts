// How the scene is shown. Every page chooses for itself, so this works without the controls too.
import type { ColourBy, Model, Options } from '../model';
import { colourings } from './actions';
import { h, setAttribute } from './dom';
import { legend } from './legend';

type Switch = 'wireframe' | 'contacts' | 'joints' | 'bounds' | 'shadows';
const switches: { option: Switch; title: string; doc: string; key?: string }[] = [
  { option: 'wireframe', title: 'Wireframe', doc: 'Edges of the mesh, and the cage a skin rides in', key: 'W' },
  { option: 'contacts', title: 'Contacts', doc: 'Where bodies touch, and how hard they press', key: 'C' },
  { option: 'joints', title: 'Joints', doc: 'What ties bodies to each other', key: 'J' },
  { option: 'bounds', title: 'Bounds', doc: 'Boxes that the search for contacts works with', key: 'X' },
  { option: 'shadows', title: 'Shadows', doc: 'Off: faster on weak graphics' },
];

export function viewPanel(model: Model): HTMLElement {
  const colours = colourings.map(({ value, title, doc }) => h('button', {
    class: 'segment', role: 'radio', test: `colour-by-${value}`, title: doc,
    onclick: () => model.setOptions({ colourBy: value }),
  }, title));
  const boxes = switches.map(({ option }) => h('input', {
    type: 'checkbox', role: 'switch', class: 'switch', id: `show-${option}`, test: `show-${option}`,
    onchange: (event: Event) => model.setOptions({ [option]: (event.target as HTMLInputElement).checked }),
  }));
  const show = (options: Options) => {
    colourings.forEach(({ value }, i) => setAttribute(colours[i], 'aria-checked', String(value === options.colourBy)));
    switches.forEach(({ option }, i) => (boxes[i].checked = options[option]));
  };
  model.on('options', show);
  show(model.options);
  const arrows = (event: KeyboardEvent) => {
    const direction = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!direction) return;
    const at = colourings.findIndex((c) => c.value === model.options.colourBy);
    const next = (at + direction + colourings.length) % colourings.length;
    model.setOptions({ colourBy: colourings[next].value as ColourBy });
    colours[next].focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return h('div', { class: 'panel-page', test: 'view-panel' },
    h('section', { class: 'block' },
      h('h3', null, 'Colour by', h('kbd', null, 'V')),
      h('div', {
        class: 'segments wrap', role: 'radiogroup', 'aria-label': 'Colour by', test: 'colour-by', onkeydown: arrows,
      }, colours),
      legend(model, 'panel')),
    h('section', { class: 'block' },
      h('h3', null, 'Show'),
      switches.map(({ option, title, doc, key }, i) => h('div', { class: 'field field-flag', title: doc },
        h('label', { class: 'field-name', for: `show-${option}` }, title, key && h('kbd', null, key)), boxes[i]))));
}
