// Which values a slider runs over. Scene files give limits only where physics has them (a density is above 0, and that
// is all), so the other end is chosen around the value a field has: generous, and round.
import type { Field } from '../protocol';

export interface Scale {
  log: boolean;
  low: number;
  high: number;
}

export const sliderSteps = 1000;

export function scaleFor(field: Field, value: number): Scale {
  const { min, max } = field;
  if (min !== undefined && max !== undefined) {
    if (min > 0 && max / min >= 100) return { log: true, low: min, high: max };
    if (min === 0 && max >= 1e4) return { log: true, low: Math.min(1, max * 1e-6), high: max };
    return { log: false, low: min, high: max };
  }
  const size = Math.abs(value);
  if (min !== undefined && min >= 0) {
    // An integer count reads best on a plain scale, unless it is huge.
    const wide = field.kind === 'number' ? size >= 100 || (size > 0 && size < 0.05) : size >= 1000;
    if (wide) {
      const decade = Math.floor(Math.log10(size));
      return { log: true, low: Math.max(min, 10 ** (decade - 2)), high: 10 ** (decade + 3) };
    }
    return { log: false, low: min, high: Math.max(roundUp(min + 3 * (size - min)), field.kind === 'integer' ? 10 : 1) };
  }
  const reach = roundUp(Math.max(3 * size, 1));
  return { log: false, low: min ?? (max === undefined ? -reach : max - 2 * reach), high: max ?? reach };
}

function roundUp(value: number): number {
  if (!(value > 0)) return 0;
  const decade = 10 ** Math.floor(Math.log10(value));
  return decade * (value / decade <= 1 ? 1 : value / decade <= 2 ? 2 : value / decade <= 5 ? 5 : 10);
}

export function toSlider(scale: Scale, value: number): number {
  const { log, low, high } = scale;
  if (log && value <= 0) return 0;
  const share = log
    ? Math.log(Math.max(value, low) / low) / Math.log(high / low)
    : (value - low) / (high - low);
  return Math.round(sliderSteps * Math.min(1, Math.max(0, share)));
}

// Three digits are as many as a slider can honestly give; at its ends it gives the limits themselves.
export function fromSlider(scale: Scale, position: number, field: Field): number {
  const { log, low, high } = scale;
  // A logarithmic scale has no place for 0; where 0 is allowed, it is the slider's end.
  if (log && position === 0 && field.min === 0 && !field.exclusive_min) return 0;
  const share = position / sliderSteps;
  let value = log ? low * (high / low) ** share : low + (high - low) * share;
  if (position > 0 && position < sliderSteps) {
    value = log ? Number(value.toPrecision(3)) : roundTo(value, (high - low) / sliderSteps);
  }
  if (field.kind === 'integer') value = Math.round(value);
  return within(field, value, scale);
}

function roundTo(value: number, grain: number): number {
  const unit = 10 ** Math.floor(Math.log10(grain) + 1e-9);
  return Number((Math.round(value / unit) * unit).toPrecision(12));
}

// The nearest value that is allowed. Next to a limit that is itself excluded: one notch of the slider away from it.
function within(field: Field, value: number, scale: Scale): number {
  const notch = field.kind === 'integer' ? 1 : (scale.high - scale.low) / sliderSteps;
  if (field.min !== undefined) {
    if (field.exclusive_min && value <= field.min) return scale.log ? scale.low : field.min + notch;
    value = Math.max(value, field.min);
  }
  if (field.max !== undefined) {
    if (field.exclusive_max && value >= field.max) return field.max - notch;
    value = Math.min(value, field.max);
  }
  return value;
}

// What is wrong with a value that was typed, or null.
export function complaint(field: Field, value: number): string | null {
  if (!Number.isFinite(value)) return 'This is not a number';
  if (field.kind === 'integer' && !Number.isInteger(value)) return 'It must be a whole number';
  if (field.min !== undefined && (field.exclusive_min ? value <= field.min : value < field.min))
    return `It must be ${field.exclusive_min ? 'greater than' : 'at least'} ${field.min}`;
  if (field.max !== undefined && (field.exclusive_max ? value >= field.max : value > field.max))
    return `It must be ${field.exclusive_max ? 'less than' : 'at most'} ${field.max}`;
  return null;
}
