// Together(tasks): runs tasks side by side, and answers with their results in their order when all are done.
// They start one after the other on the calling thread and go on wherever what they await completes; the
// awaiting coroutine continues where the last of them ends (base/executor.h says on which thread that is).
#pragma once

#include <atomic>
#include <coroutine>
#include <optional>
#include <utility>
#include <vector>

#include "base/task.h"

namespace cairn {

template <class T>
Task<std::vector<T>> Together(std::vector<Task<T>> tasks) {
  struct Awaiter {
    std::vector<Task<T>>& tasks;
    std::vector<std::optional<T>>& results;
    std::atomic<size_t> left;

    bool await_ready() const { return tasks.empty(); }
    bool await_suspend(std::coroutine_handle<> waiting) {
      for (size_t i = 0; i < tasks.size(); ++i) {
        Spawn(std::move(tasks[i]), [this, i, waiting](T result) {
          results[i].emplace(std::move(result));
          if (left.fetch_sub(1) == 1) waiting.resume();
        });
      }
      // One is counted for this loop, so that nobody resumes before it is left. Whoever counts last goes on.
      return left.fetch_sub(1) != 1;
    }
    void await_resume() const {}
  };
  std::vector<std::optional<T>> results(tasks.size());
  Awaiter all{tasks, results, tasks.size() + 1};
  co_await all;
  std::vector<T> values;
  values.reserve(results.size());
  for (std::optional<T>& result : results) values.push_back(*std::move(result));
  co_return values;
}

}  // namespace cairn
