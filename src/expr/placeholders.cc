#include "expr/parse.h"

namespace cairn::expr {
namespace {

// Names every placeholder that was given and that no expression used.
Status CheckUsed(std::string_view parameter, const auto& given, const auto& used) {
  if (given.size() == used.size()) return {};
  std::string unused;
  for (const auto& [placeholder, meaning] : given) {
    if (used.contains(placeholder)) continue;
    if (!unused.empty()) unused.append(", ");
    unused.append(placeholder);
  }
  if (unused.empty()) return {};
  return Fail(Invalid("Value provided in " + std::string(parameter) + " unused in expressions: keys: {" +
                      unused + "}"));
}

}  // namespace

Status CheckAllUsed(const Placeholders& placeholders) {
  RETURN_IF_ERROR(CheckUsed("ExpressionAttributeNames", placeholders.names, placeholders.used_names));
  return CheckUsed("ExpressionAttributeValues", placeholders.values, placeholders.used_values);
}

}  // namespace cairn::expr
