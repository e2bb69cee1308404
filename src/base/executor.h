// Executor: where suspended work continues. A thread that serves requests installs its executor for itself;
// whoever completes an operation on another thread (the engine's writer) posts the waiter back to it.
#pragma once

#include <functional>

namespace cairn {

class Executor {
 public:
  virtual ~Executor() = default;
  // Thread-safe. Runs `work` later on the executor's own thread.
  virtual void Post(std::move_only_function<void()> work) = 0;
  // Thread-safe. Runs `work` later on a helper thread, where no executor is installed. False: there are no
  // helpers, or too much waits for them already; then nothing happens (base/aside.h).
  virtual bool PostAside(std::move_only_function<void()> work);

  // The executor of the calling thread, or null (then waiters continue on the completing thread).
  static Executor* Current();

  // Installs an executor for the calling thread while in scope.
  class Scope {
   public:
    explicit Scope(Executor* executor);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Executor* previous_;
  };
};

}  // namespace cairn
