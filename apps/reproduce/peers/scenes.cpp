#include "reproduce/peers/scenes.h"

#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

namespace sinew {
namespace {

constexpr Real kPi = std::numbers::pi_v<Real>;
constexpr Surface kSmooth{.friction = Real(0.2)};

Pose at(const Vec3& position, const Quat& orientation = {}) { return {position, orientation}; }

void add_ground(Stage& stage, const Surface& surface) {
  stage.add(GroundForm{}, {.density = 0, .surface = surface});
}

// A link between two points of the world as the bodies are placed now.
Placed::Link link(const Stage& stage, int a, int b, const Vec3& point_a, const Vec3& point_b,
                  double scale) {
  const auto local = [&](int i, const Vec3& point) {
    return i == kWorld ? point : stage.items()[i].start.pose.to_local(point);
  };
  return {a, b, local(a, point_a), local(b, point_b), double(length(point_a - point_b)), scale};
}

// Numbers between 0 and 1 that are the same everywhere (Knuth's linear congruences).
class Random {
 public:
  Real operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return Real(state_ >> 40) / Real(1 << 24);
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v{2 * (*this)() - 1, 2 * (*this)() - 1, 2 * (*this)() - 1};
      if (const Real n = length(v); n > Real(0.1) && n < 1) return v / n;
    }
  }
  Quat orientation() { return Quat::from_axis_angle(direction(), 2 * kPi * (*this)()); }

 private:
  std::uint64_t state_ = 12345;
};

// Points on an ellipsoid, so that each is a corner, in pairs ±p, so that the origin is the centre
// of mass. The first three pairs are near the axes, so that none is flat.
HullForm random_hull(Random& random) {
  const int pairs = 6 + static_cast<int>(random() * Real(4.999));
  Vec3 radii;
  for (int k = 0; k < 3; ++k) radii[k] = Real(0.4) + Real(0.15) * random();
  std::vector<Vec3> points;
  for (int i = 0; i < pairs; ++i) {
    Vec3 p = random.direction();
    if (i < 3) {
      Vec3 axis{};
      axis[i] = 1;
      p = normalized(axis + p * Real(0.3));
    }
    p = {p.x * radii.x, p.y * radii.y, p.z * radii.z};
    points.push_back(p);
    points.push_back(-p);
  }
  return {solid_of(points)};
}

}  // namespace

Placed build_tower(Stage& stage, int rings, int cubes_per_ring) {
  add_ground(stage, kSmooth);
  const Real half = Real(0.5);
  const Real radius = Real(1.3) * Real(cubes_per_ring) * half / kPi;
  for (int ring = 0; ring < rings; ++ring)
    for (int i = 0; i < cubes_per_ring; ++i) {
      const Real angle = (2 * Real(i) + Real(ring % 2)) * kPi / Real(cubes_per_ring);
      const Vec3 place{std::sin(angle) * radius, half * Real(2 * ring + 1),
                       std::cos(angle) * radius};
      stage.add(BoxForm{{half, half, half}},
                {.pose = at(place, Quat::from_axis_angle({0, 1, 0}, angle)), .surface = kSmooth});
    }
  return {.fall = half};
}

Placed build_pyramid(Stage& stage, int layers) {
  add_ground(stage, kSmooth);
  for (int layer = 0; layer < layers; ++layer) {
    const int side = layers - layer;
    for (int i = 0; i < side; ++i)
      for (int k = 0; k < side; ++k)
        stage.add(
            BoxForm{{1, 1, 1}},
            {.pose = at({Real(2 * i - side + 1), Real(2 * layer + 1), Real(2 * k - side + 1)}),
             .surface = kSmooth});
  }
  return {.fall = 1};
}

Placed build_column(Stage& stage, int cubes, Real ratio) {
  add_ground(stage, kSmooth);
  const Real half = Real(0.5);
  for (int i = 0; i < cubes; ++i)
    stage.add(BoxForm{{half, half, half}}, {.pose = at({0, half + Real(i), 0}),
                                            .density = i + 1 == cubes ? 1000 * ratio : Real(1000),
                                            .surface = kSmooth});
  return {.fall = half, .watched = cubes};
}

Placed build_net(Stage& stage, int side, Real ball_density, Real fall) {
  const Real spacing = Real(0.2), knot = Real(0.05), ball = Real(0.5);
  const Real half = spacing * Real(side - 1) / 2;
  const Real sag = half / 3, height = sag + 2;
  add_ground(stage, {});
  const int first = static_cast<int>(stage.items().size());
  std::vector<Vec3> places;
  for (int i = 0; i < side; ++i)
    for (int k = 0; k < side; ++k) {
      const Real x = spacing * Real(i) - half, z = spacing * Real(k) - half;
      const Real u = x / half, v = z / half;
      places.push_back({x, height - sag * (1 - u * u) * (1 - v * v), z});
      const bool border = i == 0 || k == 0 || i + 1 == side || k + 1 == side;
      stage.add(SphereForm{knot}, {.pose = at(places.back()), .density = Real(border ? 0 : 1000)});
    }
  Placed placed{.fall = 1 + fall};
  const auto join = [&](int i, int k) {
    if (!stage.items()[first + i].moves()) std::swap(i, k);
    const int a = first + i, b = first + k;
    if (!stage.items()[a].moves()) return;
    stage.add_distance(a, b, places[i], places[k]);
    placed.links.push_back(
        link(stage, a, b, places[i], places[k], double(length(places[i] - places[k]))));
  };
  for (int i = 0; i < side; ++i)
    for (int k = 0; k < side; ++k) {
      if (k + 1 < side) join(i * side + k, i * side + k + 1);
      if (i + 1 < side) join(i * side + k, (i + 1) * side + k);
    }
  placed.watched =
      stage.add(SphereForm{ball},
                {.pose = at({0, height - sag + knot + ball + fall, 0}), .density = ball_density});
  return placed;
}

