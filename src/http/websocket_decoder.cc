#include "http/websocket_decoder.h"

#include <algorithm>

#include "base/utf8.h"
#include "http/websocket.h"

namespace cairn::http {
namespace {

constexpr uint8_t kFinalBit = 0x80;
constexpr uint8_t kReservedBits = 0x70;
constexpr uint8_t kOpcodeBits = 0x0f;
constexpr uint8_t kMaskBit = 0x80;
constexpr uint8_t kLengthBits = 0x7f;
constexpr uint8_t kLengthIs16Bits = 126;
constexpr uint8_t kLengthIs64Bits = 127;
constexpr size_t kStartBytes = 2;  // flags and opcode; mask bit and short length
constexpr size_t kMaskBytes = 4;
constexpr size_t kMessageBytesKept = 4 * 1024;  // a larger message gives its memory back

bool IsOpcode(uint8_t code) { return code <= 0x2 || (code >= 0x8 && code <= 0xa); }

size_t LengthBytes(uint8_t short_length) {
  return short_length == kLengthIs16Bits ? 2 : short_length == kLengthIs64Bits ? 8 : 0;
}

}  // namespace

WebSocketDecoder::Step WebSocketDecoder::Next(std::string_view input) {
  if (over_) return {Outcome::kNeedMore, input.size(), {}};
  if (message_is_out_) ReleaseMessage();
  size_t consumed = 0;
  for (;;) {
    if (!in_payload_) {
      if (const Verdict verdict = TakeHeader(input, consumed)) return Break(*verdict);
      if (!in_payload_) return {Outcome::kNeedMore, consumed, {}};
    }
    TakePayload(input, consumed);
    if (payload_taken_ < payload_bytes_) return {Outcome::kNeedMore, consumed, {}};
    in_payload_ = false;
    header_bytes_ = 0;
    Step step = FinishFrame();
    step.consumed = consumed;
    if (step.outcome != Outcome::kNeedMore) return step;
  }
}

// ---- the header ----

size_t WebSocketDecoder::HeaderBytesNeeded() const {
  if (header_bytes_ < kStartBytes) return kStartBytes;
  return kStartBytes + LengthBytes(header_[1] & kLengthBits) + kMaskBytes;
}

WebSocketDecoder::Verdict WebSocketDecoder::TakeHeader(std::string_view input, size_t& consumed) {
  while (header_bytes_ < HeaderBytesNeeded()) {
    if (consumed == input.size()) return std::nullopt;
    header_[header_bytes_++] = static_cast<uint8_t>(input[consumed++]);
    Verdict verdict;
    if (header_bytes_ == kStartBytes) verdict = JudgeStart();
    // With a short length, both at once.
    if (header_bytes_ == HeaderBytesNeeded() - kMaskBytes) verdict = verdict ? verdict : JudgeLength();
    if (verdict) return verdict;
  }
  BeginPayload();
  return std::nullopt;
}

WebSocketDecoder::Verdict WebSocketDecoder::JudgeStart() {
  const uint8_t code = header_[0] & kOpcodeBits;
  if ((header_[0] & kReservedBits) != 0) {
    return Violation{close_code::kProtocolError, "Reserved bits are set, but no extension was agreed on."};
  }
  if (!IsOpcode(code)) return Violation{close_code::kProtocolError, "The opcode is unknown."};
  if ((header_[1] & kMaskBit) == 0) return Violation{close_code::kProtocolError, "The frame is not masked."};
  opcode_ = static_cast<Opcode>(code);
  is_final_ = (header_[0] & kFinalBit) != 0;
  if (IsControl()) {
    if (!is_final_) return Violation{close_code::kProtocolError, "A control frame is fragmented."};
    if ((header_[1] & kLengthBits) > kControlBytesMax) {
      return Violation{close_code::kProtocolError, "A control frame is longer than 125 bytes."};
    }
    return std::nullopt;
  }
  const bool is_continuation = opcode_ == Opcode::kContinuation;
  if (is_continuation && fragments_ == 0) {
    return Violation{close_code::kProtocolError, "There is no message to continue."};
  }
  if (!is_continuation && fragments_ > 0) {
    return Violation{close_code::kProtocolError, "A message begins inside another one."};
  }
  if (opcode_ == Opcode::kBinary) return Violation{close_code::kUnsupported, "Only text messages are taken."};
  return std::nullopt;
}

WebSocketDecoder::Verdict WebSocketDecoder::JudgeLength() {
  const uint8_t short_length = header_[1] & kLengthBits;
  const size_t length_bytes = LengthBytes(short_length);
  payload_bytes_ = length_bytes == 0 ? short_length : 0;
  for (size_t i = 0; i < length_bytes; ++i) payload_bytes_ = payload_bytes_ << 8 | header_[kStartBytes + i];
  const bool is_shortest = length_bytes == 0   ? true
                           : length_bytes == 2 ? payload_bytes_ >= kLengthIs16Bits
                                               : payload_bytes_ > UINT16_MAX;
  if (!is_shortest) {
    return Violation{close_code::kProtocolError, "The length is not written in its shortest form."};
  }
  if (payload_bytes_ > INT64_MAX) {
    return Violation{close_code::kProtocolError, "The length has its highest bit set."};
  }
  if (IsControl()) return std::nullopt;
  if (payload_bytes_ > message_bytes_max_ - message_.size()) {
    return Violation{close_code::kTooBig, "The message is too large."};
  }
  if (++fragments_ > kFragmentsMax) {
    return Violation{close_code::kTooBig, "The message has too many fragments."};
  }
  return std::nullopt;
}

void WebSocketDecoder::BeginPayload() {
  std::copy_n(header_.begin() + static_cast<ptrdiff_t>(header_bytes_ - kMaskBytes), kMaskBytes,
              mask_.begin());
  payload_taken_ = 0;
  control_.clear();
  in_payload_ = true;
}

// ---- the payload ----

void WebSocketDecoder::TakePayload(std::string_view input, size_t& consumed) {
  const size_t count = std::min<uint64_t>(payload_bytes_ - payload_taken_, input.size() - consumed);
  std::string& out = IsControl() ? control_ : message_;
  const size_t start = out.size();
  out.append(input, consumed, count);
  for (size_t i = 0; i < count; ++i) {
    out[start + i] = static_cast<char>(out[start + i] ^ mask_[(payload_taken_ + i) % kMaskBytes]);
  }
  payload_taken_ += count;
  consumed += count;
}

WebSocketDecoder::Step WebSocketDecoder::FinishFrame() {
  switch (opcode_) {
    case Opcode::kPing:
      return {Outcome::kPing, 0, control_};
    case Opcode::kPong:
      return {Outcome::kPong, 0, control_};
    case Opcode::kClose:
      return FinishClose();
    case Opcode::kContinuation:
    case Opcode::kText:
    case Opcode::kBinary:
      break;
  }
  return is_final_ ? FinishMessage() : Step{Outcome::kNeedMore, 0, {}};
}

WebSocketDecoder::Step WebSocketDecoder::FinishMessage() {
  if (!IsUtf8(message_)) return Break({close_code::kNotUtf8, "The message is not UTF-8."});
  fragments_ = 0;
  message_is_out_ = true;
  return {Outcome::kText, 0, message_};
}

WebSocketDecoder::Step WebSocketDecoder::FinishClose() {
  if (control_.empty()) {
    over_ = true;
    return {Outcome::kClose, 0, {}, close_code::kNone};
  }
  if (control_.size() == 1) return Break({close_code::kProtocolError, "The close code is cut off."});
  const auto high = static_cast<uint8_t>(control_[0]);
  const auto low = static_cast<uint8_t>(control_[1]);
  const auto code = static_cast<uint16_t>(high << 8 | low);
  if (!IsCloseCode(code)) return Break({close_code::kProtocolError, "The close code may not be sent."});
  const std::string_view reason = std::string_view(control_).substr(2);
  if (!IsUtf8(reason)) return Break({close_code::kNotUtf8, "The close reason is not UTF-8."});
  over_ = true;
  return {Outcome::kClose, 0, reason, code};
}

WebSocketDecoder::Step WebSocketDecoder::Break(Violation violation) {
  over_ = true;
  message_ = std::string();
  return {Outcome::kBroken, 0, violation.reason, violation.code};
}

void WebSocketDecoder::ReleaseMessage() {
  message_is_out_ = false;
  message_.clear();
  if (message_.capacity() > kMessageBytesKept) message_ = std::string();
}

}  // namespace cairn::http
