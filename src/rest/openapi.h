// OpenApi: tables of endpoints as an OpenAPI 3.1 document. Pure.
#pragma once

#include <string>
#include <vector>

#include "rest/endpoint.h"

namespace cairn::rest {

struct ApiInfo {
  std::string title;
  std::string version;
  std::string cookie_name;  // of a browser's session
};

std::string OpenApi(const ApiInfo& info, const std::vector<Endpoint>& endpoints);

}  // namespace cairn::rest
