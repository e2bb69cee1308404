#include "http/http.h"

#include <algorithm>

namespace cairn::http {
namespace {

char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

}  // namespace

bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return ToLower(x) == ToLower(y); });
}

std::string_view Request::query() const {
  const size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

std::string_view Request::Header(std::string_view name) const {
  for (const HeaderField& field : headers) {
    if (EqualsIgnoreCase(field.name, name)) return field.value;
  }
  return {};
}

}  // namespace cairn::http
