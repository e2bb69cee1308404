#include "engine/internal/jobs.h"

#include "base/log.h"
#include "base/task.h"
#include "base/test_point.h"
#include "engine/internal/copy_rows.h"
#include "engine/internal/index_rows.h"
#include "engine/internal/sequences.h"
#include "engine/internal/stream_chunk.h"

namespace cairn::engine::internal {
namespace {

constexpr size_t kExpirePortion = 100;
constexpr size_t kTokenPortion = 1000;
constexpr std::chrono::seconds kWatchInterval{1};
constexpr std::chrono::seconds kRetryMin{1}, kRetryMax{60};
constexpr int64_t kFiveYearsSeconds =
    5ll * 365 * 24 * 3600;  // DynamoDB leaves items alone that expired before that

template <class Work>
Task<Status> Submitted(Writer& writer, Work work, Grouping grouping) {
  co_return co_await writer.Submit(work, grouping);
}

template <class Work>
Status Run(Writer& writer, Work work, Grouping grouping = Grouping::kShared) {
  return SyncWait(Submitted(writer, work, grouping));
}

void DeleteRows(CommitGroup& group, Family family, uint32_t id) {
  const auto [low, high] = IdRange(id);
  group.DeleteRange(family, low, high);
}

void LogFailure(std::string_view job, const std::string& name, const Status& status) {
  if (!status) log::Warning(job, {{"name", name}, {"error", status.error().message}});
}

}  // namespace

Jobs::Jobs(const EngineOptions& options, Database& database, Catalog& catalog, Writer& writer,
           const Clock& clock)
    : options_(options), database_(database), catalog_(catalog), writer_(writer), clock_(clock) {
  const bool on = options.background_jobs == BackgroundJobs::kOn;
  if (on) tables_thread_ = std::thread([this] { TablesLoop(); });
  if (on) sweep_thread_ = std::thread([this] { SweepLoop(); });
  if (options.durability == Durability::kRelaxed) log_syncer_ = std::thread([this] { LogSyncLoop(); });
  if (on && options.durability != Durability::kMemory) watcher_ = std::thread([this] { WatchLoop(); });
}

Jobs::~Jobs() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread* thread : {&tables_thread_, &sweep_thread_, &log_syncer_, &watcher_}) {
    if (thread->joinable()) thread->join();
  }
}

void Jobs::Kick() {
  {
    std::lock_guard lock(mutex_);
    kicked_ = true;
  }
  wake_.notify_all();
}

// After a failed round the next one comes by itself. While the disk is full it would fail again, so it waits
// until the store takes writes.
void Jobs::TablesLoop() {
  Status done;
  std::chrono::seconds delay = kRetryMin;
  while (true) {
    bool kicked = false;
    {
      std::unique_lock lock(mutex_);
      const auto called = [this] { return kicked_ || stopping_; };
      if (done) {
        wake_.wait(lock, called);
      } else {
        wake_.wait_for(lock, delay, called);
      }
      if (stopping_) return;
      kicked = std::exchange(kicked_, false);
    }
    if (!kicked && !database_.Health().writable) continue;
    std::lock_guard round(tables_mutex_);
    done = ChangeTables();
    const bool full = !done && done.error().code == Code::kStorageFull;
    delay = done || full || kicked ? kRetryMin : std::min(delay * 2, kRetryMax);
  }
}

void Jobs::SweepLoop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    {
      std::lock_guard round(sweep_mutex_);
      Sweep();
    }
    lock.lock();
    wake_.wait_for(lock, options_.ttl_sweep_interval, [this] { return stopping_.load(); });
  }
}

void Jobs::LogSyncLoop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wake_.wait_for(lock, options_.relaxed_sync_interval, [this] { return stopping_.load(); });
    lock.unlock();
    static_cast<void>(database_.SyncLog());  // the next write tells that it failed
    lock.lock();
  }
}

// A thread of its own: filling an index may take long.
void Jobs::WatchLoop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wake_.wait_for(lock, kWatchInterval, [this] { return stopping_.load(); });
    lock.unlock();
    database_.Watch();
    lock.lock();
  }
}

void Jobs::RunRound() {
  const std::scoped_lock round(tables_mutex_, sweep_mutex_);
  static_cast<void>(ChangeTables());
  Sweep();
}

Status Jobs::ChangeTables() {
  Status first_failure;
  const auto note = [&](std::string_view job, const std::string& name, Status status) {
    LogFailure(job, name, status);
    if (first_failure) first_failure = std::move(status);
  };
  note("dropping unfinished backups", "", DropAbandonedBackups());
  for (const TableRef& table : catalog_.Tables()) {
    if (!stopping()) ChangeTable(table, note);
  }
  return first_failure;
}

