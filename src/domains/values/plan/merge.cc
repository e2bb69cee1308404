#include "domains/values/plan/merge.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "domains/values/plan/order.h"
#include "domains/values/plan/refusal.h"
#include "domains/values/plan/rules.h"
#include "domains/values/plan/three_way.h"

namespace cairn::values {
namespace {

using Take = PlanResolution::Take;

constexpr std::string_view kWhole = "";                // the field of a thing as a whole
constexpr std::string_view kNumber = "pomodoroIndex";  // follows from the starts
constexpr std::string_view kOrderId = "todos";
constexpr std::string_view kOrderField = "order";

const Block* FindBlock(const Plan& plan, const std::string& id) {
  const auto found = plan.blocks.find(id);
  return found == plan.blocks.end() ? nullptr : &found->second;
}

// What a thing is by its fields, its place and number left aside.
bool SameThing(const Todo& one, const Todo& other) { return one == other; }
bool SameThing(Block one, const Block& other) {
  one.pomodoro_index = other.pomodoro_index;
  return one == other;
}

template <class T>
std::string JsonOrNull(const T* thing) {
  return thing == nullptr ? "null" : PlanJson(*thing);
}

// One thing as the three plans have it; null where a plan has none.
template <class T>
struct Versions {
  std::string id;
  const T* base;
  const T* theirs;
  const T* mine;

  const T* kept() const { return theirs != nullptr ? theirs : mine; }
  const T* of(Take take) const { return take == Take::kTheirs ? theirs : mine; }
};

class Merger {
 public:
  explicit Merger(const PlanMerge& merge) : merge_(merge) {}

  Decision<Plan> Run() {
    RETURN_IF_ERROR(ReadResolutions());
    RETURN_IF_ERROR(MergeTodos());
    RETURN_IF_ERROR(MergeBlocks());
    RETURN_IF_ERROR(MergeOrder());
    if (!conflicts_.empty()) {
      Refusal refusal(
          Code::kConditionFailed, "merge-conflict",
          "Somebody else changed the same things meanwhile. Decide each conflict, then send the change "
          "again.");
      refusal.conflicts = std::move(conflicts_);
      return std::unexpected(std::move(refusal));
    }
    NumberPomodoros(merged_);
    RETURN_IF_ERROR(CheckPlan(merged_, merge_.bounds, merge_.theirs));
    return std::move(merged_);
  }

 private:
  // What becomes of the pomodoros of a todo that one side removed and the other worked on.
  enum class Fate { kKept, kDropped, kOpen };

  Decision<void> ReadResolutions() {
    for (size_t i = 0; i < merge_.resolutions.size(); ++i) {
      const PlanResolution& resolution = merge_.resolutions[i];
      const std::string at = "resolutions[" + std::to_string(i) + "]";
      if (resolution.take == Take::kValue && resolution.field == kWhole) {
        return RefusePlan(at + ".take", "bad-resolution",
                          "Whether something stays is decided by taking theirs or mine, not by a value.");
      }
      if (!resolutions_.emplace(std::pair(resolution.id, resolution.field), i).second) {
        return RefusePlan(at, "bad-resolution",
                          "The field " + InQuotes(resolution.field) + " of " + InQuotes(resolution.id) +
                              " is decided twice. Decide it once.");
      }
    }
    return {};
  }

  std::optional<size_t> ResolutionOf(const std::string& id, std::string_view field) const {
    const auto found = resolutions_.find(std::pair(id, std::string(field)));
    if (found == resolutions_.end()) return std::nullopt;
    return found->second;
  }

  // ---- One thing.

