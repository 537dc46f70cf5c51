#include "plan.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr ViewFrame kWorld{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// Where the picture is taken from and how large things are.
struct Stage {
  View view;
  Vec3d origin;         // middle of what is framed
  double radius;        // of what is framed [m]
  double floor_radius;  // beyond it there is only backdrop [m]
  double distance;      // from the eye to the origin [m]
};

Vec4f vec4(const Vec3d& v, double w = 0) { return {float(v.x), float(v.y), float(v.z), float(w)}; }

Vec3d plane_normal(const PicturePlane& plane, std::size_t index) {
  const Vec3d normal = normalized(to_double(plane.normal));
  if (!drawable(plane.point) || !drawable(plane.normal) || !(length(normal) > 0.5))
    throw Error(fmt::format(
        "picture floor {}: the point must be finite and the normal a direction, not zero", index));
  return normal;
}

ViewFrame frame_of_plane(const Vec3d& normal) {
  return ViewFrame::looking(normal, std::fabs(normal.y) > 0.9 ? Vec3d{0, 0, -1} : Vec3d{0, 1, 0});
}

// Frames the points and, a few radii deep at most, the room between them and the floor, so that
// what is in the air is seen with its shadow.
View automatic_view(const PictureScene& scene, std::span<const Vec3d> framed, double aspect) {
  std::vector<Vec3d> points(framed.begin(), framed.end());
  if (!scene.floors.empty()) {
    const Vec3d normal = plane_normal(scene.floors[0], 0);
    const double floor = dot(normal, to_double(scene.floors[0].point));
    const ViewFrame upright = frame_of_plane(normal);
    const Box3d box = box_of(framed, upright);
    const double drop = std::clamp(box.lower.z - floor, 0.0, 4 * box.radius());
    for (const double x : {box.lower.x, box.upper.x})
      for (const double y : {box.lower.y, box.upper.y})
        if (drop > 0) points.push_back(upright.to_world({x, y, box.lower.z - drop}));
  }
  return framing_view(points, aspect);
}

Stage set_stage(const PictureScene& scene, std::span<const Vec3d> framed, double aspect) {
  constexpr double kFloorReach = 9, kFloorView = 3.2;
  const Box3d box = box_of(framed, kWorld);
  Stage stage{scene.camera ? camera_view(*scene.camera) : automatic_view(scene, framed, aspect),
              box.center(), 0, 0, 0};
  stage.distance = length(stage.view.eye - stage.origin);
  stage.radius = std::max({box.radius(), stage.distance * 1e-3, 1e-6});
  stage.floor_radius = std::max(kFloorReach * stage.radius, kFloorView * stage.distance);
  return stage;
}

// A map of depths seen along a frame: the matrix that draws it, and the one that looks things up.
struct DepthView {
  Mat4 clip, texture;
  Vec4f metres;
};

DepthView depth_view(const ViewFrame& frame, const Box3d& box, const Vec3d& origin, int size) {
  const Mat4 clip = orthographic(frame, box, origin);
  Mat4 texture = clip;  // -1..1 becomes 0..1
  for (std::size_t i = 0; i < texture.size(); ++i)
    if (i % 4 != 3) texture[i] = clip[i] * 0.5f + (i >= 12 ? 0.5f : 0.0f);
  const Vec3d metres = box.upper - box.lower;
  return {clip, texture, vec4(metres, std::max(metres.x, metres.y) / size)};
}

Box3d padded(const Box3d& box, double sideways, double depth) {
  const Vec3d pad{sideways, sideways, depth};
  return {box.lower - pad, box.upper + pad};
}

void plan_camera(const Stage& stage, double aspect, int height, FrameBlock& frame) {
  const Vec3d eye = stage.view.eye - stage.origin;
  const double depth = std::max(dot(eye, stage.view.frame.back), stage.distance * 0.1);
  frame.clip = perspective(stage.view, stage.origin, aspect, std::max(depth * 0.02, 1e-6),
                           2 * (stage.distance + stage.floor_radius));
  frame.eye = vec4(eye);
  frame.up = vec4(kWorld.up);
  // Squares of a power of ten metres, some two to twenty across the scene.
  const double cell = std::pow(10.0, std::floor(std::log10(2 * stage.radius)));
  Vec3d checker;
  for (int i = 0; i < 3; ++i) checker[i] = -std::remainder(stage.origin[i], 2 * cell);
  frame.checker = vec4(checker, cell);
  frame.extent = {float(stage.radius), float(stage.floor_radius), float(height),
                  float(0.09 * stage.radius)};
}

