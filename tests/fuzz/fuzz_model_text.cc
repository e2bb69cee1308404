// Key templates, rules and types as texts of their own, and keys matched against a template.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/rule.h"
#include "model/template.h"
#include "model/value_type.h"

using namespace cairn;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const item::Item record{{"a", "text"}, {"n", item::Number(7)}, {"t", "2027-01-15T08:00:00Z"}};
  if (const auto rule = model::Rule::Parse(text)) {
    (void)rule->Holds(record, record);
    (void)rule->Dependencies();
  }
  (void)model::ParseValueType(text);
  (void)model::ParseDuration(text);

  // The first line is a template, the rest a key: what matches must build the same key again.
  const size_t line = text.find('\n');
  auto form = model::Template::Parse(text.substr(0, line));
  if (!form) return 0;
  const auto bound = form->Bind([](const model::TemplatePart& part) -> Result<model::Template::Target> {
    const auto type = model::ParseValueType(part.attribute.starts_with("n")   ? "int"
                                            : part.attribute.starts_with("t") ? "instant"
                                            : part.attribute.starts_with("b") ? "bool"
                                                                              : "string");
    return model::Template::Target{.lookup = part.attribute, .type = *type};
  });
  if (!bound || !form->CheckInvertible() || line == std::string_view::npos) return 0;
  item::Item told;
  if (!form->Match(text.substr(line + 1), told)) return 0;
  const auto rebuilt = form->Build(told);
  if (rebuilt && *rebuilt != text.substr(line + 1)) std::abort();
  return 0;
}
