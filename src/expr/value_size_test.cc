#include "expr/value_size.h"

#include <gtest/gtest.h>

#include <string>

namespace cairn::expr {
namespace {

using item::AttributeValue;

// Letters of one to four bytes, at every place of the words that are counted at once.
TEST(ValueSize, OfATextIsInUtf16Units) {
  const std::pair<std::string, int64_t> letters[] = {
      {"a", 1}, {"\u00e9", 1}, {"\u20ac", 1}, {"\U0001d11e", 2}};
  for (const auto& [letter, units] : letters) {
    for (size_t before = 0; before < 10; ++before) {
      for (size_t count = 0; count < 20; ++count) {
        std::string text(before, 'x');
        for (size_t i = 0; i < count; ++i) text += letter;
        text += "y\u00fcz";
        const auto expected = static_cast<int64_t>(before + 3) + static_cast<int64_t>(count) * units;
        EXPECT_EQ(ValueSize(AttributeValue(text)), expected) << text;
      }
    }
  }
}

}  // namespace
}  // namespace cairn::expr
