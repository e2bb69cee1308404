#include "design/html_text.h"

#include <cctype>

namespace cairn::design {

std::string EscapeHtml(std::string_view text) {
  std::string html;
  html.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string RichText(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const size_t open = text.find('`');
    const size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos) break;
    html += EscapeHtml(text.substr(0, open));
    html += "<code>" + EscapeHtml(text.substr(open + 1, close - open - 1)) + "</code>";
    text.remove_prefix(close + 1);
  }
  return html + EscapeHtml(text);
}

std::string TemplateHtml(const model::Template& key) {
  std::string html = "<span class=\"key\">";
  for (const model::TemplatePart& part : key.parts()) {
    if (part.is_literal()) {
      html += EscapeHtml(part.literal);
      continue;
    }
    // As written, format and step included: from its brace to the next closing one.
    const std::string_view rest = std::string_view(key.text()).substr(part.offset);
    const size_t end = rest.find('}');
    const bool written = rest.starts_with('{') && end != std::string_view::npos;
    html += "<i>" + EscapeHtml(written ? rest.substr(1, end - 1) : std::string_view(part.attribute)) + "</i>";
  }
  return html + "</span>";
}

std::string Anchor(std::string_view kind, std::string_view name) {
  std::string anchor(kind);
  anchor += '-';
  for (const char c : name) anchor += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  return anchor;
}

std::string HueOf(size_t n) {
  // The golden angle: neighbours never look alike.
  return "style=\"--h:" + std::to_string((205 + n * 137) % 360) + "\"";
}

}  // namespace cairn::design
