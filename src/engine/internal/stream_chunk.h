// Stream records as stored bytes: those that one commit adds to a stream lie in one row, because a row costs
// more than a record. Layout in docs/storage-format.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engine/internal/table.h"
#include "item/packed_item.h"
#include "store/stream_requests.h"

namespace cairn::engine::internal {

// A commit that adds more than this to a stream makes another row, so that a reader of a few records need not
// take many.
inline constexpr size_t kStreamChunkBytes = 64 << 10;

// The records of one row while it is being made.
class StreamChunk {
 public:
  // The change from `old_item` to `new_item`; one of them may be absent, not both.
  void Append(const Table& table, const std::optional<item::PackedItem>& old_item,
              const std::optional<item::PackedItem>& new_item, store::ChangeOrigin origin);
  uint32_t count() const { return count_; }
  size_t size_bytes() const { return records_.size(); }
  std::string Encode(store::StreamView view, Time now) const;

 private:
  uint32_t count_ = 0;
  std::string records_;
};

struct StreamChunkHeader {
  Time created;
  store::StreamView view = store::StreamView::kKeysOnly;
  uint32_t count = 0;  // its records have the sequences from that of the row's key onwards
};
Result<StreamChunkHeader> ReadStreamChunkHeader(uint64_t first_sequence, std::string_view row);

// The records from `from_sequence` on.
Result<std::vector<store::StreamRecord>> ReadStreamChunk(uint32_t stream_id, uint64_t first_sequence,
                                                         std::string_view row, uint64_t from_sequence);

}  // namespace cairn::engine::internal
