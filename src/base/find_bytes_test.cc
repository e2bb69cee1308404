#include "base/find_bytes.h"

#include <gtest/gtest.h>

#include <string>

#include "base/doubling_for_test.h"

namespace cairn {
namespace {

TEST(FindBytes, FindsWhatStandsInIt) {
  EXPECT_TRUE(ContainsBytes("abcabd", "abd"));
  EXPECT_TRUE(ContainsBytes("abc", "abc"));
  EXPECT_TRUE(ContainsBytes("abc", ""));
  EXPECT_TRUE(ContainsBytes("", ""));
  EXPECT_TRUE(ContainsBytes(std::string_view("a\0b", 3), std::string_view("\0b", 2)));
  EXPECT_FALSE(ContainsBytes("abc", "abcd"));
  EXPECT_FALSE(ContainsBytes("", "a"));
  EXPECT_FALSE(ContainsBytes("aab", "abb"));
}

// Each makes a search that begins anew at every place compare half of the wanted bytes there.
TEST(FindBytes, WorkIsLinearInTheWorstCases) {
  using Wanted = std::string (*)(size_t);
  const Wanted kinds[] = {
      [](size_t n) { return std::string(n, 'a') + "b"; },
      [](size_t n) { return "b" + std::string(n, 'a'); },
      [](size_t n) { return std::string(n / 2, 'a') + "b" + std::string(n / 2, 'a'); },
  };
  for (const Wanted make_wanted : kinds) {
    const double growth = GrowthOf(50'000, [&](size_t n) {
      return [text = std::string(n, 'a'), wanted = make_wanted(n / 2)] {
        EXPECT_FALSE(ContainsBytes(text, wanted));
      };
    });
    EXPECT_LT(growth, kLinearGrowth) << make_wanted(8);
  }
}

}  // namespace
}  // namespace cairn
