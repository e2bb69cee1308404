#include "engine/internal/write_health.h"

#include "base/log.h"

namespace cairn::engine::internal {

using rocksdb::BackgroundErrorReason;
using Severity = rocksdb::Status::Severity;

class WriteHealth::Listener final : public rocksdb::EventListener {
 public:
  explicit Listener(std::shared_ptr<WriteHealth> health) : health_(std::move(health)) {}

  void OnBackgroundError(BackgroundErrorReason, rocksdb::Status* status) override {
    // With less RocksDB goes on writing and repairs it itself.
    if (status->severity() >= Severity::kHardError) health_->OnError(*status);
  }
  void OnErrorRecoveryBegin(BackgroundErrorReason, rocksdb::Status, bool* auto_recovery) override {
    *auto_recovery = health_->state() != State::kReadOnly;
  }
  void OnErrorRecoveryEnd(const rocksdb::BackgroundErrorRecoveryInfo& info) override {
    if (info.new_bg_error.ok() && info.old_bg_error.severity() >= Severity::kHardError)
      health_->OnRecovered();
  }

 private:
  const std::shared_ptr<WriteHealth> health_;  // the database may outlive its owner (Database::~Database)
};

std::shared_ptr<rocksdb::EventListener> WriteHealth::Listen(std::shared_ptr<WriteHealth> health) {
  return std::make_shared<Listener>(std::move(health));
}

void WriteHealth::OnError(rocksdb::Status& status) {
  std::lock_guard lock(mutex_);
  if (stopper_ == std::this_thread::get_id()) {
    status = rocksdb::Status(status, Severity::kHardError);
    return;
  }
  log::Failure("write failed", {{"status", status.ToString()}});
  // The disk filled up again while RocksDB recovered, and it calls that fatal where it could just try again:
  // what it could not write to the old log will be in files before that log is forgotten.
  if (status.IsNoSpace() && status.severity() > Severity::kHardError && state_ == State::kFull) {
    status = rocksdb::Status(status, Severity::kHardError);
  }
  recovered_ = false;
  if (!status.IsNoSpace() || status.severity() > Severity::kHardError) {
    state_ = State::kReadOnly;
  } else if (state_ == State::kHealthy) {
    state_ = State::kFull;
  }
}

void WriteHealth::StopOnPurpose(const std::function<void()>& call) {
  const auto set_stopper = [this](std::thread::id thread) {
    std::lock_guard lock(mutex_);
    stopper_ = thread;
  };
  set_stopper(std::this_thread::get_id());
  call();
  set_stopper({});
}

void WriteHealth::OnRecovered() {
  std::lock_guard lock(mutex_);
  recovered_ = true;
}

bool WriteHealth::has_recovered() const {
  std::lock_guard lock(mutex_);
  return state_ == State::kFull && recovered_;
}

bool WriteHealth::GoOn() {
  std::lock_guard lock(mutex_);
  if (state_ == State::kFull && recovered_) {
    state_ = State::kHealthy;
    log::Info("writing again", {{"reason", "the disk has room"}});
  }
  return state_ == State::kHealthy;
}

// The listener has heard of it before; and since then RocksDB may have recovered. Incomplete: the write had
// to wait for flushes or compactions, and was given up because they found the disk full; nothing was written.
Status WriteHealth::WriteFailed(const rocksdb::Status& status) {
  if (!status.IsNoSpace() && !status.IsIncomplete()) Fail(status);
  return Refuse(state_ == State::kReadOnly ? State::kReadOnly : State::kFull);
}

void WriteHealth::Fail(const rocksdb::Status& status) {
  log::Failure("write failed", {{"status", status.ToString()}});
  std::lock_guard lock(mutex_);
  state_ = State::kReadOnly;
}

void WriteHealth::Vanished(const std::string& directory) {
  std::lock_guard lock(mutex_);
  if (vanished_) return;
  log::Failure("the data directory was removed or replaced", {{"directory", directory}});
  vanished_ = true;
  state_ = State::kReadOnly;
}

Status WriteHealth::Refuse(State state) const {
  if (state == State::kFull)
    return cairn::Fail(Code::kStorageFull, "The disk is full. Nothing was written; reads go on.");
  if (vanished_) {
    return cairn::Fail(
        Code::kReadOnly,
        "The data directory was removed or replaced, so the store takes no more writes until it "
        "is restarted.");
  }
  return cairn::Fail(Code::kReadOnly,
                     "A write to disk failed, so the store takes no more writes until it is restarted.");
}

EngineHealth WriteHealth::Describe() const {
  const State state = state_;
  if (state == State::kHealthy) return {};
  return {.writable = false, .reason = Refuse(state).error().message};
}

}  // namespace cairn::engine::internal
