// A soft body: its surface, which moves vertex by vertex, and what is drawn on it.
import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, LineSegments, Mesh, SRGBColorSpace, Sphere, Vector3,
  type Group, type LineBasicMaterial, type MeshStandardMaterial,
} from 'three';
import type { ColourBy } from '../model';
import type { Blocks, BodyInfo, SoftBlock } from '../protocol';
import { groupColour, sleepColour, type FieldTable } from './colours';
import { groupMaterial, litUp, softMaterial, type SoftMaterial } from './materials';
import { dequantise, smoothNormals, spread } from './vertices';

// Vertices as they came, until somebody looks at them: of frames that are never drawn, nothing is computed.
class Stream {
  readonly positions: BufferAttribute;
  readonly box = new Float64Array(6);
  version = 0;
  private fresh: { data: Uint16Array; block: SoftBlock } | null = null;

  constructor(readonly id: number, vertices: number) {
    this.positions = dynamic(new Float32Array(3 * vertices), 3);
  }
  get array(): Float32Array {
    return this.positions.array as Float32Array;
  }
  take(block: SoftBlock, blocks: Blocks): void {
    this.fresh = { data: blocks.u16(block, 3), block };
  }
  // True when there was something new.
  refresh(): boolean {
    if (!this.fresh) return false;
    const { data, block } = this.fresh;
    dequantise(data, block.origin, block.cell, this.array, this.box);
    this.fresh = null;
    this.positions.needsUpdate = true;
    ++this.version;
    return true;
  }
}

function dynamic(array: Float32Array | Uint8Array, size: number, normalised = false): BufferAttribute {
  const attribute = new BufferAttribute(array, size, normalised);
  attribute.setUsage(DynamicDrawUsage);
  return attribute;
}

export class SoftBody {
  readonly surface: Stream;
  readonly cage: Stream | null;
  readonly triangles: Uint32Array;
  readonly edges: Uint32Array;
  readonly geometry = new BufferGeometry();
  readonly mesh: Mesh;
  private readonly normals: BufferAttribute;
  private readonly material: SoftMaterial;
  private readonly wire: LineSegments;
  private readonly groups: Uint8Array | null;
  private readonly colour: Color;
  private facets: Mesh | null = null; // every triangle by itself, for colours by group
  private colourBy: ColourBy = 'body';
  private fieldName = '';
  private lit = false;
  private quiet = 0; // steps without news
  private placed = false;

  constructor(
    readonly body: BodyInfo, blocks: Blocks, table: FieldTable, lines: LineBasicMaterial, private readonly parent: Group,
  ) {
    const surface = body.surface!;
    this.surface = new Stream(surface.stream, surface.vertices);
    this.cage = body.cage ? new Stream(body.cage.stream, body.cage.vertices) : null;
    this.triangles = blocks.u32(surface.triangles, 3);
    this.edges = blocks.u32(body.cage ? body.cage.edges : surface.edges, 2);
    this.groups = surface.groups ? blocks.u8(surface.groups) : null;
    this.colour = new Color().setRGB(...body.colour, SRGBColorSpace);

    this.normals = dynamic(new Float32Array(3 * surface.vertices), 3);
    this.geometry.setAttribute('position', this.surface.positions);
    this.geometry.setAttribute('normal', this.normals);
    this.geometry.setAttribute('value', dynamic(new Uint8Array(surface.vertices), 1, true));
    this.geometry.setIndex(new BufferAttribute(this.triangles, 1));
    this.geometry.boundingSphere = new Sphere();
    this.material = softMaterial(body.shape !== 'solid', table.texture);
    this.mesh = new Mesh(this.geometry, this.material);

    const wireGeometry = new BufferGeometry();
    wireGeometry.setAttribute('position', (this.cage ?? this.surface).positions);
    wireGeometry.setIndex(new BufferAttribute(this.edges, 1));
    this.wire = new LineSegments(wireGeometry, lines);
    this.wire.visible = false;
    for (const object of [this.mesh, this.wire]) {
      object.frustumCulled = false; // its bounds are in the box of the stream; the few bodies are mostly in view
      object.visible = false; // until it has been told where it is
      parent.add(object);
    }
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.paint();
  }

  get streams(): Stream[] {
    return this.cage ? [this.surface, this.cage] : [this.surface];
  }

