// Building blocks of overlays: any number of lines, dots or small shapes, told anew with every frame.
import {
  BufferAttribute, BufferGeometry, CanvasTexture, DynamicDrawUsage, InstancedMesh, LineBasicMaterial, LineSegments,
  Material, Matrix4, Points, PointsMaterial, type ColorRepresentation, type Object3D,
} from 'three';

function room(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(count, 16)));
}

// Positions that grow when there are more than ever before.
class Places {
  readonly geometry = new BufferGeometry();
  array = new Float32Array(0);

  constructor() {
    this.reserve(1);
    this.geometry.setDrawRange(0, 0);
  }
  reserve(vertices: number): Float32Array {
    if (this.array.length < 3 * vertices) {
      this.geometry.dispose();
      this.array = new Float32Array(3 * room(vertices));
      this.geometry.setAttribute('position', new BufferAttribute(this.array, 3).setUsage(DynamicDrawUsage));
    }
    return this.array;
  }
  use(vertices: number): void {
    this.geometry.setDrawRange(0, vertices);
    this.geometry.getAttribute('position').needsUpdate = true;
  }
}

interface Look {
  colour: ColorRepresentation;
  opacity?: number;
  hidden?: boolean; // behind bodies; otherwise it shines through them
}

export class Lines {
  private readonly places = new Places();
  readonly object: LineSegments;

  constructor(parent: Object3D, { colour, opacity = 1, hidden = false }: Look) {
    const material = new LineBasicMaterial({
      color: colour, opacity, transparent: true, depthTest: hidden, toneMapped: false,
    });
    this.object = new LineSegments(this.places.geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 10;
    parent.add(this.object);
  }
  // Writes two ends for every line into what it is given: x, y, z, x, y, z.
  set(count: number, write: (to: Float32Array) => void): void {
    write(this.places.reserve(2 * count));
    this.places.use(2 * count);
  }
  setColour(colour: ColorRepresentation): void {
    (this.object.material as LineBasicMaterial).color.set(colour);
  }
}

let disc: CanvasTexture | null = null;
function roundDot(): CanvasTexture {
  if (disc) return disc;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#fff';
  context.arc(32, 32, 30, 0, 2 * Math.PI);
  context.fill();
  return (disc = new CanvasTexture(canvas));
}

const allDots: Dots[] = [];

// Dots are as many pixels of the page wide, whatever that is on the screen.
export function setDotScale(pixelRatio: number): void {
  for (const dots of allDots) dots.setScale(pixelRatio);
}

export class Dots {
  private readonly places = new Places();
  readonly object: Points;

  constructor(parent: Object3D, { colour, opacity = 1, hidden = false }: Look, private readonly pixels: number) {
    const material = new PointsMaterial({
      color: colour, opacity, transparent: true, depthTest: hidden, toneMapped: false,
      size: pixels, sizeAttenuation: false, map: roundDot(), alphaTest: 0.3,
    });
    this.object = new Points(this.places.geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 11;
    parent.add(this.object);
    allDots.push(this);
  }
  setScale(pixelRatio: number): void {
    (this.object.material as PointsMaterial).size = this.pixels * pixelRatio;
  }
  set(count: number, write: (to: Float32Array) => void): void {
    write(this.places.reserve(count));
    this.places.use(count);
  }
}

// Many of one small shape.
export class Shapes {
  private mesh: InstancedMesh | null = null;
  private readonly matrix = new Matrix4();

  constructor(
    private readonly parent: Object3D,
    private readonly geometry: BufferGeometry,
    private readonly material: Material,
    private readonly renderOrder = 0,
  ) {}

  set(count: number, place: (index: number, matrix: Matrix4) => void): void {
    if (!this.mesh || this.mesh.instanceMatrix.count < count) {
      if (count === 0) return;
      this.mesh?.removeFromParent();
      this.mesh?.dispose();
      this.mesh = new InstancedMesh(this.geometry, this.material, room(count));
      this.mesh.frustumCulled = false;
      this.mesh.renderOrder = this.renderOrder;
      this.parent.add(this.mesh);
    }
    this.mesh.count = count;
    for (let i = 0; i < count; ++i) {
      place(i, this.matrix);
      this.mesh.setMatrixAt(i, this.matrix);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}
