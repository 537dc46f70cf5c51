// Rigid, kinematic and static bodies that have a mesh. All bodies of one mesh are one draw call.
import {
  BufferGeometry, Color, DynamicDrawUsage, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, SRGBColorSpace,
  Vector3, type Group, type MeshStandardMaterial,
} from 'three';
import type { ColourBy } from '../model';
import type { Blocks, BodyInfo, MeshInfo } from '../protocol';
import { sleepColour } from './colours';
import { creasedGeometry } from './creased';
import { litUp } from './materials';

export interface RigidShape {
  positions: Float32Array;
  triangles: Uint32Array;
  geometry: BufferGeometry;
}

export class RigidBody {
  readonly position = new Vector3();
  readonly quaternion = new Quaternion();
  asleep = false;
  lit = false;
  index = 0; // in its batch
  readonly colour: Color;

  constructor(readonly body: BodyInfo, readonly shape: RigidShape) {
    this.colour = new Color().setRGB(...body.colour, SRGBColorSpace);
    const pose = body.pose ?? [0, 0, 0, 0, 0, 0, 1];
    this.position.set(pose[0], pose[1], pose[2]);
    this.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
  }
  get matrix(): Matrix4 {
    return new Matrix4().compose(this.position, this.quaternion, new Vector3(1, 1, 1));
  }
  get radius(): number {
    return this.shape.geometry.boundingSphere!.radius;
  }
  centre(): Vector3 {
    return this.shape.geometry.boundingSphere!.center.clone().applyQuaternion(this.quaternion).add(this.position);
  }
}

// The bodies of one mesh.
class Batch {
  readonly bodies: RigidBody[] = [];
  private solid: InstancedMesh | null = null;
  private wire: InstancedMesh | null = null;

  constructor(
    readonly shape: RigidShape,
    private readonly material: MeshStandardMaterial,
    private readonly wireMaterial: MeshBasicMaterial,
    private readonly parent: Group,
  ) {}

  add(body: RigidBody): void {
    body.index = this.bodies.length;
    this.bodies.push(body);
  }
  remove(body: RigidBody): void {
    const last = this.bodies.pop()!;
    if (last === body) return;
    this.bodies[body.index] = last;
    last.index = body.index;
  }

  // After bodies have come or gone.
  rebuild(colourBy: ColourBy, wireframe: boolean): void {
    const count = this.bodies.length;
    if (!this.solid || this.solid.instanceMatrix.count < count) {
      this.dispose();
      const capacity = Math.max(4, Math.ceil(1.5 * count));
      this.solid = new InstancedMesh(this.shape.geometry, this.material, capacity);
      this.wire = new InstancedMesh(this.shape.geometry, this.wireMaterial, capacity);
      this.wire.instanceMatrix = this.solid.instanceMatrix;
      this.solid.instanceMatrix.setUsage(DynamicDrawUsage);
      this.solid.setColorAt(0, new Color(1, 1, 1));
      this.solid.castShadow = this.solid.receiveShadow = true;
      for (const mesh of [this.solid, this.wire]) {
        mesh.frustumCulled = false; // its bodies are anywhere
        this.parent.add(mesh);
      }
    }
    this.solid.count = this.wire!.count = count;
    this.wire!.visible = wireframe;
    for (const body of this.bodies) {
      this.place(body);
      this.paint(body, colourBy);
    }
  }

  place(body: RigidBody): void {
    const mesh = this.solid!;
    const m = mesh.instanceMatrix.array as Float32Array;
    const { x, y, z, w } = body.quaternion;
    const at = 16 * body.index;
    m[at] = 1 - 2 * (y * y + z * z);
    m[at + 1] = 2 * (x * y + z * w);
    m[at + 2] = 2 * (x * z - y * w);
    m[at + 4] = 2 * (x * y - z * w);
    m[at + 5] = 1 - 2 * (x * x + z * z);
    m[at + 6] = 2 * (y * z + x * w);
    m[at + 8] = 2 * (x * z + y * w);
    m[at + 9] = 2 * (y * z - x * w);
    m[at + 10] = 1 - 2 * (x * x + y * y);
    m[at + 12] = body.position.x;
    m[at + 13] = body.position.y;
    m[at + 14] = body.position.z;
    m[at + 3] = m[at + 7] = m[at + 11] = 0;
    m[at + 15] = 1;
    mesh.instanceMatrix.needsUpdate = true;
  }

