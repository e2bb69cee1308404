// Reading model files: TOML to write by hand, JSON as the canonical twin, into one and the same Model.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/definition.h"

namespace cairn::model {

// A model is shared, immutable and never moved: its parts point at one another.
using ModelPtr = std::shared_ptr<const Model>;

// Reads a file by its ending (.toml or .json). Every error found is returned, in the order of the file, each
// with file, line, column, what was expected and, for a misspelt name, the nearest right one ("did you mean
// ...").
Result<ModelPtr, Diagnostics> LoadModel(const std::string& file);
// The same from text; `file` appears in messages, its ending decides the syntax.
Result<ModelPtr, Diagnostics> ParseModel(std::string_view text, const std::string& file);

// JSON Schema (2020-12) of the format, for editors.
std::string ModelJsonSchema();

}  // namespace cairn::model