// The light comes from above, from the left of the camera and a little from behind it, so that
// shadows fall where they are seen.
void plan_light(const Stage& stage, std::span<const Vec3d> framed, PicturePlan& plan) {
  const ViewFrame& camera = stage.view.frame;
  const Vec3d to_light = normalized(camera.right * -0.75 + camera.back * 0.2 + kWorld.up);
  const ViewFrame light = ViewFrame::looking(to_light, camera.right);
  const Box3d box = padded(box_of(framed, light), 0.1 * stage.radius, 0.02 * stage.radius);
  const DepthView map = depth_view(light, box, stage.origin, kShadowMapSize);
  plan.shadow_clip = map.clip;
  plan.frame.shadow = map.texture;
  plan.frame.shadow_metres = map.metres;
  plan.frame.to_light = vec4(to_light);
}

void plan_contacts(const Stage& stage, const PicturePlane& floor, std::span<const Vec3d> framed,
                   PicturePlan& plan) {
  const ViewFrame below = frame_of_plane(-plane_normal(floor, 0));
  Box3d column = padded(box_of(framed, below), 0.25 * stage.radius, 0.01 * stage.radius);
  column.upper.z = dot(below.back, to_double(floor.point));
  column.lower.z = std::min(column.lower.z, column.upper.z - stage.radius);
  const DepthView map = depth_view(below, column, stage.origin, kContactMapSize);
  plan.contact_clip = map.clip;
  plan.frame.contact = map.texture;
  plan.frame.contact_metres = map.metres;
}

Vertex to_vertex(const Vec3d& position, const Vec3d& normal) {
  return {{float(position.x), float(position.y), float(position.z)},
          {float(normal.x), float(normal.y), float(normal.z)}};
}

// A square as large as the floor can be seen; none when the eye is behind it.
void add_floor(const Stage& stage, const PicturePlane& floor, std::size_t index,
               PicturePlan& plan) {
  const Vec3d normal = plane_normal(floor, index);
  const double height = dot(normal, to_double(floor.point) - stage.origin);
  if (dot(normal, stage.view.eye - stage.origin) <= height) return;
  const ViewFrame frame = frame_of_plane(normal);
  const double half = stage.floor_radius;
  plan.batches.push_back({Look::kFloor, {}, false, true, index == 0, int(plan.vertices.size()), 6});
  for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}})
    plan.vertices.push_back(to_vertex(frame.to_world({x * half, y * half, height}), normal));
}

}  // namespace

PicturePlan make_plan(const PictureScene& scene, int width, int height) {
  std::vector<std::vector<SurfaceCorner>> surfaces;
  std::vector<Vec3d> framed;
  for (const PictureBody& body : scene.bodies) {
    surfaces.push_back(surface_corners(body));
    if (body.look == Look::kFloor) continue;
    for (const SurfaceCorner& c : surfaces.back()) framed.push_back(to_double(c.position));
  }
  if (framed.empty()) framed = {{-0.5, 0, -0.5}, {0.5, 1, 0.5}};

  const double aspect = double(width) / height;
  const Stage stage = set_stage(scene, framed, aspect);
  PicturePlan plan;
  plan_camera(stage, aspect, height, plan.frame);
  plan_light(stage, framed, plan);
  if (!scene.floors.empty()) plan_contacts(stage, scene.floors[0], framed, plan);

  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    const PictureBody& body = scene.bodies[i];
    plan.batches.push_back({body.look, body.colour, body.wire, false, false,
                            int(plan.vertices.size()), int(surfaces[i].size())});
    for (const SurfaceCorner& c : surfaces[i])
      plan.vertices.push_back(to_vertex(to_double(c.position) - stage.origin, to_double(c.normal)));
  }
  for (std::size_t i = 0; i < scene.floors.size(); ++i) add_floor(stage, scene.floors[i], i, plan);
  return plan;
}

}  // namespace sinew
