// Bytes from a damaged disk: refused, or completely readable.
#include <cstddef>
#include <cstdint>
#include <string>

#include "item/item_json.h"
#include "item/packed_item.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cairn;
  const auto packed = item::PackedItem::FromStored(std::string(reinterpret_cast<const char*>(data), size));
  if (!packed) return 0;
  (void)packed->Unpack();
  std::string json;
  item::AppendItemJson(json, *packed);
  return 0;
}