  paint(body: RigidBody, colourBy: ColourBy): void {
    const moves = body.body.kind === 'rigid';
    const own = colourBy === 'sleep' && moves ? sleepColour(body.asleep) : body.colour;
    this.solid!.setColorAt(body.index, body.lit ? litUp(own) : own);
    this.solid!.instanceColor!.needsUpdate = true;
  }

  dispose(): void {
    for (const mesh of [this.solid, this.wire]) {
      mesh?.removeFromParent();
      mesh?.dispose();
    }
  }
}

export class RigidBodies {
  readonly bodies = new Map<number, RigidBody>();
  private readonly shapes = new Map<number, RigidShape>();
  private readonly batches = new Map<number, Batch>();
  private colourBy: ColourBy = 'body';
  private wireframe = false;

  constructor(
    private readonly material: MeshStandardMaterial,
    private readonly wireMaterial: MeshBasicMaterial,
    private readonly parent: Group,
  ) {}

  addShape(info: MeshInfo, blocks: Blocks): void {
    const positions = blocks.f32(info.positions, 3), triangles = blocks.u32(info.triangles, 3);
    this.shapes.set(info.mesh, { positions, triangles, geometry: creasedGeometry(positions, triangles) });
  }
  add(info: BodyInfo): void {
    const shape = this.shapes.get(info.mesh!);
    if (!shape) return;
    this.remove(info.id);
    const body = new RigidBody(info, shape);
    this.bodies.set(info.id, body);
    if (!this.batches.has(info.mesh!))
      this.batches.set(info.mesh!, new Batch(shape, this.material, this.wireMaterial, this.parent));
    this.batchOf(body).add(body);
  }
  remove(id: number): void {
    const body = this.bodies.get(id);
    if (!body) return;
    this.batchOf(body).remove(body);
    this.bodies.delete(id);
  }
  // After all of a scene's bodies have been added and removed.
  rebuild(): void {
    for (const batch of this.batches.values()) batch.rebuild(this.colourBy, this.wireframe);
  }

  // 28 bytes each: id, flags, position, quaternion.
  take(view: DataView): void {
    for (let at = 0; at + 28 <= view.byteLength; at += 28) {
      const body = this.bodies.get(view.getUint32(at, true));
      if (!body) continue;
      const asleep = (view.getUint32(at + 4, true) & 1) !== 0;
      body.position.set(view.getFloat32(at + 8, true), view.getFloat32(at + 12, true), view.getFloat32(at + 16, true));
      const part = (k: number) => view.getInt16(at + 20 + 2 * k, true) / 32767;
      body.quaternion.set(part(0), part(1), part(2), part(3)).normalize();
      const batch = this.batchOf(body);
      batch.place(body);
      if (asleep !== body.asleep) {
        body.asleep = asleep;
        batch.paint(body, this.colourBy);
      }
    }
  }

  setColourBy(colourBy: ColourBy): void {
    this.colourBy = colourBy;
    this.rebuild();
  }
  setWireframe(on: boolean): void {
    this.wireframe = on;
    this.rebuild();
  }
  setLit(id: number, lit: boolean): void {
    const body = this.bodies.get(id);
    if (!body) return;
    body.lit = lit;
    this.batchOf(body).paint(body, this.colourBy);
  }

  clear(): void {
    for (const batch of this.batches.values()) batch.dispose();
    for (const shape of this.shapes.values()) shape.geometry.dispose();
    this.batches.clear();
    this.shapes.clear();
    this.bodies.clear();
  }

  private batchOf(body: RigidBody): Batch {
    return this.batches.get(body.body.mesh!)!;
  }
}
