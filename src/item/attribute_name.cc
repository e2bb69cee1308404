#include "item/attribute_name.h"

namespace cairn::item {

Status CheckAttributeName(std::string_view name) {
  if (name.empty()) return Fail(Invalid("Empty attribute name"));
  if (name.size() > kAttributeNameBytesMax) {
    return Fail(Invalid("Attribute name is too large, must be less than 65536 bytes"));
  }
  return {};
}

}  // namespace cairn::item
