// Origins: whether a request comes from a page of this server, as its browser says (RFC 6454). Pure.
#pragma once

#include <string>
#include <string_view>

#include "http/http.h"

namespace cairn::rest {

// "https://cairn.example" of "https://cairn.example/app"; "" when the address is none of http or https.
std::string OriginOf(std::string_view address);

enum class Sender {
  kOwnPage,
  kOtherPage,  // "null" included
  kNoBrowser,  // says nothing about an origin
};

// With a public address that is the only own origin; without one it is whatever host the request names.
Sender SenderOf(const http::Request& request, std::string_view public_origin);

}  // namespace cairn::rest
