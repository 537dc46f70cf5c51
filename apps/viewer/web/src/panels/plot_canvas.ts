// A small plot over time: lines or stacked areas, plain or logarithmic. Sharp on every display, redrawn whole.
import { formatQuantity } from './format';
import type { Sample, StatsHistory } from './stats_history';
import type { Stats } from '../protocol';

export interface Series {
  label: string;
  unit: string;
  colour: string; // a custom property of the page, '--plot-1'
  value: (stats: Stats) => number | undefined;
  strong?: boolean;
}
export interface PlotOptions {
  unit: string; // of the axis
  log?: boolean;
  stacked?: boolean; // all series but the strong ones
  zero?: boolean; // the axis holds 0
  guide?: () => { value: number; label: string } | null; // a line to compare with
}
export interface View {
  from: number; // [s]
  to: number;
  hover: number | null; // [s]
  now: number; // the moment on the screen
}

const margin = { left: 44, right: 8, top: 8, bottom: 18 };
const gap = 4; // a line is not drawn over more than this without samples [s]; slow pages get few frames

export class PlotCanvas {
  series: Series[] = [];
  private width = 0;
  private height = 0;
  private low = 0;
  private high = 1;

  constructor(readonly canvas: HTMLCanvasElement, private readonly options: PlotOptions) {}

  timeAt(clientX: number, view: View): number {
    const { left, width } = this.canvas.getBoundingClientRect();
    const share = (clientX - left - margin.left) / (width - margin.left - margin.right);
    return view.from + Math.min(1, Math.max(0, share)) * (view.to - view.from);
  }

  draw(history: StatsHistory, view: View): void {
    const context = this.prepare();
    if (!context) return;
    const first = Math.max(0, history.firstFrom(view.from) - 1);
    const samples = history.samples.slice(first, history.firstFrom(view.to + 1e-6));
    const css = getComputedStyle(this.canvas);
    const colour = (name: string) => css.getPropertyValue(name).trim();
    this.fit(samples);
    this.axes(context, view, colour);
    context.save();
    context.beginPath();
    context.rect(margin.left, 0, this.width - margin.left - margin.right, this.height - margin.bottom + 1);
    context.clip();
    if (this.options.stacked) this.areas(context, samples, view, colour);
    for (const series of this.series) {
      if (this.options.stacked && !series.strong) continue;
      this.line(context, samples, view, series, colour(series.colour));
    }
    this.guide(context, colour);
    for (const [time, style] of [[view.now, '--plot-now'], [view.hover, '--plot-hover']] as const) {
      if (time === null || (style === '--plot-now' && time >= history.lastTime - 1e-6)) continue;
      const x = Math.round(this.x(time, view)) + 0.5;
      context.strokeStyle = colour(style);
      context.lineWidth = 1;
      stroke(context, [[x, margin.top], [x, this.height - margin.bottom]]);
    }
    context.restore();
  }

