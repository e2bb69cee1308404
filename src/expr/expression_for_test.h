// Shorthand for tests of expressions: items and values as DynamoDB JSON, errors as text.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include "expr/parse.h"
#include "item/item_json.h"

namespace cairn::expr {

inline item::Item ItemOf(std::string_view json) {
  Result<item::Item> item = item::ParseItemJson(json);
  EXPECT_TRUE(item.has_value()) << json << ": " << (item ? "" : item.error().message);
  return item.value_or(item::Item());
}

// One value, e.g. R"({"S": "a"})".
inline item::AttributeValue ValueOf(std::string_view json) {
  const item::Item item = ItemOf("{\"v\": " + std::string(json) + "}");
  const item::AttributeValue* value = item.Find("v");
  return value != nullptr ? *value : item::AttributeValue();
}

inline item::AttributeValue Number(int64_t value) { return item::AttributeValue(item::Number(value)); }

// `values` is a JSON object whose keys are the placeholders.
inline Placeholders Given(std::map<std::string, std::string, std::less<>> names,
                          std::string_view values = "{}") {
  Placeholders placeholders;
  placeholders.names = std::move(names);
  for (const item::Attribute& value : ItemOf(values)) placeholders.values.emplace(value.name, value.value);
  return placeholders;
}
inline Placeholders Given(std::string_view values = "{}") { return Given({}, values); }

// The message of a failed result; "" when it did not fail.
template <class T>
std::string ErrorOf(const Result<T>& result) {
  if (result) return "";
  EXPECT_EQ(result.error().code, Code::kInvalidArgument);
  return result.error().message;
}

}  // namespace cairn::expr
