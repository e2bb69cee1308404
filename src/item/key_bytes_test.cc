#include "item/key_bytes.h"

#include "item/random_item_for_test.h"

namespace cairn::item {
namespace {

std::string Part(const AttributeValue& value) {
  std::string bytes;
  AppendKeyPart(bytes, value);
  return bytes;
}

TEST(KeyBytes, TextPartsOrderLikeTheirText) {
  const uint64_t seed = TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomItems random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const std::string a = random.Text(4);
    const std::string b = random.Text(4);
    ASSERT_EQ(a <=> b, Part(Binary{a}) <=> Part(Binary{b}))
        << testing::PrintToString(a) << testing::PrintToString(b);
    std::string prefix;
    AppendKeyPrefix(prefix, Binary{a});
    ASSERT_EQ(b.starts_with(a), Part(Binary{b}).starts_with(prefix));
  }
}

TEST(KeyBytes, PartsSplitWhereTheyWereJoined) {
  const uint64_t seed = TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomItems random(seed);
  for (int i = 0; i < 5'000; ++i) {
    const std::string text = Part(Binary{random.Text(6)});
    const std::string number = Part(random.RandomNumber());
    const std::string joined = text + number + text;
    std::string_view rest = joined;
    ASSERT_EQ(TakeKeyPart(rest, Type::kString), text);
    ASSERT_EQ(TakeKeyPart(rest, Type::kNumber), number);
    ASSERT_EQ(TakeKeyPart(rest, Type::kBinary), text);
    ASSERT_TRUE(rest.empty());
  }
}

TEST(KeyBytes, DamagedPartIsEmpty) {
  for (const std::string& bytes :
       {std::string(), std::string("abc"), std::string("a\0", 2), std::string("a\0\5", 3)}) {
    std::string_view rest = bytes;
    EXPECT_TRUE(TakeKeyPart(rest, Type::kString).empty());
  }
  std::string_view no_end = "\xc1\x05";
  EXPECT_TRUE(TakeKeyPart(no_end, Type::kNumber).empty());
}

TEST(KeyBytes, SchemaPartsComeInOrder) {
  const KeySchema schema{.partition = {{"b", Type::kString}, {"a", Type::kNumber}},
                         .sort = {{"c", Type::kString}}};
  const Item item{{"a", Number(1)}, {"b", "x"}, {"c", "y"}};
  std::string partition, sort;
  AppendPartition(partition, schema, item);
  AppendSort(sort, schema, item);
  EXPECT_EQ(partition, Part("x") + Part(Number(1)));
  EXPECT_EQ(sort, Part("y"));
}

TEST(KeyBytes, PrefixEndIsTheNextPrefix) {
  EXPECT_EQ(PrefixEnd("ab"), "ac");
  EXPECT_EQ(PrefixEnd("a\xff"), "b");
  EXPECT_EQ(PrefixEnd("\xff\xff"), "");
  EXPECT_EQ(PrefixEnd("\x7f"), "\x80");
}

}  // namespace
}  // namespace cairn::item