Placed build_chain(Stage& stage, int links, Real ratio) {
  const Real pitch = Real(0.4), radius = Real(0.05), half_height = Real(0.13);
  const Real lean = kPi / 6;
  const Quat turn = Quat::from_axis_angle({0, 0, 1}, lean);
  const Vec3 down = turn.rotate({0, -1, 0});
  const Vec3 top{0, pitch * Real(links) + 3, 0};
  const CapsuleForm capsule{radius, half_height};
  Placed placed{.fall = std::numeric_limits<Real>::infinity()};
  const auto join = [&](int a, int b, const Vec3& anchor) {
    stage.add_ball_joint(a, b, anchor);
    placed.links.push_back(link(stage, a, b, anchor, anchor, double(pitch)));
  };
  int last = kWorld;
  for (int i = 0; i < links; ++i) {
    const Vec3 anchor = top + down * (pitch * Real(i));
    const int next = stage.add(capsule, {.pose = at(anchor + down * (pitch / 2), turn)});
    join(next, last, anchor);
    last = next;
  }
  const SphereForm ball{Real(0.5)};
  const Real density = Real(1000 * double(ratio) * volume(capsule) / volume(ball));
  const Vec3 end = top + down * (pitch * Real(links));
  placed.watched = stage.add(
      ball, {.pose = at(end + down * (ball.radius + Real(0.05)), turn), .density = density});
  join(placed.watched, last, end);
  return placed;
}

Placed build_wall(Stage& stage, int rows, int bricks_per_row) {
  add_ground(stage, {});
  const Vec3 half{Real(0.2), Real(0.1), Real(0.1)};
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < bricks_per_row; ++i) {
      const Real x =
          (Real(2 * i - bricks_per_row + 1) + (row % 2 ? Real(0.5) : Real(-0.5))) * half.x;
      stage.add(BoxForm{half}, {.pose = at({x, half.y * Real(2 * row + 1), 0})});
    }
  const Real radius = Real(0.6);
  Placed placed{.fall = 1};
  placed.watched = stage.add(
      SphereForm{radius},
      {.pose = at({0, Real(rows) * half.y, -2}), .density = 2000, .velocity = {0, 0, 15}});
  return placed;
}

// Cards stand on their lower inner edges and touch with their upper inner ones, so that all loads
// go down through edges that are above each other.
Placed build_card_house(Stage& stage, int storeys) {
  const Surface rough{.friction = Real(0.8)};
  add_ground(stage, rough);
  const Vec3 half{Real(0.01), Real(0.5), Real(0.35)};
  const Real lean = kPi / 9, s = std::sin(lean), c = std::cos(lean);
  const Real gap = Real(0.004);  // between neighbours of a storey
  const Real from_middle = half.y * s + half.x * c, raised = half.y * c + half.x * s;
  const Real pitch = 4 * from_middle + gap;
  Real floor = 0;
  for (int storey = 0; storey < storeys; ++storey) {
    const int pairs = storeys - storey;
    for (int i = 0; i < pairs; ++i) {
      const Real x = (Real(i) - Real(pairs - 1) / 2) * pitch;
      for (const Real side : {Real(-1), Real(1)})
        stage.add(BoxForm{half}, {.pose = at({x + side * from_middle, floor + raised, 0},
                                             Quat::from_axis_angle({0, 0, 1}, side * lean)),
                                  .surface = rough});
    }
    floor += 2 * raised;
    for (int i = 0; i + 1 < pairs; ++i) {
      const Real x = (Real(i) - Real(pairs - 2) / 2) * pitch;
      stage.add(BoxForm{{(pitch - gap) / 2, half.x, half.z}},
                {.pose = at({x, floor + half.x, 0}), .surface = rough});
    }
    floor += 2 * half.x;
  }
  return {.fall = Real(0.1)};
}

Placed build_convex_pile(Stage& stage, int count) {
  add_ground(stage, {});
  constexpr Real kInner = 4, kHeight = 10;
  for (const Real side : {Real(-1), Real(1)}) {
    stage.add(BoxForm{{1, kHeight, kInner + 2}},
              {.pose = at({side * (kInner + 1), kHeight, 0}), .density = 0});
    stage.add(BoxForm{{kInner, kHeight, 1}},
              {.pose = at({0, kHeight, side * (kInner + 1)}), .density = 0});
  }
  Random random;
  constexpr int kAcross = 6;
  constexpr Real kPitch = Real(1.25);
  const auto across = [](int i) { return (Real(i) - Real(kAcross - 1) / 2) * kPitch; };
  for (int i = 0; i < count; ++i) {
    const Vec3 place{across(i % kAcross), 1 + Real(1.1) * Real(i / (kAcross * kAcross)),
                     across(i / kAcross % kAcross)};
    HullForm hull = random_hull(random);
    stage.add(std::move(hull), {.pose = at(place, random.orientation())});
  }
  return {.fall = std::numeric_limits<Real>::infinity()};
}

}  // namespace sinew
