// A plain blocking WebSocket client for tests, on TestClient: sends exactly the frames it is told to.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "http/client_for_tests.h"
#include "http/websocket_frame.h"

namespace cairn::http {

inline constexpr std::string_view kUpgradeRequest =
    "GET /live HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

struct Frame {
  Opcode opcode = Opcode::kText;
  std::string payload;

  friend bool operator==(const Frame&, const Frame&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Frame& frame) {
    return out << "opcode " << static_cast<int>(frame.opcode) << ": " << frame.payload.substr(0, 200);
  }
};

inline Frame TextFrame(std::string text) { return {Opcode::kText, std::move(text)}; }
// What a close frame with this code begins with.
inline std::string CloseCode(uint16_t code) {
  return {static_cast<char>(code >> 8), static_cast<char>(code & 0xff)};
}

enum class Part { kFinal, kMoreFollow };

// A frame as a client must send it: masked, here always with the same key.
inline std::string ClientFrame(Opcode opcode, std::string_view payload, Part part = Part::kFinal) {
  constexpr std::string_view kMask = "\x12\x9a\x5c\xf0";
  std::string frame = EncodeFrame(opcode, std::string(payload));
  const size_t header_bytes = frame.size() - payload.size();
  if (part == Part::kMoreFollow) frame[0] = static_cast<char>(frame[0] & 0x7f);
  frame[1] = static_cast<char>(frame[1] | 0x80);
  for (size_t i = 0; i < payload.size(); ++i) {
    frame[header_bytes + i] = static_cast<char>(frame[header_bytes + i] ^ kMask[i % 4]);
  }
  return frame.insert(header_bytes, kMask);
}
inline std::string ClientText(std::string_view text) { return ClientFrame(Opcode::kText, text); }

class WebSocketTestClient : public TestClient {
 public:
  using TestClient::TestClient;

  // Sends the request with `behind` in the same packet. False: the server did not switch.
  bool Upgrade(std::string_view behind = "") {
    Send(std::string(kUpgradeRequest) + std::string(behind));
    const auto reply = ReadReply();
    return reply && reply->status == 101;
  }

  // Nothing: the server closed, or sent nothing in time.
  std::optional<Frame> ReadFrame() {
    const auto start = ReadBytes(2);
    if (!start) return std::nullopt;
    Frame frame;
    frame.opcode = static_cast<Opcode>((*start)[0] & 0x0f);
    uint64_t length = static_cast<uint8_t>((*start)[1]);
    if (length >= 126) {
      const auto bytes = ReadBytes(length == 126 ? 2 : 8);
      if (!bytes) return std::nullopt;
      length = 0;
      for (const char byte : *bytes) length = length << 8 | static_cast<uint8_t>(byte);
    }
    auto payload = ReadBytes(length);
    if (!payload) return std::nullopt;
    frame.payload = *std::move(payload);
    return frame;
  }

  // The code of the next frame, which must be a close frame; 0 when it is something else.
  uint16_t ReadCloseCode() {
    const auto frame = ReadFrame();
    if (!frame || frame->opcode != Opcode::kClose || frame->payload.size() < 2) return 0;
    return static_cast<uint16_t>(static_cast<uint8_t>(frame->payload[0]) << 8 |
                                 static_cast<uint8_t>(frame->payload[1]));
  }
};

}  // namespace cairn::http
