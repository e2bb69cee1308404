// A WebSocket that keeps what is sent to it, and short ways to look into the messages, for tests.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "http/websocket.h"
#include "rest/json_object.h"

namespace cairn::live {

// The text of a member of a message; "" when there is none.
inline std::string Member(std::string_view message, std::string_view name) {
  const auto members = rest::ParseJsonObject(message);
  if (!members) return "";
  const item::AttributeValue* value = members->Find(name);
  return value != nullptr && value->is(item::Type::kString) ? value->string() : "";
}

// The message without its cursor: "event plan:a head_changed", "reset plan:a", "subscribed plan:a".
inline std::string Short(std::string_view message) {
  std::string text = Member(message, "type");
  for (const std::string_view name : {"room", "event", "code"}) {
    const std::string value = Member(message, name);
    if (!value.empty()) text += " " + value;
  }
  return text;
}

class RecordingSocket : public http::WebSocket {
 public:
  // Takes that many messages; then it is closed as one that reads too slowly.
  explicit RecordingSocket(size_t messages_max = std::numeric_limits<size_t>::max())
      : messages_max_(messages_max) {}

  bool Send(std::string text) override {
    std::lock_guard lock(mutex_);
    if (is_closed_ || messages_.size() == messages_max_) {
      is_closed_ = true;
      return false;
    }
    messages_.push_back(std::move(text));
    arrived_.notify_all();
    return true;
  }
  void Close(uint16_t, std::string) override {
    std::lock_guard lock(mutex_);
    is_closed_ = true;
  }

  std::vector<std::string> messages() const {
    std::lock_guard lock(mutex_);
    return messages_;
  }
  // Waits until there are that many.
  std::vector<std::string> WaitFor(size_t count) {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return messages_.size() >= count; });
    return messages_;
  }
  std::vector<std::string> shorts() const {
    std::vector<std::string> texts;
    for (const std::string& message : messages()) texts.push_back(Short(message));
    return texts;
  }
  std::string last_cursor() const {
    const std::vector<std::string> all = messages();
    return all.empty() ? "" : Member(all.back(), "cursor");
  }

 private:
  const size_t messages_max_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable arrived_;
  std::vector<std::string> messages_;
  bool is_closed_ = false;
};

}  // namespace cairn::live
