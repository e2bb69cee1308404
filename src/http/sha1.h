// SHA-1 (RFC 3174), which the WebSocket handshake asks for. Broken as a signature: for nothing else.
#pragma once

#include <string>
#include <string_view>

namespace cairn::http {

// The 20 bytes of the digest.
std::string Sha1(std::string_view data);

}  // namespace cairn::http
