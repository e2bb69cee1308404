#include "base/utf8.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(Utf8, TextIsAccepted) {
  for (const std::string_view text :
       {"", "abc", "\xc2\x80", "\xc3\xa9t\xc3\xa9", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
}

TEST(Utf8, OtherBytesAreRefused) {
  for (const std::string_view text :
       {"\x80", "\xbf", "\xc0\xaf", "\xc1\xbf", "\xc3", "a\xc3", "\xc3(", "\xe0\x9f\xbf", "\xe2\x82",
        "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff",
        "\xfe", "\xf0\x9f\x98"}) {
    EXPECT_FALSE(IsUtf8(text)) << testing::PrintToString(text);
  }
}

TEST(Utf8, IsCutBetweenCharacters) {
  const std::string_view text = "a\xc3\xa9\xf0\x9f\x98\x80z";
  const size_t ends[] = {0, 1, 1, 3, 3, 3, 3, 7, 8, 8};
  for (size_t bytes_max = 0; bytes_max < std::size(ends); ++bytes_max) {
    EXPECT_EQ(CutUtf8(text, bytes_max), text.substr(0, ends[bytes_max])) << bytes_max;
  }
}

}  // namespace
}  // namespace cairn
