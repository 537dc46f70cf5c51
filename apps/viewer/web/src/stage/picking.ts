// What lies under the pointer. Loops over typed arrays: a soft body of 40,000 triangles is searched within a few ms.
import { Quaternion, Vector3, type Ray } from 'three';
import type { BodyInfo, SurfacePoint, Vec3 } from '../protocol';
import type { Ground } from './ground';
import type { RigidBodies } from './rigid';
import type { SoftBody } from './soft';
import { meetsBox, nearestTriangle } from './vertices';

export interface Hit {
  body: BodyInfo;
  point: Vector3; // in the world
  distance: number; // from the eye
  place: SurfacePoint; // as commands name it
}

export function pick(ray: Ray, softs: Iterable<SoftBody>, rigids: RigidBodies, grounds: Iterable<Ground>): Hit | null {
  const { origin: o, direction: d } = ray;
  let best: Hit | null = null;
  const nearest = () => best?.distance ?? Infinity;

  for (const soft of softs) {
    soft.refresh();
    if (!meetsBox(soft.surface.box, 0, o.x, o.y, o.z, d.x, d.y, d.z)) continue;
    const hit = nearestTriangle(soft.surface.array, soft.triangles, o.x, o.y, o.z, d.x, d.y, d.z, nearest());
    if (hit.triangle < 0) continue;
    const weights: Vec3 = [1 - hit.u - hit.v, hit.u, hit.v];
    const place = { body: soft.body.id, stream: soft.surface.id, triangle: hit.triangle, weights };
    best = { body: soft.body, point: ray.at(hit.distance, new Vector3()), distance: hit.distance, place };
  }

  const origin = new Vector3(), direction = new Vector3(), inverse = new Quaternion(), towards = new Vector3();
  for (const rigid of rigids.bodies.values()) {
    towards.copy(rigid.centre()).sub(o);
    const along = towards.dot(d);
    if (towards.lengthSq() - along * along > rigid.radius ** 2) continue;
    inverse.copy(rigid.quaternion).invert();
    origin.copy(o).sub(rigid.position).applyQuaternion(inverse);
    direction.copy(d).applyQuaternion(inverse);
    const { positions, triangles } = rigid.shape;
    const hit = nearestTriangle(
      positions, triangles, origin.x, origin.y, origin.z, direction.x, direction.y, direction.z, nearest());
    if (hit.triangle < 0) continue;
    const local = origin.addScaledVector(direction, hit.distance);
    const place = { body: rigid.body.id, point: local.toArray() as Vec3 };
    best = { body: rigid.body, point: ray.at(hit.distance, new Vector3()), distance: hit.distance, place };
  }

  for (const ground of grounds) {
    const against = d.dot(ground.normal);
    if (against >= 0) continue;
    const distance = ground.origin.clone().sub(o).dot(ground.normal) / against;
    if (!(distance > 0 && distance < nearest())) continue;
    const point = ray.at(distance, new Vector3());
    best = { body: ground.body, point, distance, place: { body: ground.body.id, point: point.toArray() as Vec3 } };
  }
  return best;
}
