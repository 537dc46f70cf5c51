#include "io/text_cursor.h"

#include <fmt/format.h>
#include <locale.h>
#include <sinew/error.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

namespace sinew {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Everything up to the space is a blank, but for the line end.
bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' ' && c != '\n'; }

// At a backslash: the bytes of "\<LF>" or "\<CR><LF>", or 0 when the line goes on behind it.
std::size_t continuation(const char* at, const char* end) {
  if (end - at >= 2 && at[1] == '\n') return 2;
  if (end - at >= 3 && at[1] == '\r' && at[2] == '\n') return 3;
  return 0;
}

// strtod in the C locale, whatever the program has set.
double strtod_c(const char* text, char** stop) {
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(text, stop, c_locale);
}

std::optional<double> parse_slowly(std::string_view token) {
  const std::string copy(token);  // strtod needs the 0 at the end
  char* stop = nullptr;
  const double value = strtod_c(copy.c_str(), &stop);
  if (token.empty() || stop != copy.c_str() + copy.size()) return std::nullopt;
  return value;
}

// A decimal of at most 19 digits m·10ᵉ with m ≤ 2⁵³ and |e| ≤ 22 is one correctly rounded operation
// on two exact doubles (Clinger 1990, "How to read floating point numbers accurately"). Nearly all
// numbers in mesh files are; the others take strtod.
std::optional<double> parse_real(std::string_view token) {
  static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char *at = token.data(), *const end = at + token.size();
  const bool negative = at != end && *at == '-';
  if (at != end && (*at == '-' || *at == '+')) ++at;

  std::uint64_t mantissa = 0;
  const char* const digits = at;
  for (; at != end && is_digit(*at); ++at) mantissa = mantissa * 10 + std::uint64_t(*at - '0');
  std::ptrdiff_t digit_count = at - digits, exponent = 0;
  if (at != end && *at == '.') {
    const char* const fraction = ++at;
    for (; at != end && is_digit(*at); ++at) mantissa = mantissa * 10 + std::uint64_t(*at - '0');
    exponent = fraction - at;
    digit_count -= exponent;
  }
  if (at != end && (*at == 'e' || *at == 'E')) {
    if (++at != end && *at == '+' && end - at > 1 && is_digit(at[1])) ++at;
    int written = 0;
    const auto [stop, failure] = std::from_chars(at, end, written);
    if (failure != std::errc{}) return parse_slowly(token);
    at = stop;
    exponent += written;
  }
  const bool exact = at == end && digit_count > 0 && digit_count <= 19 &&
                     mantissa <= (std::uint64_t(1) << 53) && exponent >= -22 && exponent <= 22;
  if (!exact) return parse_slowly(token);
  const double m = static_cast<double>(mantissa);
  const double value = exponent < 0 ? m / kPowers[-exponent] : m * kPowers[exponent];
  return negative ? -value : value;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string quote_token(std::string_view token) {
  constexpr std::size_t kLongest = 40;
  std::string text(token.substr(0, kLongest));
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c >= 127; }, '?');
  return fmt::format("'{}{}'", text, token.size() > kLongest ? "…" : "");
}

TextCursor::TextCursor(const std::filesystem::path& path, std::string_view text,
                       std::size_t first_line)
    : path_(&path),
      begin_(text.data()),
      at_(begin_),
      end_(begin_ + text.size()),
      line_(first_line) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") at_ += 3;  // byte order mark of UTF-8
}

void TextCursor::skip_blanks() {
  while (at_ != end_) {
    if (is_blank(*at_)) {
      ++at_;
    } else if (*at_ == '#') {
      at_ = std::find(at_, end_, '\n');
    } else if (const std::size_t bytes = *at_ == '\\' ? continuation(at_, end_) : 0) {
      at_ += bytes;
      ++line_;
    } else {
      return;
    }
  }
}

