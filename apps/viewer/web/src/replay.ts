// Plays a recording. It hears the same commands as the program does, and says the same things of itself.
import { shown, type Model } from './model';
import type { Command } from './protocol';
import { lastUpTo, Recording } from './recording';
import { hideMessage, showMessage } from './stage/message';

const longestPicture = 400; // what is longer was spent in the background [ms]
const pauseAtEnd = 0.8; // before it starts again [s]

export class Replay {
  loop = !/[?&]loop=0\b/.test(location.search);
  private recording: Recording | null = null;
  private at = -1; // the frame that is shown
  private scenesShown = 0;
  private time = 0; // of the recording [s]
  private playing = false;
  private speed = 1;
  private lastTick = 0;

  constructor(private readonly model: Model) {
    model.send = (command) => this.hear(command);
  }

  async open(address: string): Promise<void> {
    try {
      const data = await load(address);
      showMessage('Loading the recording …', 'almost there');
      this.recording = new Recording(data);
    } catch (error) {
      this.model.emit('error', `${address} cannot be played: ${(error as Error).message}`);
      return;
    } finally {
      hideMessage();
    }
    this.model.connection = 'open';
    this.model.emit('connection', 'open');
    if (this.recording.cut) this.model.emit('notice', 'The recording was cut off; it plays up to there.');
    this.show(0);
    this.play();
  }

  private hear(command: Command): void {
    if (!this.recording) return;
    const last = this.recording.frames.length - 1;
    switch (command.type) {
      case 'play':
        this.play();
        return;
      case 'pause':
        this.playing = false;
        break;
      case 'reset':
        this.show(0);
        break;
      case 'step':
        this.playing = false;
        this.show(Math.max(0, Math.min(last, this.at + (command.count ?? 1))));
        break;
      case 'speed':
        this.speed = Math.max(0.01, Math.min(10, command.factor));
        break;
      case 'scrub':
        this.playing = false;
        this.show(Math.max(0, lastUpTo(this.recording.steps, command.step)));
        break;
      case 'show':
        for (const part of ['field', 'contacts', 'joints', 'bounds'] as const)
          if (command[part] && !this.recording.holds(part))
            this.model.emit('notice', `This recording does not hold ${part === 'field' ? command.field : part}.`);
        break;
      case 'ack': case 'control': case 'select': case 'move': case 'release':
        return;
      default:
        this.model.emit('notice', 'This is a recording: it can be watched, not changed.');
        return;
    }
    this.tell();
  }

  private play(): void {
    if (this.at >= this.recording!.frames.length - 1) this.show(0);
    const idle = !this.playing;
    this.playing = true;
    this.tell();
    if (!idle) return;
    this.lastTick = performance.now();
    requestAnimationFrame(this.tick);
  }

  private readonly tick = (now: number): void => {
    if (!this.playing) return;
    requestAnimationFrame(this.tick);
    const { times, frames } = this.recording!;
    // A page that was in the background goes on where it was.
    this.time += this.speed * Math.min(Math.max(now - this.lastTick, 0), longestPicture) * 1e-3;
    this.lastTick = now;
    const end = times[frames.length - 1];
    if (this.time >= end + (this.loop ? this.speed * pauseAtEnd : 0)) {
      if (this.loop) this.time = times[0];
      else this.playing = false;
      if (!this.loop) this.tell();
    }
    const before = this.time;
    const n = Math.max(0, lastUpTo(times, this.time));
    if (n !== this.at) {
      this.show(n);
      this.time = before; // between two frames
      this.tell();
    }
  };

  private show(n: number): void {
    const recording = this.recording!;
    if (n === this.at) return;
    const next = n === this.at + 1 && this.at >= 0;
    const scenes = recording.scenes.filter((scene, i) => i === 0 || scene.before <= n);
    const back = scenes.length < this.scenesShown;
    // Bodies that came later are taken out by starting anew from the last whole scene.
    let from = this.scenesShown;
    if (back) from = scenes.map((scene) => scene.message.header.whole === true).lastIndexOf(true);
    for (const { message } of scenes.slice(Math.max(from, 0))) this.model.takeScene(message);
    const changed = back || scenes.length !== this.scenesShown;
    this.scenesShown = scenes.length;
    this.at = n;
    this.time = recording.times[n];
    this.model.emit('frame', next && !changed ? recording.frames[n] : recording.stateAt(n));
  }

  private tell(): void {
    const { model } = this;
    const { steps, scenes } = this.recording!;
    model.status = {
      type: 'status', scene: scenes[0].message.header.name, playing: this.playing, speed: this.speed,
      controller: model.client, clients: 1,
      history: { first: steps[0], last: steps[steps.length - 1], at: steps[Math.max(this.at, 0)] },
      slots: [], drops: [], changes: [], show: shown(model.options),
    };
    model.emit('status', model.status);
  }
}

async function load(address: string): Promise<ArrayBuffer> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const total = Number(answer.headers.get('Content-Length') ?? 0);
  const parts: Uint8Array[] = [];
  let loaded = 0;
  for (const reader = answer.body!.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    loaded += value.length;
    const size = `${(Math.max(loaded, total) / 1e6).toFixed(1)} MB`;
    showMessage('Loading the recording …', total > 0 ? `${Math.round((100 * loaded) / total)} % of ${size}` : size);
  }
  const all = new Uint8Array(loaded);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all.buffer;
}
