// Reads HTTP/1.1 replies from one connection, one at a time: status and body, by Content-Length or in chunks.
#pragma once
#include <string>
#include <string_view>

namespace bench {

class HttpReply {
 public:
  // Reads what has arrived; true when the reply is complete. The call after that begins the next reply.
  // Throws std::runtime_error if the server hung up or what it sends is no HTTP.
  bool Receive(int socket_fd);

  int status() const { return status_; }
  std::string_view body() const { return body_; }

 private:
  bool ReadHead();
  bool ReadBody();
  bool ReadChunks();

  std::string buffer_;
  size_t used_ = 0;        // bytes of buffer_ that have arrived
  size_t head_bytes_ = 0;  // 0: the head is not complete
  size_t body_bytes_ = 0;
  bool chunked_ = false;
  bool complete_ = false;
  int status_ = 0;
  std::string_view body_;
  std::string joined_;  // the body, if it came in chunks
};

}  // namespace bench
