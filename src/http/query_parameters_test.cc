#include "http/query_parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/percent.h"

namespace cairn::http {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(QueryParameters, AreDecoded) {
  const auto parameters = QueryParameters::Parse("b=two+words&a=1%2B1&empty=&flag&%C3%A9=%26%3D&eq=a=b");
  ASSERT_TRUE(parameters) << parameters.error().message;
  EXPECT_THAT(parameters->all(), ElementsAre(Pair("a", "1+1"), Pair("b", "two words"), Pair("empty", ""),
                                             Pair("eq", "a=b"), Pair("flag", ""), Pair("\xc3\xa9", "&=")));
  EXPECT_EQ(parameters->Find("a"), "1+1");
  EXPECT_EQ(parameters->Find("A"), std::nullopt);
}

TEST(QueryParameters, NothingGivesNone) {
  for (const std::string_view query : {"", "&", "&&"}) {
    EXPECT_TRUE(QueryParameters::Parse(query).value().all().empty()) << query;
  }
}

TEST(QueryParameters, BadOnesAreRefused) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"a=1&a=2", "'a' is given twice"},
      {"a=1&%61=1", "'a' is given twice"},
      {"a&a", "given twice"},
      {"=1", "no name"},
      {"a=%", "two digits"},
      {"%g0=1", "two digits"},
      {"a=%00", "NUL"},
      {"a=%ff", "not UTF-8"},
      {"a=\xff", "not UTF-8"},
  };
  for (const auto& [query, why] : cases) {
    const auto parameters = QueryParameters::Parse(query);
    ASSERT_FALSE(parameters) << query;
    EXPECT_EQ(parameters.error().code, Code::kMalformed);
    EXPECT_THAT(parameters.error().message, HasSubstr(std::string(why)));
  }
}

TEST(QueryParameters, TooManyAreRefused) {
  std::string query;
  for (size_t i = 0; i < kQueryParametersMax; ++i) query += "&p" + std::to_string(i) + "=1";
  EXPECT_TRUE(QueryParameters::Parse(query));
  EXPECT_FALSE(QueryParameters::Parse(query + "&one=more"));
}

TEST(Percent, SegmentsComeBack) {
  for (const std::string_view text : {"", "plain-._~", "a b", "a/b", "#%?&=+", "\xc3\xa9", "..", "\"<>\\"}) {
    const std::string encoded = EncodeSegment(text);
    EXPECT_EQ(encoded.find_first_of("/#?& \"<>\\+"), encoded.npos) << encoded;
    EXPECT_EQ(PercentDecode(encoded, Plus::kIsPlus).value(), text);
  }
}

}  // namespace
}  // namespace cairn::http
