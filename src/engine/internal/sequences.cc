#include "engine/internal/sequences.h"

namespace cairn::engine::internal {
namespace {

constexpr std::string_view kNext = "next_sequence";
constexpr std::string_view kReserved = "sequences_reserved";  // all before this one

std::string Encoded(uint64_t sequence) {
  std::string bytes;
  AppendBigEndian(bytes, sequence, 8);
  return bytes;
}

std::string SkippedKey(uint64_t first) { return MetaKey("skipped") + Encoded(first); }

void Put(const Database& database, rocksdb::WriteBatch& batch, const std::string& key, uint64_t sequence) {
  batch.Put(database.family(Family::kCatalog), key, Encoded(sequence)).PermitUncheckedError();
}

Result<uint64_t> Read(const Database& database, const std::string& key, uint64_t otherwise,
                      const SnapshotRef& snapshot = nullptr) {
  ASSIGN_OR_RETURN(const std::optional<std::string> value, database.Get(Family::kCatalog, key, snapshot));
  return value ? ReadBigEndian(*value) : otherwise;
}

}  // namespace

Result<uint64_t> FirstSequence(Database& database) {
  ASSIGN_OR_RETURN(const uint64_t next, Read(database, MetaKey(kNext), 1));
  ASSIGN_OR_RETURN(const uint64_t reserved, Read(database, MetaKey(kReserved), 0));
  if (reserved <= next) return next;
  rocksdb::WriteBatch batch;
  Put(database, batch, MetaKey(kNext), reserved);
  Put(database, batch, SkippedKey(next), reserved);
  RETURN_IF_ERROR(database.Write(batch));
  return reserved;
}

Status ReserveSequences(Database& database, uint64_t end) {
  rocksdb::WriteBatch batch;
  Put(database, batch, MetaKey(kReserved), end);
  RETURN_IF_ERROR(database.Write(batch));
  return database.SyncLog();
}

void GiveBackSequences(CommitGroup& group, uint64_t next) {
  group.Put(Family::kCatalog, MetaKey(kReserved), Encoded(next));
}

void ForgetSkipped(CommitGroup& group, uint64_t end) {
  group.DeleteRange(Family::kCatalog, SkippedKey(0), SkippedKey(end));
}

Result<uint64_t> EndOfSkipped(const Database& database, const SnapshotRef& snapshot, uint64_t first) {
  return Read(database, SkippedKey(first), first, snapshot);
}

}  // namespace cairn::engine::internal
