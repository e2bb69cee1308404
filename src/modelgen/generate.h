// Generate: the C++ of a model, as a header and a source file. Deterministic: the same model gives the same
// text.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/definition.h"

namespace cairn::modelgen {

struct Plan;

struct Generated {
  std::string name;  // "personal_os": of the files and of the namespace cairn::models::personal_os
  std::string header;
  std::string source;
};

// `text` is the model file itself, which the source embeds; `model.file` must be a path that means the same
// everywhere, for it is printed. Fails when two things would have the same name in C++.
Result<Generated, model::Diagnostics> Generate(const model::Model& model, std::string_view text);

// The two halves.
std::string HeaderText(const Plan& plan);
std::string SourceText(const Plan& plan, std::string_view model_text);

}  // namespace cairn::modelgen
