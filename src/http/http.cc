#include "http/http.h"

#include <algorithm>

namespace cairn::http {
namespace {

char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool IsTokenCharacter(char c) {
  const bool is_alphanumeric = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_alphanumeric || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

}  // namespace

bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  // Every request asks this some dozens of times; most characters are the same.
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if ((a[i] ^ b[i]) != 0x20 || ToLower(a[i]) != ToLower(b[i])) return false;
  }
  return true;
}

bool IsToken(std::string_view text) { return !text.empty() && std::ranges::all_of(text, IsTokenCharacter); }

std::string_view Request::query() const {
  const size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

std::string_view Request::Header(std::string_view name) const {
  for (const HeaderField& field : headers) {
    if (field.name.size() == name.size() && EqualsIgnoreCase(field.name, name)) return field.value;
  }
  return {};
}

std::optional<std::string_view> Request::OnlyHeader(std::string_view name) const {
  std::optional<std::string_view> value;
  for (const HeaderField& field : headers) {
    if (!EqualsIgnoreCase(field.name, name)) continue;
    if (value) return std::nullopt;
    value = field.value;
  }
  return value;
}

bool Response::HasHeader(std::string_view name) const {
  return std::ranges::any_of(headers, [&](const auto& field) { return EqualsIgnoreCase(field.first, name); });
}

}  // namespace cairn::http
