#include "http/websocket_frame.h"

#include <utility>

#include "base/utf8.h"
#include "http/websocket.h"

namespace cairn::http {
namespace {

constexpr uint8_t kFinal = 0x80;
constexpr uint8_t kLengthIs16Bits = 126;
constexpr uint8_t kLengthIs64Bits = 127;

void AppendBigEndian(std::string& out, uint64_t number, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out += static_cast<char>(number >> shift);
}

}  // namespace

std::string EncodeFrame(Opcode opcode, std::string payload) {
  std::string frame(1, static_cast<char>(kFinal | static_cast<uint8_t>(opcode)));
  const size_t length = payload.size();
  if (length <= kControlBytesMax) {
    AppendBigEndian(frame, length, 1);
  } else if (length <= UINT16_MAX) {
    AppendBigEndian(frame, kLengthIs16Bits, 1);
    AppendBigEndian(frame, length, 2);
  } else {
    AppendBigEndian(frame, kLengthIs64Bits, 1);
    AppendBigEndian(frame, length, 8);
  }
  // Not by inserting into the payload: that would double its memory, of which only the size is counted.
  frame.reserve(frame.size() + length);
  frame += payload;
  return frame;
}

std::string EncodeClose(uint16_t code, std::string_view reason) {
  std::string payload;
  if (code != close_code::kNone) {
    AppendBigEndian(payload, code, 2);
    if (IsUtf8(reason)) payload += CutUtf8(reason, kControlBytesMax - 2);
  }
  return EncodeFrame(Opcode::kClose, std::move(payload));
}

bool IsCloseCode(uint16_t code) {
  const bool is_standard = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
  const bool is_private = code >= 3000 && code <= 4999;
  return is_standard || is_private;
}

}  // namespace cairn::http
