// SHA-256. Wraps OpenSSL.
#pragma once

#include <string>
#include <string_view>

namespace cairn::rest {

// As URL-safe text of 43 characters.
std::string Sha256Text(std::string_view bytes);

}  // namespace cairn::rest
