// A material drawn by hand: three curves of the principal stretches, by Valanis and Landel's
// hypothesis (Liu, eq. 7.12; Xu, Sin, Zhu and Barbič, "Nonlinear material design using
// principal stretches", 2015),
//   Ψ = Σ f(σᵢ) + Σ f₂(σⱼσₖ) + f₃(J),   J = σ₀σ₁σ₂
// f, f₂ and f₃ resist stretching of lengths, of areas and of the volume. The user gives their
// slopes f′, f₂′ and f₃′ at a few places, in units of the shear modulus μ = E/(2(1 + ν)), or takes
// a preset and replaces curves of it. Neo-Hookean rubber is
//   f′ = μσ,   f₂′ = 0,   f₃′ = (λ log J − μ)/J,
// here drawn through 16 points, and so within 1 % of itself from J = 0.2 to 5. Below, it is
// straight, as NeoHookean is. The modified ones of figure 7.1 have the same constants at rest, and
//   stiff in compression (A)   f′ = μ(σ − 10(1 − σ)²) below σ = 1
//   stiff in tension (B)       f′ = μ(σ + 10(σ − 1)²) above.
// At rest, f′ + 2f₂′ + f₃′ = 0, or the body would swell at once: that is asked for. Small strains
// obey Hooke's law with 2μ = f″ + f₂″ + f′ + f₂′ and λ = f₂″ + f₃″ + f₂′ + f₃′, all at 1, which for
// the presets are those of E and ν. σ are signed: in an element that is inside out the smallest is
// negative, and what f′, f₂′ and f₃′ are below zero pushes it open.
#pragma once

#include <sinew/describe.h>
#include <sinew/hooke.h>
#include <sinew/principal.h>
#include <sinew/spline_curve.h>

#include <array>
#include <string>

namespace sinew {

enum class SplinePreset { kNone, kNeoHookean, kStiffInCompression, kStiffInTension };
template <>
struct EnumWords<SplinePreset> {
  static constexpr const char* kWords[] = {"none", "neo_hookean", "stiff_in_compression",
                                           "stiff_in_tension"};
};

// The curves of a spline, made once and for all: what kernels ask. It is asked by its principal
// stretches, and stress and energy at F follow (src/solvers/material_at.h).
struct PreparedSpline {
  static constexpr bool kElastic = true;
  static constexpr bool kRotationInvariant = true;
  static constexpr bool kNeedsRotation = false;

  SplineCurve stretch, area, volume;  // f, f₂, f₃ [Pa]

  // Energy density [J/m³], zero at rest, and its derivatives by the stretches.
  template <class T>
  struct AtStretches {
    T energy;
    PrincipalDerivatives<T> principal;
  };
  template <class T>
  AtStretches<T> at(const Vec3T<T>& s) const {
    const Values<T> v(*this, s);
    const auto slopes = [](const auto& c) { return Vec3T<T>{c[0].slope, c[1].slope, c[2].slope}; };
    const auto curvatures = [](const auto& c) {
      return Vec3T<T>{c[0].curvature, c[1].curvature, c[2].curvature};
    };
    return {
        v.stretch[0].value + v.stretch[1].value + v.stretch[2].value + v.area[0].value +
            v.area[1].value + v.area[2].value + v.volume[0].value,
        principal_of_valanis_landel(s, slopes(v.stretch), curvatures(v.stretch), slopes(v.area),
                                    curvatures(v.area), v.volume[0].slope, v.volume[0].curvature)};
  }
  template <class T>
  T energy(const Vec3T<T>& s) const {
    return at(s).energy;
  }
  template <class T>
  PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    return at(s).principal;
  }

  // Lamé's parameters of small strains [Pa].
  Real lame_mu() const {
    return Real((stretch.curvature_at_rest() + area.curvature_at_rest() + stretch.slope_at_rest() +
                 area.slope_at_rest()) /
                2);
  }
  Real lame_lambda() const {
    return Real(area.curvature_at_rest() + volume.curvature_at_rest() + area.slope_at_rest() +
                volume.slope_at_rest());
  }

 private:
  template <class T>
  struct Values {
    SplineCurve::Value<T> stretch[3], area[3], volume[1];

    Values(const PreparedSpline& m, const Vec3T<T>& s) {
      m.stretch.at<3, T>({s.x, s.y, s.z}, stretch);
      const T others[3] = {s.y * s.z, s.z * s.x, s.x * s.y};
      if (m.area.is_zero())
        for (auto& one : area) one = {T(0), T(0), T(0)};
      else
        m.area.at(others, area);
      m.volume.at<1, T>({s.x * others[0]}, volume);
    }
  };
};

struct Spline {
  static constexpr const char* kName = "spline";
  static constexpr const char* kDoc =
      "Drawn by hand: how lengths, areas and the volume resist being stretched, as curves through "
      "points, or rubber with more resistance to compression or tension. Not for the "
      "position-based solver.";
  static constexpr bool kElastic = true;
  static constexpr bool kRotationInvariant = true;
  static constexpr bool kNeedsRotation = false;
  static constexpr double kStiffening = 10;

  Real young = Real(1e5);     // Young's modulus E of the presets [Pa]
  Real poisson = Real(0.45);  // Poisson's ratio ν of the presets
  SplinePreset preset = SplinePreset::kNeoHookean;
  // Where σ, σⱼσₖ and J are `at`, f′, f₂′ and f₃′ by E/(2(1 + ν)). Empty: as in the preset.
  std::vector<CurvePoint> stretch = {}, area = {}, volume = {};

