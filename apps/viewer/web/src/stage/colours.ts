// Colours with a meaning: tables of 256 for fields, groups of cells, sleep; and the key to them, for the panels.
import { Color, DataTexture, LinearFilter, SRGBColorSpace } from 'three';
import type { ColourBy, Legend } from '../model';
import type { FieldInfo } from '../protocol';

type Stops = [number, number, number][];

// Even in brightness and readable by the colour-blind (after viridis), a little lighter at the dark end.
const rising: Stops = [
  [72, 30, 112], [67, 62, 133], [54, 93, 141], [41, 121, 142], [33, 148, 140],
  [52, 176, 121], [104, 201, 92], [176, 219, 50], [249, 230, 40],
];
// Blue: pressed together; red: drawn apart; light grey: as at rest.
const diverging: Stops = [
  [33, 72, 166], [66, 125, 205], [136, 180, 228], [197, 214, 234], [226, 226, 226],
  [240, 203, 184], [233, 153, 121], [205, 89, 70], [158, 24, 44],
];
const fullVolumeChange = 0.5; // half as much again, or half of it, is as blue or red as can be
const insideOut: [number, number, number] = [255, 0, 200];

// Told apart by neighbours and by the colour-blind as well as twelve can be.
const groupColours = [
  '#4e9bd8', '#f0953f', '#58b368', '#d9534f', '#9a78c8', '#a9765d',
  '#e48ac0', '#8c97a5', '#c4c24a', '#3fbfc9', '#f2c57c', '#6878d6',
];
const awakeColour = '#f2b44c', asleepColour = '#5b7fa8';

export function groupColour(group: number): Color {
  return new Color(groupColours[group % groupColours.length]);
}
export function sleepColour(asleep: boolean): Color {
  return new Color(asleep ? asleepColour : awakeColour);
}

function mixed(stops: Stops, t: number): [number, number, number] {
  const x = Math.min(Math.max(t, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(x), stops.length - 2);
  const f = x - i;
  const between = (k: number) => stops[i][k] + f * (stops[i + 1][k] - stops[i][k]);
  return [between(0), between(1), between(2)];
}

// The colour of a value of a field. Volumes are by those at rest: 1 is as at rest, below 0 is inside out.
function fieldColour(field: FieldInfo, value: number): [number, number, number] {
  if (field.name !== 'volume') return mixed(rising, (value - field.min) / Math.max(field.max - field.min, 1e-30));
  if (value <= 0) return insideOut;
  return mixed(diverging, 0.5 + (0.5 * (value - 1)) / fullVolumeChange);
}

// The table of a field, as a picture 256 wide, for shaders.
export class FieldTable {
  readonly texture = new DataTexture(new Uint8Array(4 * 256).fill(255), 256, 1);
  private made = '';

  constructor() {
    this.texture.colorSpace = SRGBColorSpace;
    this.texture.minFilter = this.texture.magFilter = LinearFilter;
    this.texture.needsUpdate = true;
  }

  show(field: FieldInfo): void {
    const rounded = field.name === 'volume' ? `${field.min.toPrecision(3)} ${field.max.toPrecision(3)}` : '';
    if (this.made === field.name + rounded) return;
    this.made = field.name + rounded;
    const data = this.texture.image.data as unknown as Uint8Array;
    for (let i = 0; i < 256; ++i) data.set(fieldColour(field, field.min + ((field.max - field.min) * i) / 255), 4 * i);
    this.texture.needsUpdate = true;
  }
}

export function legendOf(colourBy: ColourBy, field: FieldInfo | null): Legend | null {
  if (colourBy === 'sleep') {
    const marks = [{ label: 'awake', colour: awakeColour }, { label: 'asleep', colour: asleepColour }];
    return { name: 'sleep', unit: '', min: 0, max: 1, gradient: '', marks };
  }
  if (colourBy === 'group')
    return { name: 'groups of cells solved together', unit: '', min: 0, max: 11, gradient: '', marks: [] };
  if (colourBy === 'body' || field?.name !== colourBy) return null;
  const stops = [];
  for (let i = 0; i <= 16; ++i) {
    const [r, g, b] = fieldColour(field, field.min + ((field.max - field.min) * i) / 16).map(Math.round);
    stops.push(`rgb(${r} ${g} ${b}) ${((100 * i) / 16).toFixed(1)}%`);
  }
  const marks = field.name === 'volume' ? [{ label: 'inside out', colour: `rgb(${insideOut.join(' ')})` }] : [];
  const gradient = `linear-gradient(to right, ${stops.join(', ')})`;
  return { name: field.name, unit: field.unit, min: field.min, max: field.max, gradient, marks };
}
