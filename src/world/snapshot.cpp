// Going back in time. A world is a value that can be copied (WorldState), but for what the batches
// and energies of soft bodies remember: those are large and nearly constant, so that a snapshot
// shares them with the world, and keeps what changes in them as bytes.
#include <sinew/error.h>

#include "world/world_impl.h"

namespace sinew {

struct Snapshot::Data {
  std::shared_ptr<const char> world;  // World::Impl::identity
  WorldState state;
  std::vector<std::byte> shared;  // what changes in what its soft bodies share with the world
};

namespace {

// Attachments first: energies look there.
void visit_shared(const WorldState& world, StateBytes& state) {
  world.soft.for_each([&](SoftId, const SoftRuntime& body) {
    state(body.attachments->place, body.attachments->low, body.attachments->origin);
    state(body.spheres->place, body.spheres->low);
    for (const auto& batch : body.batches) state(*batch);
    if (body.variational) state(*body.variational);
  });
}

}  // namespace

double Snapshot::time() const { return data_ ? data_->state.time : 0; }

Snapshot World::snapshot() const {
  StateBytes bytes;
  visit_shared(*impl_, bytes);
  Snapshot snapshot;
  snapshot.data_ =
      std::make_shared<const Snapshot::Data>(Snapshot::Data{impl_->identity, *impl_, bytes.take()});
  return snapshot;
}

void World::restore(const Snapshot& snapshot) {
  if (!snapshot.data_)
    throw Error("the snapshot is empty; take one by World::snapshot(), and restore that");
  const Snapshot::Data& data = *snapshot.data_;
  if (data.world != impl_->identity)
    throw Error(
        "the snapshot is one of another world, with which it shares its soft bodies; restore that "
        "world, or build this one anew");
  static_cast<WorldState&>(*impl_) = data.state;
  StateBytes bytes(data.shared);
  visit_shared(*impl_, bytes);
  SINEW_ASSERT(bytes.done());
}

}  // namespace sinew
