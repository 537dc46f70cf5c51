// All joints of one kind: a list of them, and packs made of it, sorted by colour. No two joints of
// a colour share a body that can move, so packs of a colour may run side by side. Lanes that are
// left over in a colour's last pack repeat its first joint, and so write the same values.
#pragma once

#include <sinew/joint_state.h>
#include <sinew/mesh.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "rigid/hard_rows.h"
#include "rigid/row_solver.h"

namespace sinew {

using JointSlot = std::uint32_t;

// Rows that take what is written for bodies that cannot move: one for each block of a parallel
// loop, so that no two threads write the same.
struct ScratchRows {
  BodyRow first = 0;
  int count = 1;

  friend bool operator==(const ScratchRows&, const ScratchRows&) = default;
};

// What constraints did in an island (joint_memory.h).
struct IslandSums {
  double along = 0, own = 0;  // λᵀ(Jv₀ + b) and λᵀAλ of a substep [J]
  double work = 0;            // of springs, motors and what is moved, in the step so far [J]
};

class JointBatch {
 public:
  virtual ~JointBatch() = default;
  virtual std::unique_ptr<JointBatch> clone() const = 0;

  // Returns the slot of the joint that took its place, or of the removed one itself.
  virtual JointSlot remove(int item) = 0;
  virtual void set_active(int item, bool active) = 0;
  virtual void relabel(std::span<const BodyRow> to) = 0;
  virtual void regroup() = 0;
  // False: it has no motor there, or no place.
  virtual bool set_motor(int item, int axis, const Motor& motor) = 0;
  virtual bool set_place(int item, const Vec3& place) = 0;
  virtual JointState state(int item) const = 0;

  virtual void prepare(const BodyRows& bodies, Real h, const ScratchRows& scratch,
                       Executor& executor) = 0;
  // Adds what the impulses do to `velocity`.
  virtual void warm_start(std::vector<Row8<Real>>& velocity, Executor& executor) = 0;
  // Forgets what it did and remembers, as if it were new: its numbers are not finite any more.
  virtual void renew(int item) = 0;
  // Leaves of the impulses the share that both bodies have.
  virtual void forget(std::span<const Real> left) = 0;
  // Adds what its rows did in this substep to the sums of islands, beyond ⟨δ, v₀⟩ and ⟨δ, δ⟩, and
  // keeps the books of springs.
  virtual void add_sums(const BodyRows& bodies, const std::vector<Row8<Real>>& held,
                        std::span<const std::uint32_t> roots, std::span<IslandSums> sums) = 0;
  virtual void solve(BodyRows& bodies, Executor& executor) = 0;
  virtual void correct(BodyRows& bodies, Real share, Executor& executor) = 0;

  // Appends the rows of a joint in use that are equations: neither springs nor motors nor ranges.
  virtual void hard_rows(int item, std::vector<RowPlace>& out) const = 0;
  virtual void read_rows(std::span<const RowPlace> places, HardRow* rows,
                         HardError* errors) const = 0;
  virtual void read_arms(std::span<const RowPlace> places, HardArms* out) const = 0;
  virtual void read_impulses(std::span<const RowPlace> places, double* out) const = 0;
  virtual void add_impulses(std::span<const RowPlace> places, const double* impulse) = 0;
  // Rows that are swept, or not; packs without any are left out by solve().
  virtual void set_swept(std::span<const RowPlace> places, bool swept) = 0;
  virtual void sweep_all() = 0;
  // Places of rows are good while this stays.
  virtual int builds() const = 0;
};

template <class E, class W = Wide>
class RowBatch final : public JointBatch {
 public:
  static constexpr int kN = kWidth<W>, kRows = E::kBlock + E::kLoose;
  using Parameters = typename E::template Parameters<Real>;

  std::unique_ptr<JointBatch> clone() const override { return std::make_unique<RowBatch>(*this); }

