// Enabling and closing a table's stream; part of a change of its definition.
#pragma once

#include "engine/internal/catalog.h"
#include "engine/internal/commit_group.h"

namespace cairn::engine::internal {

// Gives `table` a new stream whose first record will have `next_sequence`.
void EnableStream(Catalog& catalog, CommitGroup& group, Table& table, store::StreamView view,
                  uint64_t next_sequence);
// Ends the stream: no record at or after `next_sequence` will come.
void CloseStream(Catalog& catalog, CommitGroup& group, uint32_t stream_id, uint64_t next_sequence);

// The sequence of the oldest record still kept, if any.
Result<std::optional<uint64_t>> OldestSequence(const Database& database, uint32_t stream_id);

// The one shard of a stream.
std::string ShardId(const Stream& stream);

}  // namespace cairn::engine::internal
