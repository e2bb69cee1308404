#include "http/if_none_match.h"

namespace cairn::http {
namespace {

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

std::string_view Opaque(std::string_view tag) {
  if (tag.starts_with("W/")) tag.remove_prefix(2);
  return tag;
}

}  // namespace

bool NamesTag(std::string_view field, std::string_view tag) {
  if (Trim(field) == "*") return true;
  while (!field.empty()) {
    const size_t comma = field.find(',');
    if (Opaque(Trim(field.substr(0, comma))) == Opaque(tag)) return true;
    field.remove_prefix(comma == field.npos ? field.size() : comma + 1);
  }
  return false;
}

}  // namespace cairn::http
