#include "constraints/custom_rows.h"

#include <sinew/error.h>

#include <cmath>
#include <memory>
#include <numeric>

#include "constraints/custom_rows_batch.h"
#include "constraints_functions.h"
#include "core/format.h"
#include "variational/terms/custom_rows.h"

namespace sinew {
namespace {

bool is_finite(double x) { return std::isfinite(x); }
bool is_finite(const Vec3T<double>& v) {
  return is_finite(v.x) && is_finite(v.y) && is_finite(v.z);
}

std::vector<Vec3T<double>> start_of(const ConstraintSource& body) {
  const std::span<const Vec3> x = vertices_of(body.mesh);
  std::vector<Vec3T<double>> start(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) start[i] = to_world(body.pose, x[i]);
  return start;
}

}  // namespace

std::string CustomRows::problem() const {
  const std::size_t count = nodes > 0 ? vertices.size() / std::size_t(nodes) : 0;
  const std::size_t all = count * std::size_t(rows);
  if (count == 0 || vertices.size() % std::size_t(nodes) != 0)
    return formatted(
        ".vertices has {} entries; it must have {} for each constraint, and one "
        "constraint at least",
        vertices.size(), nodes);
  if (bool(function) == !gradient.empty())
    return ": give either a function or gradients of linear rows";
  if (!function && gradient.size() != all * std::size_t(nodes))
    return formatted(".gradient has {} entries; {} constraints of {} rows and {} vertices need {}",
                     gradient.size(), count, rows, nodes, all * std::size_t(nodes));
  if (!offset.empty() && (function || offset.size() != all))
    return formatted(".offset has {} entries; it is for linear rows, and has one for each: {}",
                     offset.size(), all);
  for (const auto& [name, values] : {std::pair("compliance", &compliance),
                                     std::pair("lower", &lower), std::pair("upper", &upper)}) {
    if (values->size() > 1 && values->size() != all)
      return formatted(".{} has {} entries; it must have none, one, or one for every row: {}", name,
                       values->size(), all);
    for (const double value : *values)
      if (std::isnan(value)) return formatted(".{} is not a number", name);
  }
  for (const double value : compliance)
    if (!(value >= 0) || std::isinf(value))
      return formatted(".compliance is {}; it must be at least 0 and finite", value);
  for (const double value : offset)
    if (!std::isfinite(value)) return formatted(".offset is {}; it must be finite", value);
  const auto limit = [&](const std::vector<double>& values, std::size_t row, double otherwise) {
    return values.empty() ? otherwise : values[values.size() == 1 ? 0 : row];
  };
  for (std::size_t row = 0; row < all; ++row)
    if (!(limit(lower, row, -HUGE_VAL) <= limit(upper, row, HUGE_VAL)))
      return formatted(": row {} has a lower limit above its upper one", row);
  return {};
}

CustomRowsSource::CustomRowsSource(const CustomRows& definition, std::span<const Vec> start)
    : definition_(definition) {
  if (const std::string problem = definition.problem(); !problem.empty())
    throw Error(std::string("constraint custom_rows") + problem);
  for (const Index v : definition_.vertices)
    if (v >= start.size())
      throw Error(formatted("constraint custom_rows names vertex {}, but there are {} vertices", v,
                            start.size()));
  for (std::size_t i = 0; i < count(); ++i)
    for (int n = 0; n < nodes(); ++n)
      for (int m = 0; m < n; ++m)
        if (nodes_of(i)[n] == nodes_of(i)[m])
          throw Error(
              formatted("constraint custom_rows {} names vertex {} twice", i, nodes_of(i)[n]));
  const bool at_start = !definition_.function && definition_.offset.empty();
  if (!definition_.function) definition_.offset.resize(count() * rows(), 0);
  start_.resize(count());
  for (std::size_t i = 0; i < count(); ++i) {
    Answer& answer = start_[i];
    for (int n = 0; n < nodes(); ++n) answer.x[n] = start[nodes_of(i)[n]];
    ask(i, answer);
    if (!answer.finite)
      throw Error(formatted(
          "constraint custom_rows {}: its function gives what is not finite where the body starts",
          i));
    for (int r = 0; at_start && r < rows(); ++r) {
      definition_.offset[row_number(i, r)] = answer.error[r];
      answer.error[r] = 0;
    }
  }
  colour(start.size());
}

bool CustomRowsSource::has_rigid_rows() const {
  for (std::size_t row = 0; row < count() * std::size_t(rows()); ++row)
    if (!(compliance(row) > 0)) return true;
  return false;
}

void CustomRowsSource::ask(std::size_t i, Answer& answer) const {
  const std::size_t n = nodes(), all = n * rows();
  std::fill_n(answer.gradient, all, Vec{});
  std::fill_n(answer.error, rows(), 0.0);
  answer.finite = true;
  if (definition_.function) {
    try {
      definition_.function({.index = i,
                            .x = {answer.x, n},
                            .error = {answer.error, std::size_t(rows())},
                            .gradient = {answer.gradient, all}});
    } catch (...) {
      answer.finite = false;
      return;
    }
    for (int r = 0; r < rows(); ++r) answer.finite &= is_finite(answer.error[r]);
    for (std::size_t g = 0; g < all; ++g) answer.finite &= is_finite(answer.gradient[g]);
    return;
  }
  for (int r = 0; r < rows(); ++r) {
    const std::size_t row = row_number(i, r);
    for (std::size_t k = 0; k < n; ++k) {
      const Vec g = to_double(definition_.gradient[row * n + k]);
      answer.gradient[r * n + k] = g;
      answer.error[r] += dot(g, answer.x[k]);
    }
    answer.error[r] -= definition_.offset[row];
  }
}

void CustomRowsSource::colour(std::size_t vertex_count) {
  std::vector<Cell> cells(count());
  std::vector<int> at_vertex(vertex_count, 0);
  for (std::size_t i = 0; i < count(); ++i) {
    cells[i].fill(nodes_of(i)[0]);
    std::copy_n(nodes_of(i), nodes(), cells[i].begin());
    for (int n = 0; n < nodes(); ++n) crowding_ = std::max(crowding_, ++at_vertex[nodes_of(i)[n]]);
  }
  const std::vector<int> colours = colour_cells<Cell>(cells, vertex_count);
  order_.resize(count());
  std::iota(order_.begin(), order_.end(), std::size_t(0));
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return colours[a] < colours[b]; });
  for (std::size_t k = 0; k < order_.size(); ++k)
    if (k == 0 || colours[order_[k]] != colours[order_[k - 1]])
      colour_begin_.push_back(static_cast<int>(k));
  colour_begin_.push_back(static_cast<int>(order_.size()));
}

void add_batches(const CustomRows& definition, const ConstraintSource& body, BatchList& batches) {
  auto batch = std::make_unique<CustomRowsBatch>(CustomRowsSource(definition, start_of(body)));
  *body.forces = batch.get();
  batches.push_back(std::move(batch));
}

void add_energies(const CustomRows& definition, const ConstraintSource& body,
                  EnergyList& energies) {
  CustomRowsSource source(definition, start_of(body));
  if (source.has_rigid_rows())
    throw Error(
        "constraint custom_rows: a row of compliance 0 is rigid, and no energy is; give one "
        "greater than 0, or use the solver \"position\"");
  auto energy = std::make_unique<CustomRowsEnergy>(std::move(source), body.attachments);
  *body.forces = energy.get();
  energies.push_back(std::move(energy));
}

}  // namespace sinew
