#include "partiql/next_token.h"

namespace cairn::partiql {
namespace {

TEST(NextToken, ComesBackAsItWas) {
  const uint64_t fingerprint = Fingerprint("SELECT * FROM T", {});
  const ReadPosition with_key{3, item::Item{{"pk", "a"}, {"n", item::Number(1)}}};
  const auto decoded = DecodeNextToken(fingerprint, EncodeNextToken(fingerprint, with_key));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->read, 3u);
  EXPECT_EQ(decoded->start_key, with_key.start_key);
  const auto without_key = DecodeNextToken(fingerprint, EncodeNextToken(fingerprint, {1, std::nullopt}));
  ASSERT_TRUE(without_key.has_value());
  EXPECT_EQ(without_key->read, 1u);
  EXPECT_FALSE(without_key->start_key.has_value());
}

TEST(NextToken, OfAnotherStatementIsRefused) {
  const std::string token = EncodeNextToken(Fingerprint("SELECT * FROM T", {}), {});
  const std::vector<item::AttributeValue> parameters = {"x"};
  for (const uint64_t other :
       {Fingerprint("SELECT * FROM U", {}), Fingerprint("SELECT * FROM T", parameters)}) {
    const auto decoded = DecodeNextToken(other, token);
    ASSERT_FALSE(decoded.has_value());
    EXPECT_EQ(decoded.error().message, "NextToken does not match request");
  }
}

TEST(NextToken, GarbageIsRefused) {
  const uint64_t fingerprint = Fingerprint("SELECT * FROM T", {});
  const std::string token = EncodeNextToken(fingerprint, {0, item::Item{{"pk", "a"}}});
  for (const std::string& bad :
       {std::string("garbage"), std::string("AAAA"), std::string("!"), token.substr(0, 24)}) {
    const auto decoded = DecodeNextToken(fingerprint, bad);
    ASSERT_FALSE(decoded.has_value()) << bad;
    EXPECT_EQ(decoded.error().message, "Invalid NextToken") << bad;
  }
}

}  // namespace
}  // namespace cairn::partiql
