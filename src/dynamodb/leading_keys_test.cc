#include "dynamodb/leading_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "item/random_item_for_test.h"

namespace cairn::dynamodb {
namespace {

using testing::HasSubstr;

LeadingKeys Only(std::initializer_list<std::string> patterns) {
  LeadingKeys limits{.patterns = {}, .tables = {"App"}};
  for (const std::string& text : patterns) limits.patterns.push_back(LeadingKeyPattern::Parse(text).value());
  return limits;
}

TEST(LeadingKeyPattern, WithoutStarMatchesExactly) {
  const auto pattern = LeadingKeyPattern::Parse("U#alice").value();
  EXPECT_TRUE(pattern.Matches("U#alice"));
  for (const char* other : {"U#alice2", "U#alic", "U#Alice", "U#alice#", "xU#alice", ""}) {
    EXPECT_FALSE(pattern.Matches(other)) << other;
  }
}

TEST(LeadingKeyPattern, StarMatchesAnyEndAlsoNone) {
  const auto pattern = LeadingKeyPattern::Parse("U#alice#*").value();
  EXPECT_TRUE(pattern.Matches("U#alice#"));
  EXPECT_TRUE(pattern.Matches("U#alice#lists#7"));
  EXPECT_FALSE(pattern.Matches("U#alice"));
  EXPECT_FALSE(pattern.Matches("U#alice2#lists"));
}

TEST(LeadingKeyPattern, DoubtfulOnesAreRefused) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "is empty"},
      {"*", "would match every key"},
      {"U#*#x", "has a * before its end"},
      {"*x", "has a * before its end"},
      {"U#**", "has a * before its end"},
      {"U#?", "contains a ?"},
      {"U#alice?*", "contains a ?"},
      {"U#alice*", "would also match U#alice2"},
      {"U#A*", "would also match U#A2"},
      {"U#7*", "would also match U#72"},
      {"U#zo\xc3\xa9*",
       "would also match U#zo\xc3\xa9"
       "2"},
  };
  for (const auto& [text, message] : cases) {
    const auto pattern = LeadingKeyPattern::Parse(text);
    ASSERT_FALSE(pattern) << text;
    EXPECT_THAT(pattern.error().message, HasSubstr(message));
  }
}

TEST(LeadingKeys, OnlyTextMatches) {
  const LeadingKeys limits = Only({"7", "U#a", "-*"});
  EXPECT_TRUE(limits.Match("7"));
  EXPECT_FALSE(limits.Match(item::Number::Parse("7").value()));
  EXPECT_FALSE(limits.Match(item::Number::Parse("-7").value()));
  EXPECT_FALSE(limits.Match(item::Binary{"U#a"}));
  EXPECT_FALSE(limits.Match(item::AttributeValue()));
}

TEST(LeadingKeys, LookAlikesAreOthers) {
  const LeadingKeys limits = Only({"U#zo\xc3\xa9"});  // e with an acute accent, as one character
  EXPECT_TRUE(limits.Match("U#zo\xc3\xa9"));
  EXPECT_FALSE(limits.Match("U#zoe\xcc\x81")) << "the same letter as two characters";
  EXPECT_FALSE(limits.Match("U#z\xd0\xbe\xc3\xa9")) << "a Cyrillic o";
  EXPECT_FALSE(limits.Match(std::string_view("U#zo\xc3\xa9\0", 8)));
}

// Ids of users that are prefixes of each other, contain separators, are empty or are no text at all.
class Users {
 public:
  explicit Users(uint64_t seed) : random_(seed) {}

  std::string Id() {
    static const std::vector<std::string> kParts = {
        "a",   "b",  "1",    "2",    "#",        "##",    "%",
        "%23", "U#", "\xff", "\xfe", "\xc3\xa9", "e\xcc", std::string(1, '\0')};
    if (!known_.empty() && random_.Below(3) == 0) {  // one that has another one in front
      return known_[random_.Below(known_.size())] + kParts[random_.Below(kParts.size())];
    }
    std::string id;
    for (uint64_t left = random_.Below(4); left > 0; --left) id += kParts[random_.Below(kParts.size())];
    known_.push_back(id);
    return id;
  }
  std::string Rest() { return random_.Below(2) == 0 ? "" : "#" + Id(); }

 private:
  item::RandomItems random_;
  std::vector<std::string> known_ = {"", "a", "a#b", "ab"};
};

// As models write ids into keys: the separator can only be a separator.
std::string Escaped(std::string_view id) {
  std::string text;
  for (const char c : id) text += c == '#' ? "%23" : c == '%' ? "%25" : std::string(1, c);
  return text;
}

TEST(LeadingKeys, WholeKeysOfOneUserAreNeverThoseOfAnother) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  Users users(seed);
  for (int round = 0; round < 5000; ++round) {
    const std::string own = users.Id(), other = users.Id();
    const LeadingKeys limits = Only({"U#" + own});
    ASSERT_TRUE(limits.Match("U#" + own)) << own;
    ASSERT_EQ(limits.Match("U#" + other), own == other) << own << " and " << other;
  }
}

TEST(LeadingKeys, KeysUnderOneUserAreNeverThoseOfAnother) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  Users users(seed);
  for (int round = 0; round < 5000; ++round) {
    const std::string own = users.Id(), other = users.Id();
    const LeadingKeys limits = Only({"U#" + Escaped(own), "U#" + Escaped(own) + "#*"});
    ASSERT_TRUE(limits.Match("U#" + Escaped(own) + users.Rest())) << own;
    const std::string key = "U#" + Escaped(other) + users.Rest();
    ASSERT_EQ(limits.Match(key), own == other) << own << " and " << key;
  }
}

}  // namespace
}  // namespace cairn::dynamodb
