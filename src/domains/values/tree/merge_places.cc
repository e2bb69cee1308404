// Merging places: who hangs under whom, in which order.
#include <algorithm>
#include <iterator>
#include <list>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "domains/values/tree/fields.h"
#include "domains/values/tree/index.h"
#include "domains/values/tree/merge_steps.h"

namespace cairn::values {
namespace {

using Ids = std::vector<std::string>;

bool Has(const Ids& ids, const std::string& id) { return std::ranges::find(ids, id) != ids.end(); }

Ids Without(const Ids& ids, const Ids& others) {
  const std::unordered_set<std::string_view> left_out(others.begin(), others.end());
  Ids left;
  std::ranges::copy_if(ids, std::back_inserter(left),
                       [&](const std::string& id) { return !left_out.contains(id); });
  return left;
}

// ---- Parents

std::string Told(const Ids& parents) {
  if (parents.empty()) return "null";
  return parents.size() == 1 ? JsonText(parents.front()) : JsonTexts(parents);
}

// The primary parent, where only one side changed it or both alike; else nothing.
std::optional<std::string> MergedPrimary(const Ids& base, const Ids& theirs, const Ids& mine) {
  if (theirs.front() == mine.front()) return theirs.front();
  if (base.empty()) return std::nullopt;
  if (theirs.front() == base.front()) return mine.front();
  if (mine.front() == base.front()) return theirs.front();
  return std::nullopt;
}

// What both sides added and removed, added up; nothing when that is a conflict.
std::optional<Ids> AddedUp(const Ids& base, const Ids& theirs, const Ids& mine) {
  if (theirs.empty() || mine.empty()) return std::nullopt;  // an id used again, for a driver
  const Ids theirs_new = Without(theirs, base), mine_new = Without(mine, base);
  const Ids theirs_left = Without(base, theirs), mine_left = Without(base, mine);
  const bool both_left_one = Without(theirs_left, mine_left).size() < theirs_left.size();
  if (both_left_one && !theirs_new.empty() && !mine_new.empty() && theirs_new != mine_new)
    return std::nullopt;
  Ids merged = Without(Without(base, theirs_left), mine_left);
  for (const Ids& added : {theirs_new, Without(mine_new, theirs_new)}) {
    merged.insert(merged.end(), added.begin(), added.end());
  }
  const std::optional<std::string> primary = MergedPrimary(base, theirs, mine);
  if (!primary || !Has(merged, *primary)) return std::nullopt;
  std::erase(merged, *primary);
  std::ranges::sort(merged);
  merged.insert(merged.begin(), *primary);
  return merged;
}

Ids MergedParents(Merging& merging, const std::string& id) {
  const Ids& base = merging.base.ParentsOf(id);
  const Ids& theirs = merging.theirs.ParentsOf(id);
  const Ids& mine = merging.mine.ParentsOf(id);
  if (theirs == mine && !theirs.empty()) return theirs;
  if (!merging.theirs.Find(id) && !merging.mine.Find(id)) return base;
  if (!merging.theirs.Find(id)) return mine;
  if (!merging.mine.Find(id) || theirs == mine || mine == base) return theirs;
  if (theirs == base) return mine;
  if (std::optional<Ids> both = AddedUp(base, theirs, mine)) return *std::move(both);
  const Resolution* const resolution = merging.FindResolution(id, "parent");
  if (resolution == nullptr) {
    merging.conflicts.push_back({id, "parent", Told(base), Told(theirs), Told(mine)});
    return theirs;
  }
  if (resolution->take == Take::kValue) return {*resolution->value};
  return resolution->take == Take::kTheirs ? theirs : mine;
}

// ---- Order of children

// Those of `ids` that are in `wanted`, as they come.
template <class Wanted>
Ids Only(const Ids& ids, const Wanted& wanted) {
  Ids found;
  std::ranges::copy_if(ids, std::back_inserter(found),
                       [&](const std::string& id) { return wanted.contains(id); });
  return found;
}

using IdSet = std::unordered_set<std::string>;
IdSet SetOf(const Ids& ids) { return {ids.begin(), ids.end()}; }

bool SameOrder(const Ids& one, const Ids& other) {
  return Only(one, SetOf(other)) == Only(other, SetOf(one));
}

std::vector<std::string_view> SortedViews(const Ids& ids) {
  std::vector<std::string_view> views(ids.begin(), ids.end());
  std::ranges::sort(views);
  return views;
}

// A list of children that others are inserted into, at a cost that does not grow with it.
class GrowingOrder {
 public:
  explicit GrowingOrder(const Ids& ids) : ids_(ids.begin(), ids.end()) {
    for (auto at = ids_.begin(); at != ids_.end(); ++at) places_.emplace(*at, at);
  }

