#include "http/if_none_match.h"

#include <gtest/gtest.h>

namespace cairn::http {
namespace {

TEST(IfNoneMatch, FindsTheTagInAList) {
  EXPECT_TRUE(NamesTag("\"a\"", "\"a\""));
  EXPECT_TRUE(NamesTag("\"x\", \"a\" ,\"y\"", "\"a\""));
  EXPECT_TRUE(NamesTag("*", "\"a\""));
  EXPECT_TRUE(NamesTag(" * ", "\"a\""));
  EXPECT_FALSE(NamesTag("", "\"a\""));
  EXPECT_FALSE(NamesTag("\"b\"", "\"a\""));
  EXPECT_FALSE(NamesTag("a", "\"a\""));
  EXPECT_FALSE(NamesTag("\"ab\"", "\"a\""));
}

TEST(IfNoneMatch, ComparesWeakly) {
  EXPECT_TRUE(NamesTag("W/\"a\"", "\"a\""));
  EXPECT_TRUE(NamesTag("\"a\"", "W/\"a\""));
  EXPECT_TRUE(NamesTag("\"x\",W/\"a\"", "W/\"a\""));
  EXPECT_FALSE(NamesTag("w/\"a\"", "\"a\""));
}

}  // namespace
}  // namespace cairn::http
