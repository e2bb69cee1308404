#include "http/security_headers.h"

namespace cairn::http {
namespace {

constexpr std::string_view kContentSecurityPolicy =
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

void AddUnlessSet(Response& response, std::string_view name, std::string_view value) {
  if (!response.HasHeader(name)) response.headers.emplace_back(name, value);
}

}  // namespace

PublicScheme SchemeOf(std::string_view public_address) {
  constexpr std::string_view kHttps = "https://";
  return EqualsIgnoreCase(public_address.substr(0, kHttps.size()), kHttps) ? PublicScheme::kHttps
                                                                           : PublicScheme::kHttp;
}

void SecureApiResponse(Response& response, PublicScheme scheme) {
  AddUnlessSet(response, "X-Content-Type-Options", "nosniff");
  AddUnlessSet(response, "Cache-Control", "no-store");
  AddUnlessSet(response, "Cross-Origin-Resource-Policy", "same-origin");
  AddUnlessSet(response, "Referrer-Policy", "no-referrer");
  if (scheme == PublicScheme::kHttps) {
    AddUnlessSet(response, "Strict-Transport-Security", "max-age=31536000");  // a year
  }
}

void SecurePageResponse(Response& response, PublicScheme scheme) {
  SecureApiResponse(response, scheme);
  AddUnlessSet(response, "Content-Security-Policy", kContentSecurityPolicy);
  AddUnlessSet(response, "X-Frame-Options", "DENY");  // for browsers that do not know frame-ancestors
}

}  // namespace cairn::http
