#include "rest/origin.h"

namespace cairn::rest {

std::string OriginOf(std::string_view address) {
  const size_t scheme_end = address.find("://");
  if (scheme_end == address.npos) return "";
  const std::string_view scheme = address.substr(0, scheme_end);
  if (scheme != "http" && scheme != "https") return "";
  const std::string_view host = address.substr(scheme_end + 3);
  const size_t host_end = host.find_first_of("/?#");
  if (host.substr(0, host_end).empty()) return "";
  return std::string(address.substr(0, host_end == host.npos ? address.npos : scheme_end + 3 + host_end));
}

Sender SenderOf(const http::Request& request, std::string_view public_origin) {
  const std::string_view origin = request.Header("Origin");
  if (origin.empty()) {
    // Browsers that send no Origin with a plain GET say the same in this field.
    const std::string_view site = request.Header("Sec-Fetch-Site");
    if (site.empty()) return Sender::kNoBrowser;
    return site == "same-origin" || site == "none" ? Sender::kOwnPage : Sender::kOtherPage;
  }
  if (!public_origin.empty()) return origin == public_origin ? Sender::kOwnPage : Sender::kOtherPage;
  const std::string_view host = request.Header("Host");
  const bool own =
      !host.empty() && (origin == "http://" + std::string(host) || origin == "https://" + std::string(host));
  return own ? Sender::kOwnPage : Sender::kOtherPage;
}

}  // namespace cairn::rest
