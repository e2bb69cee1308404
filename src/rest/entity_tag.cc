#include "rest/entity_tag.h"

#include <algorithm>

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

Result<std::vector<IfMatch>> ParseIfMatch(std::string_view field) {
  static constexpr std::string_view kNobodys = "\"\"";
  const auto malformed = [] {
    return Fail(Code::kMalformed, "If-Match must be entity tags such as \"7\" with commas between, or *");
  };
  field = Trim(field);
  if (field == "*") return std::vector<IfMatch>{{.any = true, .tag = {}}};
  std::vector<IfMatch> asked;
  size_t tags = 0;
  while (!field.empty()) {
    // Commas with nothing between are allowed, and mean nothing.
    if (field.front() == ',') {
      field = Trim(field.substr(1));
      continue;
    }
    const bool weak = field.starts_with("W/");
    if (weak) field.remove_prefix(2);
    const size_t end = field.starts_with('"') ? field.find('"', 1) : field.npos;
    if (end == field.npos || !IsStrongTag(field.substr(0, end + 1))) return malformed();
    if (++tags > kIfMatchTagsMax)
      return Fail(Code::kMalformed, "If-Match has more than " + std::to_string(kIfMatchTagsMax) + " tags");
    if (!weak) asked.push_back({.any = false, .tag = std::string(field.substr(0, end + 1))});
    field = Trim(field.substr(end + 1));
    if (!field.empty() && field.front() != ',') return malformed();
  }
  if (tags == 0) return malformed();
  if (asked.empty()) asked.push_back({.any = false, .tag = std::string(kNobodys)});
  return asked;
}

bool Holds(const std::vector<IfMatch>& if_match, std::string_view tag) {
  return std::ranges::any_of(if_match, [&](const IfMatch& one) { return one.any || one.tag == tag; });
}

bool HasTag(std::string_view if_none_match, std::string_view tag) {
  return http::NamesTag(if_none_match, tag);
}

}  // namespace cairn::rest
