#include "snr_recorder.h"

#include "scene_bodies.h"

namespace sinew::viewer {

SnrRecorder::SnrRecorder(const std::filesystem::path& path, const Scene& scene, const World& world)
    : file_(path), view_(scene, 1, {}) {
  add_scene_bodies(scene, world, view_);
  const std::uint32_t version[] = {1, 0};
  file_.stream().write("SINEWREC", 8);
  file_.stream().write(reinterpret_cast<const char*>(version), sizeof version);
}

void SnrRecorder::write(const Message& message) {
  const auto length = static_cast<std::uint32_t>(message.size());
  std::ostream& out = file_.stream();
  out.write(reinterpret_cast<const char*>(&length), sizeof length);
  out.write(message.head().data(), std::streamsize(message.head().size()));
  for (const Block& block : message.blocks())
    out.write(reinterpret_cast<const char*>(block->data()), std::streamsize(block->size()));
}

void SnrRecorder::add_frame(const World& world, double step_ms) {
  Frame frame = view_.take(world, {});
  Json stats = Json::object();
  if (step_ms > 0) stats["step_ms"] = step_ms;
  const Energy energy = world.energy();
  stats["energy"] = {
      {"kinetic", energy.kinetic}, {"gravity", energy.gravity}, {"elastic", energy.elastic}};
  const ContactState contacts = world.contacts();
  stats["contacts"] = contacts.count + contacts.rigid_count;
  stats["penetration"] = contacts.penetration_max;
  stats["asleep"] = contacts.asleep;
  frame.stats = std::make_shared<const Json>(std::move(stats));
  if (const std::optional<Message> scene = scene_message(frame.scene, known_)) write(*scene);
  write(frame_message(frame, known_, ++frames_));
}

}  // namespace sinew::viewer
