// Writing a generated file without touching one that is right already, so that nothing is compiled again.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace cairn::modelgen {

Result<std::string> ReadFile(const std::string& path);

enum class Written { kChanged, kUnchanged };
// Replaces the file as a whole: no reader sees half of it. The directory is made if it is missing.
Result<Written> WriteIfChanged(const std::string& path, std::string_view content);

}  // namespace cairn::modelgen
