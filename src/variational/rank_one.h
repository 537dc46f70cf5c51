// Second derivatives of rank one beside a sparse matrix H that can be solved with: those terms that
// join all vertices, as an enclosed volume does, and grabs, for which H has no room (three for
// each, k w wᵀ in x, y and z). By Sherman and Morrison,
//   (H + c u uᵀ)⁻¹ b = d − z c (u·d)/(1 + c u·z),   d = H⁻¹ b,   z = H⁻¹ u,
// one after the other.
#pragma once

#include <vector>

#include "variational/objective.h"

namespace sinew {

class RankOneParts {
 public:
  // Finds them at x, with those held that have no inverse mass in `target`; solve(rows) is H⁻¹.
  // Without grabs where that knows of them.
  template <class Solve>
  void prepare(const Objective& objective, ConstRows x, ConstRows target, bool with_grabs,
               Solve&& solve) {
    find(objective, x, target, with_grabs);
    for (std::size_t k = 0; k < count_; ++k) {
      Part& part = parts_[k];
      part.solved.assign(part.u.begin(), part.u.end());
      solve(Rows(part.solved));
      correct(part.solved, k);
      part.share = part.c / (1 + part.c * dot(part.u, part.solved));
    }
  }
  // The parts alone, for multiply().
  void find(const Objective& objective, ConstRows x, ConstRows target, bool with_grabs) {
    count_ = 0;
    const auto add_part = [&](auto&& set) {
      if (count_ == parts_.size()) parts_.emplace_back();
      Part& part = parts_[count_++];
      part.u.assign(x.size(), {});
      part.c = set(part.u);
      for (std::size_t i = 0; i < x.size(); ++i)
        if (!(target[i].w > 0)) part.u[i] = {};
    };
    for (const auto& term : objective.terms)
      if (term->has_rank_one())
        add_part([&](Rows u) { return term->rank_one(x.data(), u.data()); });
    if (!with_grabs) return;
    for (const GrabSpring& grab : objective.grabs())
      for (Real Row4<Real>::*axis : {&Row4<Real>::x, &Row4<Real>::y, &Row4<Real>::z})
        add_part([&](Rows u) {
          for (std::size_t i = 0; i < grab.vertices.size(); ++i)
            u[grab.vertices[i]].*axis = grab.weights[i];
          return grab.stiffness_at(x.data());
        });
  }

  // From H⁻¹ b to the solution with the parts.
  void correct(Rows d) const { correct(d, count_); }
  // out ← out + Σ c u (u·x)
  void multiply(ConstRows x, Rows out) const {
    for (std::size_t k = 0; k < count_; ++k)
      add(Real(parts_[k].c * dot(parts_[k].u, x)), parts_[k].u, out);
  }

 private:
  struct Part {
    double c = 0, share = 0;  // share: c/(1 + c u·z)
    std::vector<Row4<Real>> u, solved;
  };

  void correct(Rows d, std::size_t count) const {
    for (std::size_t k = 0; k < count; ++k)
      add(Real(-parts_[k].share * dot(parts_[k].u, d)), parts_[k].solved, d);
  }

  std::vector<Part> parts_;  // kept, so that steps do not allocate
  std::size_t count_ = 0;
};

}  // namespace sinew
