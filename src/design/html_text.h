// Pieces of HTML text for the documents: escaping, `code` spans, key templates.
#pragma once

#include <string>
#include <string_view>

#include "model/template.h"

namespace cairn::design {

std::string EscapeHtml(std::string_view text);
// Escapes, and turns `text` in backticks into code elements.
std::string RichText(std::string_view text);
// A key template with its placeholders marked.
std::string TemplateHtml(const model::Template& key);
// For ids and links: "entity-Task".
std::string Anchor(std::string_view kind, std::string_view name);
// Attributes of an element that shows entity number n: its hue.
std::string HueOf(size_t n);

}  // namespace cairn::design
