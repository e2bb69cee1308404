// WriteHealth: whether the database takes writes, and what a failure means for that. Thread-safe.
//
// - A failed write or sync is never tried again: the kernel may have dropped the pages and would then report
//   success. Read-only until the next start, whoever fails next.
// - A full disk is different: RocksDB looks for room every five seconds, then writes what is in memory to new
//   files and begins a new log. It has to do so by itself: in between, it would drop the place of a flush
//   that was due from its count but not from its queue (DBImpl::BackgroundFlush), and a Resume() of ours
//   would wait for that flush for ever.
#pragma once

#include <rocksdb/listener.h>
#include <rocksdb/status.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "base/result.h"
#include "engine/engine.h"

namespace cairn::engine::internal {

class WriteHealth {
 public:
  enum class State { kHealthy, kFull, kReadOnly };

  // Hears of every failure inside RocksDB, before the next write can begin.
  static std::shared_ptr<rocksdb::EventListener> Listen(std::shared_ptr<WriteHealth> health);

  State state() const { return state_; }
  bool healthy() const { return state_ == State::kHealthy; }
  EngineHealth Describe() const;
  Status Refusal() const { return Refuse(state_); }

  // What the writer of a batch is told that RocksDB did not take.
  Status WriteFailed(const rocksdb::Status& status);
  // A failure outside of RocksDB: no more writes.
  void Fail(const rocksdb::Status& status);
  // The call makes RocksDB fail on this thread, and that can be resumed from.
  void StopOnPurpose(const std::function<void()>& call);
  // The data directory was removed or replaced: what is written from now on would be lost with the process.
  void Vanished(const std::string& directory);

  // The disk was full, and RocksDB has everything in files of its own again.
  bool has_recovered() const;
  // Then: takes writes again. False if it filled up meanwhile.
  bool GoOn();

 private:
  class Listener;

  Status Refuse(State state) const;
  void OnError(rocksdb::Status& status);
  void OnRecovered();

  mutable std::mutex mutex_;  // guards changes of state_, recovered_, stopper_
  std::atomic<State> state_{State::kHealthy};
  bool recovered_ = false;             // RocksDB, since the disk was full
  std::thread::id stopper_;            // the thread inside StopOnPurpose, if any
  std::atomic<bool> vanished_{false};  // why it is read-only
};

}  // namespace cairn::engine::internal
