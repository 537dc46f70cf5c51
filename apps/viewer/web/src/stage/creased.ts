// Geometry of rigid bodies: smooth where it is round, sharp where it has edges.
import { BufferAttribute, BufferGeometry } from 'three';

const crease = Math.cos((35 * Math.PI) / 180);

// Corners at the same place count as one, whatever their numbers and however small the body is.
function weld(positions: Float32Array): Uint32Array {
  const seen = new Map<string, number>();
  const same = new Uint32Array(positions.length / 3);
  for (let v = 0; v < same.length; ++v) {
    const key = `${positions[3 * v]},${positions[3 * v + 1]},${positions[3 * v + 2]}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, v);
    same[v] = first ?? v;
  }
  return same;
}

export function creasedGeometry(positions: Float32Array, triangles: Uint32Array): BufferGeometry {
  const same = weld(positions);
  const count = triangles.length / 3;
  const corners = new Float32Array(9 * count);
  const faces = new Float32Array(3 * count); // normals, as long as the triangles are large
  const around: number[][] = Array.from({ length: same.length }, () => []);
  for (let t = 0; t < count; ++t) {
    for (let k = 0; k < 3; ++k) {
      const v = triangles[3 * t + k];
      corners.set(positions.subarray(3 * v, 3 * v + 3), 9 * t + 3 * k);
      around[same[v]].push(t);
    }
    const c = corners.subarray(9 * t, 9 * t + 9);
    const ux = c[3] - c[0], uy = c[4] - c[1], uz = c[5] - c[2];
    const vx = c[6] - c[0], vy = c[7] - c[1], vz = c[8] - c[2];
    faces.set([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx], 3 * t);
  }
  const normals = new Float32Array(9 * count);
  for (let t = 0; t < count; ++t) {
    const fx = faces[3 * t], fy = faces[3 * t + 1], fz = faces[3 * t + 2];
    const length = Math.hypot(fx, fy, fz);
    for (let k = 0; k < 3; ++k) {
      let x = 0, y = 0, z = 0;
      for (const other of around[same[triangles[3 * t + k]]]) {
        const ox = faces[3 * other], oy = faces[3 * other + 1], oz = faces[3 * other + 2];
        if (fx * ox + fy * oy + fz * oz < crease * length * Math.hypot(ox, oy, oz)) continue;
        x += ox;
        y += oy;
        z += oz;
      }
      const size = Math.hypot(x, y, z) || 1;
      normals.set([x / size, y / size, z / size], 9 * t + 3 * k);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(corners, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  geometry.computeBoundingSphere();
  geometry.computeBoundingBox();
  return geometry;
}
