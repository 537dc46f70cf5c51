#include "rigid/joint_set.h"

#include <sinew/error.h>

#include "core/format.h"
#include "rigid/joint_kinds.h"

namespace sinew {
namespace {

// Looks for motors and springs among the fields of a joint, and of its axes.
struct DriveFinder {
  bool found = false;

  template <class T>
  void field(const char*, T& value, const FieldInfo&) {
    if constexpr (std::is_same_v<T, std::optional<Motor>> ||
                  std::is_same_v<T, std::optional<Spring>>)
      found = found || value.has_value();
    else if constexpr (std::is_same_v<T, std::optional<JointAxis>>)
      if (value) value->describe(*this);
  }
};
template <class J>
bool has_drive(J joint) {
  DriveFinder finder;
  joint.describe(finder);
  return finder.found;
}

}  // namespace

JointSet::JointSet() : batches_(JointKinds::kCount) {}
JointSet::~JointSet() = default;
JointSet::JointSet(JointSet&&) noexcept = default;
JointSet& JointSet::operator=(JointSet&&) noexcept = default;

JointSet::JointSet(const JointSet& other)
    : batches_(other.batches_.size()),
      records_(other.records_),
      free_(other.free_),
      count_(other.count_),
      breakable_(other.breakable_),
      fresh_(other.fresh_),
      last_removed_(other.last_removed_) {
  for (std::size_t i = 0; i < batches_.size(); ++i)
    if (other.batches_[i]) batches_[i] = other.batches_[i]->clone();
}
JointSet& JointSet::operator=(const JointSet& other) { return *this = JointSet(other); }

JointBatch& JointSet::batch(JointSlot slot) const {
  if (!contains(slot)) throw Error(formatted("there is no joint in slot {}", slot));
  return *batches_[records_[slot].kind];
}

JointSlot JointSet::add(const Joint& joint, BodyRow a, BodyRow b, const BodyPose<Real>& pose_a,
                        const BodyPose<Real>& pose_b) {
  if (a == b)
    throw Error("a joint holds a body to itself; give two different bodies, or one and the world");
  const JointSlot slot = free_.empty() ? static_cast<JointSlot>(records_.size()) : free_.back();
  Record record{.a = a, .b = b};
  std::visit(
      [&]<class J>(const J& one) {
        record.break_force = one.break_force;
        record.break_torque = one.break_torque;
        record.nail = std::is_same_v<J, NailJoint>;
        record.drives = has_drive(one);
        with_rows(one, [&]<class E>() {
          record.kind = kKindIndex<E>;
          std::unique_ptr<JointBatch>& place = batches_[record.kind];
          if (!place) place = std::make_unique<RowBatch<E>>();
          record.item =
              static_cast<RowBatch<E>&>(*place).add(slot, a, b, E::parameters(one, pose_a, pose_b));
        });
      },
      joint);
  if (free_.empty())
    records_.push_back(record);
  else
    free_.pop_back(), records_[slot] = record;
  ++count_;
  ++fresh_;
  if (record.breakable()) ++breakable_;
  return slot;
}

void JointSet::remove(JointSlot slot) {
  JointBatch& of = batch(slot);
  Record& record = records_[slot];
  if (record.breakable()) --breakable_;
  const int item = record.item;
  records_[of.remove(item)].item = item;
  record = {};
  free_.push_back(slot);
  last_removed_ = --count_ == 0;
}

void JointSet::set_active(JointSlot slot, bool active) {
  batch(slot).set_active(records_[slot].item, active);
  records_[slot].active = active;
}

void JointSet::relabel(std::span<const BodyRow> to) {
  for (Record& record : records_)
    if (record.kind >= 0) record.a = to[record.a], record.b = to[record.b];
  for (auto& one : batches_)
    if (one) one->relabel(to);
}

void JointSet::regroup() {
  for (auto& one : batches_)
    if (one) one->regroup();
}

void JointSet::set_motor(JointSlot slot, const Motor& motor, int axis) {
  if (!batch(slot).set_motor(records_[slot].item, axis, motor))
    throw Error(formatted(
        "the joint has no motor on axis {}; add it with one, of which max_force may be small",
        axis));
}

void JointSet::set_place(JointSlot slot, const Vec3& place) {
  JointBatch& of = batch(slot);
  if (!records_[slot].nail) throw Error("only nails have a place in the world; the joint is none");
  of.set_place(records_[slot].item, place);
  records_[slot].drives = true;
}

void JointSet::prepare(const BodyRows& bodies, Real h, const ScratchRows& scratch,
                       Executor& executor) {
  last_removed_ = false;
  for (auto& one : batches_)
    if (one) one->prepare(bodies, h, scratch, executor);
}
void JointSet::warm_start(BodyRows& bodies, Executor& executor) {
  add_motion(bodies.velocity, executor);
}
void JointSet::add_motion(std::vector<Row8<Real>>& velocity, Executor& executor) {
  for (auto& one : batches_)
    if (one) one->warm_start(velocity, executor);
}
void JointSet::renew(JointSlot slot) {
  batch(slot).renew(records_[slot].item);
  records_[slot].impulse = records_[slot].twist = {};
}
void JointSet::forget(std::span<const Real> left) {
  for (auto& one : batches_)
    if (one) one->forget(left);
}
void JointSet::add_sums(const BodyRows& bodies, const std::vector<Row8<Real>>& held,
                        std::span<const std::uint32_t> roots, std::span<IslandSums> sums) {
  for (const auto& one : batches_)
    if (one) one->add_sums(bodies, held, roots, sums);
}
void JointSet::solve(BodyRows& bodies, Executor& executor) {
  for (auto& one : batches_)
    if (one) one->solve(bodies, executor);
}
void JointSet::correct(BodyRows& bodies, Executor& executor, Real share) {
  for (auto& one : batches_)
    if (one) one->correct(bodies, share, executor);
}

bool JointSet::leans_on_world(JointSlot slot) const {
  const int kind = records_[slot].kind;
  return kind == kKindIndex<GearRows> || kind == kKindIndex<PulleyRows>;
}

int JointSet::builds() const {
  int sum = 0;
  for (const auto& one : batches_)
    if (one) sum += one->builds();
  return sum;
}
void JointSet::hard_rows(JointSlot slot, std::vector<RowPlace>& out) const {
  batch(slot).hard_rows(records_[slot].item, out);
}
void JointSet::read_rows(int kind, std::span<const RowPlace> places, HardRow* rows,
                         HardError* errors) const {
  batches_[kind]->read_rows(places, rows, errors);
}
void JointSet::read_arms(int kind, std::span<const RowPlace> places, HardArms* out) const {
  batches_[kind]->read_arms(places, out);
}
void JointSet::read_impulses(int kind, std::span<const RowPlace> places, double* out) const {
  batches_[kind]->read_impulses(places, out);
}
void JointSet::add_impulses(int kind, std::span<const RowPlace> places, const double* impulse) {
  batches_[kind]->add_impulses(places, impulse);
}
void JointSet::set_swept(int kind, std::span<const RowPlace> places, bool swept) {
  batches_[kind]->set_swept(places, swept);
}
void JointSet::sweep_all() {
  for (auto& one : batches_)
    if (one) one->sweep_all();
}

JointState JointSet::state(JointSlot slot) const { return batch(slot).state(records_[slot].item); }

void JointSet::add_loads(Real h) {
  if (breakable_ == 0) return;
  for (JointSlot slot = 0; slot < records_.size(); ++slot) {
    Record& r = records_[slot];
    if (!r.breakable() || !r.active) continue;
    const JointState now = state(slot);
    r.impulse += now.force * h;
    r.twist += now.torque * h;
  }
}

void JointSet::take_breaking(Real dt, std::vector<JointSlot>& out) {
  if (breakable_ == 0) return;
  for (JointSlot slot = 0; slot < records_.size(); ++slot) {
    Record& r = records_[slot];
    if (!r.breakable()) continue;
    if ((r.break_force > 0 && length(r.impulse) > r.break_force * dt) ||
        (r.break_torque > 0 && length(r.twist) > r.break_torque * dt))
      out.push_back(slot);
    r.impulse = r.twist = {};
  }
}

}  // namespace sinew