void Jobs::ChangeTable(TableRef table, const Note& note) {
  if (table->status == store::TableStatus::kCreating) {
    auto restored = Restore(table);
    if (!restored) return note("restore", table->name(), std::unexpected(std::move(restored).error()));
    table = *std::move(restored);
  }
  if (table->expiry && table->expiry->backfilling) note("fill expiry", table->name(), FillExpiry(table));
  for (size_t i = 0; i < table->indexes.size() && !stopping(); ++i) {
    if (table->indexes[i].status == store::IndexStatus::kCreating) {
      note("fill index", table->name(), FillIndex(table, i));
    } else if (table->indexes[i].status == store::IndexStatus::kDeleting) {
      note("clear index", table->name(), ClearIndex(table, i));
      break;  // positions have moved; DynamoDB allows one index change at a time
    }
  }
}

void Jobs::Sweep() {
  database_.Watch();
  for (const TableRef& table : catalog_.Tables()) {
    if (!table->expiry || table->status == store::TableStatus::kCreating || stopping()) continue;
    LogFailure("expire items", table->name(), ExpireItems(table));
  }
  for (const Stream& stream : catalog_.Streams()) {
    if (!stopping()) LogFailure("trim stream", stream.name.table, TrimStream(stream));
  }
  LogFailure("trim tokens", "", TrimTokens());
}

// Begins from nothing, whatever an earlier attempt left. A write between two portions keeps the rows of items
// that are done and leaves the others to the portions to come (CommitGroup::ApplyIndexRows).
Status Jobs::FillIndex(TableRef table, size_t position) {
  const uint32_t index_id = table->indexes[position].id;
  auto begin = [&](CommitGroup& group) -> Status {
    DeleteRows(group, Family::kIndexes, index_id);
    group.OnCommit([&] {
      table->indexes[position].filling->done_through.clear();
      table->indexes[position].counter->items = 0;
      table->indexes[position].counter->bytes = 0;
    });
    return {};
  };
  RETURN_IF_ERROR(Run(writer_, begin, Grouping::kAlone));
  bool last = false;
  auto fill = [&](CommitGroup& group) -> Status {
    ASSIGN_OR_RETURN(table, catalog_.Current(table));
    if (position >= table->indexes.size() || table->indexes[position].id != index_id) {
      last = true;
      return {};
    }
    group.KeepCounters(table);
    const Index& index = table->indexes[position];
    ASSIGN_OR_RETURN(RowPortion portion,
                     ReadPortion(database_, Family::kItems, table->id, index.filling->done_through));
    for (auto& [key, value] : portion.rows) {
      const auto item = item::PackedItem::Trusted(std::move(value));
      if (auto row = RowIn(index, item.UnpackOnly(table->watched), item, key)) {
        group.FillIndexRow(table, position, *row);
      }
    }
    if (!portion.rows.empty()) {
      group.OnCommit(
          [filling = index.filling, done = portion.rows.back().first] { filling->done_through = done; });
    }
    last = portion.last;
    if (last) {
      Table done = *table;
      done.indexes[position].status = store::IndexStatus::kActive;
      done.indexes[position].filling.reset();
      catalog_.Save(group, std::move(done));
    }
    return {};
  };
  while (!last && !stopping()) RETURN_IF_ERROR(Run(writer_, fill, Grouping::kAlone));
  return {};
}

Status Jobs::ClearIndex(const TableRef& table, size_t position) {
  auto clear = [&](CommitGroup& group) -> Status {
    ASSIGN_OR_RETURN(const TableRef current, catalog_.Current(table));
    Table changed = *current;
    DeleteRows(group, Family::kIndexes, changed.indexes[position].id);
    changed.indexes.erase(changed.indexes.begin() + static_cast<ptrdiff_t>(position));
    catalog_.Save(group, std::move(changed));
    return {};
  };
  return Run(writer_, clear, Grouping::kAlone);
}

Status Jobs::FillExpiry(const TableRef& old) {
  TableRef table = old;
  std::string after;
  bool last = false;
  auto fill = [&](CommitGroup& group) -> Status {
    ASSIGN_OR_RETURN(table, catalog_.Current(table));
    if (!table->expiry || table->expiry->id != old->expiry->id) {
      last = true;  // switched off meanwhile
      return {};
    }
    ASSIGN_OR_RETURN(RowPortion portion, ReadPortion(database_, Family::kItems, table->id, after));
    for (auto& [key, value] : portion.rows) {
      const auto item = item::PackedItem::Trusted(std::move(value));
      if (auto expires = ExpiresAt(*table->expiry, item.UnpackOnly(table->watched))) {
        group.PutExpiryRow(*table->expiry, *expires, key);
      }
    }
    last = portion.last;
    if (!portion.rows.empty()) after = portion.rows.back().first;
    if (last) {
      Table done = *table;
      done.expiry->backfilling = false;
      catalog_.Save(group, std::move(done));
    }
    return {};
  };
  while (!last && !stopping()) RETURN_IF_ERROR(Run(writer_, fill, Grouping::kAlone));
  return {};
}

