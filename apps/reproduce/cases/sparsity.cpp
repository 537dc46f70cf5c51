// Kenwright and Morgan, "Sparse matrices": how little of J M⁻¹ Jᵀ is not zero for the net of figure
// 13, and what storing it takes, beside the maps of maps of table 1.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "math/panel_cholesky.h"
#include "reference/constraint_rows.h"
#include "reproduce/experiment.h"
#include "reproduce/peers/scenes.h"

namespace sinew {
namespace {

constexpr double kSpacing = 0.2;  // of rods, about [m]

// The net of `sinew reproduce net` as bodies and rows of the textbook's engine.
class NetRows final : public Stage {
 public:
  explicit NetRows(int side) { build_net(*this, side, 1000); }
  const char* name() const override { return "rows"; }
  void add_ball_joint(int, int, const Vec3&) override {}
  void add_hinge(int, int, const Vec3&, const Vec3&) override {}
  void add_distance(int a, int b, const Vec3&, const Vec3&) override {
    reference::add_distance(rows_, bodies_, a, b, kSpacing);
  }
  void step(Real) override {}
  Pose pose(int body) const override { return items()[body].start.pose; }
  Vec3 velocity(int) const override { return {}; }
  bool asleep(int) const override { return false; }

  // In a pose as it comes: none of the free knots is quite where symmetry would have it, so that no
  // two rods that meet are at right angles.
  BoxLcp matrix() {
    std::mt19937_64 random(1);
    for (reference::Body& body : bodies_)
      for (int k = 0; k < 3 && body.inverse.mass > 0; ++k)
        body.position[k] += 0.01 * double(random() >> 11) * 0x1p-53;
    std::vector<reference::Row> rows;
    for (const reference::Row& rod : rows_)
      reference::add_distance(rows, bodies_, rod.a, rod.b, kSpacing);
    return reference::assemble(bodies_, rows, {});
  }
  // Non-zero entries: every two rods that have a free knot in common, and each with itself.
  std::size_t expected() const {
    std::vector<std::size_t> rods(bodies_.size());
    std::size_t twice = 0;  // rods between two free knots, which meet themselves at both
    for (const reference::Row& row : rows_) {
      for (const int body : {row.a, row.b}) rods[std::size_t(body)] += is_free(body);
      twice += is_free(row.a) && is_free(row.b);
    }
    std::size_t sum = 0;
    for (const std::size_t n : rods) sum += n * n;
    return sum - twice;
  }

 private:
  void place(const Form& form, const Placement& start) override {
    const double mass = double(start.density) * volume(form);
    bodies_.push_back(reference::point_mass(to_double(start.pose.position), mass));
  }
  bool is_free(int body) const { return bodies_[std::size_t(body)].inverse.mass > 0; }

