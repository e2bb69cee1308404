#include "pages/content_type.h"

#include <algorithm>
#include <array>

namespace cairn::pages {
namespace {

struct Known {
  std::string_view ending, type;
};
constexpr auto kKnown = std::to_array<Known>({
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".txt", "text/plain; charset=utf-8"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".webp", "image/webp"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".wasm", "application/wasm"},
});

}  // namespace

std::string_view ContentTypeOf(std::string_view path) {
  const auto known = std::ranges::find_if(kKnown, [&](const Known& k) { return path.ends_with(k.ending); });
  return known == kKnown.end() ? "application/octet-stream" : known->type;
}

}  // namespace cairn::pages