  int add(JointSlot slot, BodyRow a, BodyRow b, const Parameters& parameters) {
    items_.push_back({.slot = slot, .a = a, .b = b, .parameters = parameters});
    changed_ = true;
    return static_cast<int>(items_.size()) - 1;
  }
  JointSlot remove(int item) override {
    const JointSlot last = items_.back().slot;
    items_[item] = items_.back();
    items_.pop_back();
    changed_ = true;
    return last;
  }
  void set_active(int item, bool active) override {
    changed_ = changed_ || items_[item].active != active;
    items_[item].active = active;
  }
  void relabel(std::span<const BodyRow> to) override {
    for (Item& item : items_) item.a = to[item.a], item.b = to[item.b];
    changed_ = true;
  }
  void regroup() override { changed_ = true; }

  bool set_motor(int item, int axis, const Motor& motor) override {
    if constexpr (requires(Parameters & p) { E::drive(p, 0); }) {
      Parameters p = parameters(items_[item]);
      Drive<Real>* drive = E::drive(p, axis);
      if (drive) *drive = drive_of(motor), set(items_[item], p);
      return drive != nullptr;
    } else {
      return (void)item, (void)axis, (void)motor, false;
    }
  }
  bool set_place(int item, const Vec3& place) override {
    if constexpr (requires(Parameters & p) { E::move(p, place); }) {
      Parameters p = parameters(items_[item]);
      E::move(p, place);
      set(items_[item], p);
      refill(items_[item]);
      return true;
    } else {
      return (void)item, (void)place, false;
    }
  }

  JointState state(int item) const override;

  void prepare(const BodyRows& bodies, Real h, const ScratchRows& scratch,
               Executor& executor) override;
  void warm_start(std::vector<Row8<Real>>& velocity, Executor& executor) override {
    sweep(executor, [&](int i) SINEW_FLATTEN { warm_start_joints<E, W>(packs_[i], velocity); });
  }
  void renew(int item) override;
  void forget(std::span<const Real> left) override {
    for (JointPack<E, W>& p : packs_) {
      W share(Real(1));
      for (int l = 0; l < kN; ++l) set_lane(share, l, std::min(left[p.a[l]], left[p.b[l]]));
      for (auto& row : p.block) row.impulse *= share;
      for (auto& row : p.loose) row.impulse *= share;
    }
  }
  void add_sums(const BodyRows& bodies, const std::vector<Row8<Real>>& held,
                std::span<const std::uint32_t> roots, std::span<IslandSums> sums) override;
  void solve(BodyRows& bodies, Executor& executor) override {
    sweep(executor, [&](int i) SINEW_FLATTEN {
      if (is_swept(i)) solve_joints<E, W>(packs_[i], bodies);
    });
  }
  void correct(BodyRows& bodies, Real share, Executor& executor) override {
    sweep(executor, [&](int i) SINEW_FLATTEN {
      correct_joints<E, W>(packs_[i], backs_[i], bodies, W(share));
    });
  }

  void hard_rows(int item, std::vector<RowPlace>& out) const override;
  void read_rows(std::span<const RowPlace> places, HardRow* rows, HardError* errors) const override;
  void read_arms(std::span<const RowPlace> places, HardArms* out) const override;
  void read_impulses(std::span<const RowPlace> places, double* out) const override;
  void add_impulses(std::span<const RowPlace> places, const double* impulse) override;
  void set_swept(std::span<const RowPlace> places, bool swept) override {
    for (const RowPlace& at : places) unswept_[at.pack] += swept ? -1 : 1;
  }
  void sweep_all() override { unswept_.assign(packs_.size(), 0); }
  int builds() const override { return builds_; }

  const std::vector<JointPack<E, W>>& packs() const { return packs_; }

