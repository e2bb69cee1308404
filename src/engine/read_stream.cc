// ListStreams, DescribeStream, GetShardPosition, GetRecords. Every stream has one shard: one machine needs no
// more, and it keeps the order of all changes of the table.
#include "engine/engine.h"
#include "engine/internal/catalog.h"
#include "engine/internal/stream_chunk.h"
#include "engine/internal/streams.h"
#include "engine/internal/writer.h"
#include "store/answer_bytes.h"

namespace cairn::engine {
namespace {

using internal::Family;
using internal::Stream;

Result<Stream> Find(const internal::Catalog& catalog, const store::StreamId& name) {
  if (auto stream = catalog.FindStream(name)) return *std::move(stream);
  return Fail(Code::kResourceNotFound,
              "Requested resource not found: Stream: " + name.table + "/stream/" + name.label + " not found");
}

// In the order in which they are listed. The one that a list goes on after may be gone.
bool IsAfter(const store::StreamId& stream, const store::StreamId& start) {
  return std::tie(stream.table, stream.label) > std::tie(start.table, start.label);
}

size_t StoredBytes(const store::StreamRecord& record) {
  const auto bytes = [](const auto& image) { return image ? image->bytes().size() : 0; };
  return record.keys.bytes().size() + bytes(record.old_image) + bytes(record.new_image);
}

std::unexpected<Error> Trimmed() {
  return Fail(Code::kTrimmedData,
              "The operation attempted to read past the oldest stream record in a shard.");
}

}  // namespace

Task<Result<store::ListStreamsResponse>> Engine::ListStreams(store::ListStreamsRequest request) {
  store::ListStreamsResponse response;
  for (const Stream& stream : catalog_->Streams()) {
    if (!request.table.empty() && stream.name.table != request.table) continue;
    if (request.exclusive_start && !IsAfter(stream.name, *request.exclusive_start)) continue;
    if (response.streams.size() == request.limit) {
      response.last_evaluated = response.streams.back();
      break;
    }
    response.streams.push_back(stream.name);
  }
  co_return response;
}

Task<Result<store::StreamDescription>> Engine::DescribeStream(store::StreamId name) {
  CO_ASSIGN_OR_RETURN(const Stream stream, Find(*catalog_, name));
  co_return store::StreamDescription{
      .id = stream.name,
      .status = stream.ending_sequence ? store::StreamStatus::kDisabled : store::StreamStatus::kEnabled,
      .view = stream.view,
      .key_schema = stream.key_schema,
      .created = stream.created,
      .shard_id = internal::ShardId(stream),
      .starting_sequence = stream.starting_sequence,
      .ending_sequence = stream.ending_sequence,
  };
}

Task<Result<store::ShardPosition>> Engine::GetShardPosition(store::GetShardPositionRequest request) {
  CO_ASSIGN_OR_RETURN(const Stream stream, Find(*catalog_, request.stream));
  if (request.shard_id != internal::ShardId(stream)) {
    co_return Fail(Code::kResourceNotFound, "Requested resource not found: Shard does not exist");
  }
  store::ShardPosition position{.stream = stream.name,
                                .next_sequence = std::max(stream.starting_sequence, stream.trimmed_to)};
  if (request.type == store::IteratorType::kTrimHorizon) co_return position;
  if (request.type == store::IteratorType::kLatest) {
    position.next_sequence = stream.ending_sequence.value_or(writer_->next_sequence());
    co_return position;
  }
  // The shard's own numbers are valid, too: the one before its first record, and the one its end has.
  const uint64_t last =
      stream.ending_sequence.value_or(std::max(writer_->next_sequence() - 1, stream.starting_sequence));
  if (request.sequence + 1 < stream.starting_sequence || request.sequence > last) {
    co_return Fail(Invalid("Invalid SequenceNumber in request: the shard has no such record"));
  }
  const uint64_t wanted = request.sequence + (request.type == store::IteratorType::kAfterSequence ? 1 : 0);
  // Whatever has been trimmed: a shard begins at its oldest record, and nothing is missed after its end.
  if (request.sequence <= stream.starting_sequence || request.sequence == stream.ending_sequence) {
    position.next_sequence = std::max(position.next_sequence, wanted);
    co_return position;
  }
  CO_ASSIGN_OR_RETURN(const std::optional<uint64_t> oldest, internal::OldestSequence(*database_, stream.id));
  if (!oldest || request.sequence < *oldest) {
    co_return Trimmed();
  }
  position.next_sequence = wanted;
  co_return position;
}

Task<Result<store::GetRecordsResponse>> Engine::GetRecords(store::GetRecordsRequest request) {
  CO_ASSIGN_OR_RETURN(const Stream stream, Find(*catalog_, request.position.stream));
  const uint64_t committed = stream.ending_sequence.value_or(writer_->next_sequence());
  const auto [low, high] = internal::IdRange(stream.id);
  const rocksdb::Slice low_slice = internal::ToSlice(low), high_slice = internal::ToSlice(high);
  const auto rows = database_->Iterate(Family::kStreams, low_slice, high_slice);
  store::GetRecordsResponse response;
  uint64_t next = request.position.next_sequence;
  // Asked after the iterator has its view: records that it does not see any more were announced before.
  const std::optional<uint64_t> trimmed_to = catalog_->TrimmedTo(stream.id);
  if (!trimmed_to || next < *trimmed_to) co_return Trimmed();
  size_t bytes = 0, stored_bytes = 0;
  bool drained = true;
  // The row that begins at the position or before it may hold records from there on.
  rows->SeekForPrev(internal::ToSlice(internal::StreamRowKey(stream.id, next)));
  if (!rows->Valid() && rows->status().ok()) rows->SeekToFirst();
  for (; rows->Valid() && drained; rows->Next()) {
    const uint64_t first = internal::ReadBigEndian(internal::ToView(rows->key()).substr(internal::kIdBytes));
    CO_ASSIGN_OR_RETURN(std::vector<store::StreamRecord> records,
                        internal::ReadStreamChunk(stream.id, first, internal::ToView(rows->value()), next));
    for (store::StreamRecord& record : records) {
      if (response.records.size() == request.limit || bytes > store::kPageBytesMax ||
          stored_bytes >= store::kPageStoredBytesMax) {
        drained = false;
        break;
      }
      bytes += static_cast<size_t>(record.size_bytes);
      stored_bytes += StoredBytes(record);
      next = record.sequence + 1;
      response.records.push_back(std::move(record));
    }
  }
  if (!rows->status().ok()) co_return Fail(internal::StorageError(rows->status()));
  // Everything below `committed` was visible to the iterator, so a drained reader may skip to it.
  if (drained) next = std::max(next, committed);
  if (!(drained && stream.ending_sequence)) {
    response.next = store::ShardPosition{.stream = stream.name, .next_sequence = next};
  }
  co_return response;
}

}  // namespace cairn::engine
