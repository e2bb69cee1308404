// Refusals that name one field, as the plan's decisions give them.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "domains/values/refusal.h"

namespace cairn::values {

inline std::unexpected<Refusal> RefusePlan(std::string field, std::string reason, std::string message,
                                           Code code = Code::kInvalidArgument) {
  Refusal refusal(code, std::move(reason), message);
  refusal.fields.push_back({.field = std::move(field), .message = std::move(message)});
  return std::unexpected(std::move(refusal));
}

inline std::string InQuotes(std::string_view text) { return std::string("\"").append(text) + "\""; }

}  // namespace cairn::values
