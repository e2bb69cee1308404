// Merging nodes: which there are, and their fields.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "domains/values/tree/fields.h"
#include "domains/values/tree/merge_steps.h"

namespace cairn::values {
namespace {

constexpr std::string_view kPackedActions = "packedActions";

bool IsLife(const NodeField& field) {
  return field.name == "archived" || field.name == "archivedAt" || field.name == "deletedAt";
}

// Whether `version` has changed something about the node that `other` does not have: a field, its parents.
bool HasOwnChange(const Merging& merging, const Version& version, const Version& other,
                  const std::string& id) {
  const Node* const base = merging.base.Find(id);
  const Node* const node = version.Find(id);
  const Node* const compared = other.Find(id);
  for (const NodeField& field : NodeFields()) {
    if ((IsLife(field) || field.name == kPackedActions) && compared) continue;
    if (!field.same(*base, *node) && !(compared && field.same(*compared, *node))) return true;
  }
  const std::vector<std::string>& parents = version.ParentsOf(id);
  return parents != merging.base.ParentsOf(id) && parents != other.ParentsOf(id);
}

bool HasNewChild(const Merging& merging, const Version& version, const std::string& id) {
  const std::vector<std::string>& before = merging.base.ChildrenOf(id);
  const std::unordered_set<std::string_view> known(before.begin(), before.end());
  return std::ranges::any_of(version.ChildrenOf(id),
                             [&](const std::string& child) { return !known.contains(child); });
}

// ---- Nodes that one side does not have any more

void KeepParents(Merging& merging, const Version& version, const std::string& id) {
  std::vector<std::string> open = {id};
  while (!open.empty()) {
    const std::string next = std::move(open.back());
    open.pop_back();
    for (const std::string& parent : version.ParentsOf(next)) {
      if (merging.merged.nodes.emplace(parent, *version.Find(parent)).second) open.push_back(parent);
    }
  }
}

// Gives the side to keep it from, if any.
std::optional<Side> FindKeeper(Merging& merging, const std::string& id) {
  const Side present = merging.theirs.Find(id) ? Side::kTheirs : Side::kMine;
  const Version& version = merging.Of(present);
  const Node* const node = version.Find(id);
  if (node == nullptr) return std::nullopt;
  if (!HasOwnChange(merging, version, merging.Of(Other(present)), id) && !HasNewChild(merging, version, id)) {
    return std::nullopt;
  }
  const std::optional<Side> choice = merging.Choice(id, "");
  if (choice == Other(present)) return std::nullopt;
  if (!choice) {
    const auto told = [&](const Version& one) {
      return one.Find(id) ? JsonText(one.Find(id)->title) : std::string("null");
    };
    merging.conflicts.push_back({id, "", told(merging.base), told(merging.theirs), told(merging.mine)});
  }
  return present;
}

// ---- Nodes that both sides have

void SetValue(const Resolution& resolution, Node& node) {
  if (resolution.field == "title") {
    node.title = *resolution.value;
  } else if (resolution.field == "notes") {
    node.notes = resolution.value;
  } else {
    node.completed_at = resolution.value;
  }
}

// Both completed what was not: the same wish. The moment a node was made is nobody's wish.
bool TheirsStands(const NodeField& field, const Node* base, const Node& theirs, const Node& mine) {
  if (field.name == "createdAt") return true;
  return field.name == "completedAt" && !(base && base->completed_at) && theirs.completed_at &&
         mine.completed_at;
}

// `merged` begins as theirs.
void MergeField(Merging& merging, const NodeField& field, Node& merged) {
  const Node* const base = merging.base.Find(merged.id);
  const Node& theirs = *merging.theirs.Find(merged.id);
  const Node& mine = *merging.mine.Find(merged.id);
  if (field.same(theirs, mine) || (base && field.same(*base, mine))) return;
  if (base && field.same(*base, theirs)) return field.copy(mine, merged);
  if (TheirsStands(field, base, theirs, mine)) return;
  if (field.name == kPackedActions) {  // both packed, or brought back: it adds up
    merged.packed_actions =
        std::max<int64_t>(0, theirs.packed_actions + mine.packed_actions - (base ? base->packed_actions : 0));
    return;
  }
  const Resolution* const resolution = merging.FindResolution(merged.id, field.name);
  if (resolution == nullptr) {
    const auto told = [&](const Node* node) { return node ? field.json(*node).value_or("null") : "null"; };
    merging.conflicts.push_back({merged.id, std::string(field.name), told(base), told(&theirs), told(&mine)});
  } else if (resolution->take == Take::kMine) {
    field.copy(mine, merged);
  } else if (resolution->take == Take::kValue) {
    SetValue(*resolution, merged);
  }
}

// The side whose archiving, deleting or restoring stands; nothing when that is a conflict.
std::optional<Side> LifeWithoutConflict(const Merging& merging, const std::string& id) {
  const Node* const base = merging.base.Find(id);
  const Node& theirs = *merging.theirs.Find(id);
  const Node& mine = *merging.mine.Find(id);
  if (SameLife(theirs, mine)) return Side::kTheirs;
  for (const Side side : {Side::kTheirs, Side::kMine}) {
    const Node& changed = *merging.Of(side).Find(id);
    const Version& other = merging.Of(Other(side));
    if (!base || !SameLife(*base, *other.Find(id))) continue;
    const bool loses =
        changed.deleted_at && !base->deleted_at && HasOwnChange(merging, other, merging.Of(side), id);
    return loses ? std::nullopt : std::optional(side);
  }
  if (theirs.living() || mine.living()) return std::nullopt;
  return theirs.deleted_at || !mine.deleted_at ? Side::kTheirs : Side::kMine;
}

void MergeLife(Merging& merging, Node& merged) {
  std::optional<Side> side = LifeWithoutConflict(merging, merged.id);
  if (!side) {
    side = LifeChoice(merging, merged.id);
    if (side) {
      merging.life_of.emplace(merged.id, *side);
    } else {
      merging.conflicts.push_back(LifeConflict(merging, merged.id));
      merging.life_open.insert(merged.id);
      side = merging.theirs.Find(merged.id)->living() ? Side::kTheirs : Side::kMine;
    }
  }
  TakeLife(*merging.Of(*side).Find(merged.id), merged);
}

Node MergedNode(Merging& merging, const std::string& id) {
  const Node* const theirs = merging.theirs.Find(id);
  const Node* const mine = merging.mine.Find(id);
  Node merged = theirs ? *theirs : *mine;
  if (theirs && mine && *theirs != *mine) {
    for (const NodeField& field : NodeFields()) {
      if (!IsLife(field)) MergeField(merging, field, merged);
    }
    MergeLife(merging, merged);
  }
  return merged;
}

}  // namespace

void MergeNodes(Merging& merging) {
  std::vector<std::string> ids;
  for (const Version* version : {&merging.base, &merging.theirs, &merging.mine}) {
    for (const auto& [id, node] : version->tree.nodes) ids.push_back(id);
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<std::pair<std::string, Side>> kept;
  for (const std::string& id : ids) {
    if (!(merging.theirs.Find(id) && merging.mine.Find(id)) && merging.base.Find(id)) {
      const std::optional<Side> keeper = FindKeeper(merging, id);
      if (!keeper) continue;
      kept.emplace_back(id, *keeper);
    }
    merging.merged.nodes.emplace_hint(merging.merged.nodes.end(), id, MergedNode(merging, id));
  }
  for (const auto& [id, side] : kept) KeepParents(merging, merging.Of(side), id);
}

}  // namespace cairn::values
