// What buttons and keys both do.
import type { ColourBy, Model } from '../model';

export const speeds = [0.1, 0.25, 0.5, 1, 2];
export const colourings: { value: ColourBy; title: string; doc: string }[] = [
  { value: 'body', title: 'Body', doc: 'Every body in its own colour' },
  { value: 'stress', title: 'Stress', doc: 'Von Mises stress of soft bodies [Pa]' },
  { value: 'strain', title: 'Strain', doc: 'How far soft bodies are stretched or sheared' },
  { value: 'volume', title: 'Volume', doc: 'Change of volume of soft bodies' },
  { value: 'group', title: 'Group', doc: 'Cells that are solved together' },
  { value: 'sleep', title: 'Sleep', doc: 'Bodies at rest that cost nothing' },
];

// Whether buttons that change something can do so now.
export function canAct(model: Model): boolean {
  return model.inControl && (model.mode === 'replay' || model.connection === 'open');
}

export function togglePlay(model: Model): void {
  model.send({ type: model.status?.playing ? 'pause' : 'play' });
}

// The next of the offered speeds, up or down.
export function changeSpeed(model: Model, direction: 1 | -1): void {
  const now = model.status?.speed ?? 1;
  const next = direction > 0 ? speeds.find((s) => s > now * 1.001) : [...speeds].reverse().find((s) => s < now * 0.999);
  if (next !== undefined) model.send({ type: 'speed', factor: next });
}

export function scrubBy(model: Model, steps: number): void {
  const history = model.status?.history;
  if (!history) return;
  const step = Math.min(history.last, Math.max(history.first, history.at + steps));
  if (step !== history.at) model.send({ type: 'scrub', step });
}

export function inThePast(model: Model): boolean {
  const history = model.status?.history;
  return model.mode === 'live' && !!history && history.at < history.last;
}

export function cycleColours(model: Model): void {
  const at = colourings.findIndex((c) => c.value === model.options.colourBy);
  model.setOptions({ colourBy: colourings[(at + 1) % colourings.length].value });
}

export function toggleTheme(model: Model): void {
  model.setOptions({ theme: model.options.theme === 'dark' ? 'light' : 'dark' });
}

// A name for files that leave the page.
export function fileName(model: Model, ending: string): string {
  const name = (model.status?.scene ?? model.scene?.header.name ?? 'scene').replace(/[^\w-]+/g, '_');
  const now = new Date();
  const pad = (n: number) => String(n).padStart(2, '0');
  const stamp = `${now.getFullYear()}${pad(now.getMonth() + 1)}${pad(now.getDate())}` +
    `-${pad(now.getHours())}${pad(now.getMinutes())}${pad(now.getSeconds())}`;
  return `sinew-${name}-${stamp}.${ending}`;
}
