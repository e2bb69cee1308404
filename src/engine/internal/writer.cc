#include "engine/internal/writer.h"

#include <limits>

#include "base/cores.h"
#include "base/task.h"
#include "engine/internal/sequences.h"

namespace cairn::engine::internal {
namespace {

constexpr size_t kGroupWritesMax = 1024;
constexpr size_t kGroupBytesMax = 8 << 20;

}  // namespace

Writer::Writer(Database& database, const Clock& clock, uint64_t next_sequence, Sequences sequences)
    : database_(database),
      clock_(clock),
      lets_others_finish_(CoresOfThisProcess() == 1),
      next_sequence_(next_sequence),
      reserved_end_(sequences == Sequences::kReserved ? next_sequence : std::numeric_limits<uint64_t>::max()),
      thread_([this] { Loop(); }) {}

Writer::~Writer() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

// The next stream record reserves again.
void Writer::GiveBackSequences() {
  auto work = [this](CommitGroup& group) -> Status {
    if (reserved_end_ == std::numeric_limits<uint64_t>::max() || reserved_end_ == next_sequence_) return {};
    internal::GiveBackSequences(group, next_sequence_);
    group.OnCommit([this] { reserved_end_ = next_sequence_; });
    return {};
  };
  const auto submit = [&]() -> Task<Status> { co_return co_await Submit(work, Grouping::kAlone); };
  static_cast<void>(SyncWait(submit()));  // if it fails, they are skipped
}

void Writer::Enqueue(Pending* pending) {
  bool notify = false;
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(pending);
    notify = sleeping_;
  }
  if (notify) wake_.notify_one();
}

void Writer::Loop() {
  std::vector<Pending*> taken;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      sleeping_ = true;
      wake_.wait(lock, [this] { return !queue_.empty() || stopping_; });
      sleeping_ = false;
      if (queue_.empty()) return;
      if (lets_others_finish_) {
        lock.unlock();
        std::this_thread::yield();
        lock.lock();
      }
      taken.swap(queue_);
    }
    for (size_t done = 0; done < taken.size();) {
      size_t end = done + 1;
      if (taken[done]->grouping == Grouping::kShared) {
        while (end < taken.size() && end - done < kGroupWritesMax &&
               taken[end]->grouping == Grouping::kShared)
          ++end;
      }
      done += Commit(std::span(taken).subspan(done, end - done));
    }
    taken.clear();
  }
}

// Commits a prefix of `writes` as one group and returns how many it took: all, unless the batch grew too
// large.
size_t Writer::Commit(std::span<Pending* const> writes) {
  CommitGroup group(database_, clock_.Now(), next_sequence_);
  size_t count = 0;
  while (count < writes.size() && group.batch_bytes() < kGroupBytesMax) writes[count++]->Run(group);
  group.Close();
  const auto start = std::chrono::steady_clock::now();
  const Status written = Write(group);
  if (!group.empty()) {
    commit_seconds_.Observe(std::chrono::steady_clock::now() - start);
    group_sizes_.Observe(static_cast<double>(count));
  }
  if (written) {
    next_sequence_ = group.next_sequence_;
    group.Committed();
  } else {
    for (Pending* pending : writes.first(count)) pending->Fail(written.error());
  }
  Resume(writes.first(count));
  return count;
}

Status Writer::Write(CommitGroup& group) {
  if (group.empty()) return {};
  if (group.next_sequence_ > reserved_end_) {
    const uint64_t end = group.next_sequence_ + kSequencesReserved;
    RETURN_IF_ERROR(ReserveSequences(database_, end));
    reserved_end_ = end;
  }
  return database_.Write(group.batch_);
}

// Waiters continue on their own executors: one post per executor, not one per waiter.
void Writer::Resume(std::span<Pending* const> writes) {
  std::vector<std::pair<Executor*, std::vector<std::coroutine_handle<>>>> homes;
  for (Pending* pending : writes) {
    auto home =
        std::find_if(homes.begin(), homes.end(), [&](const auto& h) { return h.first == pending->home; });
    if (home == homes.end()) home = homes.insert(homes.end(), {pending->home, {}});
    home->second.push_back(pending->waiter);
  }
  for (auto& [executor, waiters] : homes) {
    auto resume = [waiters = std::move(waiters)] {
      for (const std::coroutine_handle<> waiter : waiters) waiter.resume();
    };
    if (executor) {
      executor->Post(std::move(resume));
    } else {
      resume();
    }
  }
}

}  // namespace cairn::engine::internal
