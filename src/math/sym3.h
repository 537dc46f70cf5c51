// Symmetric 3×3 matrices: six numbers instead of nine.
#pragma once

#include <sinew/math.h>

namespace sinew {

template <class T>
struct Sym3T {
  T xx{}, xy{}, xz{}, yy{}, yz{}, zz{};  // row by row

  static Sym3T identity() { return {T(1), T(0), T(0), T(1), T(0), T(1)}; }

  Sym3T operator+(const Sym3T& b) const {
    return {xx + b.xx, xy + b.xy, xz + b.xz, yy + b.yy, yz + b.yz, zz + b.zz};
  }
  Sym3T operator-(const Sym3T& b) const {
    return {xx - b.xx, xy - b.xy, xz - b.xz, yy - b.yy, yz - b.yz, zz - b.zz};
  }
  Sym3T operator*(const T& s) const { return {xx * s, xy * s, xz * s, yy * s, yz * s, zz * s}; }
};

template <class T>
T trace(const Sym3T<T>& m) {
  return m.xx + m.yy + m.zz;
}
// a : b
template <class T>
T contract(const Sym3T<T>& a, const Sym3T<T>& b) {
  return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + T(2) * (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}
// s v vᵀ
template <class T>
Sym3T<T> outer(const Vec3T<T>& v, const T& s) {
  const Vec3T<T> sv = v * s;
  return {sv.x * v.x, sv.x * v.y, sv.x * v.z, sv.y * v.y, sv.y * v.z, sv.z * v.z};
}
// mᵀ m
template <class T>
Sym3T<T> gram(const Mat3T<T>& m) {
  return {dot(m.c[0], m.c[0]), dot(m.c[0], m.c[1]), dot(m.c[0], m.c[2]),
          dot(m.c[1], m.c[1]), dot(m.c[1], m.c[2]), dot(m.c[2], m.c[2])};
}
// max |mᵢⱼ|, to scale by before squaring
template <class T>
T largest_entry(const Mat3T<T>& m) {
  T largest(0);
  for (const Vec3T<T>& c : m.c) largest = max(largest, max(abs(c.x), max(abs(c.y), abs(c.z))));
  return largest;
}
template <class T>
Mat3T<T> operator*(const Mat3T<T>& a, const Sym3T<T>& b) {
  return {{a.c[0] * b.xx + a.c[1] * b.xy + a.c[2] * b.xz,
           a.c[0] * b.xy + a.c[1] * b.yy + a.c[2] * b.yz,
           a.c[0] * b.xz + a.c[1] * b.yz + a.c[2] * b.zz}};
}
template <class T>
Vec3T<T> operator*(const Sym3T<T>& a, const Vec3T<T>& v) {
  return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
          a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
// m must be regular.
template <class T>
Sym3T<T> inverse(const Sym3T<T>& m) {
  const T c_xx = m.yy * m.zz - m.yz * m.yz;
  const T c_xy = m.xz * m.yz - m.xy * m.zz;
  const T c_xz = m.xy * m.yz - m.xz * m.yy;
  const T c_yy = m.xx * m.zz - m.xz * m.xz;
  const T c_yz = m.xy * m.xz - m.xx * m.yz;
  const T c_zz = m.xx * m.yy - m.xy * m.xy;
  const T s = T(1) / (m.xx * c_xx + m.xy * c_xy + m.xz * c_xz);
  return Sym3T<T>{c_xx, c_xy, c_xz, c_yy, c_yz, c_zz} * s;
}

}  // namespace sinew
