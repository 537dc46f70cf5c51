// Volumes and moments by the formulas of textbooks; those of hulls by mass_properties. Moved by d,
// a mass m has the inertia I + m (d·d 1 - d dᵀ) (Huygens and Steiner).
#include "geometry/shape_mass.h"

#include <sinew/error.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/format.h"
#include "geometry/cells.h"
#include "math/jacobi.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
using Mat = Mat3T<double>;
constexpr double kCircle = std::numbers::pi;

SolidMass mass_of_shape(const Sphere& s) {
  const double r = s.radius, volume = 4.0 / 3 * kCircle * r * r * r, i = 0.4 * volume * r * r;
  return {volume, {}, Mat::diagonal({i, i, i})};
}

SolidMass mass_of_shape(const Box& s) {
  const Vec a = to_double(s.size);
  const double volume = a.x * a.y * a.z, k = volume / 12;
  return {
      volume,
      {},
      Mat::diagonal(Vec{a.y * a.y + a.z * a.z, a.z * a.z + a.x * a.x, a.x * a.x + a.y * a.y} * k)};
}

SolidMass mass_of_shape(const Cylinder& s) {
  const double r2 = double(s.radius) * s.radius, h = double(s.half_height);
  const double volume = 2 * kCircle * r2 * h, across = volume * (r2 / 4 + h * h / 3);
  return {volume, {}, Mat::diagonal({across, volume * r2 / 2, across})};
}

// A cylinder and two half balls, whose centres are 3/8 r beyond its ends: about the middle of a
// ball a half has half of the ball's moments, and Steiner's rule goes by way of its own centre.
SolidMass mass_of_shape(const Capsule& s) {
  const double r = s.radius, h = s.half_height;
  const SolidMass ball = mass_of_shape(Sphere{s.radius});
  const SolidMass tube = mass_of_shape(Cylinder{s.radius, s.half_height});
  const double away = ball.volume * (h * h + 0.75 * h * r);
  return {
      tube.volume + ball.volume, {}, tube.inertia + ball.inertia + Mat::diagonal({away, 0, away})};
}

SolidMass mass_of_shape(const ConvexHull& s) {
  const MassProperties p = mass_properties(s.surface(), 1);
  return {p.volume, p.center, p.inertia};
}

[[noreturn]] void refuse(const char* what) {
  throw Error(
      formatted("a {} has no mass; use it for static bodies, and a solid shape for this", what));
}
SolidMass mass_of_shape(const Plane&) { refuse("plane"); }
SolidMass mass_of_shape(const HeightField&) { refuse("height field"); }
SolidMass mass_of_shape(const TriangleMesh&) { refuse("triangle mesh"); }

// Of a unit mass at d.
Mat of_point(const Vec& d) {
  return Mat::diagonal(Vec{1, 1, 1} * dot(d, d)) - Mat{{d * d.x, d * d.y, d * d.z}};
}

QuatT<double> unit(const Quat& q) {
  return normalized(QuatT<double>{double(q.x), double(q.y), double(q.z), double(q.w)});
}

Real held(double value, const char* what, const char* si) {
  const Real real = Real(value);
  if (!std::isnormal(real) || !std::isnormal(1 / real))
    throw Error(
        formatted("its {} of {:.4g} {} is beyond what numbers hold; change its size or "
                  "density",
                  what, value, si));
  return real;
}

}  // namespace

SolidMass solid_mass(const Shape& shape) {
  return std::visit([](const auto& s) { return mass_of_shape(s); }, shape);
}

MassProperties combine(std::span<const Part> parts) {
  if (parts.empty()) throw Error("parts is empty; a body needs at least one");
  struct Placed {
    double mass;
    Vec center;
    Mat inertia;
  };
  std::vector<Placed> placed;
  MassProperties sum{};
  for (const Part& part : parts) {
    const SolidMass one = solid_mass(part.shape);
    const QuatT<double> q = unit(part.pose.orientation);
    const Mat turn = q.matrix();
    const double mass = double(part.density) * one.volume;
    placed.push_back({mass, to_double(part.pose.position) + q.rotate(one.center),
                      turn * one.inertia * transpose(turn) * double(part.density)});
    sum.volume += one.volume;
    sum.mass += mass;
    sum.center += placed.back().center * mass;
  }
  sum.center = sum.center / sum.mass;
  for (const Placed& p : placed)
    sum.inertia = sum.inertia + p.inertia + of_point(p.center - sum.center) * p.mass;
  return sum;
}

PrincipalAxes principal_axes(const Mat& inertia) {
  const double size = largest_entry(inertia);
  if (!(size > 0)) return {{}, {}};
  const Mat m = inertia * (1 / size);
  Sym3T<double> s{m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)};
  const double rounding = 8 * double(std::numeric_limits<Real>::epsilon());
  if (max(std::abs(s.xy), max(std::abs(s.xz), std::abs(s.yz))) <= rounding)
    return {Vec{s.xx, s.yy, s.zz} * size, {}};
  const QuatT<double> axes = diagonalise(s, kJacobiSweeps<double> + 4);
  return {Vec{s.xx, s.yy, s.zz} * size, axes};
}

Mass mass_of(std::span<const Part> parts) {
  const MassProperties sum = combine(parts);
  const PrincipalAxes principal = principal_axes(sum.inertia);
  Mass mass{.mass = held(sum.mass, "mass", "kg"), .center = to_real(sum.center)};
  for (int i = 0; i < 3; ++i)
    mass.inertia[i] = held(principal.moments[i], "moment of inertia", "kg m²");
  const QuatT<double>& q = principal.axes;
  mass.axes = {Real(q.x), Real(q.y), Real(q.z), Real(q.w)};
  return mass;
}

Mass mass_of(const Shape& shape, Real density) {
  const Part part{.shape = shape, .density = density};
  return mass_of(std::span(&part, 1));
}

void check_inertia(const Vec3& inertia, const std::string& where) {
  constexpr double kRounding = 1e-3;  // people round what they write
  for (int i = 0; i < 3; ++i)
    if (!(std::isfinite(inertia[i]) && inertia[i] > 0))
      throw Error(formatted("{}[{}] is {} kg m²; it must be greater than 0", where, i, inertia[i]));
  for (int i = 0; i < 3; ++i) {
    const double others = double(inertia[(i + 1) % 3]) + inertia[(i + 2) % 3];
    if (inertia[i] > others * (1 + kRounding))
      throw Error(
          formatted("{} is ({}, {}, {}) kg m²; no body has such moments, as none can be "
                    "larger than the sum of the other two",
                    where, inertia.x, inertia.y, inertia.z));
  }
}

}  // namespace sinew