// Copies the backup's items into the new table, writing its index rows as it goes; then the table is active.
// Begins from nothing, too. Settings that change meanwhile stay: every step takes the table as it is then.
Result<TableRef> Jobs::Restore(TableRef table) {
  const auto backup = catalog_.FindBackup(table->restored_from_backup);
  if (!backup) return Fail(Code::kBackupNotFound, "the backup is gone");
  auto begin = [&](CommitGroup& group) -> Status {
    ASSIGN_OR_RETURN(table, catalog_.Current(table));
    DeleteRows(group, Family::kItems, table->id);
    for (const Index& index : table->indexes) DeleteRows(group, Family::kIndexes, index.id);
    if (table->expiry) DeleteRows(group, Family::kIndexes, table->expiry->id);
    group.OnCommit([&] {
      table->counter->items = table->counter->bytes = 0;
      for (const Index& index : table->indexes) index.counter->items = index.counter->bytes = 0;
    });
    return {};
  };
  RETURN_IF_ERROR(Run(writer_, begin, Grouping::kAlone));
  std::string after;
  for (bool last = false; !last && !stopping();) {
    PassTestPoint("engine.restore");
    ASSIGN_OR_RETURN(RowPortion portion, ReadPortion(database_, Family::kItems, backup->id, after));
    auto copy = [&](CommitGroup& group) -> Status {
      ASSIGN_OR_RETURN(table, catalog_.Current(table));
      for (const auto& [key, value] : portion.rows) {
        group.Apply({.table = table,
                     .key = ItemKeyFromTail(*table, std::string_view(key).substr(kIdBytes)),
                     .old_item = std::nullopt,
                     .new_item = item::PackedItem::Trusted(value)});
      }
      return {};
    };
    RETURN_IF_ERROR(Run(writer_, copy));
    last = portion.last;
    if (!portion.rows.empty()) after = portion.rows.back().first;
    if (!last) continue;
    auto finish = [&](CommitGroup& group) -> Status {
      ASSIGN_OR_RETURN(table, catalog_.Current(table));
      group.KeepCounters(table);
      Table done = *table;
      done.status = store::TableStatus::kActive;
      catalog_.Save(group, std::move(done));
      return {};
    };
    RETURN_IF_ERROR(Run(writer_, finish, Grouping::kAlone));
  }
  return catalog_.Current(table);
}

// Those that failed, and those that a crash left behind.
Status Jobs::DropAbandonedBackups() {
  for (const Backup& backup : catalog_.Backups()) {
    if (backup.complete || backup.is_being_copied) continue;
    auto drop = [&](CommitGroup& group) -> Status {
      DeleteRows(group, Family::kItems, backup.id);
      catalog_.RemoveBackup(group, backup);
      return {};
    };
    RETURN_IF_ERROR(Run(writer_, drop, Grouping::kAlone));
  }
  return {};
}

Status Jobs::ExpireItems(const TableRef& table) {
  const Expiry& expiry = *table->expiry;
  const int64_t now_seconds = EpochSeconds(clock_.Now());
  const std::string low =
      ExpiryRowKey(expiry.id, std::max<int64_t>(now_seconds - kFiveYearsSeconds, 0), "____");
  const std::string high = ExpiryRowKey(expiry.id, now_seconds + 1, "____");
  const rocksdb::Slice low_slice = ToSlice(low), high_slice = ToSlice(high);
  while (!stopping()) {
    PassTestPoint("engine.expire");
    std::vector<std::string> expired;  // keys of expiry rows
    const auto rows = database_.Iterate(Family::kIndexes, low_slice, high_slice);
    for (rows->SeekToFirst(); rows->Valid() && expired.size() < kExpirePortion; rows->Next()) {
      expired.push_back(rows->key().ToString());
    }
    if (!rows->status().ok()) return Fail(StorageError(rows->status()));
    if (expired.empty()) return {};
    auto expire = [&](CommitGroup& group) -> Status {
      ASSIGN_OR_RETURN(const TableRef current, catalog_.Current(table));
      if (!current->expiry || current->expiry->id != expiry.id) return {};
      for (const std::string& row : expired) {
        const std::string key = ItemKeyFromTail(*current, std::string_view(row).substr(kIdBytes + 8));
        ASSIGN_OR_RETURN(auto item, group.Read(key));
        const auto expires =
            item ? ExpiresAt(*current->expiry, item->UnpackOnly(current->watched)) : std::nullopt;
        // It may have been refreshed since the row was read. Then the row is gone; one that nothing called
        // for goes here, or the sweep would meet it for ever.
        if (!expires || ExpiryRowKey(expiry.id, *expires, key) != row) {
          group.Delete(Family::kIndexes, row);
          continue;
        }
        group.Apply({.table = current,
                     .key = key,
                     .old_item = std::move(item),
                     .new_item = std::nullopt,
                     .origin = store::ChangeOrigin::kTimeToLive});
      }
      return {};
    };
    RETURN_IF_ERROR(Run(writer_, expire));
  }
  return {};
}

