#include "dynamodb/shard_iterator.h"

#include "dynamodb/sequence_number.h"
#include "item/item_json.h"

namespace cairn::dynamodb {
namespace {

constexpr Time kNow{std::chrono::milliseconds(1'794'771'750'123)};
const store::ShardPosition kPosition{{"Orders", "2026-11-15T19:42:30.123"}, 18'446'744'073'709'551'615ull};

TEST(ShardIterator, ReadsWhatWasMade) {
  const auto position = ReadShardIterator(MakeShardIterator(kPosition, kNow), kNow);
  ASSERT_TRUE(position);
  EXPECT_EQ(position->stream, kPosition.stream);
  EXPECT_EQ(position->next_sequence, kPosition.next_sequence);
}

TEST(ShardIterator, ExpiresAfterFifteenMinutes) {
  const std::string token = MakeShardIterator(kPosition, kNow);
  EXPECT_TRUE(ReadShardIterator(token, kNow + std::chrono::minutes(15)));
  const auto late = ReadShardIterator(token, kNow + std::chrono::minutes(15) + std::chrono::milliseconds(1));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::kExpiredIterator);
  EXPECT_EQ(
      late.error().message,
      "Iterator expired. The iterator was created at time 2026-11-15T19:42:30.123Z while right now it is "
      "2026-11-15T19:57:30.124Z which is further in the future than the tolerated delay of 900000 "
      "milliseconds.");
}

TEST(ShardIterator, AnythingElseIsInvalid) {
  const auto token = [](std::string_view text) {
    std::string encoded;
    item::AppendBase64(encoded, text);
    return encoded;
  };
  const std::string bad[] = {"",
                             "!",
                             "AAAA",
                             token("1|t|l|1"),
                             token("2|t|l|1|1"),
                             token("1||l|1|1"),
                             token("1|t|l|x|1"),
                             token("1|t|l|1|"),
                             token("1|t|l|-1|1"),
                             token("1|t|l|1|1|1"),
                             token("1|t|l|99999999999999999999|1"),
                             token("1|t|l|1|-9223372036854775808")};
  for (const std::string& text : bad) {
    const auto position = ReadShardIterator(text, kNow);
    ASSERT_FALSE(position) << text;
    EXPECT_EQ(position.error().code, Code::kInvalidArgument) << text;
  }
}

TEST(ShardIterator, AMomentFarInTheFutureIsNoProblem) {
  std::string token;
  item::AppendBase64(token, "1|t|l|1|9223372036854775807");
  EXPECT_TRUE(ReadShardIterator(token, kNow));
}

TEST(SequenceNumber, FormatsAndParses) {
  EXPECT_EQ(FormatSequenceNumber(42), "000000000000000000042");
  EXPECT_EQ(FormatSequenceNumber(18'446'744'073'709'551'615ull), "018446744073709551615");
  EXPECT_EQ(ParseSequenceNumber("000000000000000000042"), 42u);
  EXPECT_EQ(ParseSequenceNumber("018446744073709551615"), 18'446'744'073'709'551'615ull);
  for (const char* text : {"", "x", "-1", "1x", "018446744073709551616"}) {
    EXPECT_FALSE(ParseSequenceNumber(text)) << text;
  }
}

}  // namespace
}  // namespace cairn::dynamodb
