// Grabs beside the constant matrix A, which knows nothing of them, as they come and go while the
// world runs. All of a body together add W K Wᵀ to it, alike in x, y and z: a column of weights and
// a stiffness for each. By Woodbury,
//   (A + W K Wᵀ)⁻¹ b = d − Z S (I + S G S)⁻¹ S Wᵀd,   d = A⁻¹ b,  Z = A⁻¹W,  G = WᵀZ,  S² = K.
// Z is found when a grab, the factor of A or what is held changes; in between, a grab costs the
// patch it holds and a row of numbers. I + S G S has no pivot below one, however alike two grabs
// are and however stiff.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "variational/constant_metric.h"
#include "variational/grab_spring.h"

namespace sinew {

class GrabMetric {
 public:
  // For the factor that `metric` has, with those held that have no inverse mass in `target`.
  void prepare(std::span<const GrabSpring> grabs, ConstRows target, ConstantMetric& metric) {
    grabs_ = grabs;
    const std::size_t count = grabs.size();
    if (count == 0) return;
    bool same = version_ == metric.version() && held_count_ == count;
    for (std::size_t k = 0; same && k < count; ++k) same = held_[k].holds(grabs[k]);
    if (!same) find(target, metric);
  }

  // From A⁻¹ b to the solution with the grabs as stiff as they are at x.
  void weigh(ConstRows x) {
    const std::size_t n = grabs_.size();
    for (std::size_t k = 0; k < n; ++k) root_[k] = std::sqrt(grabs_[k].stiffness_at(x.data()));
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = j; i < n; ++i) {
        double sum = (i == j) + root_[i] * joined_[i * n + j] * root_[j];
        for (std::size_t k = 0; k < j; ++k) sum -= factor_[i * n + k] * factor_[j * n + k];
        factor_[i * n + j] = i == j ? std::sqrt(std::max(sum, 1.0)) : sum / factor_[j * n + j];
      }
  }
  void correct(Rows d) {
    const std::size_t n = grabs_.size();
    for (std::size_t i = 0; i < n; ++i) {
      Vec3T<double> sum = held_[i].product(d) * root_[i];
      for (std::size_t k = 0; k < i; ++k) sum -= pull_[k] * factor_[i * n + k];
      pull_[i] = sum * (1 / factor_[i * n + i]);
    }
    for (std::size_t i = n; i-- > 0;) {
      Vec3T<double> sum = pull_[i];
      for (std::size_t k = i + 1; k < n; ++k) sum -= pull_[k] * factor_[k * n + i];
      pull_[i] = sum * (1 / factor_[i * n + i]);
    }
    for (std::size_t k = 0; k < n; ++k) held_[k].add(pull_[k] * -root_[k], d);
  }

 private:
  struct Held {
    std::vector<Index> vertices;
    std::vector<Real> weights;  // as they were given
    std::vector<Real> moving;   // and 0 for those that are held
    std::vector<Real> solved;   // its column of Z

    bool holds(const GrabSpring& grab) const {
      return std::equal(vertices.begin(), vertices.end(), grab.vertices.begin(),
                        grab.vertices.end()) &&
             std::equal(weights.begin(), weights.end(), grab.weights.begin(), grab.weights.end());
    }
    Vec3T<double> product(ConstRows d) const {
      Vec3T<double> sum{};
      for (std::size_t i = 0; i < vertices.size(); ++i) {
        const Row4<Real>& at = d[vertices[i]];
        sum += Vec3T<double>{at.x, at.y, at.z} * double(moving[i]);
      }
      return sum;
    }
    double product(const std::vector<Real>& z) const {
      double sum = 0;
      for (std::size_t i = 0; i < vertices.size(); ++i) sum += double(moving[i]) * z[vertices[i]];
      return sum;
    }
    void add(const Vec3T<double>& s, Rows d) const {
      const Vec3 share{Real(s.x), Real(s.y), Real(s.z)};
      for (std::size_t i = 0; i < d.size(); ++i) {
        const Real z = solved[i];
        d[i] = {d[i].x + z * share.x, d[i].y + z * share.y, d[i].z + z * share.z, d[i].w};
      }
    }
  };

  void find(ConstRows target, ConstantMetric& metric) {
    version_ = metric.version();
    const std::size_t n = grabs_.size();
    if (held_.size() < n) held_.resize(n);
    held_count_ = n;
    root_.resize(n), pull_.resize(n), joined_.resize(n * n), factor_.resize(n * n);
    for (std::size_t k = 0; k < n; ++k) {
      Held& held = held_[k];
      held.vertices.assign(grabs_[k].vertices.begin(), grabs_[k].vertices.end());
      held.weights.assign(grabs_[k].weights.begin(), grabs_[k].weights.end());
      held.moving = held.weights;
      rows_.assign(target.size(), {});
      for (std::size_t i = 0; i < held.vertices.size(); ++i) {
        if (!(target[held.vertices[i]].w > 0)) held.moving[i] = 0;
        rows_[held.vertices[i]].x = held.moving[i];
      }
      metric.solve(rows_);
      held.solved.resize(target.size());
      for (std::size_t i = 0; i < target.size(); ++i) held.solved[i] = rows_[i].x;
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) joined_[i * n + j] = held_[i].product(held_[j].solved);
  }

  std::span<const GrabSpring> grabs_;
  std::vector<Held> held_;  // more than there are grabs, if there were more: steps do not allocate
  std::size_t held_count_ = 0;
  std::int64_t version_ = -1;
  std::vector<double> joined_, factor_;  // G, and the factor of I + S G S, row by row
  std::vector<double> root_;             // S
  std::vector<Vec3T<double>> pull_;
  std::vector<Row4<Real>> rows_;
};

}  // namespace sinew
