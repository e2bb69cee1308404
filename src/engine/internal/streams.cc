#include "engine/internal/streams.h"

#include <cstdio>

#include "base/time_text.h"

namespace cairn::engine::internal {

void EnableStream(Catalog& catalog, CommitGroup& group, Table& table, store::StreamView view,
                  uint64_t next_sequence) {
  Time created = group.now();
  std::string label = FormatStreamLabel(created);
  // Labels name streams, so two streams of one table within a millisecond must differ.
  while (label == table.latest_stream_label || catalog.FindStream({table.name(), label})) {
    created += std::chrono::milliseconds(1);
    label = FormatStreamLabel(created);
  }
  Stream stream{.id = catalog.NewId(group),
                .name = {table.name(), label},
                .view = view,
                .key_schema = table.key_schema(),
                .created = created,
                .starting_sequence = next_sequence,
                .ending_sequence = {},
                .disabled = {},
                .trimmed_to = next_sequence};
  table.stream = StreamRef{stream.id, label, view};
  table.latest_stream_label = label;
  table.definition.stream = store::StreamSettings{view};
  catalog.SaveStream(group, std::move(stream));
}

void CloseStream(Catalog& catalog, CommitGroup& group, uint32_t stream_id, uint64_t next_sequence) {
  for (Stream& stream : catalog.Streams()) {
    if (stream.id != stream_id) continue;
    stream.ending_sequence = next_sequence;
    stream.disabled = group.now();
    catalog.SaveStream(group, std::move(stream));
    return;
  }
}

Result<std::optional<uint64_t>> OldestSequence(const Database& database, uint32_t stream_id) {
  const auto [low, high] = IdRange(stream_id);
  const rocksdb::Slice low_slice = ToSlice(low), high_slice = ToSlice(high);
  const auto rows = database.Iterate(Family::kStreams, low_slice, high_slice);
  rows->SeekToFirst();
  if (!rows->status().ok()) return Fail(StorageError(rows->status()));
  if (!rows->Valid()) return std::optional<uint64_t>();
  return std::optional(ReadBigEndian(ToView(rows->key()).substr(kIdBytes)));
}

std::string ShardId(const Stream& stream) {
  char text[64];
  std::snprintf(text, sizeof text, "shardId-%020lld-%08x",
                static_cast<long long>(EpochMilliseconds(stream.created)), stream.id);
  return text;
}

}  // namespace cairn::engine::internal
