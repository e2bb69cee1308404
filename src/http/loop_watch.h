// LoopWatch: how long the turns of one event loop take. A turn is one piece of work, such as a request that
// has arrived or a coroutine that goes on; while it lasts, all other clients of the loop wait.
//
// Turns of a millisecond and more go to a histogram that all loops share, so that usual ones cost two looks
// at the clock and nothing else. For tests, those above a limit are logged with the request that was taken up
// last, measured in CPU time of the thread: a busy machine makes no difference to that.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/metrics.h"
#include "base/slice.h"

namespace cairn::http {

class LoopWatch {
 public:
  using Clock = Slice::Clock;

  // Logs turns that took `logged` of CPU time or more; zero: none.
  LoopWatch(metrics::Histogram& holds, std::chrono::milliseconds logged) : holds_(holds), logged_(logged) {}

  // Of the loop's own thread. Turns do not nest: the outermost one counts.
  class Turn {
   public:
    explicit Turn(LoopWatch& watch) : watch_(watch.in_turn_ ? nullptr : &watch) {
      if (watch_ != nullptr) watch_->Begin();
    }
    ~Turn() {
      if (watch_ != nullptr) watch_->End();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    LoopWatch* watch_;
  };

  // What is being done now, for the log.
  void NoteRequest(std::string_view method, std::string_view target) {
    if (logged_.count() > 0) request_.assign(method).append(" ").append(target);
  }

 private:
  void Begin();
  void End();

  metrics::Histogram& holds_;
  const std::chrono::milliseconds logged_;
  bool in_turn_ = false;
  Clock::time_point begun_;
  std::chrono::nanoseconds cpu_begun_{};
  std::string request_;
};

}  // namespace cairn::http
