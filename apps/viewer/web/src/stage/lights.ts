// One main light with shadows, a weak one against it, and the sky.
import { DirectionalLight, Group, HemisphereLight, Vector3, type Box3 } from 'three';
import type { Theme } from './themes';

const towardsKey = new Vector3(0.55, 1, 0.5).normalize();

export class Lights {
  readonly group = new Group();
  private readonly sky = new HemisphereLight();
  private readonly key = new DirectionalLight('#fff4e6');
  private readonly fill = new DirectionalLight('#bcd2ff');

  constructor(shadowSize: number) {
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(shadowSize, shadowSize);
    this.fill.position.set(-0.7, 0.45, -0.6);
    this.group.add(this.sky, this.key, this.key.target, this.fill);
  }

  // The shadow map covers what is in the scene, and no more: the smaller, the sharper.
  fit(bounds: Box3): void {
    const centre = bounds.getCenter(new Vector3());
    const radius = Math.max(bounds.getSize(new Vector3()).length() / 2, 1e-4);
    this.key.target.position.copy(centre);
    this.key.position.copy(centre).addScaledVector(towardsKey, 3 * radius);
    const { camera } = this.key.shadow;
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = radius;
    camera.far = 6 * radius;
    camera.updateProjectionMatrix();
    const texel = (2 * radius) / this.key.shadow.mapSize.x;
    this.key.shadow.normalBias = 2.5 * texel;
    this.key.shadow.bias = -0.0015;
    this.key.shadow.radius = 2.5;
  }

  setShadows(on: boolean): void {
    this.key.castShadow = on;
  }
  setTheme(theme: Theme): void {
    this.sky.color.set(theme.hemisphere.sky);
    this.sky.groundColor.set(theme.hemisphere.ground);
    this.sky.intensity = theme.hemisphere.intensity;
    this.key.intensity = theme.key;
    this.fill.intensity = theme.fill;
  }
}
