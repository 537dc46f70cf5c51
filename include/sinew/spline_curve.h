// A function of one number, given by its slope at a few places: what Valanis and Landel's materials
// are made of (sinew/materials/spline.h). The slope is a cubic between neighbouring places, smooth
// at them, and straight beyond the last. The value is its exact integral, zero at 1.
//
// The curve is kept as pieces that are told from 1 outwards, each with the distance u by which x is
// past its near end. Let t be u, held within the piece. Then
//   f′(x) = f′(1) + Σ S(t),   S(t) = c₁t + c₂t² + c₃t³
//   f(x) = f′(1)(x − 1) + Σ ±(∫S dt + S(h) (u − t)),   f″(x) = f″(1) + Σ ±(S′(t) − c₁)
// because a piece that lies behind x adds what it rose by, and one that lies ahead adds nothing. So
// there is no looking up of pieces, near rest nothing cancels, and packs of numbers go outwards
// only as far as one of them does.
#pragma once

#include <sinew/math.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace sinew {

// Of a curve in a scene file: where, and how steep the energy is there.
struct CurvePoint {
  Real at, slope;
};

class SplineCurve {
 public:
  static constexpr int kMostPoints = 16;

  // A point of the curve: f′ and f″ at x.
  struct Knot {
    double at, slope, curvature;
  };
  template <class T>
  struct Value {
    T value, slope, curvature;
  };

  SplineCurve() = default;  // zero

  // `knots` ascend; between two of them f′ is the cubic that has their slopes and curvatures. At
  // most kMostPoints.
  explicit SplineCurve(std::span<const Knot> knots) {
    if (knots.empty()) return;
    std::vector<Knot> all(knots.begin(), knots.end());
    const std::size_t rest = insert(all, 1.0);
    slope_at_rest_ = Real(all[rest].slope);
    curvature_at_rest_ = Real(all[rest].curvature);
    for (std::size_t i = rest; i + 1 < all.size(); ++i) add(all[i], all[i + 1], 1);
    above_ = count_;
    for (std::size_t i = rest; i > 0; --i) add(all[i], all[i - 1], -1);
    // Where the points fall towards an end it goes on level: it must not fall for ever.
    upper_ = {Real(all.back().at), Real(std::max(all.back().curvature, 0.0))};
    lower_ = {Real(all.front().at), Real(std::max(all.front().curvature, 0.0))};
  }

