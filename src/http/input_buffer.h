// InputBuffer: bytes received on a connection and not used up yet, contiguous, with kBodyPaddingBytes
// readable behind.
//
// Pointers into it stay valid until Grow, Consume or Shrink. Used by Connection only.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "http/http.h"

namespace cairn::http {

class InputBuffer {
 public:
  explicit InputBuffer(size_t initial_bytes);

  std::string_view view() const { return {bytes_.get() + begin_, end_ - begin_}; }
  size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  // How much the buffer holds from the first unused byte on, without moving anything.
  size_t span_bytes() const { return capacity_ - begin_; }

  std::span<char> Room() { return {bytes_.get() + end_, capacity_ - end_}; }
  void Commit(size_t count) { end_ += count; }
  void Consume(size_t count);
  // Drops `count` bytes at `offset`; what lies before them stays where it is.
  void Erase(size_t offset, size_t count);
  void Clear() { begin_ = end_ = 0; }

  // Makes the buffer hold `span_bytes` from the first unused byte on.
  void Grow(size_t span_bytes);
  // Back to the initial size, when empty.
  void Shrink();
  // Zeroes the padding behind the last byte.
  void Pad();

 private:
  const size_t initial_bytes_;
  size_t capacity_;
  std::unique_ptr<char[]> bytes_;  // capacity_ + kBodyPaddingBytes
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace cairn::http
