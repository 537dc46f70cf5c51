// All bodies of the scene: what scenes and frames say of them, and how they are painted.
import { Box3, Group, LineBasicMaterial, MeshBasicMaterial, Vector3, type Color } from 'three';
import type { ColourBy, Options } from '../model';
import type { FieldInfo, FrameMessage, SceneMessage } from '../protocol';
import { FieldTable } from './colours';
import { Ground } from './ground';
import { rigidMaterial, sharedUniforms } from './materials';
import { RigidBodies } from './rigid';
import { SoftBody } from './soft';
import type { Theme } from './themes';

export class Bodies {
  readonly group = new Group();
  readonly softs = new Map<number, SoftBody>(); // by body
  readonly rigids: RigidBodies;
  readonly grounds = new Map<number, Ground>();
  readonly table = new FieldTable();
  field: FieldInfo | null = null; // the last one that came
  private readonly byStream = new Map<number, SoftBody>();
  private readonly softLines = new LineBasicMaterial({ transparent: true, opacity: 0.3 });
  private readonly rigidLines = new MeshBasicMaterial({ transparent: true, opacity: 0.3, wireframe: true });
  private colourBy: ColourBy = 'body';
  private wireframe = false;
  private step = 0;
  private lit = 0;
  private theme: Theme | null = null;

  constructor() {
    this.rigids = new RigidBodies(rigidMaterial(), this.rigidLines, this.group);
  }

  takeScene({ header, blocks }: SceneMessage): void {
    if (header.whole) this.clear();
    for (const id of header.removed ?? []) this.remove(id);
    for (const mesh of header.meshes) this.rigids.addShape(mesh, blocks);
    for (const body of header.bodies) {
      this.remove(body.id);
      if (body.plane) {
        const ground = new Ground(body);
        if (this.theme) ground.setTheme(this.theme);
        this.grounds.set(body.id, ground);
        this.group.add(ground.group);
      } else if (body.surface) {
        const soft = new SoftBody(body, blocks, this.table, this.softLines, this.group);
        soft.setColourBy(this.colourBy);
        soft.setWireframe(this.wireframe);
        this.softs.set(body.id, soft);
        for (const stream of soft.streams) this.byStream.set(stream.id, soft);
      } else if (body.mesh !== undefined) {
        this.rigids.add(body);
      }
    }
    this.rigids.rebuild();
  }

  takeFrame({ header, blocks }: FrameMessage): void {
    if (header.rigid) this.rigids.take(blocks.view(header.rigid, 28));
    const moved = new Set<SoftBody>();
    for (const block of header.soft ?? []) {
      const soft = this.byStream.get(block.stream);
      if (!soft) continue;
      soft.take(block.stream, block, blocks);
      moved.add(soft);
    }
    const steps = Math.max(header.step - this.step, 0);
    this.step = header.step;
    for (const soft of this.softs.values()) soft.passed(steps, moved.has(soft));
    if (header.field && header.field.name === this.colourBy) {
      this.field = header.field;
      this.table.show(header.field);
      for (const block of header.field.streams) {
        const soft = this.byStream.get(block.stream);
        if (soft?.surface.id === block.stream) soft.takeField(header.field.name, blocks.u8(block));
      }
      for (const soft of this.softs.values()) soft.showField(header.field.name);
    }
  }

  // True when a soft body has moved.
  refresh(): boolean {
    let moved = false;
    for (const soft of this.softs.values()) moved = soft.refresh() || moved;
    return moved;
  }

  setOptions({ colourBy, wireframe }: Options): void {
    if (colourBy !== this.colourBy) {
      this.colourBy = colourBy;
      for (const soft of this.softs.values()) soft.setColourBy(colourBy);
      this.rigids.setColourBy(colourBy);
    }
    if (wireframe !== this.wireframe) {
      this.wireframe = wireframe;
      for (const soft of this.softs.values()) soft.setWireframe(wireframe);
      this.rigids.setWireframe(wireframe);
    }
  }

  setLit(id: number): void {
    for (const [body, on] of [[this.lit, false], [id, true]] as const) {
      this.softs.get(body)?.setLit(on);
      this.rigids.setLit(body, on);
    }
    this.lit = id;
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    sharedUniforms.rim.value = theme.rim;
    for (const material of [this.softLines, this.rigidLines] as { color: Color }[]) material.color.set(theme.lines);
    for (const ground of this.grounds.values()) ground.setTheme(theme);
  }

  fitGrounds(bounds: Box3, size: number): void {
    for (const ground of this.grounds.values()) ground.fit(bounds, size);
  }

  // The box around one body.
  boundsOf(id: number): Box3 | null {
    const soft = this.softs.get(id);
    if (soft) {
      soft.refresh();
      const b = soft.surface.box;
      return new Box3(new Vector3(b[0], b[1], b[2]), new Vector3(b[3], b[4], b[5]));
    }
    const rigid = this.rigids.bodies.get(id);
    return rigid ? rigid.shape.geometry.boundingBox!.clone().applyMatrix4(rigid.matrix) : null;
  }

  // The box around what moves; of the rest, what is not much larger: a floor made of a wide box is no part of the
  // picture. What is out of `limit` does not count.
  bounds(limit: Box3 | null): Box3 {
    const moving: Box3[] = [], rest: Box3[] = [];
    for (const id of this.softs.keys()) moving.push(this.boundsOf(id)!);
    for (const [id, { body }] of this.rigids.bodies) (body.kind === 'static' ? rest : moving).push(this.boundsOf(id)!);
    const box = new Box3();
    const centre = new Vector3();
    const seen = (part: Box3) => !limit || limit.containsPoint(part.getCenter(centre));
    for (const part of withoutStrays(moving)) if (seen(part)) box.union(part);
    const reach = box.isEmpty() ? Infinity : 1.5 * diagonal(box);
    for (const part of rest) if (seen(part) && diagonal(part) < reach) box.union(part);
    return box;
  }

  private remove(id: number): void {
    const soft = this.softs.get(id);
    for (const stream of soft?.streams ?? []) this.byStream.delete(stream.id);
    soft?.dispose();
    this.softs.delete(id);
    this.grounds.get(id)?.dispose();
    this.grounds.delete(id);
    this.rigids.remove(id);
  }

  private clear(): void {
    for (const id of [...this.softs.keys(), ...this.grounds.keys()]) this.remove(id);
    this.rigids.clear();
    this.field = null;
    this.step = 0;
  }
}

function diagonal(box: Box3): number {
  return box.min.distanceTo(box.max);
}

function quantile(values: number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(part * (values.length - 1))];
}

// Without the few that have flown much farther than most.
function withoutStrays(boxes: Box3[]): Box3[] {
  if (boxes.length < 3) return boxes;
  const centres = boxes.map((box) => box.getCenter(new Vector3()));
  const centre = new Vector3(...(['x', 'y', 'z'] as const).map((k) => quantile(centres.map((c) => c[k]), 0.5)));
  const distances = boxes.map((box, i) => centres[i].distanceTo(centre) + diagonal(box) / 2);
  const farthest = 10 * quantile(distances, 0.6);
  return boxes.filter((_, i) => distances[i] <= farthest);
}