  // Pixels of the display, not of the style sheet.
  private prepare(): CanvasRenderingContext2D | null {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return null;
    const ratio = devicePixelRatio || 1;
    const [w, h] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) Object.assign(this.canvas, { width: w, height: h });
    [this.width, this.height] = [clientWidth, clientHeight];
    const context = this.canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, clientWidth, clientHeight);
    context.lineJoin = 'round';
    return context;
  }

  private fit(samples: Sample[]): void {
    const { log, stacked, zero } = this.options;
    let [low, high] = [Infinity, -Infinity];
    for (const { stats } of samples) {
      let sum = 0;
      for (const series of this.series) {
        let value = series.value(stats);
        if (value === undefined || !Number.isFinite(value) || (log && value <= 0)) continue;
        if (stacked && !series.strong) value = sum += value;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    if (low > high) [low, high] = log ? [1e-6, 1] : [0, 1];
    if (log) {
      this.high = 10 ** Math.ceil(Math.log10(high) + 1e-9);
      this.low = Math.max(10 ** Math.floor(Math.log10(low) - 1e-9), this.high * 1e-12);
      if (this.high / this.low < 99) this.low = this.high / 100;
      return;
    }
    if (zero || stacked) [low, high] = [Math.min(0, low), Math.max(0, high)];
    if (high - low < 1e-12) high = low + 1;
    const step = niceStep((high - low) / 3);
    this.low = Math.floor(low / step + 1e-9) * step;
    this.high = Math.ceil(high / step - 1e-9) * step;
  }

  private x(time: number, view: View): number {
    return margin.left + ((time - view.from) / (view.to - view.from)) * (this.width - margin.left - margin.right);
  }
  private y(value: number): number {
    const share = this.options.log
      ? Math.log(Math.max(value, this.low) / this.low) / Math.log(this.high / this.low)
      : (value - this.low) / (this.high - this.low);
    return this.height - margin.bottom - share * (this.height - margin.bottom - margin.top);
  }

  private axes(context: CanvasRenderingContext2D, view: View, colour: (name: string) => string): void {
    context.font = `10px ${getComputedStyle(this.canvas).fontFamily}`;
    context.fillStyle = colour('--text-muted');
    context.lineWidth = 1;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    for (const value of this.ticks()) {
      const y = Math.round(this.y(value)) + 0.5;
      context.strokeStyle = colour(value === 0 ? '--plot-zero' : '--plot-grid');
      stroke(context, [[margin.left, y], [this.width - margin.right, y]]);
      context.fillText(tickText(value, this.options), margin.left - 6, y);
    }
    context.textBaseline = 'alphabetic';
    context.textAlign = 'center';
    context.strokeStyle = colour('--plot-grid');
    for (let time = Math.ceil(view.from / 2) * 2; time <= view.to + 1e-9; time += 2) {
      const x = Math.round(this.x(time, view)) + 0.5;
      stroke(context, [[x, margin.top], [x, this.height - margin.bottom]]);
      if (x > margin.left + 4 && x < this.width - 16) context.fillText(`${time} s`, x, this.height - 5);
    }
  }

  private ticks(): number[] {
    const ticks: number[] = [];
    if (this.options.log) {
      const [from, to] = [Math.round(Math.log10(this.low)), Math.round(Math.log10(this.high))];
      const every = Math.max(1, Math.ceil((to - from) / 4));
      for (let decade = to; decade >= from; decade -= every) ticks.push(10 ** decade);
      return ticks;
    }
    const step = niceStep((this.high - this.low) / 3);
    for (let value = this.low; value <= this.high + 0.01 * step; value += step)
      ticks.push(Math.abs(value) < 1e-9 * step ? 0 : value);
    return ticks;
  }

  private line(context: CanvasRenderingContext2D, samples: Sample[], view: View, series: Series, colour: string): void {
    context.strokeStyle = colour;
    context.lineWidth = this.options.stacked ? 1 : series.strong ? 1.75 : 1.25;
    context.beginPath();
    let before = -Infinity;
    for (const { time, stats } of samples) {
      const value = series.value(stats);
      if (value === undefined || !Number.isFinite(value) || (this.options.log && value <= 0)) continue;
      const [x, y] = [this.x(time, view), this.y(value)];
      if (time - before > gap) context.moveTo(x, y);
      else context.lineTo(x, y);
      before = time;
    }
    context.stroke();
  }

  private areas(
    context: CanvasRenderingContext2D, samples: Sample[], view: View, colour: (name: string) => string,
  ): void {
    let below = new Float64Array(samples.length);
    for (const series of this.series.filter((s) => !s.strong)) {
      const above = below.map((base, i) => base + Math.max(0, series.value(samples[i].stats) ?? 0));
      context.fillStyle = colour(series.colour);
      for (const [from, to] of runs(samples)) {
        context.beginPath();
        for (let i = from; i < to; i++) context.lineTo(this.x(samples[i].time, view), this.y(above[i]));
        for (let i = to - 1; i >= from; i--) context.lineTo(this.x(samples[i].time, view), this.y(below[i]));
        context.fill();
      }
      below = above;
    }
  }

  private guide(context: CanvasRenderingContext2D, colour: (name: string) => string): void {
    const guide = this.options.guide?.();
    if (!guide || guide.value > this.high || guide.value < this.low) return;
    const y = Math.round(this.y(guide.value)) + 0.5;
    context.strokeStyle = context.fillStyle = colour('--text-muted');
    context.setLineDash([4, 4]);
    stroke(context, [[margin.left, y], [this.width - margin.right, y]]);
    context.setLineDash([]);
    context.textAlign = 'right';
    context.fillText(guide.label, this.width - margin.right - 2, y - 4);
  }
}

// Stretches of samples without a gap between them.
function runs(samples: Sample[]): [number, number][] {
  const found: [number, number][] = [];
  let from = 0;
  for (let i = 1; i <= samples.length; i++) {
    if (i < samples.length && samples[i].time - samples[i - 1].time <= gap) continue;
    found.push([from, i]);
    from = i;
  }
  return found;
}

function stroke(context: CanvasRenderingContext2D, points: [number, number][]): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}

function niceStep(rough: number): number {
  const decade = 10 ** Math.floor(Math.log10(rough));
  return decade * (rough / decade < 1.5 ? 1 : rough / decade < 3.5 ? 2 : rough / decade < 7.5 ? 5 : 10);
}

const raised = (text: string) => text.replace(/./g, (c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)]));
function tickText(value: number, { log, unit }: PlotOptions): string {
  if (log) return `10${raised(String(Math.round(Math.log10(value))))}`;
  const text = formatQuantity(Number(value.toPrecision(6)), unit, 3);
  return text.replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, ''); // 2.00 → 2
}
