// The style sheet of the HTML documents, kept apart from what it dresses (docs_html.cc).
#pragma once

#include <string_view>

namespace cairn::design {

extern const std::string_view kDocsStyle;

}  // namespace cairn::design
