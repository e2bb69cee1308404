#include "rest/entity_tag.h"

namespace cairn::rest {
namespace {

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

bool IsStrongTag(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' && text.find('"', 1) == text.size() - 1;
}

Result<IfMatch> ParseIfMatch(std::string_view field) {
  field = Trim(field);
  if (field == "*") return IfMatch{.any = true, .tag = {}};
  if (IsStrongTag(field)) return IfMatch{.any = false, .tag = std::string(field)};
  return Fail(Code::kMalformed, "If-Match must be one entity tag such as \"7\", or *");
}

bool HasTag(std::string_view if_none_match, std::string_view tag) {
  if (Trim(if_none_match) == "*") return true;
  while (!if_none_match.empty()) {
    const size_t comma = if_none_match.find(',');
    std::string_view candidate = Trim(if_none_match.substr(0, comma));
    if (candidate.starts_with("W/")) candidate.remove_prefix(2);
    if (candidate == tag) return true;
    if_none_match.remove_prefix(comma == if_none_match.npos ? if_none_match.size() : comma + 1);
  }
  return false;
}

}  // namespace cairn::rest
