// What program and page say to each other: docs/viewer_protocol.md, as types, and the decoding of binary messages.

export type Vec3 = [number, number, number];
export type Pose = [number, number, number, number, number, number, number]; // x y z, qx qy qz qw

export interface Block {
  at: number; // bytes from the end of the header
  count: number;
}

// --- SCEN -------------------------------------------------------------------------------------------------------------

export interface SurfaceInfo {
  stream: number;
  vertices: number;
  triangles: Block;
  edges: Block;
  groups?: Block;
}
export interface CageInfo {
  stream: number;
  vertices: number;
  edges: Block;
}
export interface BodyInfo {
  id: number;
  kind: 'static' | 'kinematic' | 'rigid' | 'soft';
  name: string;
  pointer: string;
  colour: Vec3; // sRGB
  mass?: number; // [kg]
  plane?: boolean;
  pose?: Pose;
  mesh?: number;
  shape?: 'solid' | 'sheet' | 'line';
  surface?: SurfaceInfo;
  cage?: CageInfo;
}
export interface MeshInfo {
  mesh: number;
  positions: Block;
  triangles: Block;
}
export interface JointInfo {
  kind: string;
  a: number;
  b: number;
}
export interface CameraInfo {
  eye: Vec3;
  target: Vec3;
  fov_deg: number;
}
export interface SceneHeader {
  revision: number;
  whole?: boolean;
  name: string;
  title: string;
  description: string;
  dt: number;
  gravity: Vec3;
  camera: CameraInfo | null;
  removed?: number[];
  meshes: MeshInfo[];
  bodies: BodyInfo[];
  joints: JointInfo[];
}

// --- FRAM -------------------------------------------------------------------------------------------------------------

export interface SoftBlock extends Block {
  stream: number;
  origin: Vec3;
  cell: number;
}
export interface FieldInfo {
  name: string;
  unit: string;
  min: number;
  max: number;
  streams: (Block & { stream: number })[];
}
export interface GrabInfo {
  client: number;
  body: number;
  point: Vec3;
  place: Vec3;
  force: Vec3; // [N]
}
export interface Stats {
  step_ms?: number;
  stages?: Record<string, number>; // [ms]
  energy?: { kinetic: number; gravity: number; elastic: number }; // [J]
  contacts?: number;
  penetration?: number; // [m]
  joint_error?: number; // [m]
  residual?: number; // [J]
  speed?: number; // simulated by real time
  asleep?: number;
}
export interface FrameHeader {
  frame: number;
  step: number;
  time: number; // [s]
  revision: number;
  echo?: number;
  rigid?: Block;
  soft?: SoftBlock[];
  field?: FieldInfo;
  contacts?: Block;
  joints?: Block;
  bounds?: Block;
  pins?: Block;
  grabs?: GrabInfo[];
  stats?: Stats;
}

// --- decoding ---------------------------------------------------------------------------------------------------------

export interface SceneMessage {
  kind: 'SCEN';
  header: SceneHeader;
  blocks: Blocks;
}
export interface FrameMessage {
  kind: 'FRAM';
  header: FrameHeader;
  blocks: Blocks;
}
export type BinaryMessage = SceneMessage | FrameMessage;

// The numbers behind a header. Views, not copies: valid as long as the message is kept.
export class Blocks {
  constructor(
    private readonly buffer: ArrayBuffer,
    private readonly start: number,
    private readonly end: number,
  ) {}

  f32(block: Block, perEntry: number): Float32Array {
    return new Float32Array(this.buffer, this.place(block, 4 * perEntry), block.count * perEntry);
  }
  u32(block: Block, perEntry: number): Uint32Array {
    return new Uint32Array(this.buffer, this.place(block, 4 * perEntry), block.count * perEntry);
  }
  u16(block: Block, perEntry: number): Uint16Array {
    return new Uint16Array(this.buffer, this.place(block, 2 * perEntry), block.count * perEntry);
  }
  u8(block: Block): Uint8Array {
    return new Uint8Array(this.buffer, this.place(block, 1), block.count);
  }
  view(block: Block, bytesPerEntry: number): DataView {
    return new DataView(this.buffer, this.place(block, bytesPerEntry), block.count * bytesPerEntry);
  }

  private place(block: Block, bytesPerEntry: number): number {
    const at = this.start + block.at;
    if (!(block.at >= 0 && block.count >= 0 && at + block.count * bytesPerEntry <= this.end))
      throw new Error('a message names numbers beyond its end');
    return at;
  }
}

// `buffer` from `start` on, `length` bytes; throws Error for what is no message.
export function decode(buffer: ArrayBuffer, start = 0, length = buffer.byteLength - start): BinaryMessage {
  if (length < 8) throw new Error('a message is too short');
  const view = new DataView(buffer, start, length);
  const kind = String.fromCharCode(view.getUint8(0), view.getUint8(1), view.getUint8(2), view.getUint8(3));
  const headerLength = view.getUint32(4, true);
  if (kind !== 'SCEN' && kind !== 'FRAM') throw new Error(`a message of an unknown kind: ${kind}`);
  if (headerLength > length - 8) throw new Error("a message's header is longer than the message");
  const text = new TextDecoder().decode(new Uint8Array(buffer, start + 8, headerLength));
  const blocks = new Blocks(buffer, start + 8 + headerLength, start + length);
  return { kind, header: JSON.parse(text), blocks } as BinaryMessage;
}

// --- text -------------------------------------------------------------------------------------------------------------

export type FieldName = 'stress' | 'strain' | 'volume';
export interface Show {
  field: FieldName | null;
  contacts: boolean;
  joints: boolean;
  bounds: boolean;
  cage: boolean;
}
export interface Status {
  type: 'status';
  scene: string | null;
  path?: string | null; // of its file, as the program was given it
  playing: boolean;
  speed: number;
  controller: number;
  clients: number;
  history: { first: number; last: number; at: number };
  slots: { slot: number; time: number }[];
  drops: string[];
  changes: string[];
  show: Show;
}
export interface Field {
  pointer: string;
  name: string;
  group: string;
  doc: string;
  unit: string;
  kind: 'number' | 'integer' | 'flag' | 'word' | 'choice' | 'vector';
  value: number | boolean | string | number[];
  min?: number;
  max?: number;
  exclusive_min?: boolean;
  exclusive_max?: boolean;
  words?: string[];
}
export interface Fields {
  type: 'fields';
  body: number | null;
  title: string;
  fields: Field[];
}
export type TextMessage =
  | { type: 'hello'; version: number; client: number; program: string }
  | Status
  | Fields
  | { type: 'error' | 'notice'; message: string };

export interface SurfacePoint {
  body: number;
  stream?: number;
  triangle?: number;
  weights?: Vec3;
  point?: Vec3;
}
export type Command =
  | { type: 'ack'; frame: number }
  | { type: 'control' | 'play' | 'pause' | 'reset' | 'release' }
  | { type: 'open'; scene: string }
  | { type: 'step'; count?: number }
  | { type: 'speed'; factor: number }
  | { type: 'scrub'; step: number }
  | { type: 'save' | 'load'; slot: number }
  | { type: 'select'; body: number | null }
  | { type: 'set'; pointer: string; value: unknown }
  | ({ type: 'show' } & Partial<Show>)
  | ({ type: 'grab' | 'pin' } & SurfacePoint)
  | { type: 'move'; to: Vec3 }
  | { type: 'shoot'; origin: Vec3; direction: Vec3; speed: number; radius: number }
  | { type: 'drop'; what: string; at: Vec3; size: number }
  | { type: 'remove'; body: number };
