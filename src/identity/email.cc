#include "identity/email.h"

#include "identity/plain_text.h"
#include "model/value_type.h"

namespace cairn::identity {

std::optional<std::string> NormalizedEmail(std::string_view text) {
  std::string email = LowerAscii(Trimmed(text));
  static const model::ValueType kEmail{.kind = model::Kind::kEmail};
  item::AttributeValue value(email);
  if (!model::CheckValue(kEmail, {}, value)) return std::nullopt;
  return email;
}

}  // namespace cairn::identity
