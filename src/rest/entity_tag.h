// Entity tags and the conditions of a request about them (RFC 9110). Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace cairn::rest {

// "\"...\"", with nothing but visible characters between the quotes.
bool IsStrongTag(std::string_view text);

// What If-Match asks for.
struct IfMatch {
  bool any = false;  // "*"
  std::string tag;   // else: one tag with its quotes
};
// Exactly one strong tag, or "*". Fails with kMalformed for anything else: a list cannot be checked in one
// write.
Result<IfMatch> ParseIfMatch(std::string_view field);

// If-None-Match of a GET: whether the client has this version already. Compares weakly.
bool HasTag(std::string_view if_none_match, std::string_view tag);

}  // namespace cairn::rest
