// WriteHealth: whether the database takes writes, and what a failed one means.
//
// - A failed write or sync is never tried again: the kernel may have dropped the pages and would then report
// success.
//   The store is read-only until it is restarted.
// - A full disk is different: nothing was lost. Writes are refused while there is less room than what is in
// memory will
//   need, so that RocksDB seldom meets a full disk itself. If it does, its Resume() writes what is in memory
//   to new files and starts a new log. It may also hang for ever (a flush that was under way is forgotten,
//   RocksDB 7.8), so it runs on a thread of its own; then only a restart helps.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/listener.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/result.h"
#include "engine/engine.h"

namespace cairn::engine::internal {

class WriteHealth {
 public:
  // Hears of failures in RocksDB's own threads; goes into the options before the database is opened.
  std::shared_ptr<rocksdb::EventListener> MakeListener();
  // The database is open. `resumed` is called after a full disk, before writes go on.
  void Start(rocksdb::DB& db, std::function<void()> resumed);
  // The database is about to be closed.
  void Stop();

  // Before a write: refuses it while the disk is full or after a failure. Only one thread writes.
  Status Begin();
  // After it: what its status means.
  Status End(const rocksdb::Status& status);
  // A failure outside of a write.
  void NoteFailure(const rocksdb::Status& status);
  // Goes on after a full disk, if there is room again.
  void LookForRoom();

  bool healthy() const { return state_ == State::kHealthy; }
  EngineHealth Get() const;

 private:
  enum class State { kHealthy, kFull, kReadOnly };
  class Listener;
  using TimePoint = std::chrono::steady_clock::time_point;

  static Status Refuse(State state);
  void NoteFull();
  bool HasRoom() const;
  void StartResume();
  void Resume();

  rocksdb::DB* db_ = nullptr;
  std::function<void()> resumed_;
  std::atomic<State> state_{State::kHealthy};
  std::atomic<bool> must_resume_{false};     // RocksDB itself met the full disk
  std::atomic<std::thread::id> committing_;  // the thread inside RocksDB's Write, if any
  std::atomic<TimePoint> looked_{};          // when the room was last looked at
  std::atomic<bool> resuming_{false};        // who sets it owns resumer_ until it is false again
  std::thread resumer_;
};

}  // namespace cairn::engine::internal
