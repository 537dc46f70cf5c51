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

void VertexStream::update(std::span<const Vec3> positions) {
  Vec3 low{INFINITY, INFINITY, INFINITY}, high = -low;
  for (const Vec3& x : positions)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
  if (positions.empty()) low = high = {};
  const Vec3T<double> lower = to_double(low), upper = to_double(high);
  if (!fits(lower, upper)) lay_lattice(lower, upper);

  scratch_.resize(3 * positions.size());
  const double per_metre = 1 / cell_;
  const Vec3T<double> start = origin_ * per_metre - Vec3T<double>{0.5, 0.5, 0.5};
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (int k = 0; k < 3; ++k)
      scratch_[3 * i + k] = static_cast<std::uint16_t>(
          std::clamp(positions[i][k] * per_metre - start[k], 0.0, kLattice));
  const auto bytes = std::as_bytes(std::span(scratch_));
  if (block_ && count_ == positions.size() &&
      std::equal(bytes.begin(), bytes.end(), block_->begin()))
    return;
  count_ = positions.size();
  block_ = make_block(scratch_);
}

}  // namespace sinew::viewer
