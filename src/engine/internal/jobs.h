// Jobs: work that goes on beside requests: filling and clearing indexes, restoring tables, expiring items,
// trimming streams and old client tokens.
//
// Every job follows from what the catalog says, so an interrupted one is found again after a restart, and one
// that failed is tried again: after a full disk as soon as the store takes writes, otherwise now and then.
// All changes go through the writer in small portions.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/internal/catalog.h"
#include "engine/internal/database.h"
#include "engine/internal/writer.h"

namespace cairn::engine::internal {

class Jobs {
 public:
  Jobs(const EngineOptions& options, Database& database, Catalog& catalog, Writer& writer,
       const Clock& clock);
  ~Jobs();  // stops between two portions

  // Something to do has just come up.
  void Kick();
  // One complete round on the calling thread.
  void RunRound();

 private:
  void TablesLoop();
  void SweepLoop();
  void LogSyncLoop();
  void WatchLoop();
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

  // Indexes, expiry rows, restores, backups that were not finished. Fails with what hindered one of them; the
  // others are done nevertheless.
  Status ChangeTables();
  using Note = std::function<void(std::string_view job, const std::string& table, Status status)>;
  void ChangeTable(TableRef table, const Note& note);
  void Sweep();  // expired items, old stream records and client tokens

  Status FillIndex(TableRef table, size_t position);
  Status ClearIndex(const TableRef& table, size_t position);
  Status FillExpiry(const TableRef& table);
  Result<TableRef> Restore(TableRef table);  // the table as it is then
  Status DropAbandonedBackups();
  Status ExpireItems(const TableRef& table);
  Status TrimStream(const Stream& stream);
  Status NoteTrimmed(CommitGroup& group, uint64_t end);
  Status TrimTokens();
  Result<size_t> TrimTokenPortion(int64_t now_seconds);

  const EngineOptions& options_;
  Database& database_;
  Catalog& catalog_;
  Writer& writer_;
  const Clock& clock_;

  std::mutex tables_mutex_, sweep_mutex_;  // one round of each at a time
  std::mutex mutex_;                       // guards kicked_; with wake_
  std::condition_variable wake_;
  bool kicked_ = true;  // look once at the start
  std::atomic<bool> stopping_{false};
  std::thread tables_thread_;
  std::thread sweep_thread_;  // of its own: an index need not wait until a million items have expired
  std::thread log_syncer_;    // only with Durability::kRelaxed
  std::thread watcher_;       // looks after the disk; not with kMemory
};

}  // namespace cairn::engine::internal
