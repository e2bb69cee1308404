#include "domains/values/plan/items.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "domains/values/plan/day.h"
#include "domains/values/plan/rules.h"

namespace cairn::values {
namespace {

using models::values::PlanBlock;
using models::values::PlanTodo;

std::unexpected<Refusal> Damaged(std::string message) {
  return std::unexpected(Refusal(Code::kDamaged, "damaged", std::move(message)));
}

Todo TodoFrom(const PlanTodo& item) {
  return {.action_id = item.action_id,
          .classification = item.classification.value_or(Classification::kOther),
          .estimated_pomodoros = item.estimated_pomodoros,
          .notes = item.notes,
          .rolled_from = item.rolled_from};
}

bool IsStoredInstant(const std::string& text) {
  const auto normal = NormalInstant(text);
  return normal && *normal == text;
}

// What everything about blocks relies on; whether they keep the rules of a plan is another question.
std::optional<std::string> DamageOf(const Block& block) {
  if (block.id.empty()) return "The stored plan has a block without an id.";
  if (!IsStoredInstant(block.start) || !IsStoredInstant(block.end))
    return "The block " + block.id + " of the stored plan has no proper times.";
  if (block.type == BlockType::kPomodoro && !block.action_id)
    return "The pomodoro " + block.id + " of the stored plan has no action.";
  return std::nullopt;
}

Block BlockFrom(const PlanBlock& item) {
  return {.id = item.block_id.value_or(""),
          .type = item.block_type,
          .start = item.start_time_iso,
          .end = item.end_time_iso,
          .action_id = item.action_id,
          .pomodoro_index = item.pomodoro_index};
}

}  // namespace

std::vector<PlanTodo> TodoItems(const Plan& plan, const std::string& day, const std::string& rev_id) {
  std::vector<PlanTodo> items;
  items.reserve(plan.todos.size());
  for (const Todo& todo : plan.todos) {
    items.push_back({.user_id = {},
                     .day = day,
                     .rev_id = rev_id,
                     .order = static_cast<int64_t>(items.size()) + 1,
                     .action_id = todo.action_id,
                     .classification = todo.classification,
                     .estimated_pomodoros = todo.estimated_pomodoros,
                     .notes = todo.notes,
                     .rolled_from = todo.rolled_from});
  }
  return items;
}

std::vector<PlanBlock> BlockItems(const Plan& plan, const std::string& day, const std::string& rev_id) {
  std::vector<PlanBlock> items;
  items.reserve(plan.blocks.size());
  for (const Block* block : BlocksByStart(plan)) {
    items.push_back({.user_id = {},
                     .day = day,
                     .rev_id = rev_id,
                     .start_time_iso = block->start,
                     .block_id = block->id,
                     .block_type = block->type,
                     .end_time_iso = block->end,
                     .action_id = block->action_id,
                     .pomodoro_index = block->pomodoro_index});
  }
  return items;
}

Decision<Plan> PlanOf(std::span<const PlanTodo> todos, std::span<const PlanBlock> blocks) {
  std::vector<const PlanTodo*> ordered;
  ordered.reserve(todos.size());
  for (const PlanTodo& todo : todos) ordered.push_back(&todo);
  std::ranges::stable_sort(ordered, {}, &PlanTodo::order);
  Plan plan;
  std::set<std::string_view> actions;
  for (const PlanTodo* item : ordered) {
    if (!actions.insert(item->action_id).second)
      return Damaged("The stored plan has the action " + item->action_id + " twice.");
    plan.todos.push_back(TodoFrom(*item));
  }
  for (const PlanBlock& item : blocks) {
    Block block = BlockFrom(item);
    if (auto damage = DamageOf(block)) return Damaged(*std::move(damage));
    std::string id = block.id;
    if (!plan.blocks.emplace(id, std::move(block)).second)
      return Damaged("The stored plan has the block " + id + " twice.");
  }
  return plan;
}

}  // namespace cairn::values
