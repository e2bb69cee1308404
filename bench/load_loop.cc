#include "load_loop.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "http_reply.h"

namespace bench {
namespace {

[[noreturn]] void Fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

constexpr uint64_t kPatienceNs = 60'000'000'000;

uint64_t NowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

int Connect(uint16_t port) {
  const int socket_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_fd < 0) Fail("No socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    Fail("The server cannot be reached");
  const int on = 1;
  setsockopt(socket_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket_fd;
}

struct Connection {
  explicit Connection(const Operation& operation, uint16_t port, uint64_t seed)
      : socket_fd(Connect(port)), request(operation), random(seed) {}
  ~Connection() { close(socket_fd); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int socket_fd;
  LoadRequest request;
  HttpReply reply;
  Random random;
  uint64_t sent_ns = 0;
  uint64_t key = 0;  // of the request under way
};

class Loop {
 public:
  Loop(const Operation& operation, const LoadOptions& options, Versions& versions)
      : operation_(operation),
        options_(options),
        versions_(versions),
        epoll_fd_(epoll_create1(EPOLL_CLOEXEC)) {
    if (epoll_fd_ < 0) Fail("No epoll");
    for (int i = 0; i < options.connections; ++i) {
      const auto number = static_cast<uint64_t>(i);
      connections_.push_back(
          std::make_unique<Connection>(operation, options.port, options.seed * 1000 + number));
      epoll_event event{.events = EPOLLIN, .data = {.u64 = number}};
      if (epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, connections_.back()->socket_fd, &event) != 0) Fail("No epoll");
    }
  }
  ~Loop() { close(epoll_fd_); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  LoadFigures Run() {
    const uint64_t start_ns = NowNs();
    last_reply_ns_ = start_ns;
    if (InOrder()) {
      BeginMeasuring(start_ns);
    } else {
      measure_ns_ = start_ns + static_cast<uint64_t>(options_.warmup_seconds * 1e9);
      end_ns_ = measure_ns_ + static_cast<uint64_t>(options_.seconds * 1e9);
    }
    for (uint64_t i = 0; i < connections_.size(); ++i) SendNext(i);
    while (under_way_ > 0) WaitAndReceive();
    if (!ended_) EndMeasuring(NowNs());
    return figures_;
  }

 private:
  bool InOrder() const {
    return operation_.keys == Operation::Keys::kItemsInOrder ||
           operation_.keys == Operation::Keys::kPartitionsInOrder;
  }

  void WaitAndReceive() {
    std::array<epoll_event, 64> events;
    const int timeout_ms = options_.wait == LoadOptions::Wait::kSpin ? 0 : 1000;
    const int count = epoll_wait(epoll_fd_, events.data(), static_cast<int>(events.size()), timeout_ms);
    if (count < 0 && errno != EINTR) Fail("No epoll");
    for (int i = 0; i < count; ++i) Receive(events[static_cast<size_t>(i)].data.u64);
    if (count <= 0 && NowNs() - last_reply_ns_ > kPatienceNs) {
      throw std::runtime_error("The server has not answered for 60 seconds");
    }
  }

  // False: there is nothing left to send.
  bool Prepare(uint64_t number, Connection& connection) {
    LoadRequest& request = connection.request;
    const uint64_t items = options_.data.items, partitions = options_.data.partitions;
    constexpr uint64_t kStride = 7919;  // a prime: the keys of one request are apart, and different
    request.FillTexts(connection.random);
    switch (operation_.keys) {
      case Operation::Keys::kNone:
        return true;
      case Operation::Keys::kItems:
        request.SetKeys(0, connection.random.Below(items), kStride, items);
        return true;
      case Operation::Keys::kPartitions:
        request.SetKeys(0, connection.random.Below(partitions), 0, partitions);
        return true;
      case Operation::Keys::kItemsOfConnection: {
        const uint64_t share = versions_.size() / connections_.size();
        connection.key = number * share + connection.random.Below(share);
        request.SetKeys(connection.key, 0, 0, 1);
        request.SetVersion(versions_[connection.key]);
        return true;
      }
      case Operation::Keys::kItemsInOrder:
        if (next_in_order_ >= items) return false;
        request.SetKeys(0, next_in_order_, 1, items);
        next_in_order_ += request.key_slots();
        return true;
      case Operation::Keys::kPartitionsInOrder:
        if (next_in_order_ >= partitions) return false;
        request.SetKeys(0, next_in_order_, 0, partitions);
        ++next_in_order_;
        return true;
    }
    return false;
  }

  void SendNext(uint64_t number) {
    Connection& connection = *connections_[number];
    if (!Prepare(number, connection)) return;
    ++under_way_;
    connection.sent_ns = NowNs();
    const std::vector<std::string>& messages = options_.messages;
    const std::string& bytes =
        messages.empty() ? connection.request.bytes() : messages[connection.random.Below(messages.size())];
    for (size_t done = 0; done < bytes.size();) {
      const ssize_t sent = send(connection.socket_fd, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
      if (sent < 0) Fail("The server hung up");
      done += static_cast<size_t>(sent);
    }
  }

  void Receive(uint64_t number) {
    Connection& connection = *connections_[number];
    if (!connection.reply.Receive(connection.socket_fd)) return;
    const uint64_t now_ns = NowNs();
    last_reply_ns_ = now_ns;
    --under_way_;
    Count(connection, now_ns);
    if (now_ns < end_ns_) {
      SendNext(number);
    } else if (!ended_) {
      EndMeasuring(now_ns);
    }
  }

  void Count(const Connection& connection, uint64_t now_ns) {
    const HttpReply& reply = connection.reply;
    const bool right = reply.status() == 200 && reply.body().size() >= operation_.reply_bytes_least &&
                       reply.body().find(operation_.reply_has) != std::string_view::npos;
    if (!right && figures_.wrong_replies++ == 0)
      figures_.first_wrong_reply = std::string(reply.body().substr(0, 500));
    if (right && operation_.keys == Operation::Keys::kItemsOfConnection) ++versions_[connection.key];
    if (ended_) return;
    if (begun_ns_ == 0 && now_ns >= measure_ns_) {
      BeginMeasuring(now_ns);
    } else if (begun_ns_ != 0 && right) {
      figures_.latencies.Add(now_ns - connection.sent_ns);
    }
  }

  void BeginMeasuring(uint64_t now_ns) {
    begun_ns_ = now_ns;
    server_cpu_ = CpuSeconds(options_.server);
    driver_cpu_ = CpuSeconds(0);
  }

  void EndMeasuring(uint64_t now_ns) {
    ended_ = true;
    figures_.seconds = static_cast<double>(now_ns - begun_ns_) / 1e9;
    figures_.server_cpu_seconds = CpuSeconds(options_.server) - server_cpu_;
    figures_.driver_cpu_seconds = CpuSeconds(0) - driver_cpu_;
  }

  const Operation& operation_;
  const LoadOptions& options_;
  Versions& versions_;
  int epoll_fd_;
  std::vector<std::unique_ptr<Connection>> connections_;
  LoadFigures figures_;
  uint64_t measure_ns_ = 0, end_ns_ = UINT64_MAX, begun_ns_ = 0, last_reply_ns_ = 0;
  uint64_t next_in_order_ = 0;
  size_t under_way_ = 0;
  double server_cpu_ = 0, driver_cpu_ = 0;
  bool ended_ = false;
};

}  // namespace

LoadFigures RunLoad(const Operation& operation, const LoadOptions& options, Versions& versions) {
  return Loop(operation, options, versions).Run();
}

double CpuSeconds(pid_t process) {
  clockid_t clock = CLOCK_PROCESS_CPUTIME_ID;
  if (process != 0 && clock_getcpuclockid(process, &clock) != 0)
    throw std::runtime_error("The server is gone");
  timespec time{};
  if (clock_gettime(clock, &time) != 0) throw std::runtime_error("The server is gone");
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace bench