  take(stream: number, block: SoftBlock, blocks: Blocks): void {
    (stream === this.cage?.id ? this.cage : this.surface).take(block, blocks);
    this.quiet = 0;
  }

  // What is kept is shown again when it is told to be the same as before.
  takeField(name: string, values: Uint8Array): void {
    const attribute = this.geometry.getAttribute('value') as BufferAttribute;
    (attribute.array as Uint8Array).set(values.subarray(0, attribute.count));
    attribute.needsUpdate = true;
    this.fieldName = name;
  }
  showField(name: string | null): void {
    this.material.fieldShown.value = name !== null && name === this.fieldName ? 1 : 0;
  }

  // A step went by. Nothing is said of bodies that do not move: they are asleep.
  passed(steps: number, moved: boolean): void {
    const before = this.asleep;
    this.quiet = moved ? 0 : this.quiet + steps;
    if (this.colourBy === 'sleep' && this.asleep !== before) this.paint();
  }
  get asleep(): boolean {
    return this.quiet > 3;
  }

  // Brings positions, normals and the copy by facets up to date.
  refresh(): boolean {
    this.cage?.refresh();
    if (!this.surface.refresh()) return false;
    if (!this.placed) {
      this.placed = true;
      this.show();
    }
    if (this.facets) this.spreadFacets();
    if (this.mesh.visible) {
      smoothNormals(this.surface.array, this.triangles, this.normals.array as Float32Array);
      this.normals.needsUpdate = true;
    }
    return true;
  }

  setColourBy(colourBy: ColourBy): void {
    this.colourBy = colourBy;
    const byGroup = colourBy === 'group' && this.groups !== null;
    if (byGroup && !this.facets) this.makeFacets();
    if (!byGroup && this.facets) {
      this.facets.removeFromParent();
      this.facets.geometry.dispose();
      (this.facets.material as MeshStandardMaterial).dispose();
      this.facets = null;
      smoothNormals(this.surface.array, this.triangles, this.normals.array as Float32Array);
      this.normals.needsUpdate = true;
    }
    if (colourBy !== this.fieldName) this.showField(null);
    this.paint();
    this.show();
  }
  setWireframe(on: boolean): void {
    this.wire.userData.wanted = on;
    this.show();
  }
  setLit(on: boolean): void {
    this.lit = on;
    this.paint();
  }

  centre(): Vector3 {
    this.refresh();
    const p = this.surface.array;
    const sum = new Vector3();
    for (let i = 0; i < p.length; i += 3) sum.set(sum.x + p[i], sum.y + p[i + 1], sum.z + p[i + 2]);
    return sum.divideScalar(Math.max(p.length / 3, 1));
  }

  dispose(): void {
    this.setColourBy('body');
    for (const object of [this.mesh, this.wire]) {
      object.removeFromParent();
      object.geometry.dispose();
    }
    this.material.dispose();
  }

  private paint(): void {
    const own = this.colourBy === 'sleep' ? sleepColour(this.asleep) : this.colour;
    this.material.color.copy(this.lit ? litUp(own) : own);
  }
  private show(): void {
    this.mesh.visible = this.placed && this.facets === null;
    this.wire.visible = this.placed && this.wire.userData.wanted === true;
    if (this.facets) this.facets.visible = this.placed;
  }

  private makeFacets(): void {
    const geometry = new BufferGeometry();
    const colours = new Float32Array(3 * this.triangles.length);
    for (let t = 0; t < this.triangles.length / 3; ++t)
      for (let k = 0; k < 3; ++k) groupColour(this.groups![t]).toArray(colours, 9 * t + 3 * k);
    geometry.setAttribute('position', dynamic(new Float32Array(3 * this.triangles.length), 3));
    geometry.setAttribute('color', new BufferAttribute(colours, 3));
    geometry.boundingSphere = new Sphere();
    this.facets = new Mesh(geometry, groupMaterial(this.body.shape !== 'solid'));
    this.facets.frustumCulled = false;
    this.facets.castShadow = this.facets.receiveShadow = true;
    this.parent.add(this.facets);
    this.spreadFacets();
  }
  private spreadFacets(): void {
    const attribute = this.facets!.geometry.getAttribute('position') as BufferAttribute;
    spread(this.surface.array, this.triangles, attribute.array as Float32Array);
    attribute.needsUpdate = true;
  }
}
