// Entity tags and the conditions of a request about them (RFC 9110). Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cairn::rest {

// "\"...\"", with nothing but visible characters between the quotes.
bool IsStrongTag(std::string_view text);

// One thing that If-Match asks for.
struct IfMatch {
  bool any = false;  // "*"
  std::string tag;   // else: one tag with its quotes
};
inline constexpr size_t kIfMatchTagsMax = 20;
// All it asks for: it holds when one of them does. "*" alone, or the strong tags of a list. Weak tags never
// match; of a list that has nothing else, a tag is left that nothing has. Fails with kMalformed for anything
// else, and for more than kIfMatchTagsMax tags.
Result<std::vector<IfMatch>> ParseIfMatch(std::string_view field);
// Whether it holds for an answer with this tag; "" for one without.
bool Holds(const std::vector<IfMatch>& if_match, std::string_view tag);

// If-None-Match of a GET: whether the client has this version already. Compares weakly.
bool HasTag(std::string_view if_none_match, std::string_view tag);

}  // namespace cairn::rest
