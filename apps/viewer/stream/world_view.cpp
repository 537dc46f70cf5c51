#include "world_view.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "geometry/edges.h"
#include "surface_groups.h"

namespace sinew::viewer {
namespace {

template <class T>
std::size_t hash_of(const std::vector<T>& values) {
  return std::hash<std::string_view>{}(
      {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

std::vector<float> flat(std::span<const Vec3> points) {
  std::vector<float> numbers;
  numbers.reserve(3 * points.size());
  for (const Vec3& p : points)
    for (int k = 0; k < 3; ++k) numbers.push_back(static_cast<float>(p[k]));
  return numbers;
}

// The vertices that are in a triangle, ascending, and the triangles with the numbers they have
// among those.
std::vector<Index> compact(std::vector<Triangle>& triangles, std::size_t vertex_count) {
  std::vector<Index> place(vertex_count, 0), used;
  for (const Triangle& t : triangles)
    for (Index v : t) place[v] = 1;
  for (Index v = 0; v < vertex_count; ++v)
    if (place[v]) {
      place[v] = static_cast<Index>(used.size());
      used.push_back(v);
    }
  for (Triangle& t : triangles)
    for (Index& v : t) v = place[v];
  return used;
}

const char* shape_word(const BodyMesh& mesh) {
  if (std::holds_alternative<TriMesh>(mesh)) return "sheet";
  return std::holds_alternative<LineMesh>(mesh) ? "line" : "solid";
}

Real mass_of(std::span<const Particle> particles) {
  double mass = 0;
  for (const Particle& p : particles)
    if (p.inverse_mass > 0) mass += 1 / double(p.inverse_mass);
  return Real(mass);
}

RigidRecord record_of(std::uint32_t number, const RigidState& state) {
  const Vec3& x = state.pose.position;
  const Quat& q = state.pose.orientation;
  const auto part = [](Real c) {
    return static_cast<std::int16_t>(std::lround(std::clamp(c, Real(-1), Real(1)) * 32767));
  };
  return {number,
          state.asleep ? 1u : 0u,
          {float(x.x), float(x.y), float(x.z)},
          {part(q.x), part(q.y), part(q.z), part(q.w)}};
}

OverlayFrame overlay(const std::vector<Vec3>& points, std::size_t per_entry) {
  return {make_block(flat(points)), points.size() / per_entry};
}

OverlayFrame contacts_of(const World& world, double dt) {
  std::vector<Vec3> lines;  // a point, and the force there
  const double substep = dt / world.settings().rigid.substeps;
  for (const RigidContact& contact : world.rigid_contacts())
    for (int i = 0; i < contact.count; ++i) {
      lines.push_back(contact.point[i]);
      lines.push_back(contact.normal * Real(contact.impulse[i] / substep));
    }
  for (SoftId id : world.soft_bodies())
    for (const SoftContact& contact : world.soft_contacts(id)) {
      lines.push_back(contact.point);
      lines.push_back({});
    }
  return overlay(lines, 2);
}

OverlayFrame bounds_of(const World& world) {
  std::vector<Vec3> corners;
  const auto add = [&](const Bounds& b) {
    constexpr Real kFar = 1e4;  // [m]; planes have no end
    for (int k = 0; k < 3; ++k)
      if (!(b.lower[k] > -kFar && b.upper[k] < kFar)) return;
    corners.push_back(b.lower), corners.push_back(b.upper);
  };
  for (RigidId id : world.rigid_bodies()) add(world.bounds(id));
  for (SoftId id : world.soft_bodies()) add(world.bounds(id));
  return overlay(corners, 2);
}

}  // namespace

std::vector<float> vertex_means(const BodyMesh& mesh, std::span<const Real> cells) {
  return std::visit(
      [&](const auto& m) {
        std::vector<float> sum(m.vertices.size(), 0), count(m.vertices.size(), 0);
        for (std::size_t c = 0; c < m.cells.size(); ++c)
          for (Index v : m.cells[c]) sum[v] += float(cells[c]), count[v] += 1;
        for (std::size_t v = 0; v < sum.size(); ++v) sum[v] /= std::max(count[v], 1.0f);
        return sum;
      },
      mesh);
}

WorldView::WorldView(const Scene& scene, std::uint64_t epoch, const Numbers& numbers)
    : numbers_(numbers) {
  scene_.epoch = epoch;
  scene_.name = scene.path.stem().string();
  scene_.title = scene.name.empty() ? scene_.name : scene.name;
  scene_.description = scene.description;
  scene_.dt = double(scene.dt);
  scene_.gravity = scene.world.gravity;
  scene_.camera = scene.camera;
  publish();
}

void WorldView::publish() {
  scene_.bodies.clear();
  for (const Entry& e : entries_) scene_.bodies.push_back(e.description);
  table_ = std::make_shared<const SceneTable>(scene_);
}

std::uint32_t WorldView::add(const World& world, Id id, std::string pointer) {
  Entry entry{.description = {}, .id = id};
  BodyDescription d{.id = ++numbers_.body,
                    .kind = BodyKind::kSoft,
                    .name = {},
                    .pointer = std::move(pointer),
                    .colour = {}};
  if (const auto* rigid = std::get_if<RigidId>(&id)) {
    const RigidState state = world.state(*rigid);
    d.kind = state.is_static   ? BodyKind::kStatic
             : state.mass == 0 ? BodyKind::kKinematic
                               : BodyKind::kRigid;
    d.name = world.name(*rigid);
    d.colour = colours_.of(world, *rigid);
    d.mass = state.mass;
    d.pose = state.pose;
    d.mesh = mesh_of(world, *rigid);
  } else {
    const SoftId soft = std::get<SoftId>(id);
    d.name = world.name(soft);
    d.colour = colours_.next();
    d.mass = mass_of(world.particles(soft));
    d.shape = shape_word(world.rest_mesh(soft));
    add_surfaces(world, soft, entry, d);
  }
  const std::uint32_t number = d.id;
  entry.description = std::make_shared<const BodyDescription>(std::move(d));
  entries_.push_back(std::move(entry));
  publish();
  return number;
}

void WorldView::remove(std::uint32_t number) {
  std::erase_if(entries_, [&](const Entry& e) { return e.description->id == number; });
  publish();
}

void WorldView::add_joint(JointId id, const JointDescription& joint) {
  joints_.push_back(id);
  scene_.joints.push_back(joint);
  publish();
}

void WorldView::drop_broken_joints(const World& world) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (!world.contains(joints_[i])) continue;
    joints_[kept] = joints_[i];
    scene_.joints[kept++] = scene_.joints[i];
  }
  if (kept == joints_.size()) return;
  joints_.resize(kept);
  scene_.joints.resize(kept);
  publish();
}

void WorldView::set_timing(double dt, const Vec3& gravity) {
  scene_.dt = dt;
  scene_.gravity = gravity;
  publish();
}

// A lone plane has no end, and is drawn by the page as a floor; rigid bodies of the same shape
// share one mesh.
std::shared_ptr<const MeshDescription> WorldView::mesh_of(const World& world, RigidId id) {
  const std::span<const Part> parts = world.parts(id);
  if (parts.size() == 1 && std::holds_alternative<Plane>(parts[0].shape)) return nullptr;
  const TriMesh surface = visible_surface(world, id);
  const Block positions = make_block(flat(surface.vertices)), triangles = make_block(surface.cells);
  auto& alike = meshes_[hash_of(*positions) ^ (hash_of(*triangles) << 1)];
  for (const auto& mesh : alike)
    if (*mesh->positions == *positions && *mesh->triangles == *triangles) return mesh;
  return alike.emplace_back(std::make_shared<const MeshDescription>(MeshDescription{
      ++*numbers_.mesh, positions, triangles, surface.vertices.size(), surface.cells.size()}));
}

void WorldView::add_surfaces(const World& world, SoftId id, Entry& entry, BodyDescription& d) {
  const bool line = std::holds_alternative<LineMesh>(world.rest_mesh(id));
  const bool skinned = !world.skin(id).vertices.empty();
  const auto describe = [&](const Surface& surface, std::size_t vertices) {
    const std::vector<Segment> edges = edges_of(TriMesh{{}, surface.triangles});
    return SurfaceDescription{.stream = surface.number,
                              .vertices = vertices,
                              .triangles = make_block(surface.triangles),
                              .edges = make_block(edges),
                              .triangle_count = surface.triangles.size(),
                              .edge_count = edges.size()};
  };
  const auto add_simulated = [&](bool cage) {
    Surface s{.number = ++numbers_.stream, .is_cage = cage};
    s.triangles = world.surface(id).cells;
    const std::vector<std::uint8_t> groups =
        surface_groups(world.rest_mesh(id), s.triangles, world.cell_field(id, CellField::kColour));
    s.used = compact(s.triangles, world.particles(id).size());
    SurfaceDescription description = describe(s, s.used.size());
    description.groups = make_block(groups);
    entry.surfaces.push_back(std::move(s));
    return description;
  };
  if (!line && !skinned) {
    d.surface = add_simulated(false);
    return;
  }
  Surface s{.number = ++numbers_.stream};
  s.skin.emplace(world, id);
  s.triangles = s.skin->triangles();
  d.surface = describe(s, s.skin->vertices(world).size());
  entry.surfaces.push_back(std::move(s));
  if (skinned) d.cage = add_simulated(true);
}

const WorldView::Entry& WorldView::entry(std::uint32_t number) const {
  for (const Entry& e : entries_)
    if (e.description->id == number) return e;
  throw Error(fmt::format("there is no body {} any more", number));
}

WorldView::Id WorldView::find(std::uint32_t number) const { return entry(number).id; }

const std::string& WorldView::pointer(std::uint32_t number) const {
  return entry(number).description->pointer;
}

bool WorldView::is_solid(std::uint32_t number) const {
  return std::string_view(entry(number).description->shape) == "solid";
}

Vec3 WorldView::surface_point(const World& world, std::uint32_t number, std::uint32_t stream,
                              std::size_t triangle, const Vec3& weights) const {
  const Entry& e = entry(number);
  for (const Surface& s : e.surfaces) {
    if (s.number != stream) continue;
    if (triangle >= s.triangles.size())
      throw Error(fmt::format("body {} has no triangle {}", number, triangle));
    const Triangle& t = s.triangles[triangle];
    const SoftId id = std::get<SoftId>(e.id);
    const std::vector<Vec3> skin = s.skin ? s.skin->vertices(world) : std::vector<Vec3>{};
    Vec3 point{};
    for (int k = 0; k < 3; ++k)
      point += (s.skin ? skin[t[k]] : world.particles(id)[s.used[t[k]]].position) * weights[k];
    return point;
  }
  throw Error(fmt::format("body {} has no stream {}", number, stream));
}

std::span<const Vec3> WorldView::positions(const World& world, SoftId id, const Surface& surface) {
  if (surface.skin) {
    scratch_ = surface.skin->vertices(world);
    return scratch_;
  }
  const std::span<const Particle> particles = world.particles(id);
  scratch_.resize(surface.used.size());
  for (std::size_t i = 0; i < surface.used.size(); ++i)
    scratch_[i] = particles[surface.used[i]].position;
  return scratch_;
}

// Of every vertex that is drawn. Tubes about lines have as many rings as the line has vertices.
void WorldView::take_field(const World& world, SoftId id, CellField field, Surface& surface) {
  const BodyMesh& mesh = world.rest_mesh(id);
  const std::vector<float> at_vertices = vertex_means(mesh, world.cell_field(id, field));
  surface.field.assign(surface.stream.count(), 0);
  if (!surface.skin) {
    for (std::size_t i = 0; i < surface.used.size(); ++i)
      surface.field[i] = at_vertices[surface.used[i]];
    return;
  }
  if (std::holds_alternative<LineMesh>(mesh)) {
    for (std::size_t i = 0; i < surface.field.size(); ++i)
      surface.field[i] = at_vertices[i * at_vertices.size() / surface.field.size()];
    return;
  }
  if (!surface.embedding)
    std::visit(
        [&](const auto& m) {
          if constexpr (requires { embed(world.skin(id).vertices, m); })
            surface.embedding =
                std::make_shared<const Embedding>(embed(world.skin(id).vertices, m));
        },
        mesh);
  const Embedding& e = *surface.embedding;
  const std::size_t corners = static_cast<std::size_t>(e.corners);
  for (std::size_t i = 0; i < e.size(); ++i)
    for (std::size_t k = 0; k < corners; ++k)
      surface.field[i] +=
          float(e.weights[corners * i + k]) * at_vertices[e.vertices[corners * i + k]];
}

// One scale for all bodies. That of stress and strain ends at what is the most, and falls slowly
// after a peak, so that colours do not flicker; that of volumes is always the same.
std::optional<FieldScale> WorldView::scale_field(CellField field, Frame& frame) {
  FieldScale scale{"strain", "", 0, 1};
  if (field == CellField::kStress) scale = {"stress", "Pa", 0, 1};
  if (field == CellField::kVolume) scale = {"volume", "", -1, 3};
  double top = 0;
  for (const Entry& e : entries_)
    for (const Surface& s : e.surfaces)
      for (float value : s.field)
        if (std::isfinite(value)) top = std::max(top, double(std::abs(value)));
  if (field != CellField::kVolume) {
    field_top_ = std::max({top, 0.98 * field_top_, 1e-6});
    scale.max = field_top_;
  }
  const double steps = 255 / (scale.max - scale.min);
  for (StreamFrame& stream : frame.streams)
    for (Entry& e : entries_)
      for (Surface& s : e.surfaces) {
        if (s.number != stream.stream || s.field.size() != stream.count) continue;
        std::vector<std::uint8_t> bytes(s.field.size());
        for (std::size_t i = 0; i < bytes.size(); ++i)
          bytes[i] = std::uint8_t(
              std::lround(std::clamp((double(s.field[i]) - scale.min) * steps, 0.0, 255.0)));
        stream.field = make_block(bytes);
      }
  return scale;
}

Frame WorldView::take(const World& world, const Show& show) {
  drop_broken_joints(world);
  Frame frame{.scene = table_, .step = world.step_count(), .time = world.time()};
  for (Entry& e : entries_) {
    if (const auto* rigid = std::get_if<RigidId>(&e.id)) {
      const RigidState state = world.state(*rigid);
      if (!state.is_static) frame.rigid.push_back(record_of(e.description->id, state));
      continue;
    }
    const SoftId id = std::get<SoftId>(e.id);
    for (Surface& s : e.surfaces) {
      if (s.is_cage && !show.cage) continue;
      s.stream.update(positions(world, id, s));
      if (show.field)
        take_field(world, id, *show.field, s);
      else
        s.field.clear();
      frame.streams.push_back({.stream = s.number,
                               .origin = s.stream.origin(),
                               .cell = s.stream.cell(),
                               .vertices = s.stream.block(),
                               .count = s.stream.count()});
    }
  }
  if (show.field) frame.field = scale_field(*show.field, frame);
  if (show.contacts) frame.contacts = contacts_of(world, scene_.dt);
  if (show.bounds) frame.bounds = bounds_of(world);
  if (show.joints) {
    std::vector<Vec3> points;
    for (JointId id : joints_) {
      const JointState state = world.state(id);
      points.push_back(state.point_a), points.push_back(state.point_b);
    }
    frame.joints = overlay(points, 2);
  }
  return frame;
}

}  // namespace sinew::viewer
