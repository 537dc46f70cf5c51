// The sheet that tells keys, mouse and touch.
import type { ToolLike } from './toolbar';
import { h } from './dom';
import { Overlay } from './overlay';

type Row = [keys: string[], text: string];

export function help(tools: readonly ToolLike[], behind: () => HTMLElement[]): Overlay {
  const overlay = new Overlay({
    name: 'help',
    title: 'Keys and gestures',
    onOpen: () => overlay.element.querySelector<HTMLElement>('.close')?.focus(),
  }, behind);
  const toolRows: Row[] = tools.map((tool, i) => [[(tool.key ?? String(i + 1)).toUpperCase()], tool.title]);
  // Fingers first where there are fingers.
  const touch = group('Touch', [
    [['One finger'], 'On a body: the tool. Beside bodies: turn the camera'],
    [['Two fingers'], 'Shift; pinch for nearer or farther'], [['Tap'], 'Select a body'],
  ], true);
  const fingers = matchMedia('(pointer: coarse)').matches;
  overlay.content.append(
    h('div', { class: 'help' },
      fingers && touch,
      group('Time', [
        [['Space'], 'Play or pause'], [['.'], 'Single step'], [['R'], 'Reset'],
        [['['], 'Slower'], [[']'], 'Faster'], [['←', '→'], 'Through the past, step by step (with Shift: ten)'],
        [['S'], 'Save snapshot 1'], [['L'], 'Load snapshot 1'],
      ]),
      group('Tools', [...toolRows, [['B'], 'Shoot a ball where you look']]),
      group('View', [
        [['F'], 'Frame the selected body, or the scene'], [['V'], 'Next colouring'], [['W'], 'Wireframe'],
        [['C'], 'Contacts'], [['J'], 'Joints'], [['X'], 'Bounds'],
      ]),
      group('Page', [
        [['G'], 'Gallery of scenes'], [['P'], 'Plots'], [['\\'], 'Show or hide the panel'], [['T'], 'Dark or light'],
        [['H', '?'], 'This sheet'], [['Esc'], 'Close, or select nothing'],
      ]),
      group('Mouse', [
        [['Left drag'], 'On a body: the tool (grab pulls it). Beside bodies: turn the camera'],
        [['Click'], 'Select a body'],
        [['Middle drag'], 'Turn the camera, from anywhere'],
        [['Right drag'], 'Shift the camera'],
        [['Wheel'], 'Nearer or farther, the camera or what you hold'],
        [['Hover'], 'Over a field: what it means'],
      ], true),
      !fingers && touch));
  return overlay;
}

function group(title: string, rows: Row[], wide = false): HTMLElement {
  return h('section', { class: wide ? 'wide' : null }, h('h2', null, title),
    h('dl', null, rows.map(([keys, text]) => h('div', null,
      h('dt', null, keys.map((key) => h('kbd', null, key))), h('dd', null, text)))));
}
