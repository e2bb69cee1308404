#include "base/worker_pool.h"

#include <sys/resource.h>
#include <unistd.h>

#include "base/check.h"

namespace cairn {

WorkerPool::WorkerPool(Options options) : queue_max_(options.queue_max), idle_(options.threads) {
  CHECK(options.threads > 0, "a pool has a thread");
  for (size_t i = 0; i < options.threads; ++i) {
    threads_.emplace_back([this, niceness = options.niceness] {
      // On Linux this is of the thread alone. Where it is refused, all threads are equal.
      if (niceness > 0) ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness);
      RunThread();
    });
  }
}

WorkerPool::~WorkerPool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool WorkerPool::Post(std::move_only_function<void()> work) {
  {
    std::lock_guard lock(mutex_);
    // An idle thread is about to take one from the queue, so that one does not count.
    if (queue_.size() >= queue_max_ + idle_) return false;
    queue_.push_back(std::move(work));
  }
  changed_.notify_one();
  return true;
}

void WorkerPool::RunThread() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    std::move_only_function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    --idle_;
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
    ++idle_;
  }
}

}  // namespace cairn