  bool Has(const std::string& id) const { return places_.contains(id); }
  void Append(const std::string& id) { Insert(ids_.end(), id); }

  // other[position] comes behind the nearest of those left of it in `other` that are here, and behind what
  // stands there and is not `known`, neither in the base nor in `other`: additions of the side that leads.
  void InsertBehindNeighbour(const Ids& other, size_t position, const IdSet& known) {
    auto at = ids_.begin();
    for (size_t i = position; i-- > 0;) {
      const auto neighbour = places_.find(other[i]);
      if (neighbour == places_.end()) continue;
      at = std::next(neighbour->second);
      break;
    }
    while (at != ids_.end() && !known.contains(*at)) ++at;
    Insert(at, other[position]);
  }

  Ids Take() { return {std::make_move_iterator(ids_.begin()), std::make_move_iterator(ids_.end())}; }

 private:
  using List = std::list<std::string>;
  void Insert(List::iterator at, const std::string& id) {
    const auto place = ids_.insert(at, id);
    places_.emplace(*place, place);
  }

  List ids_;
  std::unordered_map<std::string_view, List::iterator> places_;
};

Side LeadingSide(Merging& merging, const std::string& parent, const IdSet& children) {
  const Ids& base = merging.base.ChildrenOf(parent);
  const Ids& theirs = merging.theirs.ChildrenOf(parent);
  const Ids& mine = merging.mine.ChildrenOf(parent);
  if (SameOrder(base, mine)) return Side::kTheirs;
  if (SameOrder(base, theirs)) return Side::kMine;
  if (SameOrder(Only(theirs, children), Only(mine, children))) return Side::kTheirs;
  if (const std::optional<Side> choice = merging.Choice(parent, "order")) return *choice;
  merging.conflicts.push_back({parent, "order", JsonTexts(base), JsonTexts(theirs), JsonTexts(mine)});
  return Side::kTheirs;
}

Ids MergedOrder(Merging& merging, const std::string& parent, const Ids& members) {
  const Ids& theirs = merging.theirs.ChildrenOf(parent);
  const Ids& mine = merging.mine.ChildrenOf(parent);
  if (theirs == mine && SortedViews(theirs) == SortedViews(members)) return theirs;
  const IdSet children = SetOf(members);
  const Side leader = LeadingSide(merging, parent, children);
  const Ids& other = leader == Side::kTheirs ? mine : theirs;
  GrowingOrder merged(Only(leader == Side::kTheirs ? theirs : mine, children));
  IdSet known = SetOf(other);
  known.insert(merging.base.ChildrenOf(parent).begin(), merging.base.ChildrenOf(parent).end());
  for (size_t i = 0; i < other.size(); ++i) {
    if (children.contains(other[i]) && !merged.Has(other[i])) merged.InsertBehindNeighbour(other, i, known);
  }
  for (const std::string& id : members) {  // put here by a resolution
    if (!merged.Has(id)) merged.Append(id);
  }
  return merged.Take();
}

// ---- What nodes say about their parents

void Settle(Merging& merging) {
  const TreeIndex index(merging.merged);
  for (const TreeIndex::Position position : index.ParentsFirst()) {
    const std::string& id = index.node(position).id;
    Node& node = merging.merged.nodes.at(id);
    node.driver_id.reset();
    node.parent_milestone_id.reset();
    node.root_driver_id = id;
    const auto parents = merging.parents.find(id);
    if (parents == merging.parents.end()) continue;
    const Node& parent = merging.merged.nodes.at(parents->second.front());
    node.driver_id = node.root_driver_id = parent.root_driver_id;
    if (parent.type == NodeType::kMilestone) node.parent_milestone_id = parent.id;
  }
}

}  // namespace

void MergePlaces(Merging& merging) {
  std::map<std::string, Ids> members;  // by parent, in the order of ids
  for (const auto& [id, node] : merging.merged.nodes) {
    Ids parents = MergedParents(merging, id);
    std::erase_if(parents, [&](const std::string& parent) { return !merging.merged.nodes.contains(parent); });
    for (const std::string& parent : parents) members[parent].push_back(id);
    if (!parents.empty()) merging.parents.emplace(id, std::move(parents));
  }
  for (const auto& [parent, children] : members) {
    merging.merged.children.emplace(parent, MergedOrder(merging, parent, children));
  }
  Settle(merging);
}

}  // namespace cairn::values
