// A line around the selected body, however it is shaped: its surface marks the pixels that are its own, and is then
// drawn again shifted by a few pixels to all sides, where they are not.
import {
  AlwaysStencilFunc, DoubleSide, InstancedMesh, Mesh, NotEqualStencilFunc, ReplaceStencilOp, ShaderMaterial, Vector2,
  type BufferGeometry, type Matrix4, type Scene,
} from 'three';
import { selectedColour } from './materials';

const width = 2.5; // [px]
const sides = 8;

const fragmentShader = /* glsl */ `
  uniform vec3 colour;
  void main() {
    gl_FragColor = vec4( colour, 1.0 );
    #include <colorspace_fragment>
  }`;

export class Outline {
  private readonly own: Mesh;
  private readonly around: InstancedMesh;
  private readonly pixel = { value: new Vector2() };

  constructor(scene: Scene) {
    const common = {
      side: DoubleSide, transparent: true, depthWrite: false, toneMapped: false, stencilWrite: true, stencilRef: 1,
      fragmentShader,
      uniforms: { colour: { value: selectedColour }, pixel: this.pixel },
    };
    const mark = new ShaderMaterial({
      ...common,
      colorWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -4,
      stencilFunc: AlwaysStencilFunc,
      stencilZPass: ReplaceStencilOp,
      vertexShader: 'void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 ); }',
    });
    const line = new ShaderMaterial({
      ...common,
      stencilFunc: NotEqualStencilFunc,
      vertexShader: /* glsl */ `
        uniform vec2 pixel;
        void main() {
          gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
          float angle = float( gl_InstanceID ) * ${((2 * Math.PI) / sides).toFixed(6)};
          gl_Position.xy += gl_Position.w * pixel * vec2( cos( angle ), sin( angle ) );
        }`,
    });
    this.own = new Mesh(undefined, mark);
    this.around = new InstancedMesh(undefined as unknown as BufferGeometry, line, sides);
    [this.own, this.around].forEach((mesh, i) => {
      mesh.frustumCulled = false;
      mesh.visible = false;
      mesh.matrixAutoUpdate = false;
      mesh.renderOrder = 5 + i;
      scene.add(mesh);
    });
  }

  show(geometry: BufferGeometry): void {
    for (const mesh of [this.own, this.around]) {
      mesh.geometry = geometry;
      mesh.visible = true;
    }
  }
  place(matrix: Matrix4): void {
    for (const mesh of [this.own, this.around]) {
      mesh.matrix.copy(matrix);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }
  hide(): void {
    this.own.visible = this.around.visible = false;
  }
  resize(pictureWidth: number, pictureHeight: number): void {
    this.pixel.value.set((2 * width) / pictureWidth, (2 * width) / pictureHeight);
  }
}
