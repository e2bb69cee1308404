// If-None-Match of a GET (RFC 9110): whether the client has this version already. Pure.
#pragma once

#include <string_view>

namespace cairn::http {

// `field` is a list of entity tags, or "*". Compares weakly: W/"7" and "7" are the same.
bool NamesTag(std::string_view field, std::string_view tag);

}  // namespace cairn::http
