// Stream records as stored bytes. Layout in docs/storage-format.md.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/internal/table.h"
#include "item/packed_item.h"
#include "store/stream_requests.h"

namespace cairn::engine::internal {

// The record of a change from `old_item` to `new_item` (one of them may be absent, not both).
std::string EncodeStreamRecord(const Table& table, const std::optional<item::PackedItem>& old_item,
                               const std::optional<item::PackedItem>& new_item, store::ChangeOrigin origin,
                               Time now);

Result<store::StreamRecord> DecodeStreamRecord(uint32_t stream_id, uint64_t sequence, std::string_view bytes);

}  // namespace cairn::engine::internal
