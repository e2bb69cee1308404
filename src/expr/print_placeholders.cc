#include "expr/print_placeholders.h"

namespace cairn::expr {

PlaceholderPrinter::PlaceholderPrinter(Placeholders& placeholders) : placeholders_(placeholders) {
  for (const auto& [placeholder, name] : placeholders.names) placeholder_of_name_.emplace(name, placeholder);
}

void PlaceholderPrinter::AppendPath(std::string& out, const DocumentPath& path) {
  AppendName(out, path.attribute);
  for (const PathStep& step : path.steps) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      out.push_back('.');
      AppendName(out, *name);
    } else {
      out.append("[").append(std::to_string(std::get<uint32_t>(step))).append("]");
    }
  }
}

void PlaceholderPrinter::AppendName(std::string& out, const std::string& name) {
  const auto [entry, is_new] = placeholder_of_name_.try_emplace(name);
  if (is_new) {
    entry->second = "#n" + std::to_string(placeholders_.names.size());
    placeholders_.names.emplace(entry->second, name);
  }
  out.append(entry->second);
}

void PlaceholderPrinter::AppendValue(std::string& out, const item::AttributeValue& value) {
  const std::string placeholder = ":v" + std::to_string(placeholders_.values.size());
  placeholders_.values.emplace(placeholder, value);
  out.append(placeholder);
}

}  // namespace cairn::expr
