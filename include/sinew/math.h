// Small vectors, matrices and rotations. Every type is a template over its number T, so that one
// text serves plain floats, doubles and packs of lanes (src/core/pack.h); the aliases without a
// template parameter are over Real. Frame: right-handed, y up, metres, radians.
#pragma once

#include <sinew/real.h>

#include <cmath>
#include <type_traits>

namespace sinew {

// The functions below exist for packs too; generic code calls them unqualified.
template <class T>
concept Scalar = std::is_floating_point_v<T>;

template <Scalar T>
T select(bool condition, T yes, T no) {
  return condition ? yes : no;
}
inline bool any(bool m) { return m; }
inline bool all(bool m) { return m; }
template <Scalar T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <Scalar T>
T max(T a, T b) {
  return a < b ? b : a;
}
template <Scalar T>
T abs(T a) {
  return std::fabs(a);
}
template <Scalar T>
T sqrt(T a) {
  return std::sqrt(a);
}
template <Scalar T>
T rsqrt(T a) {
  return T(1) / std::sqrt(a);
}
template <Scalar T>
T log(T a) {
  return std::log(a);
}

template <class T>
struct Vec3T {
  T x{}, y{}, z{};

  T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }

  Vec3T operator-() const { return {-x, -y, -z}; }
  Vec3T operator+(const Vec3T& b) const { return {x + b.x, y + b.y, z + b.z}; }
  Vec3T operator-(const Vec3T& b) const { return {x - b.x, y - b.y, z - b.z}; }
  Vec3T operator*(const T& s) const { return {x * s, y * s, z * s}; }
  Vec3T operator/(const T& s) const { return *this * (T(1) / s); }
  Vec3T& operator+=(const Vec3T& b) { return *this = *this + b; }
  Vec3T& operator-=(const Vec3T& b) { return *this = *this - b; }
  Vec3T& operator*=(const T& s) { return *this = *this * s; }
  friend Vec3T operator*(const T& s, const Vec3T& v) { return v * s; }
  friend bool operator==(const Vec3T&, const Vec3T&) = default;
};

