// Plans as stored: a plan to the items of a revision and back. Used by the repository.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "domains/values/plan/plan.h"
#include "domains/values/refusal.h"

namespace cairn::values {

// Orders from 1, as todos are numbered anew with every revision.
std::vector<models::values::PlanTodo> TodoItems(const Plan& plan, const std::string& day,
                                                const std::string& rev_id);
// In order of time.
std::vector<models::values::PlanBlock> BlockItems(const Plan& plan, const std::string& day,
                                                  const std::string& rev_id);

// The items of one revision in any order. Fails with kDamaged when an action or block is there twice, a block
// has no id or no proper times, or a pomodoro has no action: others write to the store too.
Decision<Plan> PlanOf(std::span<const models::values::PlanTodo> todos,
                      std::span<const models::values::PlanBlock> blocks);

}  // namespace cairn::values
