#include "item/item_json_bytes.h"

#include "item/item_json.h"
#include "item/item_size.h"

namespace cairn::item {
namespace {

void ExpectCounted(const Item& item) {
  const PackedItem packed = PackedItem::Pack(item);
  std::string json;
  AppendItemJson(json, packed);
  EXPECT_EQ(JsonBytes(packed), json.size()) << json.substr(0, 200);
  EXPECT_LE(json.size(), kJsonPerPackedByteMax * packed.bytes().size());
  EXPECT_LE(json.size(), 8 * std::max(packed.bytes().size(), ItemBytes(item)));
}

TEST(ItemJsonBytes, AreWhatTheWriterWrites) {
  ExpectCounted({});
  ExpectCounted({{"", ""}});
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  ExpectCounted({{all, all},
                 {"b", Binary{all}},
                 {"ss", StringSet{{all, ""}}},
                 {"bs", BinarySet{{"", "1", "12", "123"}}}});
  ExpectCounted(
      {{"m", Map{{"k", List{"", AttributeValue(false), AttributeValue(true), Null{}, Map{}, List{}}}}},
       {"ns", NumberSet{{Number(1), Number::Parse("-1E-130").value()}}},
       {"n", Number::Parse("1E125").value()}});
}

TEST(ItemJsonBytes, AreBoundedForTheMostWastefulValues) {
  for (const AttributeValue& value :
       {AttributeValue(Null{}), AttributeValue(false), AttributeValue(""), AttributeValue(List{}),
        AttributeValue(Map{}), AttributeValue(Number(0)), AttributeValue(Number::Parse("1E125").value()),
        AttributeValue(Binary{""}), AttributeValue("\x01")}) {
    ExpectCounted({{"l", List(1000, value)}});
  }
}

}  // namespace
}  // namespace cairn::item
