// Live plots of the last seconds: where the time of a step goes, energies, contacts, and how exact the solver is.
import type { Model } from '../model';
import type { Stats } from '../protocol';
import { inThePast } from './actions';
import { h, replace, setText } from './dom';
import { formatCount, formatQuantity, readable } from './format';
import { PlotCanvas, type PlotOptions, type Series, type View } from './plot_canvas';
import { StatsHistory } from './stats_history';

const span = 10; // [s]
const drawInterval = 50; // [ms]
const stageColours = 8;

export function plots(model: Model, visible: () => boolean): { element: HTMLElement; refresh: () => void } {
  const history = new StatsHistory();
  const stages: string[] = [];
  let now = 0;
  let hover: number | null = null;
  let stale = true;

  const total = (s: Stats) => s.energy && s.energy.kinetic + s.energy.gravity + s.energy.elastic;
  const figures = [
    figure('step-time', 'Step time', {
      unit: 'ms', stacked: true,
      guide: () => (model.scene ? { value: 1000 * model.scene.header.dt, label: 'real time' } : null),
    }, []),
    figure('energy', 'Energy', { unit: 'J', zero: true }, [
      { label: 'kinetic', unit: 'J', colour: '--plot-1', value: (s) => s.energy?.kinetic },
      { label: 'gravity', unit: 'J', colour: '--plot-3', value: (s) => s.energy?.gravity },
      { label: 'elastic', unit: 'J', colour: '--plot-2', value: (s) => s.energy?.elastic },
      { label: 'total', unit: 'J', colour: '--plot-strong', value: total, strong: true },
    ]),
    figure('contacts', 'Contacts', { unit: '', zero: true }, [
      { label: 'contacts', unit: '', colour: '--plot-1', value: (s) => s.contacts },
      { label: 'asleep', unit: '', colour: '--plot-4', value: (s) => s.asleep },
    ]),
    figure('accuracy', 'Accuracy', { unit: '', log: true }, [
      { label: 'residual', unit: 'J', colour: '--plot-2', value: (s) => s.residual },
      { label: 'penetration', unit: 'm', colour: '--plot-1', value: (s) => s.penetration },
      { label: 'joint error', unit: 'm', colour: '--plot-3', value: (s) => s.joint_error },
    ]),
  ];

  const view = (): View => {
    const to = Math.max(span, Math.max(now, Math.min(history.lastTime, now + span / 2)));
    return { from: to - span, to, hover, now };
  };
  const draw = () => {
    stale = false;
    const seen = view();
    for (const each of figures) each.draw(history, seen);
  };
  const refresh = () => {
    stale = true;
    if (visible()) draw();
  };
  setInterval(() => {
    dropWhatDidNotHappen();
    if (stale && visible() && !document.hidden) draw();
  }, drawInterval);

  // A frame of the past may come before the status that calls it so; only when both agree is the rest dropped.
  let behind = 0;
  const dropWhatDidNotHappen = () => {
    const forgotten = model.mode === 'live' && !inThePast(model) && history.lastTime > now + 1e-6;
    behind = forgotten ? behind + 1 : 0;
    if (behind * drawInterval > 200) history.forgetAfter(now);
  };

  model.on('scene', ({ header }) => {
    if (!header.whole) return;
    history.clear();
    now = 0;
    stale = true;
  });
  model.on('frame', ({ header }) => {
    now = header.time;
    stale = true;
    if (!header.stats) return;
    history.add(header.time, header.stats);
    let more = false;
    for (const name of Object.keys(header.stats.stages ?? {})) {
      if (stages.includes(name)) continue;
      stages.push(name);
      more = true;
    }
    if (more || !figures[0].plot.series.length) figures[0].setSeries(stageSeries(stages));
  });
  model.on('options', () => requestAnimationFrame(refresh)); // colours of the theme
  addEventListener('resize', refresh);

  const setHover = (time: number | null) => {
    hover = time;
    refresh();
  };
  for (const { plot } of figures) {
    plot.canvas.addEventListener('pointermove', (event) => setHover(plot.timeAt(event.clientX, view())));
    plot.canvas.addEventListener('pointerleave', () => setHover(null));
  }
  const element = h('div', { class: 'panel-page plots', test: 'plots-panel' },
    figures.map((f) => f.element),
    h('p', { class: 'hint' }, 'By simulated time, the last 10 s. Point at a plot to read values.'));
  return { element, refresh };

  function stageSeries(names: string[]): Series[] {
    const parts = names.map((name, i): Series => ({
      label: readable(name).toLowerCase(), unit: 'ms', colour: `--plot-${(i % stageColours) + 1}`,
      value: (s) => s.stages?.[name],
    }));
    return [...parts, { label: 'step', unit: 'ms', colour: '--plot-strong', value: (s) => s.step_ms, strong: true }];
  }
}

function figure(name: string, title: string, options: PlotOptions, series: Series[]) {
  const canvas = h('canvas', { class: 'plot', role: 'img', 'aria-label': `${title} over time`, test: `plot-${name}` });
  const plot = new PlotCanvas(canvas, options);
  const key = h('ul', { class: 'plot-key' });
  let values: HTMLElement[] = [];
  const setSeries = (next: Series[]) => {
    plot.series = next;
    values = next.map(() => h('span', { class: 'plot-value' }, '–'));
    replace(key, next.map((s, i) => {
      const look = s.strong || !options.stacked ? 'plot-sign line' : 'plot-sign';
      const sign = h('span', { class: look, 'aria-hidden': 'true' });
      sign.style.setProperty('--colour', `var(${s.colour})`);
      return h('li', null, sign, s.label, values[i]);
    }));
  };
  setSeries(series);
  const draw = (history: StatsHistory, view: View) => {
    plot.draw(history, view);
    const at = view.hover ?? view.now;
    plot.series.forEach((s, i) => setText(values[i], formatValue(valueAt(history, s, at), s.unit)));
  };
  const axis = options.log ? 'log' : options.unit;
  const element = h('figure', { class: 'figure' },
    h('figcaption', null, title, axis && h('span', { class: 'muted' }, ` [${axis}]`)), canvas, key);
  return { element, plot, setSeries, draw };
}

const formatValue = (value: number, unit: string) => (unit ? formatQuantity(value, unit) : formatCount(value));

// The latest value at or before a moment; energies do not come with every frame.
function valueAt(history: StatsHistory, series: Series, time: number): number {
  for (let i = history.firstFrom(time + 1e-6) - 1, tries = 0; i >= 0 && tries < 30; i--, tries++) {
    const value = series.value(history.samples[i].stats);
    if (value !== undefined) return value;
  }
  return NaN;
}
