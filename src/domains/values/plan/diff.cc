#include "domains/values/plan/diff.h"

#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "domains/values/plan/fields.h"
#include "domains/values/plan/rules.h"
#include "domains/values/unmoved.h"

namespace cairn::values {
namespace {

std::optional<std::string> JsonIfAny(const PlanValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
  return PlanJson(value);
}

template <class T>
void AddChange(const std::string& id, const T& from, const T& to, std::span<const PlanField<T>> fields,
               std::vector<PlanThingChange>& changes) {
  PlanThingChange change{.id = id, .fields = {}};
  for (const PlanField<T>& field : fields) {
    const PlanValue before = field.get(from);
    const PlanValue after = field.get(to);
    if (before == after) continue;
    change.fields.push_back({std::string(field.name), JsonIfAny(before), JsonIfAny(after)});
  }
  if (!change.fields.empty()) changes.push_back(std::move(change));
}

std::map<std::string_view, size_t> PlacesOf(const Plan& plan) {
  std::map<std::string_view, size_t> places;
  for (size_t i = 0; i < plan.todos.size(); ++i) places.emplace(plan.todos[i].action_id, i);
  return places;
}

int64_t Order(size_t place) { return static_cast<int64_t>(place) + 1; }

void DiffTodos(const Plan& from, const Plan& to, PlanDiff& diff) {
  const auto before = PlacesOf(from);
  const auto after = PlacesOf(to);
  for (size_t i = 0; i < from.todos.size(); ++i) {
    if (!after.contains(from.todos[i].action_id)) diff.todos_removed.push_back({Order(i), from.todos[i]});
  }
  std::vector<Renumbered> common;  // todos in both
  for (size_t i = 0; i < to.todos.size(); ++i) {
    const auto old = before.find(to.todos[i].action_id);
    if (old == before.end()) {
      diff.todos_added.push_back({Order(i), to.todos[i]});
      continue;
    }
    AddChange(to.todos[i].action_id, from.todos[old->second], to.todos[i], TodoFields(), diff.todos_changed);
    common.push_back({Order(old->second), Order(i)});
  }
  const std::vector<bool> unmoved = Unmoved(common);
  for (size_t i = 0; i < common.size(); ++i) {
    if (unmoved[i]) continue;
    const Todo& todo = to.todos[static_cast<size_t>(common[i].to - 1)];
    diff.todos_moved.push_back({todo.action_id, common[i].from, common[i].to});
  }
}

void DiffBlocks(const Plan& from, const Plan& to, PlanDiff& diff) {
  for (const Block* block : BlocksByStart(from)) {
    if (!to.blocks.contains(block->id)) diff.blocks_removed.push_back(*block);
  }
  for (const Block* block : BlocksByStart(to)) {
    const auto old = from.blocks.find(block->id);
    if (old == from.blocks.end()) {
      diff.blocks_added.push_back(*block);
    } else {
      AddChange(block->id, old->second, *block, BlockFields(), diff.blocks_changed);
    }
  }
}

}  // namespace

bool PlanDiff::empty() const { return *this == PlanDiff(); }

PlanDiff DiffPlans(const Plan& from, const Plan& to) {
  PlanDiff diff;
  DiffTodos(from, to, diff);
  DiffBlocks(from, to, diff);
  return diff;
}

}  // namespace cairn::values
