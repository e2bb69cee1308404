// Storyteller: writes a history that took place in the past, commit by commit. Used by the demo data.
//
// It goes on only from what it wrote itself: revisions of the past have no place behind what someone else has
// committed meanwhile.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/ulid.h"
#include "domains/values/commit_tree.h"
#include "domains/values/demo.h"
#include "domains/values/history/publication.h"
#include "domains/values/plan/day.h"

namespace cairn::values {

class Storyteller {
 public:
  Storyteller(Values& values, model::Caller caller, Random& random, DayRules rules)
      : values_(values), caller_(std::move(caller)), ulids_(random), rules_(std::move(rules)) {}

  const DemoFilled& filled() const { return filled_; }
  // What the next commit writes is the last of it.
  void WitnessNext(Witness<DemoFilled> witness) { witness_ = std::move(witness); }

  // Moments go up from call to call. All refuse with "not-empty" when someone else has committed.
  Task<Decision<void>> Change(Time when, models::values::RevSource source, std::string message,
                              std::vector<Operation> operations);
  // Yesterday's unfinished todos, these actions, a meeting, and pomodoros for all of it. `when` it was
  // written; `start` of the day's work. A day that has a plan already is left alone.
  Task<Decision<void>> PlanMorning(std::string day, Time when, Time start, std::vector<std::string> actions);
  // Nothing for actions that are not living, or when the day's plan is not ours.
  Task<Decision<void>> Complete(std::string day, Time when, std::string action);

 private:
  std::function<std::string()> NewIds(Time when) {
    return [this, when] { return ulids_.Next(when); };
  }
  // The tree as it was left here.
  Task<Decision<TreeRepository::State>> CurrentTree(model::Session& session);
  Decision<Plan> Morning(Plan plan, const Tree& tree, const std::string& day, Time when, Time start,
                         const std::vector<std::string>& actions);
  Task<Decision<Plan>> RolledOver(model::Session& session, const Tree& tree, Time start);
  Task<Decision<void>> Publish(Publication& publication);
  Refusal SomeoneElse() const;

  Values& values_;
  model::Caller caller_;
  UlidSource ulids_;
  DayRules rules_;
  std::optional<std::string> tree_rev_id_;  // where the tree was left
  std::optional<std::string> last_day_;     // the last one planned here
  std::string plan_rev_id_;                 // where its plan was left
  Witness<DemoFilled> witness_;
  DemoFilled filled_;
};

}  // namespace cairn::values
