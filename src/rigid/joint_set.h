// All joints of a world: a value that can be copied. Joints of a kind lie together in packs
// (joint_batch.h); what is added, removed, put to sleep or relabelled takes effect in the next
// prepare(), which makes the packs anew and keeps the impulses of the joints that stay. Nothing is
// allocated while nothing changes.
//
// A substep: prepare(), then warm_start() if the bodies do not carry the impulses of the last one
// already, then solve() as often as there are iterations. Passes of correct() undo the errors that
// are left, by changes of BodyRows::way.
#pragma once

#include <sinew/joints.h>

#include <utility>

#include "rigid/joint_batch.h"

namespace sinew {

class JointSet {
 public:
  JointSet();
  ~JointSet();
  JointSet(const JointSet& other);
  JointSet(JointSet&&) noexcept;
  JointSet& operator=(const JointSet& other);
  JointSet& operator=(JointSet&&) noexcept;

  // Poses are those of the frames in which the bodies move, at their centres of mass; for the world
  // as b, a row that cannot move and the pose {}. Throws Error when a and b are the same.
  JointSlot add(const Joint& joint, BodyRow a, BodyRow b, const BodyPose<Real>& pose_a,
                const BodyPose<Real>& pose_b);
  void remove(JointSlot slot);

  // Joints that sleep are not solved, and keep their impulses.
  void set_active(JointSlot slot, bool active);
  // Bodies have moved to other rows: from i to to[i].
  void relabel(std::span<const BodyRow> to);
  // To be called when bodies began or ceased to be movable.
  void regroup();

  // Changes a motor that was there when the joint was added; of six_dof, that of an axis (0 to 2:
  // ways, 3 to 5: turns). Throws Error when there is none.
  void set_motor(JointSlot slot, const Motor& motor, int axis = 0);
  // Moves a nail. Throws Error when the joint is none.
  void set_place(JointSlot slot, const Vec3& place);

  void prepare(const BodyRows& bodies, Real h, const ScratchRows& scratch, Executor& executor);
  void warm_start(BodyRows& bodies, Executor& executor);
  // What the impulses as they are do to velocities, added to those given.
  void add_motion(std::vector<Row8<Real>>& velocity, Executor& executor);
  // A joint of bodies that were frozen: nothing that is not finite must stay in it.
  void renew(JointSlot slot);
  // Leaves of the impulses the share that both bodies have, by rows.
  void forget(std::span<const Real> left);
  // Adds what joints did in this substep to the sums of islands, by roots of rows, and to the books
  // of springs.
  void add_sums(const BodyRows& bodies, const std::vector<Row8<Real>>& held,
                std::span<const std::uint32_t> roots, std::span<IslandSums> sums);
  void solve(BodyRows& bodies, Executor& executor);
  // `share` of the error of each joint.
  void correct(BodyRows& bodies, Executor& executor, Real share = Real(0.4));

  JointState state(JointSlot slot) const;
  // Strength is a matter of whole steps: a substep more or less, sweeps that have not converged and
  // the first impulse of a new joint are no load. After every substep of h, the impulses of what
  // can break are added up; after the step of dt, the slots of joints are appended that carried
  // more than they bear on the average.
  void add_loads(Real h);
  void take_breaking(Real dt, std::vector<JointSlot>& out);

  // --- for those who solve equations of many joints together (direct_joints.h) ---
  // Changes whenever prepare() makes packs anew; places of rows are good until then.
  int builds() const;
  // Equations that say the same twice have wound up (direct_joints.h).
  void note_wound_up(JointSlot slot) { records_[slot].wound_up = true; }
  bool wound_up(JointSlot slot) const { return records_[slot].wound_up; }
  int kinds() const { return static_cast<int>(batches_.size()); }
  int kind(JointSlot slot) const { return records_[slot].kind; }
  // Appends the rows of a joint that are equations; none while it sleeps.
  void hard_rows(JointSlot slot, std::vector<RowPlace>& out) const;
  // Rows of one kind.
  void read_rows(int kind, std::span<const RowPlace> places, HardRow* rows,
                 HardError* errors) const;
  // Of joints, by one of their rows each.
  void read_arms(int kind, std::span<const RowPlace> places, HardArms* out) const;
  void read_impulses(int kind, std::span<const RowPlace> places, double* out) const;
  void add_impulses(int kind, std::span<const RowPlace> places, const double* impulse);
  // Whether solve() needs to go over these; all rows are swept at first.
  void set_swept(int kind, std::span<const RowPlace> places, bool swept);
  void sweep_all();

  // How many joints were added since it was last asked: they do not know their load yet.
  int take_fresh() { return std::exchange(fresh_, 0); }

  int size() const { return count_; }
  // Whether there is something to prepare: joints, or the packs of the last of them, which is gone.
  bool in_use() const { return count_ > 0 || last_removed_; }
  bool contains(JointSlot slot) const { return slot < records_.size() && records_[slot].kind >= 0; }
  // Gears and pulleys do: what they do to their two bodies does not add up to nothing.
  bool leans_on_world(JointSlot slot) const;
  // Whether it may give energy to its bodies: it has a motor or a spring, or is moved.
  bool drives(JointSlot slot) const { return records_[slot].drives; }
  // f(a, b, slot) for every joint, in the order of slots.
  template <class F>
  void for_each_pair(F&& f) const {
    for (JointSlot slot = 0; slot < records_.size(); ++slot)
      if (records_[slot].kind >= 0) f(records_[slot].a, records_[slot].b, slot);
  }

 private:
  struct Record {
    BodyRow a = 0, b = 0;
    int kind = -1;  // −1: free
    int item = 0;   // in the batch of its kind
    Real break_force = 0, break_torque = 0;
    Vec3 impulse = {}, twist = {};  // of the step so far, if it can break
    bool nail = false;
    bool drives = false;
    bool active = true;
    bool wound_up = false;  // as one of the equations of many

    bool breakable() const { return kind >= 0 && (break_force > 0 || break_torque > 0); }
  };

  JointBatch& batch(JointSlot slot) const;

  std::vector<std::unique_ptr<JointBatch>> batches_;  // one for each kind; none: no such joints yet
  std::vector<Record> records_;
  std::vector<JointSlot> free_;
  int count_ = 0, breakable_ = 0, fresh_ = 0;
  bool last_removed_ = false;  // and not prepared since
};

}  // namespace sinew
