// WorkerPool: a few threads of their own for work that takes long or blocks (hashing, fetching), with a
// bounded queue, so that event loops never wait and a flood is refused instead of piling up.
//
//   WorkerPool pool({.threads = 2, .queue_max = 32});
//   auto work = [&] { return Slow(); };
//   Result<Slowness> value = co_await pool.Run(work);   // continues where it was awaited
#pragma once

#include <condition_variable>
#include <coroutine>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "base/result.h"
#include "base/task.h"

namespace cairn {

class WorkerPool {
 public:
  struct Options {
    size_t threads = 1;
    size_t queue_max = 32;  // waiting, besides one per thread that is being done
    int niceness = 0;       // above 0: other threads go first
  };

  explicit WorkerPool(Options options);
  ~WorkerPool();  // finishes what is queued
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Runs `work` on a thread of the pool and yields its value on the awaiting executor (without one, on the
  // pool's thread). Fails with kOverloaded at once when the queue is full.
  template <class Work>
  Task<Result<std::invoke_result_t<Work&>>> Run(Work work) {
    Submission<Work> submission(*this, std::move(work));
    co_return co_await submission;
  }

  // Runs `work` later; nobody waits for it. False when the queue is full.
  bool Post(std::move_only_function<void()> work);

 private:
  template <class Work>
  class Submission {
   public:
    using Value = std::invoke_result_t<Work&>;

    Submission(WorkerPool& pool, Work work) : pool_(pool), work_(std::move(work)) {}
    bool await_ready() const noexcept { return false; }
    // False resumes at once. After a successful Post this may be gone already.
    bool await_suspend(std::coroutine_handle<> waiter) {
      return pool_.Post([this, waiter, home = Executor::Current()] {
        value_.emplace(work_());
        if (home == nullptr) return waiter.resume();
        home->Post([waiter] { waiter.resume(); });
      });
    }
    Result<Value> await_resume() {
      if (value_) return *std::move(value_);
      return Fail(Code::kOverloaded, "The server is busy with many such requests. Try again in a moment.");
    }

   private:
    WorkerPool& pool_;
    Work work_;
    std::optional<Value> value_;
  };

  void RunThread();

  const size_t queue_max_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::move_only_function<void()>> queue_;
  size_t idle_ = 0;  // threads that wait for work
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace cairn
