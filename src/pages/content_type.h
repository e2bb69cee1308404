// The media type of a file, told by its name.
#pragma once

#include <string_view>

namespace cairn::pages {

// "text/html; charset=utf-8"; "application/octet-stream" for names nobody knows.
std::string_view ContentTypeOf(std::string_view path);

}  // namespace cairn::pages
