// EventLoop: one thread with its connections. It is the Executor on which their handlers run and continue.
//
// Time is coarse on purpose: one sweep per second moves now(), expires connections and renews the Date text,
// so that a request costs no timer and no look at the clock. Includes Asio; used by server.cc and
// connection.cc only.
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
#include "http/server_context.h"

namespace cairn::http {

class Connection;

class EventLoop final : public Executor {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit EventLoop(std::shared_ptr<ServerContext> context);
  ~EventLoop() override;  // after Halt

  // From any thread.
  void Post(std::move_only_function<void()> work) override;
  boost::asio::io_context& io() { return io_; }
  // Serves the connection, which has been counted in ServerContext::connections.
  void Adopt(boost::asio::ip::tcp::socket socket);

  // From the thread that owns the server, in this order.
  void Run();
  void BeginDrain();
  bool WaitUntilDrained(TimePoint deadline);
  void Halt();
  bool HasSuspendedHandlers() const;  // after Halt

  // From the loop's own thread, for its connections.
  ServerContext& context() { return *context_; }
  bool draining() const { return draining_; }
  std::string_view date() const { return date_; }
  // When a phase that starts now and may take `timeout` is over.
  TimePoint DeadlineAfter(std::chrono::milliseconds timeout) const { return now_ + timeout + sweep_period_; }
  // Destroys the connection.
  void Remove(Connection& connection);

 private:
  void ScheduleSweep();
  void Sweep();
  void NoticeDrained();

  const std::shared_ptr<ServerContext> context_;
  const std::chrono::milliseconds sweep_period_;
  boost::asio::io_context io_{1};  // one thread runs it
  boost::asio::steady_timer sweep_timer_{io_};
  std::vector<std::unique_ptr<Connection>> connections_;
  TimePoint now_ = std::chrono::steady_clock::now();
  std::string date_;
  bool draining_ = false;
  std::promise<void> drained_;  // kept once: drained_ready_ says so
  bool drained_ready_ = false;
  std::thread thread_;
};

}  // namespace cairn::http
