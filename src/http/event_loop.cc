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
      std::min({options.header_timeout, options.body_timeout, options.body_grace, options.write_timeout,
                options.write_stall_timeout, options.idle_timeout, options.websocket_ping_interval,
                options.websocket_idle_timeout});
  return std::clamp(shortest / 4, milliseconds(10), milliseconds(1000));
}

}  // namespace

EventLoop::EventLoop(std::shared_ptr<ServerContext> context)
    : context_(std::move(context)),
      watch_(context_->loop_holds, context_->options.loop_hold_logged),
      sweep_period_(SweepPeriod(context_->options)),
      wakeups_(std::make_shared<WebSocketWakeups>(*this, [this] { NoticeDrained(); })) {}

EventLoop::~EventLoop() = default;

void EventLoop::Post(std::move_only_function<void()> work) {
  boost::asio::post(io_, [this, work = std::move(work)]() mutable {
    const LoopWatch::Turn turn(watch_);
    work();
  });
}

bool EventLoop::PostAside(std::move_only_function<void()> work) {
  return context_->helpers->Post(std::move(work));
}

void EventLoop::DoAside(std::move_only_function<void()> work, std::move_only_function<void()> then) {
  const auto both = std::make_shared<std::move_only_function<void()>>(
      [this, work = std::move(work), then = std::move(then)]() mutable {
        work();
        Post(std::move(then));
      });
  if (!PostAside([both] { (*both)(); })) (*both)();
}

void EventLoop::Adopt(boost::asio::ip::tcp::socket socket, AddressCounts::Place place) {
  boost::asio::post(io_, [this, socket = std::move(socket), place = std::move(place)]() mutable {
    const LoopWatch::Turn turn(watch_);
    if (draining_) {
      context_->connections.fetch_sub(1, std::memory_order_relaxed);
      return;
    }
    boost::system::error_code ignored;  // a peer that is gone already shows in the first read
    socket.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
    socket.non_blocking(true, ignored);
    const TlsServer* tls = context_->options.tls;
    auto session = tls ? tls->NewSession(socket.native_handle()) : nullptr;
    auto owned = std::make_unique<Connection>(
        *this, ClientStream(std::move(socket), std::move(session), std::move(place)));
    Connection& connection = *owned;
    connection.registry_index = conversations_.size();
    conversations_.push_back(std::move(owned));
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
    const LoopWatch::Turn turn(watch_);
    draining_ = true;
    for (const auto& conversation : conversations_) conversation->BeginDrain();
    NoticeDrained();
  });
}

bool EventLoop::WaitUntilDrained(TimePoint deadline) {
  return drained_.get_future().wait_until(deadline) == std::future_status::ready;
}

void EventLoop::Halt() {
  io_.stop();
  if (thread_.joinable()) thread_.join();
  wakeups_->Detach();
  const Executor::Scope scope(this);
  for (const auto& conversation : conversations_) conversation->OnHalt();
}

bool EventLoop::HasSuspendedWork() const {
  return wakeups_->is_held() ||
         std::ranges::any_of(conversations_, [](const auto& each) { return each->is_handling(); });
}

void EventLoop::Replace(Conversation& conversation, std::unique_ptr<Conversation> next) {
  next->registry_index = conversation.registry_index;
  conversations_[next->registry_index].swap(next);
}

void EventLoop::Remove(Conversation& conversation) {
  const size_t index = conversation.registry_index;
  std::swap(conversations_[index], conversations_.back());
  conversations_[index]->registry_index = index;
  const std::unique_ptr<Conversation> removed = std::move(conversations_.back());  // ends when all is settled
  conversations_.pop_back();
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
  const LoopWatch::Turn turn(watch_);
  now_ = std::chrono::steady_clock::now();
  date_ = FormatHttpDate(EpochSeconds(SystemClock().Now()));
  // By index: a listener's tick may complete a handler, and that its connection.
  for (size_t i = 0; i < conversations_.size(); ++i) conversations_[i]->OnSweep(now_);
  ScheduleSweep();
}

void EventLoop::NoticeDrained() {
  if (!draining_ || !conversations_.empty() || wakeups_->is_held() || drained_ready_) return;
  drained_ready_ = true;
  drained_.set_value();
}

}  // namespace cairn::http
