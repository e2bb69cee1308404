// WebSocket frames from a client. The first byte says in which pieces the rest arrives: the events must not
// depend on it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/utf8.h"
#include "http/websocket_decoder.h"

namespace {

using cairn::http::WebSocketDecoder;

constexpr size_t kMessageBytesMax = 1024;

struct Event {
  WebSocketDecoder::Outcome outcome;
  std::string payload;
  uint16_t code;
  friend bool operator==(const Event&, const Event&) = default;
};

std::vector<Event> Decode(std::string_view input, size_t piece_bytes) {
  WebSocketDecoder decoder(kMessageBytesMax);
  std::vector<Event> events;
  while (!input.empty()) {
    std::string_view piece = input.substr(0, piece_bytes);
    input.remove_prefix(piece.size());
    for (;;) {
      const WebSocketDecoder::Step step = decoder.Next(piece);
      piece.remove_prefix(step.consumed);
      if (step.outcome == WebSocketDecoder::Outcome::kNeedMore) break;
      CHECK(step.payload.size() <= kMessageBytesMax, "a message is within its limit");
      events.push_back({step.outcome, std::string(step.payload), step.code});
    }
    CHECK(piece.empty(), "a decoder that needs more has consumed everything");
  }
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::vector<Event> events = Decode(input, SIZE_MAX);
  CHECK(events == Decode(input, std::max<size_t>(1, data[0])), "pieces make no difference");
  for (const Event& event : events) {
    const bool is_over = event.outcome == WebSocketDecoder::Outcome::kClose ||
                         event.outcome == WebSocketDecoder::Outcome::kBroken;
    CHECK(!is_over || &event == &events.back(), "nothing follows the end");
    CHECK(event.outcome != WebSocketDecoder::Outcome::kText || cairn::IsUtf8(event.payload), "text is UTF-8");
  }
  return 0;
}
