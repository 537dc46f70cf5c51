// Volume, centre and inertia of solid shapes, of bodies made of several, and along which axes a
// body resists turning.
#pragma once

#include <sinew/mesh.h>
#include <sinew/rigid_body.h>

namespace sinew {

struct SolidMass {
  double volume = 0;           // [m³]
  Vec3T<double> center = {};   // [m]
  Mat3T<double> inertia = {};  // about the centre, at 1 kg/m³ [kg m²]
};

// Throws Error for shapes that have none: planes, height fields and triangle meshes.
SolidMass solid_mass(const Shape& shape);

// All parts together, in the body's frame. Where they overlap, both count.
MassProperties combine(std::span<const Part> parts);

struct PrincipalAxes {
  Vec3T<double> moments;  // [kg m²]
  QuatT<double> axes;     // their directions: rotates x, y and z onto them
};
// Of a symmetric tensor; moments may be in any order. What is diagonal but for rounding keeps its
// axes.
PrincipalAxes principal_axes(const Mat3T<double>& inertia);

// What shapes and densities say. Throws Error for shapes without mass, and for masses and moments
// that numbers cannot hold.
Mass mass_of(std::span<const Part> parts);
Mass mass_of(const Shape& shape, Real density);

// Throws Error unless there can be a body with these principal moments: all above zero, and none
// larger than the sum of the other two, but for rounding. `where` names the field.
void check_inertia(const Vec3& inertia, const std::string& where = "inertia");

}  // namespace sinew