  template <class Visitor>
  void describe(Visitor& v) {
    describe_young(v, young);
    describe_poisson_from_zero(v, poisson);
    v.field("preset", preset,
            {.doc = "Curves to start from. The modified rubbers are several times as stiff "
                    "against large compression or tension, and the same at small strains"});
    v.field("stretch", stretch,
            {.doc = "f′ of Σ f(σ): pairs of a stretch and the slope of the energy there, by "
                    "E/(2(1 + ν)); 2 to 16, ascending; straight beyond the last. Instead of the "
                    "preset's, which is [[0, 0], [1, 1]] for neo_hookean"});
    v.field("area", area,
            {.doc = "The same for the products of two stretches; the presets have none"});
    v.field("volume", volume,
            {.doc = "The same for det F, the product of all three. At 1, stretch + 2 area + volume "
                    "must be 0"});
  }

  bool has_own_curves() const { return !stretch.empty() || !area.empty() || !volume.empty(); }

  // What is wrong with it as a whole; empty: nothing.
  std::string problem() const {
    for (const auto& [name, points] :
         {std::pair{"stretch", &stretch}, std::pair{"area", &area}, std::pair{"volume", &volume}}) {
      const std::string which = std::string(".") + name;
      if (points->size() == 1) return which + " has one point; give at least two, or none";
      if (points->size() > SplineCurve::kMostPoints)
        return which + " has " + std::to_string(points->size()) + " points; " +
               std::to_string(SplineCurve::kMostPoints) + " is the most";
      for (std::size_t i = 1; i < points->size(); ++i)
        if (!((*points)[i - 1].at < (*points)[i].at))
          return which + ": point " + std::to_string(i) +
                 " is not further on than the one before; put them in ascending order";
    }
    if (preset == SplinePreset::kNone && !has_own_curves())
      return " has no curves; give some, or take a preset";
    const PreparedSpline p = raw();
    const double unit = hooke_mu(young, poisson);
    const double left = stress_at_rest(p) / unit;
    const double size = std::abs(p.stretch.slope_at_rest()) + 2 * std::abs(p.area.slope_at_rest()) +
                        std::abs(p.volume.slope_at_rest());
    if (!(std::abs(left) <= 1e-3 * size / unit))
      return ": at rest the slopes stretch + 2 area + volume add up to " + std::to_string(left) +
             ", not to 0; lower the volume curve by that";
    const double mu = p.lame_mu(), lambda = p.lame_lambda();
    if (!(mu >= 0 && 3 * lambda + 2 * mu >= 0))
      return " is not stable at rest: its curves give small strains a shear modulus of " +
             std::to_string(mu) + " Pa and a bulk modulus of " +
             std::to_string(lambda + 2 * mu / 3) + " Pa; make them steeper about 1";
    return "";
  }

  // What kernels ask. Without stress at rest, which points can only be to some digits.
  PreparedSpline prepared() const {
    PreparedSpline p = raw();
    p.volume.raise(-stress_at_rest(p));
    return p;
  }

  // Energy density [J/m³] and derivatives by the stretches; from scratch each time.
  template <class T>
  T energy(const Vec3T<T>& s) const {
    return prepared().energy(s);
  }
  template <class T>
  PrincipalDerivatives<T> principal(const Vec3T<T>& s) const {
    return prepared().principal(s);
  }
  Real lame_mu() const { return prepared().lame_mu(); }
  Real lame_lambda() const { return prepared().lame_lambda(); }

 private:
  static double stress_at_rest(const PreparedSpline& p) {
    return p.stretch.slope_at_rest() + 2 * p.area.slope_at_rest() + p.volume.slope_at_rest();
  }

  PreparedSpline raw() const {
    const double unit = hooke_mu(young, poisson);
    const auto own = [&](const std::vector<CurvePoint>& points, const SplineCurve& otherwise) {
      return points.empty() ? otherwise : SplineCurve::through(points, unit);
    };
    return {own(stretch, preset_stretch()), own(area, {}), own(volume, preset_volume())};
  }

  SplineCurve preset_stretch() const {
    using Knots = std::vector<SplineCurve::Knot>;
    const double m = hooke_mu(young, poisson);
    constexpr double c = kStiffening;
    switch (preset) {
      case SplinePreset::kNone:
        return {};
      case SplinePreset::kNeoHookean:
        return SplineCurve(Knots{{1, m, m}});
      case SplinePreset::kStiffInCompression:
        return SplineCurve(Knots{{0, -c * m, (1 + 2 * c) * m}, {1, m, m}});
      case SplinePreset::kStiffInTension:
        return SplineCurve(Knots{{1, m, m}, {3, (3 + 4 * c) * m, (1 + 4 * c) * m}});
    }
    return {};
  }

  // Exact near rest, smooth further out, where the points lie far apart. From the last one on even
  // a body of ν = 0 no longer wants to become larger.
  SplineCurve preset_volume() const {
    if (preset == SplinePreset::kNone) return {};
    const double mu = hooke_mu(young, poisson), lambda = hooke_lambda(young, poisson);
    constexpr double kExact = 5;
    std::vector<SplineCurve::Knot> knots;
    for (double j : {0.2, 0.3, 0.45, 0.65, 0.8, 1.0, 1.25, 1.6, 2.2, 3.2, kExact, 9.0, 20.0, 60.0,
                     300.0, 2000.0})
      knots.push_back({j, (lambda * std::log(j) - mu) / j, 0});
    SplineCurve::smooth(knots);
    for (SplineCurve::Knot& k : knots)
      if (k.at <= kExact) k.curvature = (mu + lambda * (1 - std::log(k.at))) / (k.at * k.at);
    knots.back() = {knots.back().at, std::max(knots.back().slope, 0.0), 0};
    return SplineCurve(knots);
  }
};

}  // namespace sinew
