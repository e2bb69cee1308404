// Which client a request comes from when trusted proxies stand between: what they say in X-Forwarded-For or
// in Forwarded (RFC 7239). Pure.
//
// Only one of the two fields is read, the one that the proxies write: the other one would reach us as the
// client wrote it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "http/http.h"
#include "http/ip_address.h"

namespace cairn::http {

enum class ForwardedField { kXForwardedFor, kForwarded };

struct TrustedProxies {
  std::vector<AddressRange> ranges;
  ForwardedField field = ForwardedField::kXForwardedFor;

  bool Trust(const IpAddress& address) const;
};

// The address of the client whose request `peer`, a trusted proxy, passes on. Each proxy appends where it got
// the request from, so the last address that is not a trusted proxy's own is the client's; what stands before
// it is the client's own invention. Without such a field, or with one that cannot be read up to there,
// `peer`.
IpAddress ClientBehind(const TrustedProxies& proxies, const IpAddress& peer, const Request& request);

}  // namespace cairn::http
