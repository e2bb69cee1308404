// The loader of model files, in both syntaxes, and with it templates, rules, types and pattern alignment.
// What loads must load again from its canonical twin.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/load.h"

using namespace cairn;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* file : {"fuzz.toml", "fuzz.json"}) {
    const auto model = model::ParseModel(text, file);
    if (!model) {
      if (model.error().empty()) std::abort();  // a refusal says why
      continue;
    }
    const auto twin = model::ParseModel((*model)->canonical_json, "twin.json");
    if (!twin || (*twin)->hash != (*model)->hash) std::abort();
  }
  return 0;
}
