// A plain blocking HTTP client for tests: sends exactly the bytes it is told to, reads answers, sees when the
// server closes. Every wait ends after a generous limit, so that a broken server fails a test instead of
// hanging it.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/chunked_decoder.h"
#include "http/http.h"

namespace cairn::http {

struct Reply {
  int status = 0;
  std::string head;
  std::string body;

  std::string Header(std::string_view name) const {
    size_t line = head.find("\r\n") + 2;
    while (line < head.size()) {
      const size_t end = head.find("\r\n", line);
      const size_t colon = head.find(": ", line);
      if (end == line || colon >= end) break;
      if (EqualsIgnoreCase(std::string_view(head).substr(line, colon - line), name)) {
        return head.substr(colon + 2, end - colon - 2);
      }
      line = end + 2;
    }
    return "";
  }
};

class TestClient {
 public:
  static constexpr int kPatienceMs = 20'000;

  explicit TestClient(uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) { Connect(port); }
  // Connects later, with Connect.
  TestClient() : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {}
  ~TestClient() { Close(); }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  bool Connect(uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }

  void Close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  void FinishSending() { ::shutdown(fd_, SHUT_WR); }
  int fd() const { return fd_; }

  // False: the server has closed meanwhile.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }

  // Nothing: the server closed, or did not answer in time; also in the middle of a chunked body.
  std::optional<Reply> ReadReply(bool to_head_request = false) {
    size_t head_end = std::string::npos;
    while ((head_end = received_.find("\r\n\r\n")) == std::string::npos) {
      if (!Receive()) return std::nullopt;
    }
    Reply reply;
    reply.head = Take(head_end + 4);
    std::from_chars(reply.head.data() + 9, reply.head.data() + 12, reply.status);
    if (!to_head_request && reply.Header("Transfer-Encoding") == "chunked") {
      if (!ReadChunks(reply.body)) return std::nullopt;
      return reply;
    }
    const size_t length = static_cast<size_t>(std::atoll(reply.Header("Content-Length").c_str()));
    while (!to_head_request && received_.size() < length) {
      if (!Receive()) return std::nullopt;
    }
    if (!to_head_request) reply.body = Take(length);
    return reply;
  }

  std::optional<Reply> Exchange(std::string_view request) {
    Send(request);
    return ReadReply();
  }

  // The next bytes, as they are. Nothing: the server closed before, or did not send them in time.
  std::optional<std::string> ReadBytes(size_t count) {
    while (received_.size() < count) {
      if (!Receive()) return std::nullopt;
    }
    return Take(count);
  }

  // Whether anything has arrived by now.
  bool IsAnswered() {
    pollfd waiting{fd_, POLLIN, 0};
    return !received_.empty() || ::poll(&waiting, 1, 0) > 0;
  }

  // True: the server has closed, and sent nothing that was not read.
  bool SeesClose() { return !Receive() && closed_ && received_.empty(); }

 private:
  bool ReadChunks(std::string& body) {
    ChunkedDecoder decoder;
    for (;;) {
      const ChunkedDecoder::Step step = decoder.Next(received_);
      body += step.data;
      received_.erase(0, step.consumed);
      if (step.outcome == ChunkedDecoder::Outcome::kDone) return true;
      if (step.outcome == ChunkedDecoder::Outcome::kBroken) return false;
      if (step.outcome == ChunkedDecoder::Outcome::kNeedMore && !Receive()) return false;
    }
  }

  bool Receive() {
    pollfd waiting{fd_, POLLIN, 0};
    if (::poll(&waiting, 1, kPatienceMs) <= 0) return false;
    char bytes[16 * 1024];
    const ssize_t count = ::recv(fd_, bytes, sizeof bytes, 0);
    closed_ = count <= 0;
    if (count > 0) received_.append(bytes, static_cast<size_t>(count));
    return count > 0;
  }

  std::string Take(size_t count) {
    std::string taken = received_.substr(0, count);
    received_.erase(0, count);
    return taken;
  }

  int fd_;
  std::string received_;
  bool closed_ = false;
};

}  // namespace cairn::http