  // Sets the curvatures at knots that ascend after Fritsch and Butland, "A method for constructing
  // local monotone piecewise cubic interpolants", 1984: where the slopes rise, so does the curve,
  // and nowhere does it overshoot them.
  static void smooth(std::span<Knot> knots) {
    const std::size_t n = knots.size();
    const auto width = [&](std::size_t i) { return knots[i + 1].at - knots[i].at; };
    const auto rise = [&](std::size_t i) {
      return (knots[i + 1].slope - knots[i].slope) / width(i);
    };
    if (n == 2) knots[0].curvature = knots[1].curvature = rise(0);
    if (n <= 2) return;
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const double left = rise(i - 1), right = rise(i);
      const double w = (1 + width(i) / (width(i - 1) + width(i))) / 3;
      knots[i].curvature = left * right > 0 ? left * right / (w * right + (1 - w) * left) : 0;
    }
    knots[0].curvature = at_end(rise(0), knots[1].curvature);
    knots[n - 1].curvature = at_end(rise(n - 2), knots[n - 2].curvature);
  }

  // The smooth curve through points that ascend. `unit` is that of their slopes.
  static SplineCurve through(std::span<const CurvePoint> points, double unit) {
    std::vector<Knot> knots;
    for (const CurvePoint& p : points) knots.push_back({double(p.at), unit * double(p.slope), 0});
    smooth(knots);
    return SplineCurve(knots);
  }

  bool is_zero() const { return slope_at_rest_ == 0 && curvature_at_rest_ == 0 && count_ == 0; }
  double slope_at_rest() const { return slope_at_rest_; }
  double curvature_at_rest() const { return curvature_at_rest_; }
  // The same slope everywhere is added.
  void raise(double slope) { slope_at_rest_ = Real(double(slope_at_rest_) + slope); }

  // At all of x.
  template <int N, class T>
  void at(const T (&x)[N], Value<T> (&out)[N]) const {
    for (int i = 0; i < N; ++i)
      out[i] = {T(slope_at_rest_) * (x[i] - T(1)), T(slope_at_rest_), T(curvature_at_rest_)};
    add_pieces(piece_, piece_ + above_, x, out);
    add_pieces(piece_ + above_, piece_ + count_, x, out);
    for (int i = 0; i < N; ++i) {
      go_on(x[i] - T(upper_.at), T(upper_.curvature), T(1), out[i]);
      go_on(T(lower_.at) - x[i], T(lower_.curvature), T(-1), out[i]);
    }
  }

 private:
  // How far beyond its last point the curve goes on along its tangent; further out, f′ is constant.
  // Or else the volume of an element thrown a million times its size, 1e18, would overflow floats
  // when it is squared.
  static constexpr Real kReach = 1000;

  struct Piece {
    Real sign, start, width;  // u = sign·x − start
    Real c1, c2, c3, rise;    // rise = S(width)
  };
  struct End {
    Real at, curvature;
  };

  // Those of one side, outwards until none of x is past the near end.
  template <int N, class T>
  static void add_pieces(const Piece* piece, const Piece* end, const T (&x)[N],
                         Value<T> (&out)[N]) {
    for (; piece != end; ++piece) {
      const Piece& p = *piece;
      const T sign(p.sign), start(p.start), width(p.width), c1(p.c1), c2(p.c2), c3(p.c3);
      const T rise(p.rise), third(Real(1.0 / 3));
      T u[N], furthest(0);
      for (int i = 0; i < N; ++i) {
        u[i] = max(x[i] * sign - start, T(0));
        furthest = max(furthest, u[i]);
      }
      if (!any(furthest > T(0))) return;  // NaN is passed over here, but not by the value
      for (int i = 0; i < N; ++i) {
        const T t = min(u[i], width), c3t = c3 * t;
        out[i].slope += t * (c1 + t * (c2 + c3t));
        out[i].curvature += sign * t * (c2 + c2 + T(3) * c3t);
        out[i].value +=
            sign * (t * t * (T(Real(0.5)) * c1 + t * (third * c2 + T(Real(0.25)) * c3t)) +
                    rise * (u[i] - t));
      }
    }
  }

  // The curvature at an end, from the rise of the points there and the curvature at the next one.
  static double at_end(double rise, double next) {
    const double curvature = 1.5 * rise - 0.5 * next;
    return curvature * rise > 0 ? curvature : 0;
  }

  // A knot at x that changes nothing, if there is none; returns its place.
  static std::size_t insert(std::vector<Knot>& knots, double x) {
    const auto next =
        std::find_if(knots.begin(), knots.end(), [&](const Knot& k) { return k.at >= x; });
    const std::size_t place = static_cast<std::size_t>(next - knots.begin());
    if (next != knots.end() && next->at == x) return place;
    Knot one;
    if (next == knots.begin() || next == knots.end()) {
      const Knot& end = next == knots.begin() ? knots.front() : knots.back();
      one = {x, end.slope + end.curvature * (x - end.at), end.curvature};
    } else {
      const Knot& from = *(next - 1);
      const Cubic c(from, *next, 1);
      const double t = x - from.at;
      one = {x, from.slope + t * (c.c1 + t * (c.c2 + t * c.c3)),
             c.c1 + t * (2 * c.c2 + 3 * t * c.c3)};
    }
    knots.insert(next, one);
    return place;
  }

  // S from one knot to another, which lies in the direction of `sign`.
  struct Cubic {
    double width, c1, c2, c3;
    Cubic(const Knot& from, const Knot& to, int sign) {
      width = sign * (to.at - from.at);
      const double mean = (to.slope - from.slope) / width;
      const double here = sign * from.curvature, there = sign * to.curvature;
      c1 = here;
      c2 = (3 * mean - 2 * here - there) / width;
      c3 = (here + there - 2 * mean) / (width * width);
    }
  };

  void add(const Knot& from, const Knot& to, int sign) {
    const Cubic c(from, to, sign);
    piece_[count_++] = {
        Real(sign), Real(sign * from.at),       Real(c.width), Real(c.c1), Real(c.c2),
        Real(c.c3), Real(to.slope - from.slope)};
  }

  // Beyond the last point, by `past` if that is positive.
  template <class T>
  static void go_on(const T& past, const T& curvature, const T& sign, Value<T>& v) {
    if (!any(past > T(0))) return;
    const T u = max(past, T(0)), t = min(u, T(kReach));
    v.slope += sign * curvature * t;
    v.value += curvature * t * (u - T(Real(0.5)) * t);
    const T level = select(u < T(kReach), curvature, T(Real(0)));
    v.curvature = select(past > T(0), level, v.curvature);
  }

  Real slope_at_rest_ = 0, curvature_at_rest_ = 0;
  int count_ = 0, above_ = 0;
  Piece piece_[kMostPoints] = {};  // those above 1, then those below
  End upper_ = {}, lower_ = {};
};

}  // namespace sinew
