// A recording: its messages, and where to find what was last said of every body before any frame.
import {
  Blocks, decode, type Block, type FieldInfo, type FrameHeader, type FrameMessage, type SceneMessage, type SoftBlock,
} from './protocol';

const magic = 'SINEWREC';
const version = 1;
const rigidBytes = 28;

// The number of the last entry that is not greater, or -1.
export function lastUpTo(sorted: number[], value: number): number {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export class Recording {
  readonly frames: FrameMessage[] = [];
  readonly scenes: { before: number; message: SceneMessage }[] = []; // and the frame it comes before
  readonly steps: number[] = []; // of every frame
  readonly times: number[] = []; // [s]
  readonly cut: boolean; // the file ends within a message
  private readonly streams = new Map<number, number[]>(); // frames that hold it
  private readonly rigids = new Map<number, number[]>();
  private readonly fields = new Map<number, number[]>(); // streams
  private readonly parts = new Map<string, number[]>();

  // Throws Error for what is no recording.
  constructor(buffer: ArrayBuffer) {
    const bytes = new Uint8Array(buffer);
    if (buffer.byteLength < 16 || String.fromCharCode(...bytes.subarray(0, 8)) !== magic)
      throw new Error('it is not a recording of sinew');
    const view = new DataView(buffer);
    const itsVersion = view.getUint32(8, true);
    if (itsVersion !== version) throw new Error(`it is of version ${itsVersion}; this page plays version ${version}`);
    let at = 16;
    while (at + 4 <= buffer.byteLength) {
      const length = view.getUint32(at, true);
      if (length % 4 !== 0 || length === 0) throw new Error(`it is damaged, ${at} bytes from its start`);
      if (at + 4 + length > buffer.byteLength) break;
      const message = decode(buffer, at + 4, length);
      if (message.kind === 'SCEN') this.scenes.push({ before: this.frames.length, message });
      else this.index(message);
      at += 4 + length;
    }
    this.cut = at !== buffer.byteLength;
    if (this.scenes.length === 0 || this.frames.length === 0) throw new Error('there is nothing in it to be shown');
  }

  private index(message: FrameMessage): void {
    const n = this.frames.length;
    const { header, blocks } = message;
    this.frames.push(message);
    this.steps.push(header.step);
    this.times.push(header.time);
    for (const { stream } of header.soft ?? []) note(this.streams, stream, n);
    if (header.rigid) {
      const view = blocks.view(header.rigid, rigidBytes);
      for (let at = 0; at < view.byteLength; at += rigidBytes) note(this.rigids, view.getUint32(at, true), n);
    }
    for (const { stream } of header.field?.streams ?? []) note(this.fields, stream, n);
    for (const part of ['field', 'contacts', 'joints', 'bounds', 'stats'] as const)
      if (header[part]) note(this.parts, part, n);
    if (header.stats?.energy) note(this.parts, 'energy', n);
  }

  // Whether there is any of it: fields and overlays are not recorded unless they were asked for.
  holds(part: 'field' | 'contacts' | 'joints' | 'bounds'): boolean {
    return this.parts.has(part);
  }

  // Everything as it was at a frame, in one message, wherever the player comes from.
  stateAt(n: number): FrameMessage {
    const writer = new Writer();
    const { frame, step, time, revision, pins, grabs } = this.frames[n].header;
    const header: FrameHeader = { frame, step, time, revision, soft: [], grabs };
    if (pins) header.pins = writer.copy(this.frames[n].blocks, pins, 12);
    for (const [stream, frames] of this.streams) {
      const from = this.frames[frames[lastUpTo(frames, n)]];
      const block = from?.header.soft!.find((s) => s.stream === stream);
      if (block) header.soft!.push({ ...block, ...writer.copy(from.blocks, block, 6) } satisfies SoftBlock);
    }
    header.rigid = this.rigidsAt(n, writer);
    for (const part of ['contacts', 'joints', 'bounds'] as const) {
      const from = this.newest(part, n);
      if (from) header[part] = writer.copy(from.blocks, from.header[part]!, 24);
    }
    const field = this.newest('field', n)?.header.field;
    if (field) header.field = { ...field, streams: this.fieldsAt(n, field.name, writer) };
    header.stats = this.newest('stats', n)?.header.stats;
    const energy = this.newest('energy', n)?.header.stats?.energy;
    if (header.stats && energy) header.stats = { ...header.stats, energy };
    return { kind: 'FRAM', header, blocks: writer.blocks() };
  }

  private fieldsAt(n: number, name: string, writer: Writer): FieldInfo['streams'] {
    const streams: FieldInfo['streams'] = [];
    for (const [stream, frames] of this.fields) {
      const from = this.frames[frames[lastUpTo(frames, n)]];
      const block = from?.header.field!.streams.find((s) => s.stream === stream);
      if (block && from.header.field!.name === name) streams.push({ stream, ...writer.copy(from.blocks, block, 1) });
    }
    return streams;
  }

  private newest(part: string, n: number): FrameMessage | undefined {
    const frames = this.parts.get(part) ?? [];
    return this.frames[frames[lastUpTo(frames, n)]];
  }

  // Bodies by the frame that last moved them, so that every frame is searched once.
  private rigidsAt(n: number, writer: Writer): Block {
    const wanted = new Map<number, Set<number>>();
    for (const [id, frames] of this.rigids) {
      const from = frames[lastUpTo(frames, n)];
      if (from === undefined) continue;
      const ids = wanted.get(from) ?? new Set();
      wanted.set(from, ids.add(id));
    }
    let all: Block | null = null;
    for (const [from, ids] of wanted) {
      const { header, blocks } = this.frames[from];
      const view = blocks.view(header.rigid!, rigidBytes);
      for (let at = 0; at < view.byteLength; at += rigidBytes) {
        if (!ids.has(view.getUint32(at, true))) continue;
        const block = writer.copy(blocks, { at: header.rigid!.at + at, count: 1 }, rigidBytes);
        all = all ? { at: all.at, count: all.count + 1 } : block;
      }
    }
    return all ?? { at: 0, count: 0 };
  }
}

function note<Key>(lists: Map<Key, number[]>, key: Key, n: number): void {
  const list = lists.get(key);
  if (!list) lists.set(key, [n]);
  else if (list[list.length - 1] !== n) list.push(n);
}

// Blocks put one after the other.
class Writer {
  private bytes = new Uint8Array(1 << 16);
  private used = 0;

  copy(from: Blocks, block: Block, bytesPerEntry: number): Block {
    const view = from.view(block, bytesPerEntry);
    const at = this.used;
    this.used = (at + view.byteLength + 3) & ~3;
    if (this.used > this.bytes.length) {
      const larger = new Uint8Array(2 * this.used);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), at);
    return { at, count: block.count };
  }
  blocks(): Blocks {
    return new Blocks(this.bytes.buffer as ArrayBuffer, 0, this.used);
  }
}
