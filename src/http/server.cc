#include "http/server.h"

#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cctype>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/cores.h"
#include "base/log.h"
#include "base/metrics.h"
#include "http/client_stream.h"
#include "http/event_loop.h"
#include "http/response_head.h"
#include "http/server_context.h"

namespace cairn::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kAcceptRetryDelay{100};
constexpr std::chrono::seconds kDestructorGrace{5};
constexpr int kBacklog = 4096;
constexpr size_t kConnectionsPerAddress = 1000;
constexpr int kHelperNiceness = 10;  // clients of the loops go before work that is long anyway

std::string WithoutBrackets(const std::string& host) {
  const bool has_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return has_brackets ? host.substr(1, host.size() - 2) : host;
}

// Failures of the library as text: "address already in use".
std::string Reason(const error_code& error) {
  std::string text = error.message();
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

tcp::endpoint Resolve(asio::io_context& io, const std::string& host, uint16_t port, error_code& error) {
  const asio::ip::address address = asio::ip::make_address(host, error);
  if (!error) return {address, port};
  tcp::resolver resolver(io);
  const auto found = resolver.resolve(host, std::to_string(port), tcp::resolver::passive, error);
  return error || found.empty() ? tcp::endpoint() : found.begin()->endpoint();
}

IpAddress PeerOf(const tcp::socket& socket) {
  error_code error;
  const auto endpoint = socket.remote_endpoint(error);
  return error ? IpAddress() : AddressOf(endpoint.address());
}

// Connections take at most half of the file descriptors, of which the process gets as many as it may have: a
// store that finds none left for its next file takes no more writes.
size_t ConnectionsMax(const ServerOptions& options) {
  rlimit descriptors{};
  if (::getrlimit(RLIMIT_NOFILE, &descriptors) != 0) return options.connections_max;
  const rlimit raised{.rlim_cur = descriptors.rlim_max, .rlim_max = descriptors.rlim_max};
  if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) descriptors = raised;
  return std::min<rlim_t>(options.connections_max, descriptors.rlim_cur / 2);
}

}  // namespace

class Server::Impl {
 public:
  Impl(ServerOptions options, Handler handler, BodyAdmitter admit)
      : context_(std::make_shared<ServerContext>(std::move(options), std::move(handler), std::move(admit))) {}

  Result<uint16_t> Start();
  void Stop(std::chrono::seconds grace);
  std::string MetricsText() const;

 private:
  void MakeLoops();
  error_code Listen();
  void AcceptNext();
  void OnAccept(error_code error, tcp::socket socket, EventLoop& loop);
  void RetryLater(error_code error);
  void Admit(tcp::socket socket, EventLoop& loop);
  void TurnAway(tcp::socket socket, Fault fault);

  const std::shared_ptr<ServerContext> context_;
  std::vector<std::unique_ptr<EventLoop>> loops_;
  // On the first loop, as long as there are loops.
  std::optional<tcp::acceptor> acceptor_;
  std::optional<asio::steady_timer> retry_timer_;
  size_t next_loop_ = 0;
  size_t connections_max_ = 0;
  size_t connections_per_address_max_ = 0;
};

Result<uint16_t> Server::Impl::Start() {
  CHECK(loops_.empty(), "a server starts once at a time");
  MakeLoops();
  connections_max_ = ConnectionsMax(context_->options);
  connections_per_address_max_ = context_->options.connections_per_address_max;
  if (connections_per_address_max_ == 0) {
    connections_per_address_max_ = std::clamp<size_t>(connections_max_ / 4, 1, kConnectionsPerAddress);
  }
  if (const error_code error = Listen()) {
    const std::string host = WithoutBrackets(context_->options.host);
    const std::string shown = host.find(':') == std::string::npos ? host : "[" + host + "]";
    acceptor_.reset();
    retry_timer_.reset();
    loops_.clear();
    context_->helpers.reset();
    return Fail(Code::kUnavailable, "cannot listen on " + shown + ":" +
                                        std::to_string(context_->options.port) + ": " + Reason(error));
  }
  const uint16_t port = acceptor_->local_endpoint().port();
  AcceptNext();
  for (const auto& loop : loops_) loop->Run();
  return port;
}

void Server::Impl::MakeLoops() {
  const int configured = context_->options.threads;
  // Two loops on one core would only take turns.
  const unsigned count = configured > 0 ? static_cast<unsigned>(configured) : CoresOfThisProcess();
  // Most connections have no work with the helpers, and most others one piece.
  const WorkerPool::Options helpers{.threads = std::max(1u, count),
                                    .queue_max = context_->options.connections_max,
                                    .niceness = kHelperNiceness};
  context_->helpers.emplace(helpers);
  for (unsigned i = 0; i < std::max(1u, count); ++i) loops_.push_back(std::make_unique<EventLoop>(context_));
  retry_timer_.emplace(loops_[0]->io());
  acceptor_.emplace(loops_[0]->io());
}

error_code Server::Impl::Listen() {
  error_code error;
  const tcp::endpoint endpoint =
      Resolve(loops_[0]->io(), WithoutBrackets(context_->options.host), context_->options.port, error);
  if (!error) acceptor_->open(endpoint.protocol(), error);
  if (!error) acceptor_->set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_->bind(endpoint, error);
  if (!error) acceptor_->listen(kBacklog, error);
  return error;
}

void Server::Impl::AcceptNext() {
  EventLoop& loop = *loops_[next_loop_];
  next_loop_ = (next_loop_ + 1) % loops_.size();
  acceptor_->async_accept(loop.io(), [this, &loop](error_code error, tcp::socket socket) {
    OnAccept(error, std::move(socket), loop);
  });
}

