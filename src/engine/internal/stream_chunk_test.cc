#include "engine/internal/stream_chunk.h"

#include <gtest/gtest.h>

#include "engine/internal/layout.h"

namespace cairn::engine::internal {
namespace {

using item::Item;
using item::Number;
using item::PackedItem;

constexpr uint32_t kStream = 7;
constexpr Time kNow{std::chrono::microseconds(1'700'000'000'123'456)};

Table Watched(store::StreamView view) {
  Table table;
  table.definition.key_schema.partition = {{"PK", item::Type::kString}};
  table.definition.key_schema.sort = {{"SK", item::Type::kNumber}};
  table.stream = StreamRef{kStream, "label", view};
  table.Derive();
  return table;
}

std::optional<PackedItem> Stored(int sort, const char* text) {
  return PackedItem::Pack({{"PK", "p"}, {"SK", Number(sort)}, {"text", text}});
}

std::string Row(store::StreamView view) {
  const Table table = Watched(view);
  StreamChunk chunk;
  chunk.Append(table, std::nullopt, Stored(1, "new"), store::ChangeOrigin::kClient);
  chunk.Append(table, Stored(2, "old"), Stored(2, "new"), store::ChangeOrigin::kClient);
  chunk.Append(table, Stored(3, "old"), std::nullopt, store::ChangeOrigin::kTimeToLive);
  EXPECT_EQ(chunk.count(), 3u);
  return chunk.Encode(view, kNow);
}

TEST(StreamChunk, RecordsComeBackInOrderWithTheirSequences) {
  const auto records = ReadStreamChunk(kStream, 40, Row(store::StreamView::kNewAndOldImages), 40);
  ASSERT_TRUE(records && records->size() == 3);
  EXPECT_EQ((*records)[0].sequence, 40u);
  EXPECT_EQ((*records)[0].event, store::StreamEvent::kInsert);
  EXPECT_EQ((*records)[0].old_image, std::nullopt);
  EXPECT_EQ((*records)[1].event, store::StreamEvent::kModify);
  EXPECT_EQ((*records)[1].old_image, Stored(2, "old"));
  EXPECT_EQ((*records)[1].new_image, Stored(2, "new"));
  EXPECT_EQ((*records)[2].sequence, 42u);
  EXPECT_EQ((*records)[2].event, store::StreamEvent::kRemove);
  EXPECT_EQ((*records)[2].origin, store::ChangeOrigin::kTimeToLive);
  EXPECT_EQ((*records)[2].keys.Unpack(), (Item{{"PK", "p"}, {"SK", Number(3)}}));
  EXPECT_EQ((*records)[2].created, kNow);
}

TEST(StreamChunk, KeysOnlyHasNoImages) {
  const auto records = ReadStreamChunk(kStream, 1, Row(store::StreamView::kKeysOnly), 1);
  ASSERT_TRUE(records);
  for (const store::StreamRecord& record : *records) {
    EXPECT_FALSE(record.old_image || record.new_image);
    EXPECT_EQ(record.view, store::StreamView::kKeysOnly);
  }
}

TEST(StreamChunk, SizesOfItemsAreKnownInEveryView) {
  using enum store::StreamView;
  for (const store::StreamView view : {kKeysOnly, kNewImage, kOldImage, kNewAndOldImages}) {
    const auto records = ReadStreamChunk(kStream, 1, Row(view), 1);
    ASSERT_TRUE(records && records->size() == 3);
    const auto bytes = [](const std::optional<PackedItem>& item) {
      return static_cast<int64_t>(item->ItemBytes());
    };
    EXPECT_EQ((*records)[0].old_item_bytes, 0);
    EXPECT_EQ((*records)[0].new_item_bytes, bytes(Stored(1, "new")));
    EXPECT_EQ((*records)[1].old_item_bytes, bytes(Stored(2, "old")));
    EXPECT_EQ((*records)[1].new_item_bytes, bytes(Stored(2, "new")));
    EXPECT_EQ((*records)[2].old_item_bytes, bytes(Stored(3, "old")));
    EXPECT_EQ((*records)[2].new_item_bytes, 0);
  }
}

TEST(StreamChunk, SizeOfALargeItem) {
  const Table table = Watched(store::StreamView::kKeysOnly);
  const std::string text(300'000, 'x');
  const PackedItem large = PackedItem::Pack({{"PK", "p"}, {"SK", Number(1)}, {"text", text}});
  StreamChunk chunk;
  chunk.Append(table, std::nullopt, large, store::ChangeOrigin::kClient);
  const auto records = ReadStreamChunk(kStream, 1, chunk.Encode(store::StreamView::kKeysOnly, kNow), 1);
  ASSERT_TRUE(records && records->size() == 1);
  EXPECT_EQ(records->front().new_item_bytes, static_cast<int64_t>(large.ItemBytes()));
}

TEST(StreamChunk, RowsOfFormatTwoAreRead) {
  const PackedItem keys = PackedItem::Pack({{"PK", "p"}, {"SK", Number(1)}});
  std::string row = {2, static_cast<char>(store::StreamView::kKeysOnly)};
  AppendBigEndian(row, static_cast<uint64_t>(kNow.time_since_epoch().count()), 8);
  AppendBigEndian(row, 2, 4);
  for (int i = 0; i < 2; ++i) {
    row += static_cast<char>(store::StreamEvent::kModify);
    row += static_cast<char>(store::ChangeOrigin::kClient);
    for (const std::string& part : {keys.bytes(), std::string(), std::string()}) {
      AppendBigEndian(row, part.size(), 4);
      row += part;
    }
  }
  const auto records = ReadStreamChunk(kStream, 9, row, 9);
  ASSERT_TRUE(records && records->size() == 2);
  EXPECT_EQ(records->back().keys, keys);
  EXPECT_EQ(records->back().new_item_bytes, 0);
}

TEST(StreamChunk, ReaderInTheMiddleGetsTheRest) {
  const std::string row = Row(store::StreamView::kNewImage);
  const auto rest = ReadStreamChunk(kStream, 40, row, 41);
  ASSERT_TRUE(rest && rest->size() == 2);
  EXPECT_EQ(rest->front().sequence, 41u);
  EXPECT_EQ(ReadStreamChunk(kStream, 40, row, 43)->size(), 0u);
}

TEST(StreamChunk, RowsOfFormatOneAreRead) {
  const PackedItem keys = PackedItem::Pack({{"PK", "p"}, {"SK", Number(1)}});
  const PackedItem image = *Stored(1, "new");
  std::string row = {1, static_cast<char>(store::StreamEvent::kInsert),
                     static_cast<char>(store::ChangeOrigin::kClient),
                     static_cast<char>(store::StreamView::kNewImage)};
  AppendBigEndian(row, static_cast<uint64_t>(kNow.time_since_epoch().count()), 8);
  for (const std::string& part : {keys.bytes(), std::string(), image.bytes()}) {
    AppendBigEndian(row, part.size(), 4);
    row += part;
  }
  const auto records = ReadStreamChunk(kStream, 9, row, 9);
  ASSERT_TRUE(records && records->size() == 1);
  EXPECT_EQ(records->front().sequence, 9u);
  EXPECT_EQ(records->front().created, kNow);
  EXPECT_EQ(records->front().keys, keys);
  EXPECT_EQ(records->front().new_image, image);
  EXPECT_EQ(ReadStreamChunk(kStream, 9, row, 10)->size(), 0u);
}

TEST(StreamChunk, WhatIsCutShortIsDamaged) {
  const std::string row = Row(store::StreamView::kNewAndOldImages);
  for (size_t length = 0; length < row.size(); ++length) {
    const auto records = ReadStreamChunk(kStream, 1, std::string_view(row).substr(0, length), 1);
    ASSERT_FALSE(records) << length;
    EXPECT_EQ(records.error().code, Code::kDamaged);
  }
  EXPECT_FALSE(ReadStreamChunk(kStream, 1, row + "x", 1));
}

}  // namespace
}  // namespace cairn::engine::internal
