#include <simdjson.h>

#include "design/cost.h"

namespace cairn::design {

Result<MeasuredSizes> ParseSizes(std::string_view json, const model::Model& model) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(json.data(), json.size()).get(object) != simdjson::SUCCESS) {
    return Fail(Code::kMalformed,
                "expected a JSON object of entity names and mean bytes, such as {\"Task\": 812.5}");
  }
  MeasuredSizes sizes;
  for (const auto& [name, value] : object) {
    double bytes = 0;
    if (model.FindEntity(name) == nullptr) {
      return Fail(Invalid("the model has no entity " + std::string(name)));
    }
    if (value.get(bytes) != simdjson::SUCCESS || !(bytes > 0)) {
      return Fail(Invalid("the bytes of " + std::string(name) + " must be a number greater than 0"));
    }
    sizes[std::string(name)] = bytes;
  }
  return sizes;
}

}  // namespace cairn::design
