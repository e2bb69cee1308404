// Use cases: the histories of all plans out of an account, and into one that has none of these days.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domains/values/values.h"

namespace cairn::values {

// One revision of a day's plan on its way, with the whole plan: a day is small.
struct PlanEntry {
  std::string day;
  std::string rev_id;
  std::optional<std::string> parent_rev_id = {};
  models::values::PlanReason reason{};
  std::string message = {};
  std::optional<std::string> values_rev_id = {};
  std::optional<std::string> restored_from = {};
  std::optional<Restore> restored_by = {};
  Plan plan = {};
};

// Day by day, the oldest revision of each first. Holds the log of one day at a time.
class PlanExport {
 public:
  PlanExport(Values& values, model::Caller caller) : values_(values), session_(values.database(), caller) {}
  // Nothing: that was all.
  Task<Decision<std::optional<PlanEntry>>> Next();

 private:
  // The log of the next day that has one; empty after the last.
  Task<Decision<void>> NextDay();

  Values& values_;
  model::Session session_;
  std::string day_;                       // the last one that was read
  std::vector<PlanRepository::Rev> log_;  // what is left of it, newest first
};

// Revisions of a day come together, in order, from its first one on. Into days without a plan, or whose
// history is the beginning of this one. Gives how many were new. Refusals: "not-empty", "bad-history",
// "in-progress", what CheckPlan refuses.
Task<Decision<int64_t>> ImportPlans(Values& values, model::Caller caller, std::vector<PlanEntry> entries);

}  // namespace cairn::values
