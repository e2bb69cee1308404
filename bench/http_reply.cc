#include "http_reply.h"

#include <strings.h>
#include <sys/socket.h>

#include <charconv>
#include <stdexcept>

namespace bench {
namespace {

bool StartsWith(std::string_view text, std::string_view start) {
  return text.size() >= start.size() && strncasecmp(text.data(), start.data(), start.size()) == 0;
}

size_t Number(std::string_view text, int base) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  size_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (read.ec != std::errc()) throw std::runtime_error("The server's reply is no HTTP: " + std::string(text));
  return value;
}

}  // namespace

bool HttpReply::Receive(int socket_fd) {
  if (complete_) {
    complete_ = chunked_ = false;
    used_ = head_bytes_ = body_bytes_ = 0;
  }
  if (buffer_.size() - used_ < 16 * 1024) buffer_.resize(buffer_.size() * 2 + 32 * 1024);
  const ssize_t got = recv(socket_fd, buffer_.data() + used_, buffer_.size() - used_, 0);
  if (got <= 0) throw std::runtime_error("The server hung up");
  used_ += static_cast<size_t>(got);
  complete_ = (head_bytes_ != 0 || ReadHead()) && ReadBody();
  return complete_;
}

bool HttpReply::ReadHead() {
  const std::string_view bytes(buffer_.data(), used_);
  const size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return false;
  head_bytes_ = end + 4;
  if (!bytes.starts_with("HTTP/1.1 ")) throw std::runtime_error("The server's reply is no HTTP/1.1");
  status_ = static_cast<int>(Number(bytes.substr(9, 3), 10));
  for (size_t at = bytes.find("\r\n"); at < end; at = bytes.find("\r\n", at + 2)) {
    const std::string_view line = bytes.substr(at + 2, end - at - 2);
    if (StartsWith(line, "content-length:")) body_bytes_ = Number(line.substr(15), 10);
    if (StartsWith(line, "transfer-encoding: chunked")) chunked_ = true;
  }
  return true;
}

bool HttpReply::ReadBody() {
  if (chunked_) return ReadChunks();
  if (used_ < head_bytes_ + body_bytes_) return false;
  body_ = std::string_view(buffer_).substr(head_bytes_, body_bytes_);
  return true;
}

bool HttpReply::ReadChunks() {
  joined_.clear();
  std::string_view rest(buffer_.data() + head_bytes_, used_ - head_bytes_);
  while (true) {
    const size_t line = rest.find("\r\n");
    if (line == std::string_view::npos) return false;
    const size_t chunk = Number(rest.substr(0, line), 16);
    if (rest.size() < line + 2 + chunk + 2) return false;
    if (chunk == 0) break;
    joined_ += rest.substr(line + 2, chunk);
    rest.remove_prefix(line + 2 + chunk + 2);
  }
  body_ = joined_;
  return true;
}

}  // namespace bench
