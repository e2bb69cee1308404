// Pages: the web app in the browser: which file answers which request. The front door asks here before it
// looks at its routes; what is no page stays a program's business.
//
// A path that names a file gets that file. Any other path that a person may have opened (its client wants
// text/html) gets index.html, because the app finds its way from the address by itself.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>

#include "http/http.h"
#include "http/security_headers.h"
#include "pages/page_file.h"

namespace cairn::pages {

class Pages {
 public:
  // `files` outlive this. Without an index.html "/" tells how to add the pages, and there are no others.
  Pages(std::span<const PageFile> files, http::PublicScheme scheme);

  // The complete answer, safe headers included; nothing when the request is none for a page.
  std::optional<http::Response> Find(const http::Request& request) const;

 private:
  const PageFile* FileFor(const http::Request& request) const;

  std::unordered_map<std::string_view, const PageFile*> files_;  // by path
  const PageFile* index_ = nullptr;
  const http::PublicScheme scheme_;
};

// Whether the path may be one of the app's own addresses: made of plain segments, without a dot, and not
// where programs go (/api, /ws, ...). Pure.
bool IsPagePath(std::string_view path);

}  // namespace cairn::pages