 private:
  struct Item {
    JointSlot slot = 0;
    BodyRow a = 0, b = 0;
    bool active = true;
    int pack = -1, lane = 0;  // −1: in none; then these are its own
    Parameters parameters = {};
    std::array<Real, kRows> impulse = {};  // of the rows as they are, not the orthogonal ones
    JointState last = {};                  // before it went to sleep
    Real stored = -1;                      // by its springs [J]; below 0: they are new
  };
  static constexpr int kBlock = std::max(8, 256 / kRows);  // packs, some 10 µs of work

  // f(pack) for every pack, colour after colour.
  template <class F>
  void sweep(Executor& executor, F&& f) {
    for (std::size_t c = 0; c + 1 < colour_begin_.size(); ++c) {
      const int first = colour_begin_[c], count = colour_begin_[c + 1] - first;
      parallel_for(executor, count, block_size(count), [&](int begin, int end) {
        for (int i = begin; i < end; ++i) f(first + i);
      });
    }
  }
  int block_size(int packs) const {
    return std::max(kBlock, (packs + scratch_.count - 1) / scratch_.count);
  }

  Parameters parameters(const Item& item) const {
    return item.pack < 0 ? item.parameters : parameters_of(backs_[item.pack].parameters, item.lane);
  }
  // In all lanes that are this joint.
  void set(Item& item, const Parameters& p) {
    item.parameters = p;
    if (item.pack < 0) return;
    for (int lane = 0; lane < kN; ++lane)
      if (lane == item.lane || (item.lane == 0 && lane >= used_[item.pack]))
        set_parameters(backs_[item.pack].parameters, lane, p);
  }

  // Its springs hold what they do at their errors.
  void refill(Item& item) {
    item.stored = -1;
    if (item.pack < 0) return;
    for (int lane = 0; lane < kN; ++lane)
      if (lane == item.lane || (item.lane == 0 && lane >= used_[item.pack]))
        set_lane(backs_[item.pack].refill, lane, Real(1));
  }

  bool is_swept(int pack) const { return unswept_[pack] < used_[pack] * kRows; }
  // Is the row of a pack an equation?
  bool is_hard(const RowPlace& at) const;
  // f(state) with that of a row.
  template <class Pack, class F>
  static void with_row(Pack& p, int row, F&& f) {
    if constexpr (E::kBlock > 0)
      if (row < E::kBlock) return f(p.block[row]);
    if constexpr (E::kLoose > 0) f(p.loose[row - E::kBlock]);
  }

  void unpack();
  void build(const BodyRows& bodies);
  std::vector<int> colours(const BodyRows& bodies, std::span<const int> active) const;
  void fill_lane(int pack, int lane, const Item& item);
  void set_writes(const BodyRows& bodies);