template <class T>
T dot(const Vec3T<T>& a, const Vec3T<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vec3T<T> cross(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T length(const Vec3T<T>& a) {
  return sqrt(dot(a, a));
}
// The zero vector stays zero.
template <class T>
Vec3T<T> normalized(const Vec3T<T>& a) {
  const T n2 = dot(a, a);
  return a * select(n2 > T(0), rsqrt(max(n2, T(1e-30))), T(0));
}
template <class T>
Vec3T<T> select(const auto& condition, const Vec3T<T>& yes, const Vec3T<T>& no) {
  return {select(condition, yes.x, no.x), select(condition, yes.y, no.y),
          select(condition, yes.z, no.z)};
}

// A 3×3 matrix by columns: m.c[j] is column j.
template <class T>
struct Mat3T {
  Vec3T<T> c[3];

  static Mat3T identity() { return diagonal({T(1), T(1), T(1)}); }
  static Mat3T diagonal(const Vec3T<T>& d) {
    return {{{d.x, T(0), T(0)}, {T(0), d.y, T(0)}, {T(0), T(0), d.z}}};
  }

  T& operator()(int row, int column) { return c[column][row]; }
  const T& operator()(int row, int column) const { return c[column][row]; }

  Mat3T operator+(const Mat3T& b) const { return {{c[0] + b.c[0], c[1] + b.c[1], c[2] + b.c[2]}}; }
  Mat3T operator-(const Mat3T& b) const { return {{c[0] - b.c[0], c[1] - b.c[1], c[2] - b.c[2]}}; }
  Mat3T operator*(const T& s) const { return {{c[0] * s, c[1] * s, c[2] * s}}; }
  Vec3T<T> operator*(const Vec3T<T>& v) const { return c[0] * v.x + c[1] * v.y + c[2] * v.z; }
  Mat3T operator*(const Mat3T& b) const {
    return {{*this * b.c[0], *this * b.c[1], *this * b.c[2]}};
  }
};

template <class T>
Mat3T<T> transpose(const Mat3T<T>& m) {
  return {{{m.c[0].x, m.c[1].x, m.c[2].x},
           {m.c[0].y, m.c[1].y, m.c[2].y},
           {m.c[0].z, m.c[1].z, m.c[2].z}}};
}
// The cofactor matrix, ∂(det m)/∂m.
template <class T>
Mat3T<T> cofactor(const Mat3T<T>& m) {
  return {{cross(m.c[1], m.c[2]), cross(m.c[2], m.c[0]), cross(m.c[0], m.c[1])}};
}
template <class T>
T determinant(const Mat3T<T>& m) {
  return dot(m.c[0], cross(m.c[1], m.c[2]));
}
// m must be regular.
template <class T>
Mat3T<T> inverse(const Mat3T<T>& m) {
  const Mat3T<T> cof = cofactor(m);
  return transpose(cof) * (T(1) / dot(m.c[0], cof.c[0]));
}
// a : b = Σ aᵢⱼ bᵢⱼ
template <class T>
T contract(const Mat3T<T>& a, const Mat3T<T>& b) {
  return dot(a.c[0], b.c[0]) + dot(a.c[1], b.c[1]) + dot(a.c[2], b.c[2]);
}
template <class T>
T trace(const Mat3T<T>& m) {
  return m.c[0].x + m.c[1].y + m.c[2].z;
}

// A unit quaternion, vector part first as in glTF.
template <class T>
struct QuatT {
  T x{}, y{}, z{}, w{1};

  static QuatT from_axis_angle(const Vec3T<T>& axis, T angle_rad) {
    const Vec3T<T> v = normalized(axis) * std::sin(angle_rad / 2);
    return {v.x, v.y, v.z, std::cos(angle_rad / 2)};
  }
  QuatT operator*(const QuatT& b) const {
    return {w * b.x + x * b.w + y * b.z - z * b.y, w * b.y - x * b.z + y * b.w + z * b.x,
            w * b.z + x * b.y - y * b.x + z * b.w, w * b.w - x * b.x - y * b.y - z * b.z};
  }
  QuatT conjugate() const { return {-x, -y, -z, w}; }
  Vec3T<T> rotate(const Vec3T<T>& v) const {
    const Vec3T<T> u{x, y, z};
    const Vec3T<T> t = cross(u, v) * T(2);
    return v + t * w + cross(u, t);
  }
  Mat3T<T> matrix() const {
    const T x2 = x + x, y2 = y + y, z2 = z + z;
    const T xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    const T wx = w * x2, wy = w * y2, wz = w * z2;
    return {{{T(1) - yy - zz, xy + wz, xz - wy},
             {xy - wz, T(1) - xx - zz, yz + wx},
             {xz + wy, yz - wx, T(1) - xx - yy}}};
  }
  friend bool operator==(const QuatT&, const QuatT&) = default;
};

template <class T>
Vec3T<double> to_double(const Vec3T<T>& v) {
  return {double(v.x), double(v.y), double(v.z)};
}

// q must not be zero.
template <class T>
QuatT<T> normalized(const QuatT<T>& q) {
  const T s = rsqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x * s, q.y * s, q.z * s, q.w * s};
}

using Vec3 = Vec3T<Real>;
using Mat3 = Mat3T<Real>;
using Quat = QuatT<Real>;

// Where a body is: first rotated, then moved.
struct Pose {
  Vec3 position = {};     // [m]
  Quat orientation = {};  // unit quaternion

  Vec3 to_world(const Vec3& local) const { return position + orientation.rotate(local); }
  Vec3 to_local(const Vec3& world) const {
    return orientation.conjugate().rotate(world - position);
  }
  Pose inverse() const { return {to_local({}), orientation.conjugate()}; }
  // First b, then this: (a * b).to_world(x) is a.to_world(b.to_world(x)).
  Pose operator*(const Pose& b) const {
    return {to_world(b.position), normalized(orientation * b.orientation)};
  }
};

}  // namespace sinew
