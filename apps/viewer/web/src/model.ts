// What the page knows, in one place. Sources (a live connection, a recording) put in what they hear; the stage draws it, the
// panels show it, and everybody who wants something says so by `send`. Nobody else talks to each other.
import type { BodyInfo, Command, Fields, FrameMessage, SceneMessage, Show, Status } from './protocol';

// How bodies are coloured.
export type ColourBy = 'body' | 'stress' | 'strain' | 'volume' | 'group' | 'sleep';
// What a drag of the main button does; a tool is a file in tools/.
export type ToolName = string;

export interface Options {
  colourBy: ColourBy;
  wireframe: boolean;
  contacts: boolean;
  joints: boolean;
  bounds: boolean;
  shadows: boolean;
  theme: 'dark' | 'light';
  tool: ToolName;
}

// What the colours of bodies mean, for a key beside the picture; null when each body has its own.
export interface Legend {
  name: string;
  unit: string;
  min: number;
  max: number;
  gradient: string; // CSS, from min to max; '' when there are only marks
  marks: { label: string; colour: string }[]; // colours with a meaning of their own
}

export interface Events {
  scene: SceneMessage; // bodies have come or gone
  frame: FrameMessage; // something has moved
  status: Status;
  fields: Fields;
  error: string; // to be shown until it is dismissed
  notice: string; // to be shown for a moment
  options: Options;
  select: BodyInfo | null;
  connection: 'connecting' | 'open' | 'lost';
  legend: Legend | null;
  drawn: number; // a picture has been drawn; performance.now() [ms]
}

type Listener<T> = (value: T) => void;

export class Model {
  mode: 'live' | 'replay' = 'live';
  client = 0;
  program = '';
  connection: Events['connection'] = 'connecting';
  scene: SceneMessage | null = null; // the last whole one
  status: Status | null = null;
  worldFields: Fields | null = null;
  bodyFields: Fields | null = null;
  readonly bodies = new Map<number, BodyInfo>();
  selected: BodyInfo | null = null;
  legend: Legend | null = null;
  options: Options = {
    colourBy: 'body', wireframe: false, contacts: false, joints: false, bounds: false, shadows: true,
    theme: matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark', tool: 'grab',
  };
  // Set by the source: says something to the program (or to the player of a recording).
  send: (command: Command) => void = () => {};

  private listeners: { [K in keyof Events]?: Listener<Events[K]>[] } = {};

  on<K extends keyof Events>(event: K, listener: Listener<Events[K]>): void {
    ((this.listeners[event] ??= []) as Listener<Events[K]>[]).push(listener);
  }
  emit<K extends keyof Events>(event: K, value: Events[K]): void {
    for (const listener of (this.listeners[event] ?? []) as Listener<Events[K]>[]) listener(value);
  }

  // Whether this page may change things.
  get inControl(): boolean {
    return this.mode === 'replay' || this.status?.controller === this.client;
  }

  takeScene(message: SceneMessage): void {
    const { header } = message;
    // The same scene from its start: what was selected is there again, under a new number.
    const again = header.whole && header.name === this.scene?.header.name ? this.selected?.pointer : undefined;
    if (header.whole) {
      this.scene = message;
      this.bodies.clear();
      this.select(null);
    }
    for (const id of header.removed ?? []) {
      this.bodies.delete(id);
      if (this.selected?.id === id) this.select(null);
    }
    for (const body of header.bodies) this.bodies.set(body.id, body);
    this.emit('scene', message);
    if (again) this.select(header.bodies.find((body) => body.pointer === again) ?? null);
  }

  setOptions(change: Partial<Options>): void {
    const before = this.options;
    this.options = { ...before, ...change };
    const show = shown(this.options);
    if (JSON.stringify(show) !== JSON.stringify(shown(before))) this.send({ type: 'show', ...show });
    this.emit('options', this.options);
  }

  setLegend(legend: Legend | null): void {
    if (JSON.stringify(legend) === JSON.stringify(this.legend)) return;
    this.legend = legend;
    this.emit('legend', legend);
  }

  select(body: BodyInfo | null): void {
    if (this.selected?.id === body?.id) return;
    this.selected = body;
    this.bodyFields = null;
    if (body) this.send({ type: 'select', body: body.id });
    this.emit('select', body);
  }
}

// What frames must hold for these options.
export function shown(o: Options): Show {
  const field = o.colourBy === 'stress' || o.colourBy === 'strain' || o.colourBy === 'volume' ? o.colourBy : null;
  return { field, contacts: o.contacts, joints: o.joints, bounds: o.bounds, cage: o.wireframe };
}
