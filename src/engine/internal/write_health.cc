#include "engine/internal/write_health.h"

#include <rocksdb/convenience.h>
#include <rocksdb/env.h>

#include "base/log.h"

namespace cairn::engine::internal {
namespace {

constexpr std::chrono::milliseconds kLookEvery{100};
// For what is written between two looks, and for RocksDB's own small files.
constexpr uint64_t kSpareBytes = 16 << 20;

}  // namespace

class WriteHealth::Listener final : public rocksdb::EventListener {
 public:
  explicit Listener(WriteHealth& health) : health_(health) {}

  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* status) override {
    // With less RocksDB goes on writing and repairs it itself.
    if (status->severity() < rocksdb::Status::Severity::kHardError) return;
    health_.NoteFailure(*status);
    // Then the batch is in memory already, but not counted: the next one would get the same sequences and
    // make half of it visible. After a restart it comes whole from the log.
    const bool in_commit = health_.committing_.load() == std::this_thread::get_id();
    if (in_commit && reason == rocksdb::BackgroundErrorReason::kManifestWrite) {
      health_.state_ = State::kReadOnly;
    }
  }

  // RocksDB itself would wait for as much room as all its buffers may ever take, and refuse our Resume
  // meanwhile.
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status, bool* auto_recovery) override {
    *auto_recovery = false;
  }

 private:
  WriteHealth& health_;
};

std::shared_ptr<rocksdb::EventListener> WriteHealth::MakeListener() {
  return std::make_shared<Listener>(*this);
}

void WriteHealth::Start(rocksdb::DB& db, std::function<void()> resumed) {
  db_ = &db;
  resumed_ = std::move(resumed);
}

void WriteHealth::Stop() {
  if (!resumer_.joinable()) return;
  rocksdb::CancelAllBackgroundWork(db_, /*wait=*/false);  // wakes a Resume that hangs
  resumer_.join();
}

Status WriteHealth::Begin() {
  const auto now = std::chrono::steady_clock::now();
  if (healthy() && now - looked_.load() >= kLookEvery) {
    looked_ = now;
    if (!HasRoom()) NoteFull();
  }
  if (!healthy()) LookForRoom();
  if (const State state = state_; state != State::kHealthy) return Refuse(state);
  committing_ = std::this_thread::get_id();
  return {};
}

Status WriteHealth::End(const rocksdb::Status& status) {
  committing_ = std::thread::id();
  if (status.ok()) return {};
  NoteFailure(status);
  return Refuse(status.IsNoSpace() && state_ != State::kReadOnly ? State::kFull : State::kReadOnly);
}

// Read-only stays read-only, whoever fails next.
void WriteHealth::NoteFailure(const rocksdb::Status& status) {
  log::Failure("write failed", {{"status", status.ToString()}});
  if (!status.IsNoSpace()) {
    state_ = State::kReadOnly;
    return;
  }
  must_resume_ = true;
  looked_ = std::chrono::steady_clock::now();
  State expected = State::kHealthy;
  state_.compare_exchange_strong(expected, State::kFull);
}

void WriteHealth::NoteFull() {
  State expected = State::kHealthy;
  if (state_.compare_exchange_strong(expected, State::kFull)) {
    log::Failure("the disk is full, so the store takes no writes", {});
  }
}

// Room for what is in memory and has to go into files, and some to spare.
bool WriteHealth::HasRoom() const {
  uint64_t free_bytes = 0, in_memory_bytes = 0;
  if (!db_->GetEnv()->GetFreeSpace(db_->GetName(), &free_bytes).ok()) return true;  // not known here
  db_->GetAggregatedIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &in_memory_bytes);
  return free_bytes >= in_memory_bytes + kSpareBytes;
}

void WriteHealth::LookForRoom() {
  const auto now = std::chrono::steady_clock::now();
  if (state_ != State::kFull || now - looked_.load() < kLookEvery) return;
  looked_ = now;
  if (!HasRoom()) return;
  if (must_resume_) return StartResume();
  State expected = State::kFull;
  if (state_.compare_exchange_strong(expected, State::kHealthy)) {
    log::Info("writing again", {{"reason", "the disk has room"}});
  }
}

void WriteHealth::StartResume() {
  if (resuming_.exchange(true)) return;  // one is under way
  if (resumer_.joinable()) resumer_.join();
  resumer_ = std::thread([this] { Resume(); });
}

void WriteHealth::Resume() {
  const rocksdb::Status status = db_->Resume();
  if (status.ok()) {
    resumed_();
    must_resume_ = false;
    State expected = State::kFull;
    state_.compare_exchange_strong(expected, State::kHealthy);
    log::Info("writing again", {{"reason", "the disk has room"}});
  } else if (!status.IsNoSpace() && !status.IsBusy() && !status.IsShutdownInProgress()) {
    NoteFailure(status);
  }
  resuming_ = false;
}

Status WriteHealth::Refuse(State state) {
  if (state == State::kFull)
    return Fail(Code::kStorageFull, "The disk is full. Nothing was written; reads go on.");
  return Fail(Code::kReadOnly,
              "A write to disk failed, so the store takes no more writes until it is restarted.");
}

EngineHealth WriteHealth::Get() const {
  const State state = state_;
  if (state == State::kHealthy) return {};
  return {.writable = false, .reason = Refuse(state).error().message};
}

}  // namespace cairn::engine::internal
