// The loops that run over every vertex of every frame. Plain typed arrays and no objects: 20,000 vertices in a few ms.

// position = origin + cell · (x, y, z); returns the box around them: lower corner, upper corner.
export function dequantise(
  from: Uint16Array, origin: ArrayLike<number>, cell: number, to: Float32Array, box: Float64Array,
): void {
  const ox = origin[0], oy = origin[1], oz = origin[2];
  let lx = 65535, ly = 65535, lz = 65535, ux = 0, uy = 0, uz = 0;
  const count = Math.min(from.length, to.length);
  for (let i = 0; i + 2 < count; i += 3) {
    const x = from[i], y = from[i + 1], z = from[i + 2];
    if (x < lx) lx = x;
    if (x > ux) ux = x;
    if (y < ly) ly = y;
    if (y > uy) uy = y;
    if (z < lz) lz = z;
    if (z > uz) uz = z;
    to[i] = ox + cell * x;
    to[i + 1] = oy + cell * y;
    to[i + 2] = oz + cell * z;
  }
  box[0] = ox + cell * lx;
  box[1] = oy + cell * ly;
  box[2] = oz + cell * lz;
  box[3] = ox + cell * ux;
  box[4] = oy + cell * uy;
  box[5] = oz + cell * uz;
}

// Smooth normals: those of the triangles around a vertex, by their areas.
export function smoothNormals(positions: Float32Array, triangles: Uint32Array, normals: Float32Array): void {
  normals.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ax = positions[a], ay = positions[a + 1], az = positions[a + 2];
    const ux = positions[b] - ax, uy = positions[b + 1] - ay, uz = positions[b + 2] - az;
    const vx = positions[c] - ax, vy = positions[c + 1] - ay, vz = positions[c + 2] - az;
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    normals[a] += nx;
    normals[a + 1] += ny;
    normals[a + 2] += nz;
    normals[b] += nx;
    normals[b + 1] += ny;
    normals[b + 2] += nz;
    normals[c] += nx;
    normals[c + 1] += ny;
    normals[c + 2] += nz;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const x = normals[i], y = normals[i + 1], z = normals[i + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    const scale = length > 0 ? 1 / length : 0;
    normals[i] = x * scale;
    normals[i + 1] = length > 0 ? y * scale : 1;
    normals[i + 2] = z * scale;
  }
}

// Every triangle with corners of its own, for colours and normals that stop at its edges.
export function spread(positions: Float32Array, triangles: Uint32Array, to: Float32Array): void {
  for (let i = 0, j = 0; i < triangles.length; ++i, j += 3) {
    const v = 3 * triangles[i];
    to[j] = positions[v];
    to[j + 1] = positions[v + 1];
    to[j + 2] = positions[v + 2];
  }
}

export interface TriangleHit {
  distance: number; // in lengths of the direction; Infinity: none
  triangle: number;
  u: number; // weights of the second and the third corner
  v: number;
}

// The nearest triangle along a ray, from either side (Möller and Trumbore), nearer than `limit`.
export function nearestTriangle(
  positions: Float32Array, triangles: Uint32Array,
  ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, limit = Infinity,
): TriangleHit {
  const hit: TriangleHit = { distance: Infinity, triangle: -1, u: 0, v: 0 };
  let nearest = limit;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ax = positions[a], ay = positions[a + 1], az = positions[a + 2];
    const e1x = positions[b] - ax, e1y = positions[b + 1] - ay, e1z = positions[b + 2] - az;
    const e2x = positions[c] - ax, e2y = positions[c + 1] - ay, e2z = positions[c + 2] - az;
    const px = dy * e2z - dz * e2y, py = dz * e2x - dx * e2z, pz = dx * e2y - dy * e2x;
    const determinant = e1x * px + e1y * py + e1z * pz;
    if (determinant === 0) continue;
    const inverse = 1 / determinant;
    const sx = ox - ax, sy = oy - ay, sz = oz - az;
    const u = (sx * px + sy * py + sz * pz) * inverse;
    if (!(u >= 0 && u <= 1)) continue;
    const qx = sy * e1z - sz * e1y, qy = sz * e1x - sx * e1z, qz = sx * e1y - sy * e1x;
    const v = (dx * qx + dy * qy + dz * qz) * inverse;
    if (!(v >= 0 && u + v <= 1)) continue;
    const distance = (e2x * qx + e2y * qy + e2z * qz) * inverse;
    if (!(distance > 0 && distance < nearest)) continue;
    nearest = distance;
    hit.distance = distance;
    hit.triangle = t / 3;
    hit.u = u;
    hit.v = v;
  }
  return hit;
}

// Whether a ray passes a box (grown by `margin`) at all.
export function meetsBox(
  box: Float64Array, margin: number, ox: number, oy: number, oz: number, dx: number, dy: number, dz: number,
): boolean {
  let from = 0, to = Infinity;
  const origin = [ox, oy, oz], direction = [dx, dy, dz];
  for (let k = 0; k < 3; ++k) {
    const lower = box[k] - margin - origin[k], upper = box[k + 3] + margin - origin[k];
    if (direction[k] === 0) {
      if (lower > 0 || upper < 0) return false;
      continue;
    }
    const t0 = lower / direction[k], t1 = upper / direction[k];
    from = Math.max(from, Math.min(t0, t1));
    to = Math.min(to, Math.max(t0, t1));
  }
  return from <= to;
}