  std::vector<Item> items_;
  std::vector<JointPack<E, W>> packs_;
  std::vector<JointBack<E, W>> backs_;  // of the packs
  std::vector<int> used_;               // lanes of each pack
  std::vector<int> unswept_;            // rows of each pack that others solve
  std::vector<int> colour_begin_;       // first pack of each colour, and the end
  ScratchRows scratch_;
  Real h_ = 0;            // of the last substep
  bool changed_ = false;  // since the packs were made
  int builds_ = 0;        // how often they were
};

inline bool is_movable(const Row8<Real>& inverse_mass) {
  for (int i = 0; i < 7; ++i)
    if (inverse_mass.c[i] != 0) return true;
  return false;
}

// What packs know back to the list.
template <class E, class W>
void RowBatch<E, W>::unpack() {
  for (Item& item : items_) {
    if (item.pack < 0) continue;
    item.parameters = parameters(item);
    item.last = state(static_cast<int>(&item - items_.data()));
    W impulse[kRows];
    row_solver::get_impulses(packs_[item.pack], impulse);
    row_solver::to_plain(backs_[item.pack], impulse);
    for (int i = 0; i < kRows; ++i) item.impulse[i] = lane(impulse[i], item.lane);
    const JointBack<E, W>& back = backs_[item.pack];
    item.stored = lane(back.refill, item.lane) > 0 ? Real(-1) : lane(back.stored, item.lane);
    item.pack = -1;
  }
}

// Zero in a lane of numbers that lie one after the other.
template <class T>
void clear_lane(T* numbers, std::size_t count, int lane) {
  for (std::size_t i = 0; i < count; ++i) set_lane(numbers[i], lane, Real(0));
}

// Parameters go back to when packs were last made: what a joint remembers among them (whole turns)
// may not be finite, either.
template <class E, class W>
void RowBatch<E, W>::renew(int index) {
  Item& item = items_[index];
  item.impulse = {};
  item.last = {};
  refill(item);
  if (item.pack < 0) return;
  set(item, Parameters(item.parameters));
  JointPack<E, W>& p = packs_[item.pack];
  JointBack<E, W>& back = backs_[item.pack];
  for (int lane = 0; lane < kN; ++lane) {
    if (lane != item.lane && !(item.lane == 0 && lane >= used_[item.pack])) continue;
    if constexpr (E::kBlock > 0)
      clear_lane(reinterpret_cast<W*>(p.block.data()), sizeof(p.block) / sizeof(W), lane);
    if constexpr (E::kLoose > 0)
      clear_lane(reinterpret_cast<W*>(p.loose.data()), sizeof(p.loose) / sizeof(W), lane);
    clear_lane(&back.share[0][0], sizeof(back.share) / sizeof(W), lane);
    clear_lane(back.start, kRows, lane);
    clear_lane(back.error, kRows, lane);
    clear_lane(&back.arm_b.x, 3, lane);
    clear_lane(&back.position, 1, lane);
    clear_lane(&back.stored, 1, lane);
  }
}

// Bodies that cannot move are in no one's way: each joint sees one of its own.
template <class E, class W>
std::vector<int> RowBatch<E, W>::colours(const BodyRows& bodies,
                                         std::span<const int> active) const {
  std::vector<Segment> cells;
  std::size_t next = bodies.mass.size();
  for (const int i : active) {
    const Item& item = items_[i];
    Segment cell{item.a, item.b};
    for (Index& body : cell)
      if (!is_movable(bodies.mass[body])) body = static_cast<Index>(next++);
    cells.push_back(cell);
  }
  return colour_cells<Segment>(cells, next);
}

template <class E, class W>
void RowBatch<E, W>::fill_lane(int pack, int lane, const Item& item) {
  JointPack<E, W>& p = packs_[pack];
  p.a[lane] = item.a;
  p.b[lane] = item.b;
  JointBack<E, W>& back = backs_[pack];
  set_parameters(back.parameters, lane, item.parameters);
  set_lane(back.stored, lane, std::max(item.stored, Real(0)));
  set_lane(back.refill, lane, item.stored < 0 ? Real(1) : Real(0));
  // Without shares between rows, orthogonal impulses are the plain ones.
  for (int i = 0; i < E::kBlock; ++i) set_lane(p.block[i].impulse, lane, item.impulse[i]);
  for (int i = 0; i < E::kLoose; ++i)
    set_lane(p.loose[i].impulse, lane, item.impulse[E::kBlock + i]);
}

template <class E, class W>
void RowBatch<E, W>::build(const BodyRows& bodies) {
  unpack();
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(items_.size()); ++i)
    if (items_[i].active) order.push_back(i);
  const std::vector<int> colour_of = colours(bodies, order);
  std::vector<int> rank(order.size());
  for (std::size_t i = 0; i < rank.size(); ++i) rank[i] = static_cast<int>(i);
  std::stable_sort(rank.begin(), rank.end(),
                   [&](int i, int j) { return colour_of[i] < colour_of[j]; });

