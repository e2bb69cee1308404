// The fields that make browsers careful with what we send. A field the handler has set itself stays.
#pragma once

#include <string_view>

#include "http/http.h"

namespace cairn::http {

// How browsers reach the server, whoever ends TLS for it.
enum class PublicScheme { kHttp, kHttps };
// Of an address such as "https://cairn.example".
PublicScheme SchemeOf(std::string_view public_address);

// Answers for programs: not sniffed, not stored, not embedded elsewhere. With https also
// Strict-Transport-Security.
void SecureApiResponse(Response& response, PublicScheme scheme);

// Pages and what belongs to them: the same, and only our own scripts and styles, no frames.
void SecurePageResponse(Response& response, PublicScheme scheme);

}  // namespace cairn::http
