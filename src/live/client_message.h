// What a client may say, read strictly: a misspelt member would otherwise be silently without effect. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"

namespace cairn::live {

struct Authenticate {
  std::string token;
};
struct Subscribe {
  std::string room;
  std::optional<std::string> cursor;
};
struct Unsubscribe {
  std::string room;
};
struct Ping {};

using ClientMessage = std::variant<Authenticate, Subscribe, Unsubscribe, Ping>;

struct MessageFault {
  std::string code;    // "malformed", "unknown-type"
  std::string detail;  // for people
};

Result<ClientMessage, MessageFault> ParseClientMessage(std::string_view text);

}  // namespace cairn::live
