// Materials. Three's own, with small additions to their shaders: cheap enough for a renderer in software.
import { Color, DoubleSide, FrontSide, MeshStandardMaterial, type IUniform, type Texture } from 'three';

// What all bodies share, so that a change of theme is one assignment.
export const sharedUniforms = { rim: { value: 0.35 } };

const rimLight = /* glsl */ `
  // Light that comes through at the outline: what makes a jelly look like one.
  float rimFacing = 1.0 - abs( dot( normal, normalize( vViewPosition ) ) );
  totalEmissiveRadiance += rim * rimStrength * pow( rimFacing, 3.0 ) * ( 0.25 + diffuseColor.rgb );
`;

export interface SoftMaterial extends MeshStandardMaterial {
  fieldShown: IUniform<number>;
}

// The surface of a soft body; `fieldShown` 1 takes colours from the attribute `value` through a table.
export function softMaterial(sheet: boolean, table: Texture): SoftMaterial {
  const material = new MeshStandardMaterial({ roughness: sheet ? 0.75 : 0.32, metalness: 0 }) as SoftMaterial;
  material.side = sheet ? DoubleSide : FrontSide;
  pushBack(material);
  material.fieldShown = { value: 0 };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, {
      rim: sharedUniforms.rim, rimStrength: { value: sheet ? 0.3 : 1 },
      table: { value: table }, fieldShown: material.fieldShown,
    });
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute float value;\nvarying float vValue;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\n  vValue = value;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>
        uniform float rim, rimStrength, fieldShown;
        uniform sampler2D table;
        varying float vValue;`)
      .replace('#include <color_fragment>', `#include <color_fragment>
        if ( fieldShown > 0.5 )
          diffuseColor.rgb = texture2D( table, vec2( ( 255.0 * vValue + 0.5 ) / 256.0, 0.5 ) ).rgb;`)
      .replace('#include <emissivemap_fragment>', `#include <emissivemap_fragment>\n${rimLight}
        totalEmissiveRadiance += 0.18 * fieldShown * diffuseColor.rgb; // to be read in the shade, too`);
  };
  material.customProgramCacheKey = () => 'soft';
  return material;
}

export function rigidMaterial(): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ roughness: 0.55, metalness: 0 });
  pushBack(material);
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { rim: sharedUniforms.rim, rimStrength: { value: 0.25 } });
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nuniform float rim, rimStrength;')
      .replace('#include <emissivemap_fragment>', `#include <emissivemap_fragment>\n${rimLight}`);
  };
  material.customProgramCacheKey = () => 'rigid';
  return material;
}

// Every triangle has one colour and one normal.
export function groupMaterial(sheet: boolean): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ roughness: 0.7, vertexColors: true, flatShading: true });
  material.side = sheet ? DoubleSide : FrontSide;
  pushBack(material);
  return material;
}

// A little farther than it is, so that edges drawn on the same triangles are not swallowed by them.
function pushBack(material: MeshStandardMaterial): void {
  material.polygonOffset = true;
  material.polygonOffsetFactor = 1;
  material.polygonOffsetUnits = 1;
}

export const selectedColour = new Color('#ffb347');

// The colour of a selected body: its own, lit up.
export function litUp(colour: Color): Color {
  return colour.clone().lerp(selectedColour, 0.1).multiplyScalar(1.15);
}
