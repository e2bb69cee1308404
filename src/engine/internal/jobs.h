// Jobs: work that goes on beside requests: filling and clearing indexes, restoring tables, expiring items,
// trimming streams and old client tokens.
//
// Every job follows from what the catalog says, so an interrupted one is found again after a restart. All
// changes go through the writer in small portions.
#pragma once

#include <condition_variable>
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
  void Loop();
  void LogSyncLoop();
  void WatchLoop();
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

  void ChangeTables();  // indexes, expiry, restores
  void Housekeep();     // expiry, trimming

  Status FillIndex(TableRef table, size_t position);
  Status ClearIndex(const TableRef& table, size_t position);
  Status FillExpiry(const TableRef& table);
  Status Restore(const TableRef& table);
  Status DropIncompleteBackups();
  Status ExpireItems(const TableRef& table);
  Status TrimStream(const Stream& stream);
  Status NoteTrimmed(CommitGroup& group, uint64_t end);
  Status TrimTokens();

  const EngineOptions& options_;
  Database& database_;
  Catalog& catalog_;
  Writer& writer_;
  const Clock& clock_;

  std::mutex round_mutex_;  // one round at a time
  std::mutex mutex_;        // guards kicked_; with wake_
  std::condition_variable wake_;
  bool kicked_ = true;                       // look once at the start
  bool incomplete_backups_dropped_ = false;  // under round_mutex_
  std::atomic<bool> stopping_{false};
  std::thread thread_;
  std::thread log_syncer_;  // only with Durability::kRelaxed
  std::thread watcher_;     // looks after the disk; not with kMemory
};

}  // namespace cairn::engine::internal
