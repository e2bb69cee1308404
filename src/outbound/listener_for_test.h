// A port of this machine where a test listens: to see that nobody comes, or to answer in a set way, however
// badly.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "base/check.h"

namespace cairn::outbound {

class ListenerForTest {
 public:
  ListenerForTest() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    CHECK(::bind(socket_, generic, size) == 0 && ::listen(socket_, 16) == 0, "a test can listen");
    CHECK(::getsockname(socket_, generic, &size) == 0, "a port has a number");
    port_ = ntohs(address.sin_port);
  }
  ~ListenerForTest() {
    stopping_ = true;
    ::shutdown(socket_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    ::close(socket_);
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/keys.json"; }

  // Whether somebody has connected. Only without Answer.
  bool WasContacted() const {
    pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
    return ::poll(&waiting, 1, 0) > 0;
  }

  // Answers every request with what `answer` says, as it is; "" never answers and keeps the connection.
  void Answer(std::function<std::string()> answer) {
    thread_ = std::thread([this, answer = std::move(answer)] {
      while (!stopping_) {
        const int peer = ::accept(socket_, nullptr, nullptr);
        if (peer < 0) continue;
        char request[4096];
        [[maybe_unused]] ssize_t got = ::recv(peer, request, sizeof request, 0);
        const std::string text = answer();
        if (text.empty()) got = ::recv(peer, request, sizeof request, 0);  // until the other side gives up
        size_t sent = 0;
        while (sent < text.size()) {
          const ssize_t count = ::send(peer, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
          if (count <= 0) break;
          sent += static_cast<size_t>(count);
        }
        ::close(peer);
      }
    });
  }
  static std::string Ok(const std::string& body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

 private:
  int socket_;
  uint16_t port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace cairn::outbound
