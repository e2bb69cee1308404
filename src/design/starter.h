// The model that `cairn model init` writes: small, commented, free of findings.
#pragma once

#include <string_view>

namespace cairn::design {

std::string_view StarterModel();

}  // namespace cairn::design
