// Messages read as they would with fmt, whose rules core/format.h follows.
#include "core/format.h"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <random>

#include "support.h"

namespace sinew {
namespace {

template <class... Arguments>
void expect_as_fmt(fmt::format_string<const Arguments&...> pattern, const Arguments&... arguments) {
  const fmt::string_view plain = pattern;
  EXPECT_EQ(formatted({plain.data(), plain.size()}, arguments...),
            fmt::format(pattern, arguments...));
}

TEST(Format, PutsArgumentsInTheirPlaces) {
  expect_as_fmt("{} of {}", 3, 4u);
  expect_as_fmt("A({0}, {1}) and A({1}, {0})", std::size_t(7), -2l);
  expect_as_fmt("a {} has {}{}", std::string("hull"), "no", std::string_view(" points"));
  expect_as_fmt("{} {} {}", true, false, 'x');
  expect_as_fmt("{{{}}}", 1);
  expect_as_fmt("größer als {} kg/m³", 2.5);
  EXPECT_EQ(formatted("{} and {}", 1), "1 and {}");
  EXPECT_EQ(formatted("an open { brace", 1), "an open { brace");
}

TEST(Format, WritesRealsInTheShortestWay) {
  for (const double v : {0.0, -0.0, 1.0, 0.1, -2.5, 1e5, 2e7, 123456789.125, 1e15, 9.999e15, 1e16,
                         1.5e17, 1e-4, 1.25e-4, 9.99e-5, 1e-5, -3e-300, 1e300, 1.0 / 3}) {
    expect_as_fmt("{}", v);
    expect_as_fmt("{}", float(v));
    expect_as_fmt("{:.3g} {:.4g} {:.0f} {:.2f}", v, v, v, v);
    expect_as_fmt("{:.6g}", float(v));
  }
  const double infinity = std::numeric_limits<double>::infinity();
  expect_as_fmt("{} {} {}", infinity, -infinity, std::numeric_limits<double>::quiet_NaN());
  expect_as_fmt("{:.3g} {:.3g}", infinity, -infinity);
}

TEST(Format, WritesRandomRealsAsFmtDoes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = random();
    const auto real = std::bit_cast<double>(bits);
    const auto single = std::bit_cast<float>(std::uint32_t(bits));
    if (std::isfinite(real)) expect_as_fmt("{} {:.4g}", real, real);
    if (std::isfinite(single)) expect_as_fmt("{}", single);
    expect_as_fmt("{}", double(bits >> 40) / 1024);
  }
}

}  // namespace
}  // namespace sinew
