// EventLoop: one thread with its clients. It is the Executor on which their handlers run and continue.
//
// Time is coarse on purpose: one sweep per second moves now(), expires connections and renews the Date text,
// so that a request costs no timer. Includes Asio; used by server.cc and the two kinds of connection only.
//
// No turn of the loop, from one piece of work to the next, should take more than a few milliseconds: all
// other clients of the loop wait for it. Every turn is measured (http/loop_watch.h), and begins a slice
// (base/slice.h).
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/executor.h"
#include "http/address_counts.h"
#include "http/conversation.h"
#include "http/loop_watch.h"
#include "http/server_context.h"
#include "http/websocket_wakeups.h"

namespace cairn::http {

class EventLoop final : public Executor {
 public:
  using TimePoint = Conversation::TimePoint;

  explicit EventLoop(std::shared_ptr<ServerContext> context);
  ~EventLoop() override;  // after Halt

  // From any thread.
  void Post(std::move_only_function<void()> work) override;
  bool PostAside(std::move_only_function<void()> work) override;
  boost::asio::io_context& io() { return io_; }
  // Serves the connection, which has been counted in ServerContext::connections and has `place` among those
  // of its address.
  void Adopt(boost::asio::ip::tcp::socket socket, AddressCounts::Place place);

  // From the thread that owns the server, in this order.
  void Run();
  void BeginDrain();
  bool WaitUntilDrained(TimePoint deadline);
  void Halt();
  bool HasSuspendedWork() const;  // after Halt: handlers, and tasks of WebSocket listeners

  // From the loop's own thread, for its conversations.
  ServerContext& context() { return *context_; }
  bool draining() const { return draining_; }
  std::string_view date() const { return date_; }
  TimePoint now() const { return now_; }  // as of the last sweep
  const std::shared_ptr<WebSocketWakeups>& wakeups() const { return wakeups_; }
  // When a phase that starts now and may take `timeout` is over.
  TimePoint DeadlineAfter(std::chrono::milliseconds timeout) const { return now_ + timeout + sweep_period_; }
  // `work` is done by a helper thread (here, if too much waits for those), then `then` by the loop.
  void DoAside(std::move_only_function<void()> work, std::move_only_function<void()> then);
  LoopWatch& watch() { return watch_; }
  // Destroys the conversation; its connection is over.
  void Remove(Conversation& conversation);
  // Destroys the conversation; `next` goes on with its connection.
  void Replace(Conversation& conversation, std::unique_ptr<Conversation> next);

 private:
  void ScheduleSweep();
  void Sweep();
  void NoticeDrained();

  const std::shared_ptr<ServerContext> context_;
  LoopWatch watch_;
  const std::chrono::milliseconds sweep_period_;
  boost::asio::io_context io_{1};  // one thread runs it
  boost::asio::steady_timer sweep_timer_{io_};
  std::vector<std::unique_ptr<Conversation>> conversations_;
  TimePoint now_ = std::chrono::steady_clock::now();
  std::string date_;
  bool draining_ = false;
  std::promise<void> drained_;  // kept once: drained_ready_ says so
  bool drained_ready_ = false;
  std::thread thread_;
  const std::shared_ptr<WebSocketWakeups> wakeups_;
};

}  // namespace cairn::http
