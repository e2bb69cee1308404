// Completions and plans: an action that is done, or open again, is recorded by the plan of the day on which
// it was done, if that plan has it. The todo itself says nothing about being done: the day gets a revision
// with the same content, which says when, and with which tree. Used by the use cases that commit a tree.
#pragma once

#include <string>
#include <vector>

#include "domains/values/change_plan.h"

namespace cairn::values {

// A node whose completion differs between two trees.
struct Completion {
  std::string node_id;
  std::string moment;  // of being done, as stored; of one that is open again, the moment it had
};
// In the order of ids. Linear.
std::vector<Completion> CompletionsBetween(const Tree& before, const Tree& after);

struct DayPlan {
  std::string day;
  PlanRepository::State state;
};
// Those that record the completions. Refused with "too-many-days" when there are more than one transaction
// holds.
Task<Decision<std::vector<DayPlan>>> PlansRecording(Values& values, model::Session& session,
                                                    std::vector<Completion> completions);

// Adds a revision of each plan to what is published.
Task<Decision<std::vector<PlanCommitted>>> Record(Publication& publication, std::vector<DayPlan> plans,
                                                  std::string message, std::string values_rev_id);

}  // namespace cairn::values
