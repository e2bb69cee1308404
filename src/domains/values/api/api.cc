#include "domains/values/api/api.h"

namespace cairn::values {
namespace {

constexpr size_t kRenderedBytes = 100'000'000;  // see GetTree

}  // namespace

ValuesApi::ValuesApi(Values& values, Random& random)
    : values_(values), random_(random), rendered_(kRenderedBytes) {}

std::vector<rest::Endpoint> ValuesApi::Endpoints() {
  std::vector<rest::Endpoint> all = TreeEndpoints();
  for (rest::Endpoint& endpoint : PlanEndpoints()) all.push_back(std::move(endpoint));
  return all;
}

}  // namespace cairn::values
