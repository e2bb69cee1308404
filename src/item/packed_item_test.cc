#include "item/packed_item.h"

#include "item/item_json.h"
#include "item/item_size.h"
#include "item/random_item_for_test.h"

namespace cairn::item {
namespace {

std::string Json(const auto& item) {
  std::string out;
  AppendItemJson(out, item);
  return out;
}

TEST(PackedItem, RandomItemsSurviveEveryTrip) {
  const uint64_t seed = TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomItems random(seed);
  for (int i = 0; i < 2'000; ++i) {
    const Item item = random.RandomItem(3);
    const PackedItem packed = PackedItem::Pack(item);
    ASSERT_EQ(packed.Unpack(), item);
    ASSERT_EQ(packed.ItemBytes(), ItemBytes(item));
    ASSERT_EQ(PackedItem::FromStored(packed.bytes()).value(), packed);
    ASSERT_EQ(Json(packed), Json(item));
    const Result<Item> parsed = ParseItemJson(Json(packed));
    ASSERT_TRUE(parsed.has_value()) << parsed.error().message << Json(packed);
    ASSERT_EQ(*parsed, item);
    for (const Attribute& attribute : item) ASSERT_EQ(packed.Find(attribute.name), attribute.value);
  }
}

TEST(PackedItem, OnlyKeepsNamedAttributesAndCountsAnew) {
  const uint64_t seed = TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomItems random(seed);
  for (int i = 0; i < 1'000; ++i) {
    const Item item = random.RandomItem(2);
    std::vector<std::string> names = {"", "aa", "nothere"};
    for (const Attribute& attribute : item) {
      if (random.Below(2) == 0) names.push_back(attribute.name);
    }
    std::sort(names.begin(), names.end());
    const PackedItem packed = PackedItem::Pack(item);
    const PackedItem some = packed.Only(names);
    ASSERT_EQ(some, PackedItem::PackOnly(item, names));
    ASSERT_EQ(some, PackedItem::Pack(packed.UnpackOnly(names)));
    ASSERT_EQ(PackedItem::FromStored(some.bytes()).value().ItemBytes(), ItemBytes(some.Unpack()));
  }
}

TEST(PackedItem, ATextIsReplacedInPlace) {
  const uint64_t seed = TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomItems random(seed);
  for (int i = 0; i < 1'000; ++i) {
    Item item = random.RandomItem(2);
    const std::string name = std::string(1 + random.Below(3), static_cast<char>('A' + random.Below(60)));
    item.Set(name, std::string(random.Below(300), 'x'));
    const PackedItem before = PackedItem::Pack(item);
    const std::string text(random.Below(300), 'y');
    item.Set(name, text);
    ASSERT_EQ(before.WithText(name, text), PackedItem::Pack(item));
  }
}

TEST(PackedItem, EmptyItemIsWellFormed) {
  EXPECT_EQ(PackedItem(), PackedItem::Pack(Item{}));
  EXPECT_EQ(Json(PackedItem()), "{}");
  EXPECT_TRUE(PackedItem::FromStored(PackedItem().bytes()).has_value());
  EXPECT_EQ(PackedItem().Find("a"), std::nullopt);
}

TEST(PackedItem, LongNumbersKeepTheirText) {
  const Item item{{"n", Number::Parse("-1.5E-130").value()}, {"z", "after"}};
  EXPECT_EQ(PackedItem::Pack(item).Unpack(), item);
  EXPECT_TRUE(PackedItem::FromStored(PackedItem::Pack(item).bytes()).has_value());
}

// Whatever the bytes, FromStored either refuses them or gives an item that can be read in every way.
TEST(PackedItem, DamagedBytesAreRefusedOrReadable) {
  const uint64_t seed = TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomItems random(seed);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = PackedItem::Pack(random.RandomItem(3)).bytes();
    for (uint64_t flips = 1 + random.Below(3); flips > 0; --flips) {
      bytes[random.Below(bytes.size())] = static_cast<char>(random.Below(256));
    }
    if (random.Below(4) == 0) bytes.resize(random.Below(bytes.size() + 1));
    const Result<PackedItem> item = PackedItem::FromStored(bytes);
    if (!item) {
      ASSERT_EQ(item.error().code, Code::kDamaged);
      ++refused;
      continue;
    }
    const Item unpacked = item->Unpack();
    ASSERT_EQ(Json(*item), Json(unpacked));
  }
  EXPECT_GT(refused, 0);
}

TEST(PackedItem, DeepNestingFromDiskIsRefused) {
  AttributeValue value("leaf");
  for (int i = 0; i < 31; ++i) value = List{value};
  EXPECT_TRUE(PackedItem::FromStored(PackedItem::Pack(Item{{"a", value}}).bytes()).has_value());
  value = List{value};
  EXPECT_FALSE(PackedItem::FromStored(PackedItem::Pack(Item{{"a", value}}).bytes()).has_value());
}

TEST(PackedValue, TakeReturnsWhatWasAppended) {
  std::string bytes;
  AppendPackedValue(bytes, Number(7));
  AppendPackedValue(bytes, Map{{"a", List{"x"}}});
  std::string_view rest = bytes;
  EXPECT_EQ(TakePackedValue(rest).value(), AttributeValue(Number(7)));
  EXPECT_EQ(TakePackedValue(rest).value(), AttributeValue(Map{{"a", List{"x"}}}));
  EXPECT_FALSE(TakePackedValue(rest).has_value());
}

}  // namespace
}  // namespace cairn::item