  // The thing when a side lacks it. `in_use`: somebody counts on it although its fields are as they were.
  template <class T>
  std::optional<T> MergePresence(const Versions<T>& versions, bool in_use) {
    const T* kept = versions.kept();
    if (const auto resolution = ResolutionOf(versions.id, kWhole)) {
      const T* taken = versions.of(merge_.resolutions[*resolution].take);
      return taken == nullptr ? std::nullopt : std::optional<T>(*taken);
    }
    if (versions.base == nullptr) return *kept;                            // added
    if (SameThing(*kept, *versions.base) && !in_use) return std::nullopt;  // removed
    conflicts_.push_back({versions.id, std::string(kWhole), JsonOrNull(versions.base),
                          JsonOrNull(versions.theirs), JsonOrNull(versions.mine)});
    return std::nullopt;
  }

  template <class T>
  Decision<T> MergeFields(const Versions<T>& versions, const T& base, std::span<const PlanField<T>> fields) {
    T merged = *versions.theirs;
    for (const PlanField<T>& field : fields) {
      if (field.name == kNumber) continue;
      RETURN_IF_ERROR(MergeField(versions, base, field, merged));
    }
    return merged;
  }

  template <class T>
  Decision<void> MergeField(const Versions<T>& versions, const T& base, const PlanField<T>& field,
                            T& merged) {
    const PlanValue old = versions.base == nullptr ? BaseValue(base, field) : field.get(base);
    const PlanValue theirs = field.get(*versions.theirs);
    const PlanValue mine = field.get(*versions.mine);
    if (const auto position = ResolutionOf(versions.id, field.name)) {
      const PlanResolution& resolution = merge_.resolutions[*position];
      const PlanValue& value = resolution.take == Take::kTheirs ? theirs
                               : resolution.take == Take::kMine ? mine
                                                                : resolution.value;
      if (field.set(merged, value)) return {};
      return RefusePlan("resolutions[" + std::to_string(*position) + "].value", "bad-value",
                        PlanJson(value) + " cannot be a value of " + std::string(field.name) + ".");
    }
    if (const PlanValue* value = ThreeWay(old, theirs, mine)) {
      field.set(merged, *value);
    } else {
      conflicts_.push_back(
          {versions.id, std::string(field.name), PlanJson(old), PlanJson(theirs), PlanJson(mine)});
    }
    return {};
  }

  // What both sides add goes on from an empty todo, so that a side that left a field alone yields. An empty
  // block would be one at no time: nothing to go on from.
  static PlanValue BaseValue(const Todo& base, const PlanField<Todo>& field) { return field.get(base); }
  static PlanValue BaseValue(const Block&, const PlanField<Block>&) { return {}; }

  template <class T>
  Decision<T> MergeBoth(const Versions<T>& versions, std::span<const PlanField<T>> fields) {
    const T none{};
    return MergeFields(versions, versions.base == nullptr ? none : *versions.base, fields);
  }

  // ---- Todos.

  Decision<void> MergeTodos() {
    std::set<std::string> actions;
    for (const Plan* side : {&merge_.theirs, &merge_.mine}) {
      for (const Todo& todo : side->todos) actions.insert(todo.action_id);
    }
    for (const std::string& action : actions) {
      const Versions<Todo> versions{action, FindTodo(merge_.base, action), FindTodo(merge_.theirs, action),
                                    FindTodo(merge_.mine, action)};
      if (versions.theirs != nullptr && versions.mine != nullptr) {
        ASSIGN_OR_RETURN(Todo todo, MergeBoth(versions, TodoFields()));
        todos_.emplace(action, std::move(todo));
      } else {
        MergeTodoPresence(versions);
      }
    }
    return {};
  }

  void MergeTodoPresence(const Versions<Todo>& versions) {
    const Plan& keeper = versions.theirs != nullptr ? merge_.theirs : merge_.mine;
    const size_t conflicts_before = conflicts_.size();
    auto todo = MergePresence(versions, PomodorosChanged(keeper, versions.id));
    const Fate fate = conflicts_.size() > conflicts_before ? Fate::kOpen
                      : todo                               ? Fate::kKept
                                                           : Fate::kDropped;
    // A todo that is simply new says nothing about blocks that were there before.
    if (versions.base != nullptr || fate != Fate::kKept) fates_.emplace(versions.id, fate);
    if (todo) todos_.emplace(versions.id, *std::move(todo));
  }

