#include "http/input_buffer.h"

#include <algorithm>
#include <cstring>

namespace cairn::http {
namespace {

std::unique_ptr<char[]> Allocate(size_t capacity) {
  return std::make_unique_for_overwrite<char[]>(capacity + kBodyPaddingBytes);
}

}  // namespace

InputBuffer::InputBuffer(size_t initial_bytes)
    : initial_bytes_(initial_bytes), capacity_(initial_bytes), bytes_(Allocate(initial_bytes)) {}

void InputBuffer::Consume(size_t count) {
  begin_ += count;
  if (begin_ == end_) begin_ = end_ = 0;
}

void InputBuffer::Erase(size_t offset, size_t count) {
  char* const hole = bytes_.get() + begin_ + offset;
  std::memmove(hole, hole + count, size() - offset - count);
  end_ -= count;
}

void InputBuffer::Grow(size_t span_bytes) {
  if (span_bytes <= this->span_bytes()) return;
  const size_t used = size();
  if (span_bytes <= capacity_) {
    std::memmove(bytes_.get(), bytes_.get() + begin_, used);
  } else {
    std::unique_ptr<char[]> larger = Allocate(span_bytes);
    std::memcpy(larger.get(), bytes_.get() + begin_, used);
    bytes_ = std::move(larger);
    capacity_ = span_bytes;
  }
  begin_ = 0;
  end_ = used;
}

void InputBuffer::Shrink() {
  if (!empty() || capacity_ == initial_bytes_) return;
  bytes_ = Allocate(initial_bytes_);
  capacity_ = initial_bytes_;
}

void InputBuffer::Pad() { std::memset(bytes_.get() + end_, 0, kBodyPaddingBytes); }

}  // namespace cairn::http
