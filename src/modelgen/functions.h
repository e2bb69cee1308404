// The functions of an entity and of a pattern: short definitions that pass typed values to a session. Used by
// header.cc. Those that instantiate something for one entity only are templates of the session: who does not
// call them does not pay for compiling them.
#pragma once

#include "modelgen/code.h"
#include "modelgen/plan.h"

namespace cairn::modelgen {

void WriteEntityFunctions(const EntityPlan& plan, Code& code);
void WriteReadFunction(const PatternPlan& plan, Code& code);

}  // namespace cairn::modelgen
