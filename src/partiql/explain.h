// Statements and plans as one line of text each, for tests and for people who wonder what a statement does.
#pragma once

#include <string>

#include "expr/condition.h"
#include "partiql/plan.h"
#include "partiql/statement.h"

namespace cairn::partiql {

std::string Explain(const Statement& statement);
// The reads, separated by "; ".
std::string Explain(const SelectPlan& plan);
std::string Explain(const expr::Condition& condition);
std::string Explain(const expr::Update& update);
std::string Explain(const item::AttributeValue& value);

}  // namespace cairn::partiql
