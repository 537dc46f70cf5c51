#include "frame.h"

namespace sinew::viewer {
namespace {

template <class T>
Json triple(const Vec3T<T>& v) {
  return Json::array({v.x, v.y, v.z});
}

Json pose_json(const Pose& pose) {
  const Vec3& x = pose.position;
  const Quat& q = pose.orientation;
  return Json::array({x.x, x.y, x.z, q.x, q.y, q.z, q.w});
}

const char* word(BodyKind kind) {
  switch (kind) {
    case BodyKind::kStatic:
      return "static";
    case BodyKind::kKinematic:
      return "kinematic";
    case BodyKind::kRigid:
      return "rigid";
    case BodyKind::kSoft:
      return "soft";
  }
  return "";
}

Json surface_json(const SurfaceDescription& s, Message& message) {
  Json json{{"stream", s.stream}, {"vertices", s.vertices}};
  if (s.triangles) json["triangles"] = message.add(s.triangles, s.triangle_count);
  if (s.edges) json["edges"] = message.add(s.edges, s.edge_count);
  if (s.groups) json["groups"] = message.add(s.groups, s.triangle_count);
  return json;
}

Json body_json(const BodyDescription& body, Message& message) {
  Json json{{"id", body.id},
            {"kind", word(body.kind)},
            {"name", body.name},
            {"pointer", body.pointer},
            {"colour", triple(body.colour)}};
  if (body.mass > 0) json["mass"] = body.mass;
  if (body.kind == BodyKind::kSoft) {
    json["shape"] = body.shape;
    if (body.surface) json["surface"] = surface_json(*body.surface, message);
    if (body.cage) json["cage"] = surface_json(*body.cage, message);
  } else {
    json["pose"] = pose_json(body.pose);
    if (body.mesh)
      json["mesh"] = body.mesh->id;
    else
      json["plane"] = true;
  }
  return json;
}

Json camera_json(const std::optional<Camera>& camera) {
  if (!camera) return nullptr;
  return {{"eye", triple(camera->eye)},
          {"target", triple(camera->target)},
          {"fov_deg", camera->fov_deg}};
}

Json overlay_json(const OverlayFrame& overlay, Message& message) {
  return message.add(overlay.block, overlay.count);
}

void add_rigid(const Frame& frame, Known& known, Message& message, Json& header) {
  std::vector<RigidRecord> changed;
  for (const RigidRecord& record : frame.rigid) {
    const auto [it, is_new] = known.rigid.try_emplace(record.id, record);
    if (!is_new && it->second == record) continue;
    it->second = record;
    changed.push_back(record);
  }
  if (!changed.empty()) header["rigid"] = message.add(make_block(changed), changed.size());
}

void add_streams(const Frame& frame, Known& known, Message& message, Json& header) {
  Json list = Json::array();
  for (const StreamFrame& s : frame.streams) {
    Block& last = known.vertices[s.stream];
    if (last == s.vertices) continue;
    last = s.vertices;
    Json json{{"stream", s.stream}, {"origin", triple(s.origin)}, {"cell", s.cell}};
    json.update(message.add(s.vertices, s.count));
    list.push_back(std::move(json));
  }
  if (!list.empty()) header["soft"] = std::move(list);
}

void add_field(const Frame& frame, Known& known, Message& message, Json& header) {
  if (!frame.field) return;
  Json list = Json::array();
  for (const StreamFrame& s : frame.streams) {
    Block& last = known.fields[s.stream];
    if (!s.field || last == s.field) continue;
    last = s.field;
    Json json{{"stream", s.stream}};
    json.update(message.add(s.field, s.count));
    list.push_back(std::move(json));
  }
  header["field"] = {{"name", frame.field->name},
                     {"unit", frame.field->unit},
                     {"min", frame.field->min},
                     {"max", frame.field->max},
                     {"streams", std::move(list)}};
}

}  // namespace

std::optional<Message> scene_message(const std::shared_ptr<const SceneTable>& scene, Known& known) {
  if (known.scene == scene) return std::nullopt;
  const bool whole = !known.scene || known.scene->epoch != scene->epoch;
  if (whole) known = {};
  known.scene = scene;

  Message message;
  Json bodies = Json::array(), meshes = Json::array(), joints = Json::array(),
       removed = Json::array();
  // What is gone first: its number may be another body's by now, when time was turned back.
  std::map<std::uint32_t, std::shared_ptr<const BodyDescription>> present;
  for (const auto& body : scene->bodies) present.emplace(body->id, body);
  for (auto it = known.bodies.begin(); it != known.bodies.end();) {
    const auto now = present.find(it->first);
    if (now != present.end() && now->second == it->second) {
      ++it;
      continue;
    }
    removed.push_back(it->first);
    known.rigid.erase(it->first);
    it = known.bodies.erase(it);
  }
  for (const auto& body : scene->bodies) {
    if (!known.bodies.emplace(body->id, body).second) continue;
    if (body->mesh && known.meshes.insert(body->mesh->id).second)
      meshes.push_back(
          {{"mesh", body->mesh->id},
           {"positions", message.add(body->mesh->positions, body->mesh->vertex_count)},
           {"triangles", message.add(body->mesh->triangles, body->mesh->triangle_count)}});
    bodies.push_back(body_json(*body, message));
  }
  for (const JointDescription& joint : scene->joints)
    joints.push_back({{"kind", joint.kind}, {"a", joint.a}, {"b", joint.b}});
  // Streams of what comes back are told anew: there are few, and told once.
  if (!bodies.empty()) known.vertices.clear(), known.fields.clear();

  Json header{{"whole", whole},
              {"name", scene->name},
              {"title", scene->title},
              {"description", scene->description},
              {"dt", scene->dt},
              {"gravity", triple(scene->gravity)},
              {"camera", camera_json(scene->camera)},
              {"removed", std::move(removed)},
              {"meshes", std::move(meshes)},
              {"bodies", std::move(bodies)},
              {"joints", std::move(joints)}};
  message.finish("SCEN", header);
  return message;
}

Message frame_message(const Frame& frame, Known& known, std::uint64_t number,
                      std::optional<double> echo) {
  Message message;
  Json header{{"frame", number}, {"step", frame.step}, {"time", frame.time}};
  if (echo) header["echo"] = *echo;
  add_rigid(frame, known, message, header);
  add_streams(frame, known, message, header);
  add_field(frame, known, message, header);
  if (frame.contacts) header["contacts"] = overlay_json(*frame.contacts, message);
  if (frame.joints) header["joints"] = overlay_json(*frame.joints, message);
  if (frame.bounds) header["bounds"] = overlay_json(*frame.bounds, message);
  if (frame.pins) header["pins"] = overlay_json(*frame.pins, message);
  Json grabs = Json::array();
  for (const GrabFrame& grab : frame.grabs)
    grabs.push_back({{"client", grab.client},
                     {"body", grab.body},
                     {"point", triple(grab.point)},
                     {"place", triple(grab.place)},
                     {"force", triple(grab.force)}});
  if (!grabs.empty()) header["grabs"] = std::move(grabs);
  if (frame.stats && frame.stats != known.stats) header["stats"] = *frame.stats;
  known.stats = frame.stats;
  message.finish("FRAM", header);
  return message;
}

}  // namespace sinew::viewer
