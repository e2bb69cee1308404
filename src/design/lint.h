// Lint: what a model's declarations alone tell about how it will fare: isolation, hot partitions, colliding
// or badly ordered keys, open prefixes, limits. Used by `cairn model check`, and by the documents, which show
// the findings. Never changes a model and never looks at stored items.
#pragma once

#include <span>
#include <string_view>

#include "model/definition.h"
#include "model/diagnostic.h"

namespace cairn::design {

// One rule of the linter. The code is stable: models name it in [[accept]].
struct LintCode {
  std::string_view code;
  model::Severity severity;  // the usual one; some findings of a code are milder, and say why
  std::string_view meaning;
  std::string_view repair;
};

// All codes, in the order in which people read them.
std::span<const LintCode> LintCodes();
// Null for an unknown code.
const LintCode* FindLintCode(std::string_view code);

// Every finding in the order of the file. One that an [[accept]] entry acknowledges carries its reason.
model::Diagnostics Lint(const model::Model& model);

// "error", "warning", "note".
std::string_view SeverityName(model::Severity severity);

}  // namespace cairn::design
