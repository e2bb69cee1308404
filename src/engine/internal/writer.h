// Writer: the one way to write. A single thread drains the queue, lets every write decide against the state
// so far, commits the whole group with one batch and one sync, and only then answers each of them.
//
//   auto work = [&](CommitGroup& group) -> Result<WriteResponse, WriteFailure> { ... };
//   co_return co_await writer.Submit(work);
//
// So writes are strictly serializable (they happen one after another, in commit order), and a hundred of them
// share one sync. A refusal, too, is answered after the commit, because it may rest on a write of the same
// group.
#pragma once

#include <condition_variable>
#include <coroutine>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/executor.h"
#include "base/metrics.h"
#include "base/result.h"
#include "engine/internal/commit_group.h"
#include "engine/internal/database.h"

namespace cairn::engine::internal {

enum class Grouping {
  kShared,  // commits together with its neighbours
  kAlone,   // a group of its own: changes of table definitions, whose effect neighbours must not miss
};

class Writer {
 public:
  enum class Sequences { kKept, kReserved };
  // With kReserved, sequences of stream records are reserved before they are used (sequences.h).
  Writer(Database& database, const Clock& clock, uint64_t next_sequence, Sequences sequences);
  ~Writer();  // finishes what is queued

  // Awaitable: runs `work(CommitGroup&)` on the writer's thread and yields its Result after the commit, or
  // the error why the commit failed.
  template <class Work>
  auto Submit(Work work, Grouping grouping = Grouping::kShared) {
    return Submission<Work>(*this, std::move(work), grouping);
  }

  // The sequence the next stream record will get; everything below is committed.
  uint64_t next_sequence() const { return next_sequence_; }

  // Before a clean stop: what was reserved and not used need not be skipped.
  void GiveBackSequences();

  // How many writes shared a commit, and how long commits took, their sync included.
  const metrics::Histogram& group_sizes() const { return group_sizes_; }
  const metrics::Histogram& commit_seconds() const { return commit_seconds_; }

 private:
  class Pending {
   public:
    explicit Pending(Grouping how) : grouping(how), home(Executor::Current()) {}
    virtual ~Pending() = default;
    virtual void Run(CommitGroup& group) = 0;
    virtual void Fail(const Error& error) = 0;

    Grouping grouping;
    Executor* home;
    std::coroutine_handle<> waiter;
  };

  template <class Work>
  class Submission final : public Pending {
   public:
    using Outcome = std::invoke_result_t<Work&, CommitGroup&>;

    Submission(Writer& writer, Work work, Grouping how)
        : Pending(how), writer_(writer), work_(std::move(work)) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> handle) {
      this->waiter = handle;
      writer_.Enqueue(this);
    }
    Outcome await_resume() { return *std::move(outcome_); }

    void Run(CommitGroup& group) override { outcome_.emplace(work_(group)); }
    void Fail(const Error& error) override {
      outcome_.emplace(std::unexpected(typename Outcome::error_type(error)));
    }

   private:
    Writer& writer_;
    Work work_;
    std::optional<Outcome> outcome_;
  };

  void Enqueue(Pending* pending);
  void Loop();
  size_t Commit(std::span<Pending* const> writes);
  Status Write(CommitGroup& group);
  static void Resume(std::span<Pending* const> writes);

  Database& database_;
  const Clock& clock_;
  // On its only core the writer was woken by the first of several requests that have arrived: the thread that
  // reads them is let finish first, so that they share a commit. Elsewhere it reads on meanwhile.
  const bool lets_others_finish_;
  std::atomic<uint64_t> next_sequence_;
  uint64_t reserved_end_;  // sequences before it may be used; the writer's thread only
  metrics::Histogram group_sizes_{metrics::CountBounds()};
  metrics::Histogram commit_seconds_{metrics::SecondBounds()};

  std::mutex mutex_;  // guards queue_, stopping_, sleeping_
  std::condition_variable wake_;
  std::vector<Pending*> queue_;
  bool stopping_ = false;
  bool sleeping_ = false;
  std::thread thread_;
};

}  // namespace cairn::engine::internal
