// The readers of text and binary files that all mesh formats share.
#include <gtest/gtest.h>

#include <clocale>
#include <limits>

#include "io/byte_cursor.h"
#include "io/text_cursor.h"

namespace sinew {
namespace {

const std::filesystem::path kPath = "some.file";

template <class F>
std::string message(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(TextCursor, TokensCrossLinesAndComments) {
  TextCursor in(kPath, "\xEF\xBB\xBF# head\r\n  a 12\t# rest\n\n\r\n-3#x\n1e2");
  EXPECT_EQ(in.token(), "a");
  EXPECT_EQ(in.integer(), 12);
  EXPECT_EQ(in.line(), 2u);
  EXPECT_EQ(in.integer(), -3);
  EXPECT_EQ(in.line(), 5u);
  EXPECT_EQ(in.real(), 100);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(in.token(), "");
}

TEST(TextCursor, WordsStayOnTheirLine) {
  TextCursor in(kPath, "\n# c\nf 1 2\\\r\n3 \\\n 4\r\nv\n\nlast");
  ASSERT_TRUE(in.next_line());
  EXPECT_EQ(in.line(), 3u);
  for (const char* expected : {"f", "1", "2", "3", "4", "", ""}) EXPECT_EQ(in.word(), expected);
  ASSERT_TRUE(in.next_line());
  EXPECT_EQ(in.word(), "v");
  EXPECT_EQ(in.word(), "");
  EXPECT_EQ(in.line(), 6u);
  ASSERT_TRUE(in.next_line());
  ASSERT_FALSE(in.next_line());  // "last" was passed over
}

TEST(TextCursor, CopyIsABookmarkAndRawLinesKeepComments) {
  TextCursor in(kPath, "# vtk DataFile Version 3.0\r\nmy title # 1\nASCII");
  TextCursor ahead = in;
  EXPECT_EQ(ahead.token(), "my");
  EXPECT_EQ(in.raw_line(), "# vtk DataFile Version 3.0");
  EXPECT_EQ(in.raw_line(), "my title # 1");
  EXPECT_EQ(in.line(), 3u);
  EXPECT_TRUE(in.next_line());
  EXPECT_NO_THROW(in.expect("ASCII"));
  EXPECT_EQ(message([&] { in.expect("DATASET"); }),
            "some.file:3: expected 'DATASET', found the end of the file");
}

TEST(TextCursor, MovesOverBinaryBlocks) {
  TextCursor in(kPath, std::string_view("data\n\0#\n\0end", 12));
  in.expect("data");
  EXPECT_EQ(in.offset(), 4u);
  in.move_to(9);
  EXPECT_EQ(in.token(), "end");
  in.move_to(1000);
  EXPECT_TRUE(in.at_end());
}

TEST(TextCursor, RealsAreRoundedCorrectly) {
  const TextCursor in(kPath, "");
  for (const char* text : {"0",
                           "-0",
                           "1",
                           "+1.5",
                           ".5",
                           "5.",
                           "-.25e1",
                           "1e22",
                           "1e23",
                           "1E+05",
                           "3.4028235e38",
                           "0.1",
                           "123456789012345678",
                           "9007199254740993",
                           "0.30000000000000004441",
                           "1e-320",
                           "2.2250738585072011e-308",
                           "1.7976931348623157e308",
                           "18446744073709551617e-3",
                           "000000000000000000000000000000000001.5",
                           "6.02214076e23",
                           "1e-22",
                           "1e-23"})
    EXPECT_EQ(in.real(text), std::strtod(text, nullptr)) << text;
  EXPECT_TRUE(std::signbit(in.real("-0")));
}

TEST(TextCursor, RealsIgnoreTheLocale) {
  const char* const found = std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
  EXPECT_EQ(TextCursor(kPath, "").real("0.30000000000000004441"), 0.30000000000000004441);
  if (found) std::setlocale(LC_NUMERIC, "C");
}

TEST(TextCursor, RefusesWhatIsNoNumber) {
  TextCursor in(kPath, "x\ny");
  in.token();
  in.token();
  for (const char* text : {"", "abc", "1.5x", "-", ".", "1e", "1e+", "--1", "1,5", "0x", "1e5.5"})
    EXPECT_NE(message([&] { in.real(text); }).find("some.file:2: expected a number"),
              std::string::npos)
        << text;
  for (const char* text : {"nan", "inf", "-inf", "1e400", "1e99999999999999"})
    EXPECT_NE(message([&] { in.real(text); }).find("some.file:2: "), std::string::npos) << text;
  for (const char* text : {"", "1.5", "x", "+", "99999999999999999999", "1 "})
    EXPECT_NE(message([&] { in.integer(text); }).find("some.file:2: expected an integer"),
              std::string::npos)
        << text;
}

TEST(TextCursor, IndicesAndCountsAreChecked) {
  TextCursor in(kPath, "12 rest of the text, long enough");
  EXPECT_EQ(in.index("8", 8), 7u);
  EXPECT_EQ(in.index("0", 8, 0), 0u);
  EXPECT_EQ(message([&] { in.index("9", 8); }), "some.file:1: vertex 9 is outside 1..8");
  EXPECT_NE(message([&] { in.index("0", 8); }), "no error");
  EXPECT_NE(message([&] { in.index("-1", 8); }), "no error");
  EXPECT_NE(message([&] { in.index("1", 0); }), "no error");
  EXPECT_NE(message([&] { in.count("9223372036854775807", "cells"); }), "no error");
  EXPECT_NE(message([&] { in.count("-1", "cells"); }), "no error");
  EXPECT_NE(message([&] { in.count("12", "cells", 8); }), "no error");
  EXPECT_EQ(in.count("words"), 12u);
}

TEST(TextCursor, MessagesQuoteHostileTokensSafely) {
  EXPECT_EQ(quote_token("a\x01\xffz"), "'a??z'");
  EXPECT_LT(quote_token(std::string(100000, 'x')).size(), 50u);
}

TEST(ByteCursor, ReadsBothByteOrders) {
  const std::string_view bytes("\x01\x02\x03\x04\x3f\x80\x00\x00", 8);
  ByteCursor big(kPath, bytes, std::endian::big), little(kPath, bytes);
  EXPECT_EQ(big.get<std::uint32_t>(), 0x01020304u);
  EXPECT_EQ(big.get<float>(), 1.0f);
  EXPECT_EQ(big.remaining(), 0u);
  EXPECT_EQ(little.get<std::uint16_t>(), 0x0201u);
  little.set_order(std::endian::big);
  EXPECT_EQ(little.get<std::int16_t>(), 0x0304);
  std::uint16_t two[2];
  little.get<std::uint16_t>(two);
  EXPECT_EQ(two[0], 0x3f80);
  EXPECT_EQ(little.offset(), 8u);
}

TEST(ByteCursor, NeverLeavesItsBytes) {
  ByteCursor in(kPath, "abcdef", std::endian::little, 2);
  EXPECT_NE(message([&] { in.get<double>("x"); }).find("some.file: byte 2: "), std::string::npos);
  EXPECT_EQ(in.offset(), 2u);
  const std::size_t huge = std::numeric_limits<std::size_t>::max();
  EXPECT_NE(message([&] { in.require(huge, huge, "cells"); }), "no error");
  EXPECT_NE(message([&] { in.take(huge / 2 + 2, 2, "cells"); }), "no error");
  EXPECT_EQ(in.take(2, 2, "letters"), "cdef");
  EXPECT_EQ(ByteCursor(kPath, "ab", std::endian::little, 9).remaining(), 0u);
}

}  // namespace
}  // namespace sinew