  bool PomodorosChanged(const Plan& side, const std::string& action) const {
    return std::ranges::any_of(side.blocks, [&](const auto& entry) {
      const auto& [id, block] = entry;
      if (block.action_id != action) return false;
      const Block* before = FindBlock(merge_.base, id);
      return before == nullptr || !SameThing(block, *before);
    });
  }

  // ---- Blocks.

  Decision<void> MergeBlocks() {
    std::set<std::string> ids;
    for (const Plan* side : {&merge_.theirs, &merge_.mine}) {
      for (const auto& [id, block] : side->blocks) ids.insert(id);
    }
    for (const std::string& id : ids) {
      const Versions<Block> versions{id, FindBlock(merge_.base, id), FindBlock(merge_.theirs, id),
                                     FindBlock(merge_.mine, id)};
      std::optional<Block> block;
      if (versions.theirs != nullptr && versions.mine != nullptr) {
        ASSIGN_OR_RETURN(block, MergeBoth(versions, BlockFields()));
      } else {
        block = MergeBlockPresence(versions);
      }
      if (block) merged_.blocks.emplace(id, *std::move(block));
    }
    return {};
  }

  // A pomodoro goes where its todo goes.
  std::optional<Block> MergeBlockPresence(const Versions<Block>& versions) {
    const Block& kept = *versions.kept();
    const auto fate = kept.action_id ? fates_.find(*kept.action_id) : fates_.end();
    if (fate == fates_.end()) return MergePresence(versions, false);
    return fate->second == Fate::kKept ? std::optional(kept) : std::nullopt;
  }

  // ---- Order.

  Decision<void> MergeOrder() {
    std::set<std::string> kept;
    for (const auto& [action, todo] : todos_) kept.insert(action);
    const ActionOrder base = OrderOfTodos(merge_.base);
    const ActionOrder theirs = OrderOfTodos(merge_.theirs);
    const ActionOrder mine = OrderOfTodos(merge_.mine);
    ActionOrder order;
    if (const auto position = ResolutionOf(std::string(kOrderId), kOrderField)) {
      ASSIGN_OR_RETURN(order, ResolvedOrder(*position, theirs, mine, kept));
    } else if (auto joined = MergeOrders({base, theirs, mine, kept})) {
      order = *std::move(joined);
    } else {
      conflicts_.push_back({std::string(kOrderId), std::string(kOrderField), PlanJson(base), PlanJson(theirs),
                            PlanJson(mine)});
    }
    for (const std::string& action : order) merged_.todos.push_back(std::move(todos_.at(action)));
    return {};
  }

  Decision<ActionOrder> ResolvedOrder(size_t position, const ActionOrder& theirs, const ActionOrder& mine,
                                      const std::set<std::string>& kept) const {
    const PlanResolution& resolution = merge_.resolutions[position];
    if (resolution.take == Take::kTheirs) return JoinOrders(theirs, mine, kept);
    if (resolution.take == Take::kMine) return JoinOrders(mine, theirs, kept);
    const auto* order = std::get_if<ActionOrder>(&resolution.value);
    if (order == nullptr || order->size() != kept.size() ||
        std::set<std::string>(order->begin(), order->end()) != kept) {
      return RefusePlan("resolutions[" + std::to_string(position) + "].value", "bad-value",
                        "The order is a list of all todos that are left, each once.");
    }
    return *order;
  }

  const PlanMerge& merge_;
  std::map<std::pair<std::string, std::string>, size_t> resolutions_;  // by id and field: the position
  std::map<std::string, Todo> todos_;                                  // merged, by action
  std::map<std::string, Fate> fates_;                                  // of todos that one side lacks now
  Plan merged_;
  std::vector<MergeConflict> conflicts_;
};

}  // namespace

Decision<Plan> MergePlans(const PlanMerge& merge) { return Merger(merge).Run(); }

}  // namespace cairn::values
