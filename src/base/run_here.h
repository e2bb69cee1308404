// RunHere(task): blocks the calling thread until the task is done, and runs all of it there: what it awaits
// continues on this thread, not on the one that completes it (as with SyncWait). For start-up work that may
// itself block, which must never happen on a thread of the engine.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "base/executor.h"
#include "base/task.h"

namespace cairn {

// An executor whose work is done by the thread that calls RunOne.
class LoopExecutor final : public Executor {
 public:
  void Post(std::move_only_function<void()> work) override {
    // Under the lock: once the last piece of work was taken, this may be gone.
    std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
    posted_.notify_one();
  }

  // Waits for the next piece of work and does it.
  void RunOne() {
    std::unique_lock lock(mutex_);
    posted_.wait(lock, [this] { return !work_.empty(); });
    auto work = std::move(work_.front());
    work_.pop_front();
    lock.unlock();
    work();
  }

 private:
  std::mutex mutex_;  // guards work_
  std::condition_variable posted_;
  std::deque<std::move_only_function<void()>> work_;
};

template <class T>
T RunHere(Task<T> task) {
  LoopExecutor loop;
  Executor::Scope here(&loop);
  std::optional<T> value;
  Spawn(std::move(task), [&](T result) { value.emplace(std::move(result)); });
  while (!value) loop.RunOne();
  return *std::move(value);
}

}  // namespace cairn
