// The four expression parsers, and evaluation of what they accept.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "expr/parse.h"

using namespace cairn;

namespace {

expr::Placeholders SomePlaceholders() {
  expr::Placeholders placeholders;
  placeholders.names = {{"#a", "a"}, {"#b", "b"}};
  placeholders.values = {
      {":n", item::Number(1)}, {":s", "text"}, {":l", item::List{"x"}}, {":ss", item::StringSet{{"x", "y"}}}};
  return placeholders;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const item::Item item{{"a", item::Number(1)},
                        {"b", "text"},
                        {"l", item::List{"x", item::Number(2)}},
                        {"m", item::Map{{"k", "v"}}}};
  auto placeholders = SomePlaceholders();
  if (auto condition = expr::ParseCondition("ConditionExpression", text, placeholders)) {
    (void)expr::EvaluateCondition(**condition, item);
    (void)expr::ReferencedAttributes(**condition);
  }
  if (auto update = expr::ParseUpdate(text, placeholders)) (void)expr::ApplyUpdate(*update, item);
  if (auto projection = expr::ParseProjection(text, placeholders)) (void)expr::Project(*projection, item);
  if (auto condition = expr::ParseKeyCondition(text, placeholders)) {
    const item::KeySchema schema{{{"a", item::Type::kNumber}}, {{"b", item::Type::kString}}};
    if (auto bound = expr::BindKeyCondition(*condition, schema)) (void)expr::SortRange(*bound);
  }
  return 0;
}
