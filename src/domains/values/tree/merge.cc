#include "domains/values/tree/merge.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "domains/values/tree/fields.h"
#include "domains/values/tree/merge_steps.h"
#include "domains/values/tree/rules.h"
#include "domains/values/tree/texts.h"

namespace cairn::values {
namespace {

const std::vector<std::string> kNone;

const std::vector<std::string>& ListOf(const std::map<std::string, std::vector<std::string>>& lists,
                                       const std::string& id) {
  const auto found = lists.find(id);
  return found == lists.end() ? kNone : found->second;
}

}  // namespace

const Node* Version::Find(const std::string& id) const {
  const auto found = tree.nodes.find(id);
  return found == tree.nodes.end() ? nullptr : &found->second;
}
const std::vector<std::string>& Version::ParentsOf(const std::string& id) const {
  return ListOf(parents, id);
}
const std::vector<std::string>& Version::ChildrenOf(const std::string& id) const {
  return ListOf(tree.children, id);
}

Merging::Merging(const Tree& base_tree, const Tree& theirs_tree, const Tree& mine_tree,
                 const std::vector<Resolution>& given)
    : base(base_tree), theirs(theirs_tree), mine(mine_tree) {
  for (const Resolution& resolution : given) {
    resolutions.insert_or_assign({resolution.id, resolution.field}, resolution);
  }
}

const Resolution* Merging::FindResolution(const std::string& id, std::string_view field) const {
  const auto found = resolutions.find({id, std::string(field)});
  return found == resolutions.end() ? nullptr : &found->second;
}

std::optional<Side> Merging::Choice(const std::string& id, std::string_view field) const {
  const Resolution* resolution = FindResolution(id, field);
  if (resolution == nullptr || resolution->take == Take::kValue) return std::nullopt;
  return resolution->take == Take::kTheirs ? Side::kTheirs : Side::kMine;
}

bool SameLife(const Node& one, const Node& other) {
  return one.archived == other.archived && one.archived_at == other.archived_at &&
         one.deleted_at == other.deleted_at;
}

void TakeLife(const Node& from, Node& to) {
  to.archived = from.archived;
  to.archived_at = from.archived_at;
  to.deleted_at = from.deleted_at;
}

MergeConflict LifeConflict(const Merging& merging, const std::string& id) {
  const Node* const theirs = merging.theirs.Find(id);
  const Node* const mine = merging.mine.Find(id);
  const bool moment_differs = theirs && mine && theirs->deleted_at != mine->deleted_at;
  const std::string field = moment_differs ? "deletedAt" : "archived";
  const auto told = [&](const Node* node) -> std::string {
    if (node == nullptr) return "null";
    if (!moment_differs) return node->archived ? "true" : "false";
    return node->deleted_at ? JsonText(*node->deleted_at) : "null";
  };
  return {id, field, told(merging.base.Find(id)), told(theirs), told(mine)};
}

std::optional<Side> LifeChoice(const Merging& merging, const std::string& id) {
  const std::optional<Side> choice = merging.Choice(id, "deletedAt");
  return choice ? choice : merging.Choice(id, "archived");
}

namespace {

// A pack that one side added or forgot is there, or not, as that side has it.
void MergePacks(Merging& merging) {
  const auto& base = merging.base.tree.packs;
  const auto& theirs = merging.theirs.tree.packs;
  merging.merged.packs = theirs;
  for (const auto& [id, pack] : merging.mine.tree.packs) {
    if (!base.contains(id)) merging.merged.packs.emplace(id, pack);
  }
  for (const auto& [id, pack] : base) {
    if (!merging.mine.tree.packs.contains(id)) merging.merged.packs.erase(id);
  }
}

// A value must be one, and of a field that can have any.
Decision<std::vector<Resolution>> CheckResolutions(std::vector<Resolution> resolutions) {
  static constexpr std::array<std::string_view, 4> kWithValue = {"title", "notes", "completedAt", "parent"};
  for (size_t i = 0; i < resolutions.size(); ++i) {
    Resolution& resolution = resolutions[i];
    if (resolution.take != Take::kValue) continue;
    const auto refuse = [&](std::string message) {
      auto refused = Refuse("bad-resolution", std::move(message));
      refused.error().fields.push_back(
          {"resolutions[" + std::to_string(i) + "].value", refused.error().message});
      return refused;
    };
    if (std::ranges::find(kWithValue, resolution.field) == kWithValue.end()) {
      return refuse("A conflict on \"" + resolution.field +
                    "\" is settled by taking theirs or mine, not by a value.");
    }
    if (resolution.field == "completedAt" && resolution.value) {
      resolution.value = StoredMoment(*resolution.value);
      if (!resolution.value) return refuse("Give a moment such as 2026-11-15T19:42:30Z, or nothing.");
    }
    if ((resolution.field == "title" || resolution.field == "parent") && !resolution.value) {
      return refuse("Give the " + resolution.field + " as a value.");
    }
  }
  return resolutions;
}

std::unexpected<Refusal> RefuseConflicts(std::vector<MergeConflict> conflicts) {
  std::ranges::sort(conflicts, {},
                    [](const MergeConflict& conflict) { return std::tie(conflict.id, conflict.field); });
  Refusal refusal(
      Code::kConditionFailed, "merge-conflict",
      "The tree was changed meanwhile, in the same places. Choose theirs, mine or a value for each of " +
          std::to_string(conflicts.size()) + " conflicts.");
  refusal.conflicts = std::move(conflicts);
  return std::unexpected(std::move(refusal));
}

}  // namespace

MergeResult Merge(const Tree& base, const Tree& theirs, const Tree& mine,
                  const std::vector<Resolution>& resolutions) {
  ASSIGN_OR_RETURN(const std::vector<Resolution> checked, CheckResolutions(resolutions));
  Merging merging(base, theirs, mine, checked);
  MergePacks(merging);
  MergeNodes(merging);
  MergePlaces(merging);
  MergeLives(merging);
  if (!merging.conflicts.empty()) return RefuseConflicts(std::move(merging.conflicts));
  if (auto kept = CheckTree(merging.merged); !kept) {
    Refusal refusal = std::move(kept).error();
    refusal.code = Code::kConditionFailed;
    refusal.message =
        "The tree was changed meanwhile, and both changes together break a rule. " + refusal.message;
    return std::unexpected(std::move(refusal));
  }
  return std::move(merging.merged);
}

}  // namespace cairn::values
