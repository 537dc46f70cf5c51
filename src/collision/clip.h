// Clipping of a polygon (or segment) that touches a reference face against the sides of that face,
// in the plane of the face (Sutherland and Hodgman, "Reentrant polygon clipping", 1974).
//
// Each edge of the polygon carries a label: that of the incident feature it belongs to, or of the
// side that cut it. A corner made by a cut is named after the two edges that meet there, so names
// depend on what touches and not on where, and stay the same from step to step.
#pragma once

#include <sinew/math.h>

#include <cstdint>
#include <span>

namespace sinew {

struct ClipPoint {
  Real u, v;           // in the plane of the reference face [m]
  Real height;         // above it [m]
  std::uint32_t id;    // of this corner
  std::uint32_t edge;  // label of the edge to the next corner
};

// Keeps u·x + v·y ≤ offset.
struct ClipSide {
  Real u, v, offset;
  std::uint32_t label;
};

template <int kCapacity>
struct ClipPolygon {
  ClipPoint* point = buffer[0];
  int count = 0;
  ClipPoint buffer[2][kCapacity];  // clipping goes to and fro between them

  ClipPolygon() = default;
  ClipPolygon(const ClipPolygon&) = delete;
  ClipPolygon& operator=(const ClipPolygon&) = delete;
};

// One number of two; not symmetric. Multiplication by odd numbers loses nothing.
inline std::uint32_t mix(std::uint32_t a, std::uint32_t b) {
  return a * 0x9E3779B1u + (b ^ (b >> 15)) * 0x85EBCA77u;
}
// The same for both directions of an edge.
inline std::uint32_t edge_label(std::uint32_t a, std::uint32_t b) {
  return a < b ? (a << 16 | b) : (b << 16 | a);
}
// Where edges of two shapes, or two sides of one, meet; the same in both orders.
inline std::uint32_t crossing_id(std::uint32_t a, std::uint32_t b) {
  return a < b ? mix(a, b) : mix(b, a);
}
constexpr std::uint32_t kSideLabel = 0x80008000u;  // added to edge labels of reference faces

inline ClipPoint cut(const ClipPoint& a, const ClipPoint& b, Real da, Real db,
                     const ClipSide& side) {
  const Real s = da / (da - db);  // one is inside and one is not: da ≠ db
  return {a.u + s * (b.u - a.u), a.v + s * (b.v - a.v), a.height + s * (b.height - a.height),
          crossing_id(a.edge, side.label), 0};
}

template <int kCapacity>
void clip(ClipPolygon<kCapacity>& polygon, const ClipSide& side) {
  if (polygon.count == 0) return;
  const auto past = [&](const ClipPoint& p) { return side.u * p.u + side.v * p.v - side.offset; };
  const ClipPoint* from = polygon.point;
  ClipPoint* to = from == polygon.buffer[0] ? polygon.buffer[1] : polygon.buffer[0];
  int kept = 0;
  const ClipPoint* last = from + polygon.count - 1;
  Real past_last = past(*last);
  for (int i = 0; i < polygon.count; ++i) {
    const Real past_this = past(from[i]);
    if ((past_last > 0) != (past_this > 0) && kept < kCapacity) {
      to[kept] = cut(*last, from[i], past_last, past_this, side);
      to[kept++].edge = past_this > 0 ? side.label : last->edge;
    }
    // Capacity can only run out where rounding made more corners than geometry allows.
    if (!(past_this > 0) && kept < kCapacity) to[kept++] = from[i];
    last = from + i;
    past_last = past_this;
  }
  polygon.point = to;
  polygon.count = kept;
}

// Drops corners that are higher than `margin`.
template <int kCapacity>
void drop_high(ClipPolygon<kCapacity>& polygon, Real margin) {
  int kept = 0;
  for (int i = 0; i < polygon.count; ++i)
    if (polygon.point[i].height <= margin) polygon.point[kept++] = polygon.point[i];
  polygon.count = kept;
}

// Cuts the segment from points[0] to points[1]. How many are left: 2, or 0.
int clip_segment(ClipPoint (&points)[2], std::span<const ClipSide> sides);

// Four points (fewer, if there are no more) that span nearly the largest area, with the deepest one
// among them. Points that are equally deep but for rounding do not take turns.
int choose_four(const ClipPoint* points, int count, int (&chosen)[4]);

}  // namespace sinew
