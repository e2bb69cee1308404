#include "pages/pages.h"

#include <algorithm>
#include <array>

#include "http/gzip.h"
#include "http/if_none_match.h"
#include "http/router.h"
#include "pages/content_type.h"

namespace cairn::pages {
namespace {

// First segments of addresses that programs use: whatever is below them, and be it unknown, is no page.
constexpr auto kForPrograms =
    std::to_array<std::string_view>({"api", "ws", "healthz", "metrics", "models", "assets"});

// Names of assets contain a hash of what is inside: what was once loaded stays good.
constexpr std::string_view kAssets = "/assets/";
constexpr std::string_view kForEver = "max-age=31536000, immutable";
constexpr std::string_view kAskAgain = "no-cache";

constexpr std::string_view kWithoutPages =
    R"(<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Cairn</title></head>
<body>
<h1>Cairn is running, without its pages</h1>
<p>The web app was left out when this program was built, because Node.js or the packages of the app were missing.</p>
<p>To add it, install Node.js 18 or newer with npm and start <code>./run</code> again; it builds the pages and puts
them into the program.</p>
<p>Everything else works: <a href="/openapi.json">/openapi.json</a> describes the API, and AWS SDKs can use this
address as their endpoint.</p>
</body>
</html>
)";

bool WantsPage(const http::Request& request) {
  return request.Header("Accept").find("text/html") != std::string_view::npos;
}

http::Response Respond(const PageFile& file, const http::Request& request) {
  http::Response response{
      .status = 200, .content_type = std::string(ContentTypeOf(file.path)), .headers = {}, .body = {}};
  response.headers.emplace_back("ETag", file.tag);
  response.headers.emplace_back("Cache-Control", file.path.starts_with(kAssets) ? kForEver : kAskAgain);
  if (!file.gzip.empty()) response.headers.emplace_back("Vary", "Accept-Encoding");
  if (http::NamesTag(request.Header("If-None-Match"), file.tag)) {
    response.status = 304;
  } else if (!file.gzip.empty() && http::AcceptsGzip(request.Header("Accept-Encoding"))) {
    response.headers.emplace_back("Content-Encoding", "gzip");
    response.body = file.gzip;
  } else {
    response.body = file.content;
  }
  return response;
}

// A segment that no page has: empty, or with an encoded '/'.
bool IsNoName(const std::string& segment) { return segment.empty() || segment.find('/') != segment.npos; }

}  // namespace

bool IsPagePath(std::string_view path) {
  if (path == "/") return true;
  if (path.find('.') != path.npos) return false;
  if (path.ends_with('/')) path.remove_suffix(1);  // "/values/", as people type it
  const auto segments = http::SplitPath(path);
  if (!segments || segments->empty() || std::ranges::any_of(*segments, IsNoName)) return false;
  return std::ranges::find(kForPrograms, segments->front()) == kForPrograms.end();
}

Pages::Pages(std::span<const PageFile> files, http::PublicScheme scheme) : scheme_(scheme) {
  for (const PageFile& file : files) files_.emplace(file.path, &file);
  if (const auto index = files_.find("/index.html"); index != files_.end()) index_ = index->second;
}

const PageFile* Pages::FileFor(const http::Request& request) const {
  if (const auto file = files_.find(request.path()); file != files_.end()) return file->second;
  return WantsPage(request) && IsPagePath(request.path()) ? index_ : nullptr;
}

std::optional<http::Response> Pages::Find(const http::Request& request) const {
  if (request.method != "GET" && request.method != "HEAD") return std::nullopt;
  http::Response response;
  if (const PageFile* file = FileFor(request)) {
    response = Respond(*file, request);
  } else if (index_ == nullptr && request.path() == "/" && WantsPage(request)) {
    response = {.status = 200,
                .content_type = "text/html; charset=utf-8",
                .headers = {},
                .body = std::string(kWithoutPages)};
  } else {
    return std::nullopt;
  }
  // The app's addresses are also those of a program that asks otherwise: "/" is.
  if (!files_.contains(request.path())) response.headers.emplace_back("Vary", "Accept");
  http::SecurePageResponse(response, scheme_);
  return response;
}

}  // namespace cairn::pages
