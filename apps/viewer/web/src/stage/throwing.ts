// Bodies that are thrown or dropped into the scene, as large as suits it.
import { Vector3, type Ray } from 'three';
import type { Model } from '../model';
import type { Vec3 } from '../protocol';
import type { Stage } from './stage';

// A ball from the eye along a ray.
export function shootAlong(model: Model, stage: Stage, ray: Ray): void {
  const radius = 0.08 * stage.size;
  // Not from the eye itself: the ball would fill the picture.
  const origin = ray.at(4 * radius, new Vector3()).toArray() as Vec3;
  model.send({ type: 'shoot', origin, direction: ray.direction.toArray() as Vec3, speed: 6 * stage.size, radius });
}

// Lets a body fall onto what is under a pixel; `what` is one of the status' drops.
export function dropOnto(model: Model, stage: Stage, x: number, y: number, what: string): void {
  const size = 0.35 * stage.size;
  const hit = stage.pick(x, y);
  const far = stage.view.camera.position.distanceTo(stage.view.controls.target);
  // Where nothing is, or only a floor far away: at the distance of what the camera looks at.
  const at = stage.ray(x, y).at(hit && hit.distance < 3 * far ? hit.distance : far, new Vector3());
  const gravity = new Vector3(...(model.scene?.header.gravity ?? [0, -9.81, 0]));
  const up = gravity.lengthSq() > 0 ? gravity.normalize().negate() : new Vector3(0, 1, 0);
  at.addScaledVector(up, 1.2 * size);
  model.send({ type: 'drop', what, at: at.toArray() as Vec3, size });
}