Status Jobs::TrimStream(const Stream& stream) {
  const Time horizon = clock_.Now() - options_.stream_retention;
  // The first row to keep; at the latest the first one that the iterator cannot see.
  std::string keep_from = StreamRowKey(stream.id, writer_.next_sequence());
  const auto [low, high] = IdRange(stream.id);
  const rocksdb::Slice low_slice = ToSlice(low), high_slice = ToSlice(high);
  const auto rows = database_.Iterate(Family::kStreams, low_slice, high_slice);
  uint64_t trimmed_to = 0;  // behind the last record that goes
  for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
    const uint64_t sequence = ReadBigEndian(ToView(rows->key()).substr(kIdBytes));
    ASSIGN_OR_RETURN(const auto header, ReadStreamChunkHeader(sequence, ToView(rows->value())));
    if (header.created > horizon) {
      keep_from = rows->key().ToString();
      break;
    }
    trimmed_to = sequence + header.count;
  }
  if (!rows->status().ok()) return Fail(StorageError(rows->status()));
  const bool gone = stream.disabled && *stream.disabled <= horizon;
  if (trimmed_to == 0 && !gone) return {};
  // Readers are told first: one that does not find the records any more knows why.
  auto announce = [&](CommitGroup& group) -> Status {
    auto current = catalog_.FindStream(stream.name);
    if (!current || current->trimmed_to >= trimmed_to) return {};
    current->trimmed_to = trimmed_to;
    catalog_.SaveStream(group, *std::move(current));
    return NoteTrimmed(group, trimmed_to);
  };
  RETURN_IF_ERROR(Run(writer_, announce, Grouping::kAlone));
  auto trim = [&](CommitGroup& group) -> Status {
    group.DeleteRange(Family::kStreams, low, keep_from);
    if (gone) catalog_.RemoveStream(group, stream);
    return {};
  };
  return Run(writer_, trim, Grouping::kAlone);
}

// Sequences before `end` may be missing from now on; all others must be there (scrub_streams.h).
Status Jobs::NoteTrimmed(CommitGroup& group, uint64_t end) {
  ASSIGN_OR_RETURN(const auto stored, database_.Get(Family::kCatalog, MetaKey("trimmed_through")));
  if (end == 0 || !stored || ReadBigEndian(*stored) >= end - 1) return {};
  std::string value;
  AppendBigEndian(value, end - 1, 8);
  group.Put(Family::kCatalog, MetaKey("trimmed_through"), value);
  ForgetSkipped(group, end);
  return {};
}

Status Jobs::TrimTokens() {
  const int64_t now_seconds = EpochSeconds(clock_.Now());
  for (size_t trimmed = kTokenPortion; trimmed == kTokenPortion && !stopping();) {
    ASSIGN_OR_RETURN(trimmed, TrimTokenPortion(now_seconds));
  }
  return {};
}

// How many it found, at most a portion.
Result<size_t> Jobs::TrimTokenPortion(int64_t now_seconds) {
  const std::string low(1, kTokenExpiryPrefix);
  const std::string high = TokenExpiryKey(now_seconds, "");
  const rocksdb::Slice low_slice = ToSlice(low), high_slice = ToSlice(high);
  const auto rows = database_.Iterate(Family::kCatalog, low_slice, high_slice);
  std::vector<std::string> expired;
  for (rows->SeekToFirst(); rows->Valid() && expired.size() < kTokenPortion; rows->Next()) {
    expired.push_back(rows->key().ToString());
  }
  if (!rows->status().ok()) return Fail(StorageError(rows->status()));
  if (expired.empty()) return size_t{0};
  auto trim = [&](CommitGroup& group) -> Status {
    for (const std::string& key : expired) {
      const std::string token_key = TokenKey(std::string_view(key).substr(9));
      group.Delete(Family::kCatalog, key);
      // The token may have been used again since; then its record carries a later time.
      ASSIGN_OR_RETURN(const auto record, database_.Get(Family::kCatalog, token_key));
      if (record && record->compare(0, 8, key, 1, 8) == 0) group.Delete(Family::kCatalog, token_key);
    }
    return {};
  };
  RETURN_IF_ERROR(Run(writer_, trim, Grouping::kAlone));
  return expired.size();
}

}  // namespace cairn::engine::internal
