#include "rest/entity_tag.h"

#include "http/if_none_match.h"

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
  return http::NamesTag(if_none_match, tag);
}

}  // namespace cairn::rest
