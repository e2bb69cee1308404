#include "rest/entity_tag.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::rest {
namespace {

using testing::ElementsAre;

std::vector<std::string> Tags(std::string_view field) {
  std::vector<std::string> tags;
  const auto parsed = ParseIfMatch(field);
  if (!parsed) return {"malformed"};
  for (const IfMatch& one : *parsed) tags.push_back(one.any ? "*" : one.tag);
  return tags;
}

TEST(ParseIfMatch, ListsOfTags) {
  EXPECT_THAT(Tags("*"), ElementsAre("*"));
  EXPECT_THAT(Tags("\"7\""), ElementsAre("\"7\""));
  EXPECT_THAT(Tags("\"7\", \"8\""), ElementsAre("\"7\"", "\"8\""));
  EXPECT_THAT(Tags(" , \"7\" ,,\t\"8\", "), ElementsAre("\"7\"", "\"8\""));
  EXPECT_THAT(Tags("\"a,b\",\"\""), ElementsAre("\"a,b\"", "\"\""));
}

TEST(ParseIfMatch, WeakTagsNeverMatch) {
  EXPECT_THAT(Tags("W/\"7\", \"8\""), ElementsAre("\"8\""));
  EXPECT_THAT(Tags("W/\"7\""), ElementsAre("\"\""));
}

TEST(ParseIfMatch, WhatIsNoList) {
  for (const std::string_view field :
       {"", ",", "7", "\"7", "\"7\" \"8\"", "\"7\",*", "*,*", "w/\"7\"", "\"7\"x"}) {
    EXPECT_THAT(Tags(field), ElementsAre("malformed")) << field;
  }
  std::string many = "\"0\"";
  for (size_t i = 1; i < kIfMatchTagsMax; ++i) many += ",\"" + std::to_string(i) + "\"";
  EXPECT_EQ(Tags(many).size(), kIfMatchTagsMax);
  EXPECT_THAT(Tags(many + ",\"x\""), ElementsAre("malformed"));
}

TEST(Holds, WhenOneOfThemDoes) {
  const auto list = ParseIfMatch("\"7\", \"8\"").value();
  EXPECT_TRUE(Holds(list, "\"8\""));
  EXPECT_FALSE(Holds(list, "W/\"8\""));
  EXPECT_FALSE(Holds(list, ""));
  EXPECT_TRUE(Holds(ParseIfMatch("*").value(), ""));
}

}  // namespace
}  // namespace cairn::rest
