#include "http/cookies.h"

#include <algorithm>

#include "base/check.h"

namespace cairn::http {
namespace {

bool IsCookieOctet(char c) {
  return c > ' ' && c < '\x7f' && std::string_view("\",;\\").find(c) == std::string_view::npos;
}

std::string_view WithoutLeadingBlanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::string_view WithoutBlanks(std::string_view text) {
  text = WithoutLeadingBlanks(text);
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

struct Found {
  size_t count = 0;
  std::string_view value;
};

void Search(std::string_view rest, std::string_view name, Found& found) {
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view pair = WithoutBlanks(rest.substr(0, end));
    const size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
      ++found.count;
      found.value = pair.substr(equals + 1);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

std::optional<std::string_view> OnlyOne(const Found& found) {
  return found.count == 1 ? std::optional(found.value) : std::nullopt;
}

}  // namespace

std::optional<std::string_view> FindCookie(std::string_view cookie_header, std::string_view name) {
  Found found;
  Search(cookie_header, name, found);
  return OnlyOne(found);
}

std::optional<std::string_view> FindCookie(const Request& request, std::string_view name) {
  Found found;
  for (const HeaderField& field : request.headers) {
    if (EqualsIgnoreCase(field.name, "Cookie")) Search(field.value, name, found);
  }
  return OnlyOne(found);
}

std::string SetCookie(const Cookie& cookie) {
  const bool has_prefix = cookie.name.starts_with("__Host-") || cookie.name.starts_with("__Secure-");
  CHECK(IsToken(cookie.name), "a cookie's name is a token");
  CHECK(std::ranges::all_of(cookie.value, IsCookieOctet), "a cookie's value has cookie-octets only");
  CHECK(cookie.secure || !has_prefix, "browsers refuse the prefix without Secure");
  std::string text = cookie.name + "=" + cookie.value + "; Path=/";
  if (cookie.max_age) text += "; Max-Age=" + std::to_string(cookie.max_age->count());
  if (cookie.http_only) text += "; HttpOnly";
  if (cookie.secure) text += "; Secure";
  text += cookie.same_site == SameSite::kStrict ? "; SameSite=Strict" : "; SameSite=Lax";
  return text;
}

}  // namespace cairn::http
