#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "partiql/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cairn;
  const std::vector<item::AttributeValue> parameters(4, item::AttributeValue("p"));
  (void)partiql::ParseStatement({reinterpret_cast<const char*>(data), size}, parameters);
  return 0;
}
