#include "http/event_loop.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "base/clock.h"
#include "http/connection.h"
#include "http/response_head.h"

namespace cairn::http {
namespace {

// A second is fine enough for every timeout of interest; shorter timeouts get a finer sweep.
std::chrono::milliseconds SweepPeriod(const ServerOptions& options) {
  using std::chrono::milliseconds;
  const milliseconds shortest =
      std::min({options.header_timeout, options.body_timeout, options.write_timeout, options.idle_timeout});
  return std::clamp(shortest / 4, milliseconds(10), milliseconds(1000));
}

}  // namespace

EventLoop::EventLoop(std::shared_ptr<ServerContext> context)
    : context_(std::move(context)), sweep_period_(SweepPeriod(context_->options)) {}

EventLoop::~EventLoop() = default;

void EventLoop::Post(std::move_only_function<void()> work) { boost::asio::post(io_, std::move(work)); }

void EventLoop::Adopt(boost::asio::ip::tcp::socket socket) {
  boost::asio::post(io_, [this, socket = std::move(socket)]() mutable {
    if (draining_) {
      context_->connections.fetch_sub(1, std::memory_order_relaxed);
      return;
    }
    connections_.push_back(std::make_unique<Connection>(*this, std::move(socket)));
    Connection& connection = *connections_.back();
    connection.registry_index = connections_.size() - 1;
    connection.Start();
  });
}

void EventLoop::Run() {
  Sweep();
  thread_ = std::thread([this] {
    const Executor::Scope scope(this);
    io_.run();
  });
}

void EventLoop::BeginDrain() {
  boost::asio::post(io_, [this] {
    draining_ = true;
    for (const auto& connection : connections_) connection->BeginDrain();
    NoticeDrained();
  });
}

bool EventLoop::WaitUntilDrained(TimePoint deadline) {
  return drained_.get_future().wait_until(deadline) == std::future_status::ready;
}

void EventLoop::Halt() {
  io_.stop();
  if (thread_.joinable()) thread_.join();
}

bool EventLoop::HasSuspendedHandlers() const {
  return std::ranges::any_of(connections_, [](const auto& connection) { return connection->is_handling(); });
}

void EventLoop::Remove(Connection& connection) {
  const size_t index = connection.registry_index;
  std::swap(connections_[index], connections_.back());
  connections_[index]->registry_index = index;
  connections_.pop_back();
  context_->connections.fetch_sub(1, std::memory_order_relaxed);
  NoticeDrained();
}

void EventLoop::ScheduleSweep() {
  sweep_timer_.expires_after(sweep_period_);
  sweep_timer_.async_wait([this](boost::system::error_code error) {
    if (!error) Sweep();
  });
}

void EventLoop::Sweep() {
  now_ = std::chrono::steady_clock::now();
  date_ = FormatHttpDate(EpochSeconds(SystemClock().Now()));
  for (const auto& connection : connections_) connection->OnSweep(now_);
  ScheduleSweep();
}

void EventLoop::NoticeDrained() {
  if (!draining_ || !connections_.empty() || drained_ready_) return;
  drained_ready_ = true;
  drained_.set_value();
}

}  // namespace cairn::http