  std::vector<reference::Body> bodies_;
  std::vector<reference::Row> rows_;
};

// What a matrix takes as table 1 stores it: maps of rows to maps of columns.
std::size_t counted_bytes = 0;

template <class T>
struct Counting {
  using value_type = T;
  Counting() = default;
  template <class U>
  Counting(const Counting<U>&) {}
  T* allocate(std::size_t n) {
    counted_bytes += n * sizeof(T);
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* at, std::size_t n) { std::allocator<T>().deallocate(at, n); }
  bool operator==(const Counting&) const { return true; }
};
template <class Value>
using CountedMap = std::map<std::size_t, Value, std::less<std::size_t>,
                            Counting<std::pair<const std::size_t, Value>>>;

struct Stored {
  std::size_t size = 0, entries = 0, map = 0;
  std::size_t dense() const { return size * size * sizeof(float); }
  // Numbers, their columns, and where rows begin.
  std::size_t compressed() const { return entries * 2 * sizeof(float) + (size + 1) * sizeof(int); }
  std::vector<std::string> row(const std::string& name) const {
    return {name,
            fmt::format("{} × {}", size, size),
            fmt::format("{:.2f}", 100.0 * double(entries) / double(size * size)),
            std::to_string(dense()),
            std::to_string(map),
            std::to_string(compressed())};
  }
};

// `filled(f)` calls f(row, column) for every entry; twice for one is once.
template <class Filled>
Stored store(std::size_t size, Filled&& filled) {
  Stored stored{.size = size};
  CountedMap<CountedMap<float>> map;
  counted_bytes = sizeof(map);
  filled([&](std::size_t i, std::size_t j) { stored.entries += map[i].insert({j, 1.f}).second; });
  stored.map = counted_bytes;
  return stored;
}

Stored random_fill(std::size_t size, double share) {
  return store(size, [&](auto&& fill) {
    std::mt19937_64 random(1);
    const auto times = std::size_t(std::llround(share * double(size * size)));
    for (std::size_t k = 0; k < times; ++k) {
      const std::size_t i = random() % size, j = random() % size;
      fill(i, j);
    }
  });
}

std::size_t bytes_of_entry() {
  const auto row_of = [](std::size_t entries) {
    return store(2, [=](auto&& fill) {
      for (std::size_t j = 0; j < entries; ++j) fill(0, j);
    });
  };
  return row_of(2).map - row_of(1).map;
}

// Figure 13, above.
void check_net(ExperimentReport& report, Table& table) {
  NetRows net(30);
  const BoxLcp lcp = net.matrix();
  const Stored stored = store(lcp.size(), [&](auto&& fill) {
    for (std::size_t i = 0; i < lcp.size(); ++i)
      for (std::size_t j = 0; j < lcp.size(); ++j)
        if (lcp.at(i, j) != 0) fill(i, j);
  });
  table.rows.push_back(stored.row("figure 13: the net"));
  const double share = double(stored.entries) / double(stored.size * stored.size);
  report.check("figure 13: J M⁻¹ Jᵀ of a net of 30 × 30 knots is less than 1 % filled: 0.42 %",
               fmt::format("{:.3f} %: {} of {}²", 100 * share, stored.entries, stored.size),
               std::abs(share - 0.0042) < 5e-5);
  report.check("figure 13: an entry for every two rods with a free knot in common, and no other",
               fmt::format("{} and {}", stored.entries, net.expected()),
               stored.entries == net.expected());

  std::vector<int> begin{0}, row;
  for (std::size_t j = 0; j < lcp.size(); ++j) {
    for (std::size_t i = j; i < lcp.size(); ++i)
      if (lcp.at(i, j) != 0) row.push_back(static_cast<int>(i));
    begin.push_back(static_cast<int>(row.size()));
  }
  PanelCholesky factor;
  factor.analyse(begin, row);
  const double n = double(lcp.size()), numbers = double(factor.numbers().size());
  report.check(
      "the engine's factor of it, with all that fills up, is a tenth of a dense one's, or "
      "less, and takes a hundredth of its multiplications",
      fmt::format("{:.1f} % of the numbers, {:.2f} % of the multiplications",
                  100 * numbers / (n * n / 2), 100 * factor.work() / (n * n * n / 6)),
      numbers <= 0.1 * n * n / 2 && factor.work() <= 0.01 * n * n * n / 6);
}

// Table 1.
void check_random(bool small, ExperimentReport& report, Table& table) {
  double worst[2] = {0, 0}, compressed = 0;  // shares of the dense matrix, from 100 rows on
  const double shares[2] = {0.01, 0.1};
  for (int k = 0; k < 2; ++k)
    for (const std::size_t size : {10, 100, 500, 1000, 10000}) {
      if (size == 10000 && (small || k == 1)) continue;
      const Stored stored = random_fill(size, shares[k]);
      table.rows.push_back(stored.row(fmt::format("{:g} % random", 100 * shares[k])));
      if (size < 100) continue;
      worst[k] = std::max(worst[k], double(stored.map) / double(stored.dense()));
      compressed = std::max(compressed, double(stored.compressed()) / double(stored.map));
    }
  report.check("table 1: 1 % filled, maps take less than a dense matrix from 100 rows on",
               fmt::format("{:.0f} % of it at most", 100 * worst[0]), worst[0] < 1);
  report.check("table 1: 10 % filled, maps take less than a dense matrix from 100 rows on",
               fmt::format("{:.0f} % of it at most", 100 * worst[1]), worst[1] < 1,
               fmt::format("Table 1 comes to 24 bytes for an entry and 60 for a row, with pointers "
                           "of 32 bits; with those of 64 an entry takes {} bytes.",
                           bytes_of_entry()));
  report.check("compressed rows take a third of what maps do, or less",
               fmt::format("{:.0f} % at most", 100 * compressed), compressed < 1.0 / 3);
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  Table table{"What matrices take",
              {"filled", "size", "not zero [%]", "dense [bytes]", "maps of maps (table 1) [bytes]",
               "compressed rows [bytes]"},
              {}};
  check_net(report, table);
  check_random(options.small, report, table);
  report.table(std::move(table));
  report.note(
      "The border of the net is held. Table 1 says 299,028 bytes for 1000 × 1000 with 1 %, and "
      "2,343,684 with 10 %; what the heap adds to every node is in neither. Numbers are floats, "
      "but for the factor.");
}

}  // namespace

extern const Experiment k_sparsity;
const Experiment k_sparsity = {"sparsity", "How sparse J M⁻¹ Jᵀ is",
                               "Kenwright and Morgan, figure 13, table 1", run};

}  // namespace sinew
