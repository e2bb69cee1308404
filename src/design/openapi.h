// OpenApi: the REST interface to a model (src/model_api), described for client generators and API browsers:
// OpenAPI 3.1. Says exactly what is served: an operation that a caller may not use is not in it. Served as
// /api/m/{model}/openapi.json and written by `cairn model export --to openapi`.
#pragma once

#include <string>

#include "model/definition.h"

namespace cairn::design {

std::string OpenApi(const model::Model& model);

}  // namespace cairn::design
