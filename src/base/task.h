// Task<T>: a lazily started coroutine that yields one T. The return type of every Store verb and HTTP
// handler.
//
//   Task<Result<GetItemResponse>> GetItem(GetItemRequest request);
//   GetItemRequest request{...};                       // name the request first (g++ 12 mishandles
//   temporaries auto response = co_await store.GetItem(request);   // inside co_await argument lists)
//
// A Task runs on the thread that awaits it until it suspends; see base/executor.h for where it continues.
// SyncWait(task) blocks the calling thread; for tests and commands, never for a thread that serves requests.
#pragma once

#include <condition_variable>
#include <coroutine>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/executor.h"

namespace cairn {

template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type {
    std::optional<T> value;
    std::coroutine_handle<> continuation = std::noop_coroutine();

    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct FinalAwaiter {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
        return self.promise().continuation;
      }
      void await_resume() noexcept {}
    };
    FinalAwaiter final_suspend() noexcept { return {}; }
    template <class U>
    void return_value(U&& result) {
      value.emplace(std::forward<U>(result));
    }
    // Expected failures are Results; an exception that reaches a Task is a bug.
    void unhandled_exception() noexcept { std::terminate(); }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      if (handle_) handle_.destroy();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
    handle_.promise().continuation = awaiting;
    return handle_;
  }
  T await_resume() {
    CHECK(handle_.promise().value.has_value(), "a finished task has a value");
    return *std::move(handle_.promise().value);
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

namespace internal {

// A coroutine that owns itself: starts at once, frees itself at the end.
struct Detached {
  struct promise_type {
    Detached get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

}  // namespace internal

// Starts `task` on this thread; `done(T)` is called where it finishes.
template <class T, class Done>
void Spawn(Task<T> task, Done done) {
  [](Task<T> owned, Done callback) -> internal::Detached {
    T value = co_await owned;
    callback(std::move(value));
  }(std::move(task), std::move(done));
}

template <class T>
T SyncWait(Task<T> task) {
  std::mutex mutex;
  std::condition_variable finished;
  std::optional<T> value;
  Executor::Scope no_executor(nullptr);  // waiters continue on the completing thread
  Spawn(std::move(task), [&](T result) {
    std::lock_guard lock(mutex);
    value.emplace(std::move(result));
    finished.notify_one();
  });
  std::unique_lock lock(mutex);
  finished.wait(lock, [&] { return value.has_value(); });
  return *std::move(value);
}

}  // namespace cairn
