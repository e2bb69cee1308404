// WebSocketDecoder: takes messages and control frames out of what a client sends, in any pieces. Pure: no
// I/O.
//
// Strict: whatever RFC 6455 forbids a client breaks the stream, and the step says with which code to close
// it. Holds at most one message and one control frame; a message grows as data arrives, never to a length
// that was merely announced. Used by WebSocketConnection only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/websocket_frame.h"

namespace cairn::http {

inline constexpr size_t kFragmentsMax = 1024;  // of one message: they cost work, not only bytes

class WebSocketDecoder {
 public:
  enum class Outcome { kNeedMore, kText, kPing, kPong, kClose, kBroken };
  struct Step {
    Outcome outcome;
    size_t consumed = 0;       // of the input
    std::string_view payload;  // text, ping's or pong's data, or the reason; valid until the next call
    uint16_t code = 0;         // kClose: the client's, or close_code::kNone; kBroken: the one to close with
  };

  explicit WebSocketDecoder(size_t message_bytes_max) : message_bytes_max_(message_bytes_max) {}

  // Call again with the rest of the input until kNeedMore (which has consumed everything); then with new
  // input. After kClose and kBroken the stream is over: whatever follows is consumed and ignored.
  Step Next(std::string_view input);

 private:
  struct Violation {
    uint16_t code;
    std::string_view reason;  // a literal
  };
  using Verdict = std::optional<Violation>;

  size_t HeaderBytesNeeded() const;
  // Takes bytes of the header, judging each part as soon as it is there.
  Verdict TakeHeader(std::string_view input, size_t& consumed);
  Verdict JudgeStart();
  Verdict JudgeLength();
  void BeginPayload();
  void TakePayload(std::string_view input, size_t& consumed);
  // kNeedMore: the frame was a part of a message that goes on.
  Step FinishFrame();
  Step FinishMessage();
  Step FinishClose();
  Step Break(Violation violation);
  void ReleaseMessage();
  bool IsControl() const { return static_cast<uint8_t>(opcode_) >= 0x8; }

  const size_t message_bytes_max_;

  std::array<uint8_t, 14> header_{};  // as far as it has arrived
  size_t header_bytes_ = 0;
  bool in_payload_ = false;
  Opcode opcode_ = Opcode::kText;
  bool is_final_ = false;
  uint64_t payload_bytes_ = 0;  // of the frame
  uint64_t payload_taken_ = 0;
  std::array<uint8_t, 4> mask_{};

  std::string message_;
  size_t fragments_ = 0;         // of the message under way; 0: none is
  bool message_is_out_ = false;  // the last step returned it
  std::string control_;
  bool over_ = false;
};

}  // namespace cairn::http
