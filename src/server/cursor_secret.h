// The secret that seals cursors: of its own, so that nothing sealed with it helps to forge a token.
#pragma once

#include <string>

#include "rest/hmac.h"

namespace cairn::server {

inline std::string CursorSecret(const std::string& signing_key) {
  return rest::HmacSha256(signing_key, "cairn model cursors");
}

}  // namespace cairn::server
