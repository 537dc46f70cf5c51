#include "vertex_stream.h"

#include <algorithm>
#include <cmath>

namespace sinew::viewer {
namespace {

constexpr double kLattice = 65535;  // the largest number
constexpr double kFinest = 32768;   // cells along a body, at most …
constexpr double kCoarsest = 2048;  // … and at least, before it gets a finer lattice
constexpr double kSmallest = 1e-9;  // what is a point has a size, too [m]

double longest(const Vec3T<double>& size) { return std::max({size.x, size.y, size.z}); }

}  // namespace

bool VertexStream::fits(const Vec3T<double>& lower, const Vec3T<double>& upper) const {
  if (cell_ == 0 || longest(upper - lower) < kCoarsest * cell_) return false;
  const double reach = kLattice * cell_;
  for (int k = 0; k < 3; ++k)
    if (!(lower[k] >= origin_[k] && upper[k] <= origin_[k] + reach)) return false;
  return true;
}

void VertexStream::lay_lattice(const Vec3T<double>& lower, const Vec3T<double>& upper) {
  const double size = std::max(longest(upper - lower), kSmallest);
  cell_ = std::exp2(std::ceil(std::log2(size / kFinest)));
  for (int k = 0; k < 3; ++k)
    origin_[k] = std::round((lower[k] + upper[k]) / 2 / cell_ - kFinest) * cell_;
}

// Numbers of the lattice for all coordinates; false if some lie beyond it. In Real: within the
// lattice, the difference to its origin is exact. A number stays what it was, `last`, until it is
// off by three quarters of a cell: what trembles at the border between two of them rests, too.
bool VertexStream::fill(std::span<const Vec3> positions, const std::uint16_t* last) {
  constexpr std::size_t kRun = 48;  // coordinates: whole vertices, and whole vectors
  const Real per_metre = Real(1 / cell_), most = Real(kLattice);
  Real start[kRun];
  for (std::size_t j = 0; j < kRun; ++j) start[j] = Real(origin_[int(j % 3)]);
  static_assert(sizeof(Vec3) == 3 * sizeof(Real));
  const std::size_t count = 3 * positions.size();
  const Real* const x = count == 0 ? nullptr : &positions[0].x;
  Real least = 0, largest = 0;
  for (std::size_t first = 0; first < count; first += kRun) {
    const std::size_t run = std::min(kRun, count - first);
    Real at[kRun];
    for (std::size_t j = 0; j < run; ++j) {
      at[j] = (x[first + j] - start[j]) * per_metre + Real(0.5);
      least = at[j] < least ? at[j] : least;
      largest = at[j] > largest ? at[j] : largest;
      at[j] = at[j] < 0 ? 0 : at[j] > most ? most : at[j];
    }
    std::uint16_t* const out = &scratch_[first];
    for (std::size_t j = 0; j < run; ++j) out[j] = static_cast<std::uint16_t>(int(at[j]));
    if (!last) continue;
    for (std::size_t j = 0; j < run; ++j) {
      const Real off = at[j] - Real(int(last[first + j]));
      out[j] = (off > Real(-0.25)) & (off < Real(1.25)) ? last[first + j] : out[j];
    }
  }
  return least >= 0 && largest <= most;
}

void VertexStream::update(std::span<const Vec3> positions) {
  scratch_.resize(3 * positions.size());
  const bool as_before = block_ && count_ == positions.size();
  const auto* last = as_before ? reinterpret_cast<const std::uint16_t*>(block_->data()) : nullptr;
  // The size is looked at now and then only: what shrinks may wait for its finer lattice.
  constexpr int kLookEvery = 16;
  if (!as_before || ++since_look_ >= kLookEvery || !fill(positions, last)) {
    const Bounds box = positions.empty() ? Bounds{} : bounds(positions);
    const Vec3T<double> lower = to_double(box.lower), upper = to_double(box.upper);
    if (!fits(lower, upper)) {
      lay_lattice(lower, upper);
      last = nullptr;
    }
    since_look_ = 0;
    fill(positions, last);
  }
  const std::size_t bytes = scratch_.size() * sizeof(std::uint16_t);
  if (as_before && (bytes == 0 || std::memcmp(scratch_.data(), block_->data(), bytes) == 0)) return;
  count_ = positions.size();
  block_ = make_block(scratch_);
}

}  // namespace sinew::viewer