void Server::Impl::OnAccept(error_code error, tcp::socket socket, EventLoop& loop) {
  if (!acceptor_->is_open()) return;
  if (error && error != asio::error::connection_aborted) return RetryLater(error);
  if (!error) Admit(std::move(socket), loop);
  AcceptNext();
}

void Server::Impl::Admit(tcp::socket socket, EventLoop& loop) {
  // Only this thread adds, so the limit holds without a compare-and-swap.
  if (context_->connections.load(std::memory_order_relaxed) >= connections_max_) {
    context_->connections_refused.fetch_add(1, std::memory_order_relaxed);
    return TurnAway(std::move(socket), {503, "The server has too many connections; try again."});
  }
  std::optional<AddressCounts::Place> place(std::in_place);
  const IpAddress address = PeerOf(socket);
  if (!context_->IsUncounted(address)) {
    place = context_->connections_by_address.Take(address, connections_per_address_max_);
  }
  if (!place) {
    context_->connections_of_address_refused.fetch_add(1, std::memory_order_relaxed);
    return TurnAway(std::move(socket),
                    {429, "Your address has too many connections; close some and try again."});
  }
  context_->connections.fetch_add(1, std::memory_order_relaxed);
  loop.Adopt(std::move(socket), *std::move(place));
}

// Out of file descriptors or memory: the connection stays in the backlog until there are some again.
void Server::Impl::RetryLater(error_code error) {
  log::Warning("cannot accept connections", {{"reason", Reason(error)}});
  retry_timer_->expires_after(kAcceptRetryDelay);
  retry_timer_->async_wait([this](error_code cancelled) {
    if (!cancelled && acceptor_->is_open()) AcceptNext();
  });
}

void Server::Impl::TurnAway(tcp::socket socket, Fault fault) {
  if (context_->options.tls) return;  // an answer would take a handshake
  const Response response = FaultResponse(fault);
  ResponseFraming framing;
  framing.content_length = response.body.size();
  framing.persistence = Persistence::kClose;
  framing.date = loops_[0]->date();
  std::string message;
  WriteResponseHead(response, framing, message);
  message += response.body;
  error_code ignored;  // as far as it gets: this peer must not cost more than this
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(message), ignored);
  socket.shutdown(tcp::socket::shutdown_send, ignored);
}

void Server::Impl::Stop(std::chrono::seconds grace) {
  if (loops_.empty()) return;
  asio::post(loops_[0]->io(), [this] {
    error_code ignored;
    acceptor_->close(ignored);
    retry_timer_->cancel();
  });
  const auto deadline = std::chrono::steady_clock::now() + grace;
  for (const auto& loop : loops_) loop->BeginDrain();
  for (const auto& loop : loops_) loop->WaitUntilDrained(deadline);
  for (const auto& loop : loops_) loop->Halt();
  context_->helpers.reset();  // what they still do, they post to loops that are there
  acceptor_.reset();
  retry_timer_.reset();
  for (auto& loop : loops_) {
    if (!loop->HasSuspendedWork()) continue;
    log::Warning("stopped with requests still running");
    static_cast<void>(loop.release());  // whoever completes them later still posts to this loop
  }
  loops_.clear();
}

std::string Server::Impl::MetricsText() const {
  using metrics::Kind;
  constexpr std::string_view kRefused = "cairn_http_refused_total";
  const auto count = [](const auto& number) {
    return static_cast<double>(number.load(std::memory_order_relaxed));
  };
  std::string text;
  metrics::AppendHead(text, kRefused, Kind::kCounter, "Connections, WebSockets and requests turned away.");
  const auto refused = [&](std::string_view reason, const std::atomic<uint64_t>& number) {
    metrics::AppendSample(text, kRefused, metrics::Label("reason", reason), count(number));
  };
  refused("connections", context_->connections_refused);
  refused("connections_of_address", context_->connections_of_address_refused);
  refused("websockets", context_->websockets_refused);
  refused("websockets_of_address", context_->websockets_of_address_refused);
  refused("host", context_->hosts_refused);
  metrics::AppendMetric(text, "cairn_http_connections", Kind::kGauge, "Open connections.",
                        count(context_->connections));
  metrics::AppendMetric(text, "cairn_http_request_body_bytes", Kind::kGauge,
                        "Memory for request bodies that are arriving or being worked on.",
                        static_cast<double>(context_->body_memory.bytes()));
  metrics::AppendMetric(text, "cairn_http_unread_response_bytes", Kind::kGauge,
                        "Memory for answers that clients have not taken yet.",
                        static_cast<double>(context_->response_memory.bytes()));
  metrics::AppendMetric(text, "cairn_http_responses_aborted_total", Kind::kCounter,
                        "Answers given up because a client did not take them, or left too many unread.",
                        count(context_->responses_aborted));
  metrics::AppendMetric(text, "cairn_http_bodies_refused_total", Kind::kCounter,
                        "Request bodies that were not read to their end: not admitted, too large, too slow.",
                        count(context_->bodies_refused));
  constexpr std::string_view kHolds = "cairn_loop_hold_seconds";
  metrics::AppendHead(text, kHolds, Kind::kHistogram,
                      "How long an event loop was held by one piece of work; of 1 ms and more.");
  context_->loop_holds.AppendTo(text, kHolds, "");
  return text;
}

Server::Server(ServerOptions options, Handler handler, BodyAdmitter admit)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(handler), std::move(admit))) {}

Server::~Server() { Stop(kDestructorGrace); }

Result<uint16_t> Server::Start() { return impl_->Start(); }

void Server::Stop(std::chrono::seconds grace) { impl_->Stop(grace); }

std::string Server::MetricsText() const { return impl_->MetricsText(); }

}  // namespace cairn::http
