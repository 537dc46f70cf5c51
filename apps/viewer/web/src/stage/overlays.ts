// What is drawn over the bodies: contacts and their forces, joints, boxes, pins, and hands that hold something.
import {
  ConeGeometry, Group, Matrix4, MeshBasicMaterial, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3, type Scene,
} from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Options } from '../model';
import type { FrameMessage } from '../protocol';
import { Hands } from './hands';
import { Dots, Lines, Shapes } from './marks';
import type { Theme } from './themes';

const up = new Vector3(0, 1, 0);
const corners = [0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7]; // edges of a box

// A nail: its tip is at the origin, its head above.
function nail() {
  const tip = new ConeGeometry(0.16, 1, 12).rotateX(Math.PI).translate(0, 0.5, 0);
  const head = new SphereGeometry(0.42, 16, 12).translate(0, 1.15, 0);
  return mergeGeometries([tip, head])!;
}

export class Overlays {
  private readonly contactGroup = new Group();
  private readonly jointGroup = new Group();
  private readonly boundsGroup = new Group();
  private readonly pinGroup = new Group();
  private readonly contactDots = new Dots(this.contactGroup, { colour: '#ffd21f', opacity: 0.9 }, 5);
  private readonly forceLines = new Lines(this.contactGroup, { colour: '#ff7a1a', opacity: 0.95 });
  private readonly forceHeads = new Shapes(this.contactGroup, new ConeGeometry(0.35, 1, 10).translate(0, -0.5, 0),
    new MeshBasicMaterial({ color: '#ff7a1a', depthTest: false, transparent: true, toneMapped: false }), 10);
  private readonly jointLines = new Lines(this.jointGroup, { colour: '#39d0d8', opacity: 0.9 });
  private readonly jointDots = new Dots(this.jointGroup, { colour: '#39d0d8' }, 8);
  private readonly boxLines = new Lines(this.boundsGroup, { colour: '#8fb4ff', opacity: 0.55, hidden: true });
  private readonly pins = new Shapes(this.pinGroup, nail(),
    new MeshLambertMaterial({ color: '#e8413c', emissive: '#400b0a' }));
  private readonly hands: Hands;
  private size = 1;
  private strongest = 0; // of the forces of late: what the longest arrow stands for

  constructor(scene: Scene, canvas: HTMLCanvasElement) {
    scene.add(this.contactGroup, this.jointGroup, this.boundsGroup, this.pinGroup);
    this.hands = new Hands(scene, canvas);
  }

  setSize(size: number): void {
    this.size = size;
    this.strongest = 0;
    this.hands.setSize(size);
  }
  setOptions(options: Options): void {
    this.contactGroup.visible = options.contacts;
    this.jointGroup.visible = options.joints;
    this.boundsGroup.visible = options.bounds;
  }
  setTheme(theme: Theme): void {
    this.boxLines.setColour(theme.lines);
  }
  clear(): void {
    const none = new Float32Array(0);
    this.takeContacts(none);
    this.takeJoints(none);
    this.takeBounds(none);
    this.takePins(none);
    this.hands.take([]);
  }

  takeFrame({ header, blocks }: FrameMessage): void {
    if (header.contacts) this.takeContacts(blocks.f32(header.contacts, 6));
    if (header.joints) this.takeJoints(blocks.f32(header.joints, 6));
    if (header.bounds) this.takeBounds(blocks.f32(header.bounds, 6));
    // These come in every frame as long as there are some.
    this.takePins(header.pins ? blocks.f32(header.pins, 3) : new Float32Array(0));
    this.hands.take(header.grabs ?? []);
  }

  // Labels stay at their places on the screen.
  place(project: (point: ArrayLike<number>) => [number, number]): void {
    this.hands.place(project);
  }

  private takeContacts(data: Float32Array): void {
    const count = data.length / 6;
    let strongest = 0;
    for (let i = 0; i < count; ++i)
      strongest = Math.max(strongest, Math.hypot(data[6 * i + 3], data[6 * i + 4], data[6 * i + 5]));
    // Falls slowly, so that arrows do not grow and shrink with every blow.
    this.strongest = Math.max(strongest, 0.97 * this.strongest, 1e-12);
    const scale = (0.5 * this.size) / this.strongest;
    this.contactDots.set(count, (to) => {
      for (let i = 0; i < count; ++i) for (let k = 0; k < 3; ++k) to[3 * i + k] = data[6 * i + k];
    });
    this.forceLines.set(count, (to) => {
      for (let i = 0; i < count; ++i)
        for (let k = 0; k < 3; ++k) {
          to[6 * i + k] = data[6 * i + k];
          to[6 * i + 3 + k] = data[6 * i + k] + scale * data[6 * i + 3 + k];
        }
    });
    const end = new Vector3(), force = new Vector3(), turn = new Quaternion(), stretch = new Vector3();
    this.forceHeads.set(count, (i, matrix) => {
      force.fromArray(data, 6 * i + 3).multiplyScalar(scale);
      end.fromArray(data, 6 * i).add(force);
      const length = force.length();
      const head = Math.min(0.04 * this.size, 0.5 * length);
      turn.setFromUnitVectors(up, length > 0 ? force.divideScalar(length) : up);
      matrix.compose(end, turn, stretch.setScalar(head));
    });
  }

  private takeJoints(data: Float32Array): void {
    this.jointLines.set(data.length / 6, (to) => to.set(data));
    this.jointDots.set(data.length / 3, (to) => to.set(data));
  }

  private takeBounds(data: Float32Array): void {
    const count = data.length / 6;
    this.boxLines.set(12 * count, (to) => {
      for (let i = 0, at = 0; i < count; ++i)
        for (const corner of corners)
          for (let k = 0; k < 3; ++k) to[at++] = data[6 * i + ((corner >> k) & 1 ? 3 : 0) + k];
    });
  }

  private takePins(data: Float32Array): void {
    const position = new Vector3(), turn = new Quaternion(), size = new Vector3().setScalar(0.05 * this.size);
    this.pins.set(data.length / 3, (i, matrix: Matrix4) => matrix.compose(position.fromArray(data, 3 * i), turn, size));
  }
}
