#include "domains/values/plan/operations.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "domains/values/plan/refusal.h"
#include "domains/values/plan/rules.h"

namespace cairn::values {
namespace {

std::unexpected<Refusal> RefuseUnknownTodo(std::string field, std::string_view action_id) {
  return RefusePlan(std::move(field), "unknown-todo",
                    "The action " + InQuotes(action_id) + " is no todo of this day.",
                    Code::kResourceNotFound);
}

Decision<std::string> InstantAt(const std::string& field, const std::string& text) {
  auto instant = NormalInstant(text);
  if (!instant) return RefusePlan(field, "bad-time", instant.error().message);
  return *std::move(instant);
}

// A plan on its way, and which operation touched what last.
class Application {
 public:
  Application(const Plan& plan, const PlanContext& context) : before_(plan), plan_(plan), context_(context) {}

  Decision<void> Apply(const PlanOperation& operation, size_t position) {
    at_ = "operations[" + std::to_string(position) + "]";
    return std::visit([this](const auto& one) { return Do(one); }, operation);
  }

  Decision<PlanApplied> Finish() && {
    NumberPomodoros(plan_);
    if (const auto fault = FindPlanFault(plan_, context_.bounds, before_))
      return std::unexpected(RefusalOf(*fault, Spelled(*fault)));
    const bool changed = plan_ != before_;
    return PlanApplied{
        .plan = std::move(plan_), .changed = changed, .added_blocks = std::move(added_blocks_)};
  }

 private:
  std::string At(std::string_view field) const { return at_ + "." + std::string(field); }

  std::vector<Todo>::iterator Find(const std::string& action_id) {
    return std::ranges::find(plan_.todos, action_id, &Todo::action_id);
  }

  Decision<void> Do(const AddTodo& add) {
    if (Find(add.action_id) != plan_.todos.end()) {
      return RefusePlan(At("actionId"), "duplicate-todo",
                        "The action " + InQuotes(add.action_id) + " is a todo of this day already.");
    }
    if (!context_.is_living_action(add.action_id)) {
      return RefusePlan(At("actionId"), "unknown-action",
                        InQuotes(add.action_id) +
                            " is no open action of the values tree. Choose one that is neither "
                            "completed nor archived.");
    }
    if (plan_.todos.size() >= kTodosMax) {
      return RefusePlan(at_, "too-many-todos",
                        "A day has at most " + std::to_string(kTodosMax) + " todos. Remove some first.",
                        Code::kLimitExceeded);
    }
    if (add.first && add.after_action_id) {
      return RefusePlan(At("afterActionId"), "two-places",
                        "A todo comes first or behind another one. Give one of the two.");
    }
    auto place = add.first ? plan_.todos.begin() : plan_.todos.end();
    if (add.after_action_id) {
      place = Find(*add.after_action_id);
      if (place == plan_.todos.end()) return RefuseUnknownTodo(At("afterActionId"), *add.after_action_id);
      ++place;
    }
    plan_.todos.insert(place, Todo{.action_id = add.action_id,
                                   .classification = add.classification,
                                   .estimated_pomodoros = add.estimated_pomodoros,
                                   .notes = add.notes,
                                   .rolled_from = {}});
    touched_todos_[add.action_id] = at_;
    return {};
  }

  Decision<void> Do(const EditTodo& edit) {
    const auto todo = Find(edit.action_id);
    if (todo == plan_.todos.end()) return RefuseUnknownTodo(At("actionId"), edit.action_id);
    if (edit.classification) todo->classification = *edit.classification;
    if (edit.estimated_pomodoros) todo->estimated_pomodoros = *edit.estimated_pomodoros;
    if (edit.notes) todo->notes = *edit.notes;
    touched_todos_[edit.action_id] = at_;
    return {};
  }

  Decision<void> Do(const RemoveTodo& remove) {
    const auto todo = Find(remove.action_id);
    if (todo == plan_.todos.end()) return RefuseUnknownTodo(At("actionId"), remove.action_id);
    std::erase_if(plan_.blocks,
                  [&](const auto& entry) { return entry.second.action_id == remove.action_id; });
    plan_.todos.erase(todo);
    return {};
  }

  Decision<void> Do(const ReorderTodos& reorder) {
    std::map<std::string_view, const Todo*> todos;
    for (const Todo& todo : plan_.todos) todos.emplace(todo.action_id, &todo);
    std::vector<Todo> ordered;
    for (const std::string& action_id : reorder.action_ids) {
      const auto todo = todos.find(action_id);
      if (todo == todos.end()) {
        return RefusePlan(At("actionIds"), "not-a-permutation",
                          InQuotes(action_id) + " is no todo of this day, or stands twice in the order.");
      }
      ordered.push_back(*todo->second);
      todos.erase(todo);
    }
    if (!todos.empty()) {
      return RefusePlan(
          At("actionIds"), "not-a-permutation",
          "Name all todos of the day in their new order; " + InQuotes(todos.begin()->first) + " is missing.");
    }
    plan_.todos = std::move(ordered);
    return {};
  }

