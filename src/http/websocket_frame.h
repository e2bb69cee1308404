// WebSocket frames as a server sends them: one frame per message, never masked, lengths in their shortest
// form. Pure. What clients send is read by websocket_decoder.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::http {

enum class Opcode : uint8_t {
  kContinuation = 0x0,
  kText = 0x1,
  kBinary = 0x2,
  kClose = 0x8,
  kPing = 0x9,
  kPong = 0xa,
};

inline constexpr size_t kControlBytesMax = 125;  // payload of close, ping and pong

std::string EncodeFrame(Opcode opcode, std::string payload);

// With close_code::kNone an empty payload. A reason that is not UTF-8 is left out, a long one is cut.
std::string EncodeClose(uint16_t code, std::string_view reason);

// Whether an endpoint may send a close frame with this code.
bool IsCloseCode(uint16_t code);

}  // namespace cairn::http
