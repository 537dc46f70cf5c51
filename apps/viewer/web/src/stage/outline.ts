// A line around the selected body: its surface once more, blown up by a few pixels and seen from inside.
import { BackSide, DoubleSide, Mesh, ShaderMaterial, Vector2, type BufferGeometry, type Matrix4, type Scene } from 'three';
import { selectedColour } from './materials';

export class Outline {
  private readonly mesh: Mesh;
  private readonly material = new ShaderMaterial({
    uniforms: { pixel: { value: new Vector2() }, colour: { value: selectedColour } },
    vertexShader: /* glsl */ `
      uniform vec2 pixel;
      void main() {
        gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
        vec2 outwards = ( projectionMatrix * vec4( normalMatrix * normal, 0.0 ) ).xy / pixel;
        gl_Position.xy += pixel * gl_Position.w * outwards / max( length( outwards ), 1e-6 );
        gl_Position.z += 0.0002 * gl_Position.w;
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 colour;
      void main() {
        gl_FragColor = vec4( colour, 1.0 );
        #include <colorspace_fragment>
      }`,
    toneMapped: false,
  });

  constructor(scene: Scene) {
    this.mesh = new Mesh(undefined, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.mesh.matrixAutoUpdate = false;
    scene.add(this.mesh);
  }

  show(geometry: BufferGeometry, sheet: boolean): void {
    this.mesh.geometry = geometry;
    this.material.side = sheet ? DoubleSide : BackSide;
    this.mesh.visible = true;
  }
  place(matrix: Matrix4): void {
    this.mesh.matrix.copy(matrix);
    this.mesh.matrixWorldNeedsUpdate = true;
  }
  hide(): void {
    this.mesh.visible = false;
  }
  resize(width: number, height: number): void {
    this.material.uniforms.pixel.value.set((2 * 2.5) / width, (2 * 2.5) / height);
  }
}