  Decision<void> Do(const AddBlock& add) {
    Block block{.id = add.block_id ? *add.block_id : context_.new_id(),
                .type = add.type,
                .start = add.start,
                .end = add.end,
                .action_id = add.action_id,
                .pomodoro_index = add.pomodoro_index};
    added_blocks_.push_back(block.id);
    return Insert(std::move(block), at_);
  }

  Decision<void> Do(const EditBlock& edit) {
    const auto found = plan_.blocks.find(edit.block_id);
    if (found == plan_.blocks.end()) return RefuseUnknownBlock(edit.block_id);
    Block& block = found->second;
    if (edit.type) block.type = *edit.type;
    if (edit.start) {
      ASSIGN_OR_RETURN(block.start, InstantAt(At("start"), *edit.start));
    }
    if (edit.end) {
      ASSIGN_OR_RETURN(block.end, InstantAt(At("end"), *edit.end));
    }
    if (block.type != BlockType::kPomodoro) {
      block.action_id.reset();
      block.pomodoro_index.reset();
    }
    if (edit.action_id) block.action_id = *edit.action_id;
    touched_blocks_[block.id] = at_;
    return {};
  }

  Decision<void> Do(const RemoveBlock& remove) {
    if (plan_.blocks.erase(remove.block_id) == 0) return RefuseUnknownBlock(remove.block_id);
    return {};
  }

  Decision<void> Do(const ReplaceBlocks& replace) {
    plan_.blocks.clear();
    for (size_t i = 0; i < replace.blocks.size(); ++i) {
      Block block = replace.blocks[i];
      if (block.id.empty()) block.id = context_.new_id();
      RETURN_IF_ERROR(Insert(std::move(block), At("blocks[" + std::to_string(i) + "]")));
    }
    return {};
  }

  Decision<void> Insert(Block block, const std::string& spelled) {
    if (plan_.blocks.contains(block.id)) {
      return RefusePlan(spelled + ".blockId", "duplicate-block",
                        "The day has a block " + InQuotes(block.id) + " already. Give another id, or none.");
    }
    if (plan_.blocks.size() >= kBlocksMax) {
      return RefusePlan(spelled, "too-many-blocks",
                        "A day has at most " + std::to_string(kBlocksMax) + " blocks. Remove some first.",
                        Code::kLimitExceeded);
    }
    ASSIGN_OR_RETURN(block.start, InstantAt(spelled + ".start", block.start));
    ASSIGN_OR_RETURN(block.end, InstantAt(spelled + ".end", block.end));
    touched_blocks_[block.id] = spelled;
    std::string id = block.id;
    plan_.blocks.emplace(std::move(id), std::move(block));
    return {};
  }

  std::unexpected<Refusal> RefuseUnknownBlock(const std::string& block_id) const {
    return RefusePlan(At("blockId"), "unknown-block", "The day has no block " + InQuotes(block_id) + ".",
                      Code::kResourceNotFound);
  }

  // The operation to blame, when one of the two sides of a fault was touched by any.
  std::string Spelled(const PlanFault& fault) const {
    if (const auto spelled = Touched(fault.place)) return *spelled;
    if (fault.other) {
      if (const auto spelled = Touched(*fault.other)) return *spelled;
    }
    return SpellPlanPlace(fault.place);
  }

  std::optional<std::string> Touched(const PlanPlace& place) const {
    const auto& touched = place.in == PlanPlace::In::kTodos ? touched_todos_ : touched_blocks_;
    const auto found = touched.find(place.id);
    if (found == touched.end()) return std::nullopt;
    return found->second + "." + place.field;
  }

  const Plan& before_;
  Plan plan_;
  const PlanContext& context_;
  std::string at_;                                     // the operation that is under way
  std::map<std::string, std::string> touched_todos_;   // by action: the operation
  std::map<std::string, std::string> touched_blocks_;  // by id: the operation, or the block in its list
  std::vector<std::string> added_blocks_;
};

}  // namespace

Decision<PlanApplied> ApplyPlan(const Plan& plan, std::span<const PlanOperation> operations,
                                const PlanContext& context) {
  Application application(plan, context);
  for (size_t i = 0; i < operations.size(); ++i) RETURN_IF_ERROR(application.Apply(operations[i], i));
  return std::move(application).Finish();
}

}  // namespace cairn::values