std::string_view TextCursor::word() {
  skip_blanks();
  on_line_ = true;
  const char* const first = at_;
  while (at_ != end_ && static_cast<unsigned char>(*at_) > ' ' && *at_ != '#' &&
         !(*at_ == '\\' && continuation(at_, end_) > 0))
    ++at_;
  return {first, static_cast<std::size_t>(at_ - first)};
}

std::string_view TextCursor::token() {
  at_end();
  return word();
}

bool TextCursor::at_end() {
  for (skip_blanks(); at_ != end_ && *at_ == '\n'; skip_blanks()) {
    ++at_;
    ++line_;
    on_line_ = false;
  }
  return at_ == end_;
}

bool TextCursor::next_line() {
  if (on_line_) {
    while (!word().empty()) continue;
  }
  const bool found = !at_end();
  on_line_ = true;
  return found;
}

std::string_view TextCursor::raw_line() {
  const char* const first = at_;
  at_ = std::find(at_, end_, '\n');
  std::string_view text(first, static_cast<std::size_t>(at_ - first));
  if (at_ != end_) {
    ++at_;
    ++line_;
  }
  on_line_ = false;
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

double TextCursor::real(std::string_view token, const char* what) const {
  const std::optional<double> value = parse_real(token);
  if (!value) fail_expected(what, token);
  if (!std::isfinite(*value)) fail(fmt::format("{} is not finite: {}", what, quote_token(token)));
  return *value;
}

std::int64_t TextCursor::integer(std::string_view token, const char* what) const {
  std::int64_t value = 0;
  const std::string_view digits = token.substr(token.size() > 1 && token[0] == '+' ? 1 : 0);
  const auto [stop, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure != std::errc{} || stop != digits.data() + digits.size()) fail_expected(what, token);
  return value;
}

Index TextCursor::index(std::string_view token, std::size_t count, std::int64_t first,
                        const char* what) const {
  const std::int64_t value = integer(token);
  const std::int64_t last = first + static_cast<std::int64_t>(count) - 1;
  if (value < first || value > last)
    fail(count == 0 ? fmt::format("{} {}, but there are none before this line", what, value)
                    : fmt::format("{} {} is outside {}..{}", what, value, first, last));
  return static_cast<Index>(value - first);
}

std::size_t TextCursor::count(std::string_view token, const char* what,
                              std::size_t bytes_each) const {
  const std::int64_t value = integer(token);
  const auto most = static_cast<std::size_t>(end_ - at_) / bytes_each + 1;
  if (value < 0) fail(fmt::format("{} {}: a count cannot be negative", value, what));
  if (static_cast<std::uint64_t>(value) > most)
    fail(fmt::format("{} {}, but only {} bytes are left: the file is cut short or the count wrong",
                     value, what, end_ - at_));
  return static_cast<std::size_t>(value);
}

Vec3 TextCursor::vec3() {
  const auto next = [&] { return static_cast<Real>(real(token(), "a coordinate")); };
  return {next(), next(), next()};  // braces: from left to right
}

Vec3 TextCursor::vec3_on_line() {
  const auto next = [&] { return static_cast<Real>(real(word(), "a coordinate")); };
  return {next(), next(), next()};
}

void TextCursor::expect(std::string_view keyword) {
  if (const std::string_view found = token(); found != keyword)
    fail_expected(fmt::format("'{}'", keyword), found);
}

void TextCursor::fail(std::string_view what) const {
  throw Error(fmt::format("{}:{}: {}", path_->string(), line_, what));
}

void TextCursor::fail_expected(std::string_view what, std::string_view found) const {
  const char* const end = at_ == end_ ? "the end of the file" : "the end of the line";
  fail(fmt::format("expected {}, found {}", what, found.empty() ? end : quote_token(found)));
}

void TextCursor::move_to(std::size_t offset) {
  at_ = begin_ + std::min(offset, static_cast<std::size_t>(end_ - begin_));
  on_line_ = false;
}

}  // namespace sinew