  packs_.clear(), backs_.clear(), used_.clear(), colour_begin_.clear();
  int last_colour = -1;
  for (const int r : rank) {
    if (colour_of[r] != last_colour) colour_begin_.push_back(static_cast<int>(packs_.size()));
    if (colour_of[r] != last_colour || used_.back() == kN) {
      packs_.emplace_back(), backs_.emplace_back(), used_.push_back(0);
      last_colour = colour_of[r];
    }
    Item& item = items_[order[r]];
    item.pack = static_cast<int>(packs_.size()) - 1;
    item.lane = used_.back()++;
    const int end = item.lane == 0 ? kN : item.lane + 1;  // the first fills the whole pack
    for (int lane = item.lane; lane < end; ++lane) fill_lane(item.pack, lane, item);
  }
  colour_begin_.push_back(static_cast<int>(packs_.size()));
  sweep_all();
  changed_ = false;
  ++builds_;
}

// Where lanes write to.
template <class E, class W>
void RowBatch<E, W>::set_writes(const BodyRows& bodies) {
  for (std::size_t c = 0; c + 1 < colour_begin_.size(); ++c) {
    const int first = colour_begin_[c], count = colour_begin_[c + 1] - first;
    const int block = block_size(count);
    for (int i = 0; i < count; ++i) {
      JointPack<E, W>& p = packs_[first + i];
      const BodyRow nowhere = scratch_.first + static_cast<BodyRow>(i / block);
      for (int lane = 0; lane < kN; ++lane) {
        p.write_a[lane] = is_movable(bodies.mass[p.a[lane]]) ? p.a[lane] : nowhere;
        p.write_b[lane] = is_movable(bodies.mass[p.b[lane]]) ? p.b[lane] : nowhere;
      }
    }
  }
}

template <class E, class W>
void RowBatch<E, W>::prepare(const BodyRows& bodies, Real h, const ScratchRows& scratch,
                             Executor& executor) {
  if (changed_ || !(scratch == scratch_)) {
    if (changed_) build(bodies);
    scratch_ = scratch;
    set_writes(bodies);
  }
  const SubstepSize<W> size{W(h), W(1 / h), W(h_ > 0 ? h / h_ : Real(1))};
  h_ = h;
  if (packs_.empty()) return;
  parallel_for(executor, static_cast<int>(packs_.size()), kBlock,
               [&](int begin, int end) SINEW_FLATTEN {
                 const SubstepSize<W> s = size;
                 for (int i = begin; i < end; ++i)
                   prepare_joints<E, W>(packs_[i], backs_[i], bodies, s);
               });
}

template <class E, class W>
JointState RowBatch<E, W>::state(int index) const {
  const Item& item = items_[index];
  if (item.pack < 0) return item.last;
  if (!(h_ > 0)) return {};
  const JointPack<E, W>& p = packs_[item.pack];
  const JointBack<E, W>& back = backs_[item.pack];
  Vec3T<double> force{}, torque{};
  double squares[2] = {};  // of errors: angles, lengths
  const auto add = [&](const auto& state, int row) {
    const double f = double(lane(state.impulse, item.lane)) / h_;
    force += lane(state.row.linear_b(), item.lane) * f;
    torque += lane(state.row.angular_b, item.lane) * f;
    const double error = lane(back.error[row], item.lane);
    squares[E::kLengths >> row & 1u] += error * error;
  };
  for (int i = 0; i < E::kBlock; ++i) add(p.block[i], i);
  for (int i = 0; i < E::kLoose; ++i) add(p.loose[i], E::kBlock + i);
  torque -= cross(lane(back.arm_b, item.lane), force);
  const auto real = [](const Vec3T<double>& v) { return Vec3{Real(v.x), Real(v.y), Real(v.z)}; };
  return {real(force), real(torque), lane(back.position, item.lane), Real(std::sqrt(squares[1])),
          Real(std::sqrt(squares[0]))};
}

}  // namespace sinew

#include "rigid/joint_batch_rows.h"
#include "rigid/joint_batch_sums.h"
