#include "expr/path.h"

namespace cairn::expr {
namespace {

const item::AttributeValue* FindStep(const item::AttributeValue& value, const PathStep& step) {
  if (const auto* name = std::get_if<std::string>(&step)) {
    return value.is(item::Type::kMap) ? value.map().Find(*name) : nullptr;
  }
  if (!value.is(item::Type::kList)) return nullptr;
  const uint32_t position = std::get<uint32_t>(step);
  return position < value.list().size() ? &value.list()[position] : nullptr;
}

}  // namespace

const item::AttributeValue* FindValue(const item::Item& item, const DocumentPath& path) {
  const item::AttributeValue* value = item.Find(path.attribute);
  for (const PathStep& step : path.steps) {
    if (value == nullptr) return nullptr;
    value = FindStep(*value, step);
  }
  return value;
}

std::string ToString(const DocumentPath& path) {
  std::string text = path.attribute;
  for (const PathStep& step : path.steps) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      text.append(".").append(*name);
    } else {
      text.append("[").append(std::to_string(std::get<uint32_t>(step))).append("]");
    }
  }
  return text;
}

}  // namespace cairn::expr
