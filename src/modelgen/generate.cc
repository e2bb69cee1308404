#include "modelgen/generate.h"

#include "modelgen/plan.h"

namespace cairn::modelgen {

Result<Generated, model::Diagnostics> Generate(const model::Model& model, std::string_view text) {
  ASSIGN_OR_RETURN(const Plan plan, MakePlan(model));
  return Generated{plan.space, HeaderText(plan), SourceText(plan, text)};
}

}  // namespace cairn::modelgen
