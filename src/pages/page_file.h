// PageFile: one file of the web app as it lies in the binary. A table of them is generated during the build
// (cmake/pages.cmake).
#pragma once

#include <span>
#include <string_view>

namespace cairn::pages {

struct PageFile {
  std::string_view path;     // "/index.html", "/assets/index-4f2a.js"
  std::string_view content;  // as it is
  std::string_view gzip;     // the same compressed; empty where that saves nothing
  std::string_view tag;      // of the content, with its quotes: W/"..."
};

// The web app this binary was built with; empty when it was built without one.
std::span<const PageFile> EmbeddedFiles();

}  // namespace cairn::pages
