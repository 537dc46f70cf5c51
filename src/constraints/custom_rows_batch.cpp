#include "constraints/custom_rows_batch.h"

namespace sinew {
namespace {

constexpr double kImmobile = 1e-30;  // Σ wᵢ|∇ᵢC|² of what cannot move

// The whole body is frozen for what is not finite: one number is enough.
void spoil(const Substep& s, Index node) {
  Row4<Real>& u = (s.correction ? s.correction : s.displacement)[node];
  u.x = std::numeric_limits<Real>::quiet_NaN();
}

}  // namespace

CustomRowsBatch::CustomRowsBatch(CustomRowsSource source) : source_(std::move(source)) {
  const std::size_t rows = source_.count() * source_.rows();
  lambda_.assign(rows, 0);
  error_before_.assign(rows, 0);
  const int together = source_.crowding() * source_.rows();
  explicit_limit_ = explicit_limit(together);
  // As for the inequalities of scalar_batch.h.
  if (source_.bounded()) jacobi_share_ = Real(0.5) / Real(together);
}

void CustomRowsBatch::ask(std::size_t i, const Places& start, const Row4<Real>* u,
                          Answer& answer) const {
  const Index* nodes = source_.nodes_of(i);
  for (int n = 0; n < source_.nodes(); ++n) {
    answer.x[n] = start[nodes[n]];
    if (u) answer.x[n] += Vec{u[nodes[n]].x, u[nodes[n]].y, u[nodes[n]].z};
  }
  source_.ask(i, answer);
}

double CustomRowsBatch::mobility(std::size_t i, int row, const Row4<Real>* weights,
                                 const Answer& answer) const {
  const Index* nodes = source_.nodes_of(i);
  double sum = 0;
  for (int n = 0; n < source_.nodes(); ++n) {
    const Vec& g = answer.gradient[row * source_.nodes() + n];
    sum += double(weights[nodes[n]].w) * dot(g, g);
  }
  return sum;
}

void CustomRowsBatch::push(std::size_t i, int row, const Substep& s, const Answer& answer,
                           double lambda) const {
  const Index* nodes = source_.nodes_of(i);
  Row4<Real>* to = s.correction ? s.correction : s.displacement;
  for (int n = 0; n < source_.nodes(); ++n) {
    const Vec way =
        answer.gradient[row * source_.nodes() + n] * (lambda * double(s.displacement[nodes[n]].w));
    Row4<Real>& u = to[nodes[n]];
    u.x += Real(way.x), u.y += Real(way.y), u.z += Real(way.z);
  }
}

void CustomRowsBatch::predict(const Substep& substep) {
  to_force_ = 1 / (double(substep.h) * double(substep.h));
  source_.for_each(substep.executor, substep.reversed,
                   [&](std::size_t i) { predict_one(i, substep); });
}

// −θ C/α with θ = min(1, limit α/mobility): never divides by a compliance of zero.
void CustomRowsBatch::predict_one(std::size_t i, const Substep& s) {
  Answer answer;
  ask(i, s.start, nullptr, answer);
  if (!answer.finite) return spoil(s, source_.nodes_of(i)[0]);
  for (int r = 0; r < source_.rows(); ++r) {
    const std::size_t row = source_.row_number(i, r);
    error_before_[row] = answer.error[r];
    lambda_[row] = 0;
    if (!(source_.compliance(row) > 0)) continue;
    const double alpha = source_.compliance(row) * to_force_;
    const double limit = double(explicit_limit_) * double(s.prediction);
    const double divisor = std::max(alpha, mobility(i, r, s.displacement, answer) / limit);
    const double lambda = -answer.error[r] / std::max(divisor, kImmobile);
    lambda_[row] =
        std::max(std::min(lambda, source_.upper(row) / to_force_), source_.lower(row) / to_force_);
    push(i, r, s, answer, lambda_[row]);
  }
}

void CustomRowsBatch::solve(const Substep& now) {
  Substep substep = now;
  if (substep.correction) substep.relaxation *= jacobi_share_;
  source_.for_each(substep.executor, substep.reversed,
                   [&](std::size_t i) { solve_one(i, substep); });
}

void CustomRowsBatch::solve_one(std::size_t i, const Substep& s) {
  Answer answer;
  ask(i, s.start, s.displacement, answer);
  if (!answer.finite) return spoil(s, source_.nodes_of(i)[0]);
  const Index* nodes = source_.nodes_of(i);
  Vec moved[CustomRows::kNodesMax] = {};  // by earlier rows
  for (int r = 0; r < source_.rows(); ++r) {
    const std::size_t row = source_.row_number(i, r);
    const double mobile = mobility(i, r, s.displacement, answer);
    if (!(mobile > kImmobile)) continue;
    const Vec* gradient = &answer.gradient[r * source_.nodes()];
    double error = answer.error[r];
    for (int n = 0; r > 0 && n < source_.nodes(); ++n) error += dot(gradient[n], moved[n]);
    const double compliance = source_.compliance(row), alpha = compliance * to_force_;
    double residual = error + alpha * lambda_[row], divisor = mobile + alpha;
    // What is neither rigid nor slack.
    if (s.damping > 0 && compliance > 0 && source_.force(row, error) != 0) {
      const double rate = double(s.damping) / double(s.h);
      residual += rate * (error - error_before_[row]);
      divisor += rate * mobile;
    }
    const double aim = lambda_[row] - residual * (double(s.relaxation) / divisor);
    const double lambda =
        std::max(std::min(aim, source_.upper(row) / to_force_), source_.lower(row) / to_force_);
    const double change = lambda - lambda_[row];
    lambda_[row] = lambda;
    push(i, r, s, answer, change);
    for (int n = 0; n < source_.nodes(); ++n)
      moved[n] += gradient[n] * (change * double(s.displacement[nodes[n]].w));
  }
}

void CustomRowsBatch::extrapolate(Real omega, bool first) {
  memory_.extrapolate(
      omega, first,
      [&](auto&& visit) {
        for (double& lambda : lambda_) visit(lambda);
      },
      [](double lambda, double before, Real w) { return before + (lambda - before) * double(w); });
}

// Of rigid rows none is known; what is not finite is not counted, as its body is frozen.
double CustomRowsBatch::energy(const Places& at) const {
  double total = 0;
  Answer answer;
  for (std::size_t i = 0; i < source_.count(); ++i) {
    ask(i, at, nullptr, answer);
    for (int r = 0; answer.finite && r < source_.rows(); ++r) {
      const std::size_t row = source_.row_number(i, r);
      if (source_.compliance(row) > 0) total += source_.energy(row, answer.error[r]);
    }
  }
  return total;
}

double CustomRowsBatch::stiffness(const Row4<Real>* rest) const {
  double largest = 0;
  for (std::size_t i = 0; i < source_.count(); ++i)
    for (int r = 0; r < source_.rows(); ++r) {
      const double compliance = source_.compliance(source_.row_number(i, r));
      if (compliance > 0)
        largest = std::max(largest, mobility(i, r, rest, source_.start(i)) / compliance);
    }
  return largest * (kExplicitStiffness / double(explicit_limit_));
}

std::vector<double> CustomRowsBatch::row_forces(const Places&) const {
  std::vector<double> forces(lambda_.size());
  for (std::size_t i = 0; i < forces.size(); ++i) forces[i] = lambda_[i] * to_force_;
  return forces;
}

}  // namespace sinew
