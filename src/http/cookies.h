// Cookies (RFC 6265): reading one from a request, writing one for a response. Pure text; what a cookie means
// is the caller's business.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "http/http.h"

namespace cairn::http {

// The value of the cookie of exactly that name in a Cookie field ("a=1; b=2"), as sent. Nothing when it is
// absent, or occurs twice: two readers could disagree which one counts.
std::optional<std::string_view> FindCookie(std::string_view cookie_header, std::string_view name);
// The same over all Cookie fields of a request.
std::optional<std::string_view> FindCookie(const Request& request, std::string_view name);

enum class SameSite { kLax, kStrict };

// Always with Path=/ and without Domain: for this host only. Name it "__Host-..." and browsers insist on
// that.
struct Cookie {
  std::string name;
  std::string value;
  std::optional<std::chrono::seconds> max_age = std::nullopt;  // none: until the browser ends; 0: delete it
  SameSite same_site = SameSite::kLax;
  bool http_only = true;  // out of reach of scripts
  bool secure = true;     // over https only; false for development without it
};

// For the field Set-Cookie. Preconditions: the name is a token, the value has cookie-octets only (printable
// ASCII without space, quotes, comma, semicolon and backslash), and a name with the prefix __Host- or
// __Secure- is secure.
std::string SetCookie(const Cookie& cookie);

}  // namespace cairn::http
