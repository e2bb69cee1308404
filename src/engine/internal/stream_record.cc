#include "engine/internal/stream_record.h"

#include <cstdio>

#include "engine/internal/layout.h"

namespace cairn::engine::internal {
namespace {

constexpr uint8_t kFormat = 1;
constexpr size_t kHeaderBytes = 1 + 1 + 1 + 1 + 8;

using item::PackedItem;

void AppendImage(std::string& out, const PackedItem* image) {
  AppendBigEndian(out, image ? image->bytes().size() : 0, 4);
  if (image) out += image->bytes();
}

bool TakeImage(std::string_view& bytes, std::optional<PackedItem>& image) {
  if (bytes.size() < 4) return false;
  const size_t size = ReadBigEndian(bytes.substr(0, 4));
  bytes.remove_prefix(4);
  if (bytes.size() < size) return false;
  if (size > 0) {
    auto packed = PackedItem::FromStored(std::string(bytes.substr(0, size)));
    if (!packed) return false;
    image = *std::move(packed);
  }
  bytes.remove_prefix(size);
  return true;
}

// Unique and repeatable: a record keeps its id however often it is read.
std::string EventId(uint32_t stream_id, uint64_t sequence) {
  uint64_t mixed = sequence * 0x9e3779b97f4a7c15ull ^ stream_id;
  mixed = (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93ull;
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%08x%08x", static_cast<unsigned long long>(mixed), stream_id,
                static_cast<unsigned>(sequence));
  return text;
}

std::vector<std::string> SortedKeyNames(const item::KeySchema& schema) {
  std::vector<std::string> names;
  for (const auto& element : schema.partition) names.push_back(element.name);
  for (const auto& element : schema.sort) names.push_back(element.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string EncodeStreamRecord(const Table& table, const std::optional<PackedItem>& old_item,
                               const std::optional<PackedItem>& new_item, store::ChangeOrigin origin,
                               Time now) {
  using store::StreamView;
  const StreamView view = table.stream->view;
  const store::StreamEvent event = !old_item   ? store::StreamEvent::kInsert
                                   : !new_item ? store::StreamEvent::kRemove
                                               : store::StreamEvent::kModify;
  const bool with_old = view == StreamView::kOldImage || view == StreamView::kNewAndOldImages;
  const bool with_new = view == StreamView::kNewImage || view == StreamView::kNewAndOldImages;
  const PackedItem keys = (new_item ? *new_item : *old_item).Only(SortedKeyNames(table.key_schema()));

  std::string out;
  out += static_cast<char>(kFormat);
  out += static_cast<char>(event);
  out += static_cast<char>(origin);
  out += static_cast<char>(view);
  AppendBigEndian(out, static_cast<uint64_t>(now.time_since_epoch().count()), 8);
  AppendImage(out, &keys);
  AppendImage(out, with_old && old_item ? &*old_item : nullptr);
  AppendImage(out, with_new && new_item ? &*new_item : nullptr);
  return out;
}

Result<store::StreamRecord> DecodeStreamRecord(uint32_t stream_id, uint64_t sequence,
                                               std::string_view bytes) {
  const auto damaged = [&] {
    return Fail(Code::kDamaged, "stream record " + std::to_string(sequence) + " is not readable");
  };
  if (bytes.size() < kHeaderBytes || bytes[0] != kFormat) return damaged();
  store::StreamRecord record{
      .sequence = sequence,
      .event_id = EventId(stream_id, sequence),
      .event = static_cast<store::StreamEvent>(bytes[1]),
      .origin = static_cast<store::ChangeOrigin>(bytes[2]),
      .created = Time(std::chrono::microseconds(ReadBigEndian(bytes.substr(4, 8)))),
      .view = static_cast<store::StreamView>(bytes[3]),
  };
  bytes.remove_prefix(kHeaderBytes);
  std::optional<PackedItem> keys;
  if (!TakeImage(bytes, keys) || !keys || !TakeImage(bytes, record.old_image) ||
      !TakeImage(bytes, record.new_image) || !bytes.empty()) {
    return damaged();
  }
  record.keys = *std::move(keys);
  record.size_bytes = static_cast<int64_t>(record.keys.ItemBytes());
  if (record.old_image) record.size_bytes += static_cast<int64_t>(record.old_image->ItemBytes());
  if (record.new_image) record.size_bytes += static_cast<int64_t>(record.new_image->ItemBytes());
  return record;
}

}  // namespace cairn::engine::internal
