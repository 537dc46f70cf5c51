// Endless floors: a large disc that fades into the background, with a faint grid of metres. The light on it is the same
// everywhere but in shadows, so that nothing is computed but whether there is one: it fills most of the picture.
import { CircleGeometry, Color, Group, Mesh, Quaternion, ShadowMaterial, Vector2, Vector3, type Box3 } from 'three';
import type { BodyInfo } from '../protocol';
import type { Theme } from './themes';

const reach = 14; // radius of the disc, in radii of the scene

export class Ground {
  readonly group = new Group();
  readonly normal = new Vector3();
  readonly origin = new Vector3();
  private readonly mesh: Mesh;
  private readonly material = new ShadowMaterial({ transparent: true, toneMapped: false });
  private readonly uniforms = {
    groundRadius: { value: 1 },
    groundCentre: { value: new Vector2() },
    gridStep: { value: 1 },
    lit: { value: new Color() },
    shaded: { value: new Color() },
    gridColour: { value: new Color() },
    gridOpacity: { value: 0.15 },
  };

  constructor(readonly body: BodyInfo) {
    const pose = body.pose ?? [0, 0, 0, 0, 0, 0, 1];
    this.origin.set(pose[0], pose[1], pose[2]);
    this.group.position.copy(this.origin);
    this.group.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
    this.normal.set(0, 1, 0).applyQuaternion(this.group.quaternion);
    const disc = new CircleGeometry(1, 96);
    disc.rotateX(-Math.PI / 2);
    this.mesh = new Mesh(disc, this.material);
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1; // before lines and other things one can see through
    this.group.add(this.mesh);
    this.material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', `#include <common>
          uniform float groundRadius;
          uniform vec2 groundCentre;
          varying vec2 vDisc;
          varying vec2 vPlane;`)
        .replace('#include <begin_vertex>', `#include <begin_vertex>
          vDisc = position.xz;
          vPlane = position.xz * groundRadius + groundCentre;`);
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>
          uniform float gridStep, gridOpacity;
          uniform vec3 gridColour, lit, shaded;
          varying vec2 vDisc;
          varying vec2 vPlane;
          // Lines about a pixel wide, fainter where they would run together.
          float gridLines( float step ) {
            vec2 place = vPlane / step;
            vec2 width = fwidth( place );
            vec2 line = abs( fract( place - 0.5 ) - 0.5 ) / max( width, 1e-6 );
            vec2 ink = ( 1.0 - smoothstep( 0.2, 1.1, line ) ) * ( 1.0 - smoothstep( 0.15, 0.5, width ) );
            return max( ink.x, ink.y );
          }`)
        .replace('gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );', `
          float ink = gridOpacity * max( 0.35 * gridLines( gridStep ), gridLines( 10.0 * gridStep ) );
          float cover = 1.0 - smoothstep( 0.1, 0.95, length( vDisc ) );
          gl_FragColor = vec4( mix( mix( shaded, lit, getShadowMask() ), gridColour, ink ), cover );`);
    };
  }

  // The disc lies under the middle of the scene.
  fit(bounds: Box3, size: number): void {
    const radius = reach * size;
    const centre = bounds.getCenter(new Vector3()).sub(this.origin);
    centre.applyQuaternion(new Quaternion().copy(this.group.quaternion).invert());
    this.mesh.position.set(centre.x, 0, centre.z);
    this.mesh.scale.set(radius, 1, radius);
    this.uniforms.groundRadius.value = radius;
    this.uniforms.groundCentre.value.set(centre.x, centre.z);
    // Metres, but tenths of them for small scenes and tens for large ones.
    this.uniforms.gridStep.value = 10 ** Math.floor(Math.log10(size));
  }

  setTheme(theme: Theme): void {
    this.uniforms.lit.value.set(theme.ground);
    this.uniforms.shaded.value.set(theme.shade);
    this.uniforms.gridColour.value.set(theme.grid);
    this.uniforms.gridOpacity.value = theme.gridOpacity;
  }

  dispose(): void {
    this.group.removeFromParent();
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}
