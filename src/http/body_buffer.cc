#include "http/body_buffer.h"

#include <algorithm>
#include <cstring>

namespace cairn::http {
namespace {

constexpr size_t kFirstStepBytes = 64 * 1024;
constexpr size_t kAppendStepBytes = 4 * 1024;

}  // namespace

bool BodyBuffer::MakeRoom(size_t total_bytes) {
  if (size_ < capacity_) return true;
  return Resize(std::min(total_bytes, std::max(kFirstStepBytes, 2 * size_)));
}

bool BodyBuffer::Append(std::string_view data) {
  const size_t needed = size_ + data.size();
  if (needed > capacity_ && !Resize(std::max({kAppendStepBytes, needed, 2 * capacity_}))) return false;
  if (!data.empty()) std::memcpy(bytes_.get() + size_, data.data(), data.size());
  size_ = needed;
  return true;
}

bool BodyBuffer::Charge(size_t bytes) { return memory_.TryTake(bytes); }

void BodyBuffer::Pad() {
  if (bytes_) std::memset(bytes_.get() + size_, 0, kBodyPaddingBytes);
}

void BodyBuffer::Release() {
  if (memory_.bytes() == 0) return;
  memory_.Release();
  bytes_.reset();
  size_ = capacity_ = 0;
}

bool BodyBuffer::Resize(size_t capacity) {
  if (!Charge(capacity - capacity_)) return false;
  char* const larger = static_cast<char*>(std::realloc(bytes_.get(), capacity + kBodyPaddingBytes));
  if (larger == nullptr) return false;
  static_cast<void>(bytes_.release());
  bytes_.reset(larger);
  capacity_ = capacity;
  return true;
}

}  // namespace cairn::http
