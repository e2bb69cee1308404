#include "engine/internal/stream_chunk.h"

#include "engine/internal/layout.h"
#include "item/packed_bytes.h"

namespace cairn::engine::internal {
namespace {

constexpr char kFormat = 3;
constexpr char kUnsizedFormat = 2;  // the same without the sizes of items that have no image
constexpr size_t kHeaderBytes = 1 + 1 + 8 + 4;
constexpr size_t kRecordHeadBytes = 1 + 1;
// Directories of format 1 have one record in a row: format, event, origin, view, time, images.
constexpr char kSingleFormat = 1;
constexpr size_t kSingleHeaderBytes = 1 + 1 + 1 + 1 + 8;

using item::PackedItem;

// What item::AppendVarint wrote, but of bytes that nobody has checked.
std::optional<int64_t> TakeSize(std::string_view& bytes) {
  uint64_t size = 0;
  for (int shift = 0; shift < 35 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    size |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return static_cast<int64_t>(size);
  }
  return std::nullopt;
}

bool HasOldImages(store::StreamView view) {
  return view == store::StreamView::kOldImage || view == store::StreamView::kNewAndOldImages;
}
bool HasNewImages(store::StreamView view) {
  return view == store::StreamView::kNewImage || view == store::StreamView::kNewAndOldImages;
}

void AppendImage(std::string& out, const PackedItem* image) {
  AppendBigEndian(out, image ? image->bytes().size() : 0, 4);
  if (image) out += image->bytes();
}

// Splits an image off the front; empty when there is none.
std::optional<std::string_view> TakeImage(std::string_view& bytes) {
  if (bytes.size() < 4) return std::nullopt;
  const size_t size = ReadBigEndian(bytes.substr(0, 4));
  bytes.remove_prefix(4);
  if (bytes.size() < size) return std::nullopt;
  const std::string_view image = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return image;
}

struct RecordBytes {
  char event = 0, origin = 0;
  std::string_view keys, old_image, new_image;
  int64_t old_item_bytes = 0, new_item_bytes = 0;  // where there are no images
};

bool TakeImages(std::string_view& bytes, RecordBytes& record) {
  for (std::string_view* part : {&record.keys, &record.old_image, &record.new_image}) {
    const auto image = TakeImage(bytes);
    if (!image) return false;
    *part = *image;
  }
  return true;
}

// Splits the next record off the front of a row whose header has been read.
std::optional<RecordBytes> TakeRecord(std::string_view& bytes, char format, store::StreamView view) {
  if (bytes.size() < kRecordHeadBytes) return std::nullopt;
  RecordBytes record{.event = bytes[0], .origin = bytes[1]};
  bytes.remove_prefix(kRecordHeadBytes);
  if (!TakeImages(bytes, record)) return std::nullopt;
  if (format == kUnsizedFormat) return record;
  const auto take = [&](int64_t& size) {
    const auto taken = TakeSize(bytes);
    if (taken) size = *taken;
    return taken.has_value();
  };
  if (!HasOldImages(view) && !take(record.old_item_bytes)) return std::nullopt;
  if (!HasNewImages(view) && !take(record.new_item_bytes)) return std::nullopt;
  return record;
}

// The last `digits` of a number; snprintf was a twentieth of a commit of 200 items.
void AppendHex(std::string& text, uint64_t number, int digits) {
  while (digits-- > 0) text.push_back("0123456789abcdef"[number >> (4 * digits) & 15]);
}

// Unique and repeatable: a record keeps its id however often it is read.
std::string EventId(uint32_t stream_id, uint64_t sequence) {
  uint64_t mixed = sequence * 0x9e3779b97f4a7c15ull ^ stream_id;
  mixed = (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93ull;
  std::string text;
  text.reserve(32);
  AppendHex(text, mixed, 16);
  AppendHex(text, stream_id, 8);
  AppendHex(text, sequence, 8);
  return text;
}

std::unexpected<Error> Damaged(uint64_t sequence) {
  return Fail(Code::kDamaged, "stream record " + std::to_string(sequence) + " is not readable");
}

Status UnpackImage(std::string_view bytes, std::optional<PackedItem>& image, int64_t& size_bytes) {
  if (bytes.empty()) return {};
  ASSIGN_OR_RETURN(image, PackedItem::FromStored(std::string(bytes)));
  size_bytes += static_cast<int64_t>(image->ItemBytes());
  return {};
}

Result<store::StreamRecord> Unpack(const RecordBytes& bytes, const StreamChunkHeader& header,
                                   uint32_t stream_id, uint64_t sequence) {
  store::StreamRecord record{
      .sequence = sequence,
      .event_id = EventId(stream_id, sequence),
      .event = static_cast<store::StreamEvent>(bytes.event),
      .origin = static_cast<store::ChangeOrigin>(bytes.origin),
      .created = header.created,
      .view = header.view,
  };
  std::optional<PackedItem> keys;
  int64_t size_bytes = 0;
  if (!UnpackImage(bytes.keys, keys, size_bytes) || !keys ||
      !UnpackImage(bytes.old_image, record.old_image, size_bytes) ||
      !UnpackImage(bytes.new_image, record.new_image, size_bytes)) {
    return Damaged(sequence);
  }
  record.keys = *std::move(keys);
  record.size_bytes = size_bytes;
  const auto item_bytes = [](const std::optional<PackedItem>& image, int64_t otherwise) {
    return image ? static_cast<int64_t>(image->ItemBytes()) : otherwise;
  };
  record.old_item_bytes = item_bytes(record.old_image, bytes.old_item_bytes);
  record.new_item_bytes = item_bytes(record.new_image, bytes.new_item_bytes);
  return record;
}

}  // namespace

void StreamChunk::Append(const Table& table, const std::optional<PackedItem>& old_item,
                         const std::optional<PackedItem>& new_item, store::ChangeOrigin origin) {
  using store::StreamView;
  const StreamView view = table.stream->view;
  const store::StreamEvent event = !old_item   ? store::StreamEvent::kInsert
                                   : !new_item ? store::StreamEvent::kRemove
                                               : store::StreamEvent::kModify;
  const bool with_old = HasOldImages(view), with_new = HasNewImages(view);
  const PackedItem keys = (new_item ? *new_item : *old_item).Only(table.key_names);
  records_ += static_cast<char>(event);
  records_ += static_cast<char>(origin);
  AppendImage(records_, &keys);
  AppendImage(records_, with_old && old_item ? &*old_item : nullptr);
  AppendImage(records_, with_new && new_item ? &*new_item : nullptr);
  if (!with_old) item::AppendVarint(records_, old_item ? old_item->ItemBytes() : 0);
  if (!with_new) item::AppendVarint(records_, new_item ? new_item->ItemBytes() : 0);
  ++count_;
}

std::string StreamChunk::Encode(store::StreamView view, Time now) const {
  std::string row;
  row.reserve(kHeaderBytes + records_.size());
  row += kFormat;
  row += static_cast<char>(view);
  AppendBigEndian(row, static_cast<uint64_t>(now.time_since_epoch().count()), 8);
  AppendBigEndian(row, count_, 4);
  row += records_;
  return row;
}

Result<StreamChunkHeader> ReadStreamChunkHeader(uint64_t first_sequence, std::string_view row) {
  if (row.size() >= kSingleHeaderBytes && row[0] == kSingleFormat) {
    return StreamChunkHeader{.created = Time(std::chrono::microseconds(ReadBigEndian(row.substr(4, 8)))),
                             .view = static_cast<store::StreamView>(row[3]),
                             .count = 1};
  }
  if (row.size() < kHeaderBytes || (row[0] != kFormat && row[0] != kUnsizedFormat))
    return Damaged(first_sequence);
  return StreamChunkHeader{.created = Time(std::chrono::microseconds(ReadBigEndian(row.substr(2, 8)))),
                           .view = static_cast<store::StreamView>(row[1]),
                           .count = static_cast<uint32_t>(ReadBigEndian(row.substr(10, 4)))};
}

Result<std::vector<store::StreamRecord>> ReadStreamChunk(uint32_t stream_id, uint64_t first_sequence,
                                                         std::string_view row, uint64_t from_sequence) {
  ASSIGN_OR_RETURN(const StreamChunkHeader header, ReadStreamChunkHeader(first_sequence, row));
  std::vector<store::StreamRecord> records;
  if (row[0] == kSingleFormat) {
    RecordBytes bytes{.event = row[1], .origin = row[2]};
    row.remove_prefix(kSingleHeaderBytes);
    if (!TakeImages(row, bytes) || !row.empty()) return Damaged(first_sequence);
    if (first_sequence < from_sequence) return records;
    ASSIGN_OR_RETURN(store::StreamRecord record, Unpack(bytes, header, stream_id, first_sequence));
    records.push_back(std::move(record));
    return records;
  }
  const char format = row[0];
  row.remove_prefix(kHeaderBytes);
  for (uint64_t sequence = first_sequence; sequence < first_sequence + header.count; ++sequence) {
    const auto bytes = TakeRecord(row, format, header.view);
    if (!bytes) return Damaged(sequence);
    if (sequence < from_sequence) continue;
    ASSIGN_OR_RETURN(store::StreamRecord record, Unpack(*bytes, header, stream_id, sequence));
    records.push_back(std::move(record));
  }
  if (!row.empty()) return Damaged(first_sequence);
  return records;
}

}  // namespace cairn::engine::internal
