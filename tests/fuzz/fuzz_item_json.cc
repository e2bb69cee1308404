// DynamoDB JSON to an item, packed, written and read again: what is accepted must come back the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "item/item_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cairn;
  const auto item = item::ParseItemJson({reinterpret_cast<const char*>(data), size});
  if (!item) return 0;
  const auto packed = item::PackedItem::Pack(*item);
  CHECK(item::PackedItem::FromStored(packed.bytes()).has_value(), "what we pack passes our own check");
  std::string json;
  item::AppendItemJson(json, packed);
  const auto again = item::ParseItemJson(json);
  CHECK(again && *again == *item, "an item survives packing and printing");
  return 0;
}
