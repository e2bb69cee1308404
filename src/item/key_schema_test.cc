#include "item/key_schema.h"

namespace cairn::item {
namespace {

const KeySchema kSchema{.partition = {{"pk", Type::kString}}, .sort = {{"sk", Type::kNumber}}};
const KeySchema kTextSchema{.partition = {{"pk", Type::kString}}, .sort = {{"sk", Type::kBinary}}};

std::string MessageOf(const Status& status) { return status ? "accepted" : status.error().message; }

TEST(KeySchema, FindsItsElements) {
  EXPECT_TRUE(kSchema.Contains("sk"));
  EXPECT_FALSE(kSchema.Contains("other"));
  EXPECT_EQ(kSchema.element_count(), 2u);
  EXPECT_EQ(KeyOf(kSchema, Item{{"a", "1"}, {"pk", "p"}, {"sk", Number(1)}}),
            (Item{{"pk", "p"}, {"sk", Number(1)}}));
  EXPECT_FALSE(HasKey(kSchema, Item{{"pk", "p"}, {"sk", "text"}}));
}

TEST(ValidateKey, AcceptsExactlyTheSchema) {
  EXPECT_TRUE(ValidateKey(kSchema, Item{{"pk", "p"}, {"sk", Number(1)}}).has_value());
  const std::string mismatch = "The provided key element does not match the schema";
  EXPECT_EQ(MessageOf(ValidateKey(kSchema, Item{{"pk", "p"}})), mismatch);
  EXPECT_EQ(MessageOf(ValidateKey(kSchema, Item{{"pk", "p"}, {"sk", "1"}})), mismatch);
  EXPECT_EQ(MessageOf(ValidateKey(kSchema, Item{{"pk", "p"}, {"sk", Number(1)}, {"x", "1"}})), mismatch);
  EXPECT_EQ(MessageOf(ValidateKey(kSchema, Item{{"pk", "p"}, {"x", Number(1)}})), mismatch);
}

TEST(ValidateKey, RefusesEmptyAndOversizedValues) {
  EXPECT_EQ(
      MessageOf(ValidateKey(kSchema, Item{{"pk", ""}, {"sk", Number(1)}})),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty string value. Key: pk");
  EXPECT_EQ(
      MessageOf(ValidateKey(kTextSchema, Item{{"pk", "p"}, {"sk", Binary{}}})),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty binary value. Key: sk");
  EXPECT_TRUE(ValidateKey(kSchema, Item{{"pk", std::string(2048, 'a')}, {"sk", Number(1)}}).has_value());
  EXPECT_EQ(
      MessageOf(ValidateKey(kSchema, Item{{"pk", std::string(2049, 'a')}, {"sk", Number(1)}})),
      "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 "
      "bytes");
  EXPECT_EQ(MessageOf(ValidateKey(kTextSchema, Item{{"pk", "p"}, {"sk", Binary{std::string(1025, 'a')}}})),
            "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the "
            "size limit "
            "of 1024 bytes");
}

TEST(ValidateKeyInItem, NamesTheKeyAtFault) {
  EXPECT_TRUE(ValidateKeyInItem(kSchema, Item{{"pk", "p"}, {"sk", Number(1)}, {"x", "1"}}).has_value());
  EXPECT_EQ(MessageOf(ValidateKeyInItem(kSchema, Item{{"sk", Number(1)}})),
            "One or more parameter values were invalid: Missing the key pk in the item");
  EXPECT_EQ(MessageOf(ValidateKeyInItem(kSchema, Item{{"pk", Number(1)}, {"sk", Number(1)}})),
            "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N");
  EXPECT_EQ(
      MessageOf(ValidateKeyInItem(kSchema, Item{{"pk", ""}, {"sk", Number(1)}})),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty string value. Key: pk");
}

TEST(ValidateIndexKeyInItem, AbsentIsFineWrongIsNot) {
  const KeySchema index{.partition = {{"gsipk", Type::kString}}, .sort = {}};
  EXPECT_TRUE(ValidateIndexKeyInItem(index, "gsi1", Item{}).has_value());
  EXPECT_TRUE(ValidateIndexKeyInItem(index, "gsi1", Item{{"gsipk", "a"}}).has_value());
  EXPECT_EQ(
      MessageOf(ValidateIndexKeyInItem(index, "gsi1", Item{{"gsipk", Number(1)}})),
      "One or more parameter values were invalid: Type mismatch for Index Key gsipk Expected: S Actual: N "
      "IndexName: gsi1");
  EXPECT_EQ(
      MessageOf(ValidateIndexKeyInItem(index, "gsi1", Item{{"gsipk", ""}})),
      "One or more parameter values are not valid. A value specified for a secondary index key is not "
      "supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: "
      "gsi1, IndexKey: gsipk");
}

}  // namespace
}  // namespace cairn::item
