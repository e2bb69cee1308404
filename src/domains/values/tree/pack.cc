#include "domains/values/tree/pack.h"

#include <algorithm>
#include <map>
#include <utility>

#include "domains/values/tree/editor.h"
#include "domains/values/tree/index.h"
#include "domains/values/tree/rules.h"
#include "domains/values/tree/walk.h"

namespace cairn::values {
namespace {

bool MayGo(const Node& node, const PackRule& rule) {
  if (node.deleted_at) return *node.deleted_at < rule.before;
  if (node.archived) return !node.archived_at || *node.archived_at < rule.before;
  return rule.completed && node.completed_at && *node.completed_at < rule.before;
}

// What a node adds to the progress of those above it, all of it completed.
int64_t DoneIn(const Node& node) {
  if (!node.living()) return 0;
  return node.packed_actions + (node.type == NodeType::kAction && node.completed_at ? 1 : 0);
}

// The nearest node above that is not among `ids`, along living parents: it counts what goes. Null when there
// is none.
const Node* Counter(const Tree& tree, const ParentsByChild& parents, const std::set<std::string>& ids,
                    const std::string& id) {
  const std::string* at = &id;
  while (ids.contains(*at)) {
    const auto above = parents.find(*at);
    if (above == parents.end()) return nullptr;
    const auto living = std::ranges::find_if(
        above->second, [&](const std::string& parent) { return tree.nodes.at(parent).living(); });
    if (living == above->second.end()) return nullptr;
    at = &*living;
  }
  return &tree.nodes.at(*at);
}

// By the nodes that count: how many completed actions of `ids` each counts.
std::map<std::string, int64_t> Counts(const Tree& tree, const std::set<std::string>& ids,
                                      const std::set<std::string>& counted) {
  const ParentsByChild parents = Parents(tree);
  std::map<std::string, int64_t> counts;
  for (const std::string& id : counted) {
    const int64_t done = DoneIn(tree.nodes.at(id));
    if (done == 0) continue;
    if (const Node* counter = Counter(tree, parents, ids, id)) counts[counter->id] += done;
  }
  return counts;
}

Pack PackOf(const Tree& tree, const std::set<std::string>& ids) {
  Pack pack{.node_count = static_cast<int64_t>(ids.size()), .completed_from = {}, .completed_to = {}};
  for (const std::string& id : ids) {
    const auto& completed_at = tree.nodes.at(id).completed_at;
    if (!completed_at) continue;
    if (!pack.completed_from || *completed_at < *pack.completed_from) pack.completed_from = completed_at;
    if (!pack.completed_to || *completed_at > *pack.completed_to) pack.completed_to = completed_at;
  }
  return pack;
}

std::unexpected<Refusal> RefuseNodes(std::string reason, std::string message) {
  Refusal refusal(Code::kInvalidArgument, std::move(reason), message);
  refusal.fields.push_back({"nodeIds", std::move(message)});
  return std::unexpected(std::move(refusal));
}

// `wanted` with those above that it needs to hang under something.
Decision<std::set<std::string>> WithParents(const Tree& tree, const Tree& before,
                                            const ParentsByChild& parents,
                                            const std::set<std::string>& packed,
                                            std::vector<std::string> wanted) {
  std::set<std::string> back(wanted.begin(), wanted.end());
  while (!wanted.empty()) {
    const std::string id = std::move(wanted.back());
    wanted.pop_back();
    const Node& node = before.nodes.at(id);
    if (node.type == NodeType::kDriver) continue;
    const std::vector<std::string>& above = parents.at(id);
    const auto is_there = [&](const std::string& parent) {
      return tree.nodes.contains(parent) || back.contains(parent);
    };
    if (std::ranges::any_of(above, is_there)) continue;
    const auto parent =
        std::ranges::find_if(above, [&](const std::string& one) { return packed.contains(one); });
    if (parent == above.end()) {
      return RefuseNodes("no-parent", "Everything that " + NameOf(node) +
                                          " hung under is packed away with other nodes, or gone: bring that "
                                          "back first.");
    }
    back.insert(*parent);
    wanted.push_back(*parent);
  }
  return back;
}

// Behind the nearest of its former left neighbours that is there.
size_t PlaceOf(const std::vector<std::string>& siblings, const std::vector<std::string>& before,
               const std::string& child) {
  for (auto left = std::ranges::find(before, child); left != before.begin();) {
    --left;
    const auto found = std::ranges::find(siblings, *left);
    if (found != siblings.end()) return static_cast<size_t>(found - siblings.begin()) + 1;
  }
  return 0;
}

void Hang(TreeEditor& editor, const Tree& before, const std::vector<std::string>& parents,
          const std::string& id) {
  for (const std::string& parent : parents) {
    const Node* const above = editor.Find(parent);
    if (above == nullptr || above->type == NodeType::kAction) continue;
    const bool is_first = editor.ParentsOf(id).empty();
    if (!is_first && above->root_driver_id != editor.At(id).root_driver_id) continue;
    editor.Link(parent, id, PlaceOf(editor.Children(parent), before.children.at(parent), id));
  }
}

}  // namespace

std::set<std::string> Packable(const Tree& tree, const PackRule& rule) {
  const TreeIndex index(tree);
  std::vector<TreeIndex::Position> children_first = index.ParentsFirst();
  std::ranges::reverse(children_first);
  std::vector<bool> goes(index.size());
  std::set<std::string> ids;
  for (const TreeIndex::Position i : children_first) {
    const bool counts_twice = index.node(i).living() && index.parents(i).size() > 1;
    goes[i] = MayGo(index.node(i), rule) && !counts_twice &&
              std::ranges::all_of(index.children(i), [&](TreeIndex::Position child) { return goes[child]; });
    if (goes[i]) ids.insert(index.node(i).id);
  }
  return ids;
}

Tree PackAway(const Tree& tree, const std::set<std::string>& ids, const std::string& pack_rev_id) {
  Tree left;
  left.packs = tree.packs;
  left.packs.insert_or_assign(pack_rev_id, PackOf(tree, ids));
  for (const auto& [id, node] : tree.nodes) {
    if (!ids.contains(id)) left.nodes.emplace_hint(left.nodes.end(), id, node);
  }
  for (const auto& [parent, children] : tree.children) {
    if (ids.contains(parent)) continue;
    std::vector<std::string> staying;
    for (const std::string& child : children) {
      if (!ids.contains(child)) staying.push_back(child);
    }
    if (!staying.empty()) left.children.emplace_hint(left.children.end(), parent, std::move(staying));
  }
  for (const auto& [id, count] : Counts(tree, ids, ids)) left.nodes.at(id).packed_actions += count;
  return left;
}

std::set<std::string> StillPacked(const PackedNodes& pack, const Tree& tree) {
  std::set<std::string> left;
  for (const std::string& id : pack.packed) {
    if (!tree.nodes.contains(id)) left.insert(left.end(), id);
  }
  return left;
}

Decision<Tree> Unpack(const Tree& tree, const PackedNodes& pack, const std::string& pack_rev_id,
                      const std::optional<std::vector<std::string>>& wanted) {
  const Tree& before = pack.before;
  const std::set<std::string> left = StillPacked(pack, tree);
  const ParentsByChild parents = Parents(before);
  std::vector<std::string> asked = wanted.value_or(std::vector<std::string>(left.begin(), left.end()));
  for (const std::string& id : asked) {
    if (!left.contains(id))
      return RefuseNodes("unknown-node", "The node " + id + " is not packed away here.");
  }
  ASSIGN_OR_RETURN(const std::set<std::string> back,
                   WithParents(tree, before, parents, left, std::move(asked)));
  TreeEditor editor(tree);
  const TreeIndex index(before);
  for (const TreeIndex::Position i : index.ParentsFirst()) {
    Node node = index.node(i);
    if (!back.contains(node.id)) continue;
    const std::string id = node.id;
    editor.Add(std::move(node));
    if (const auto above = parents.find(id); above != parents.end()) Hang(editor, before, above->second, id);
  }
  for (const auto& [id, count] : Counts(before, pack.packed, back)) {
    if (editor.Find(id) == nullptr) continue;
    Node& counter = editor.At(id);
    counter.packed_actions = std::max<int64_t>(0, counter.packed_actions - count);
  }
  Tree unpacked = editor.TakeTree();
  if (StillPacked(pack, unpacked).empty()) unpacked.packs.erase(pack_rev_id);
  RETURN_IF_ERROR(CheckTree(unpacked));
  return unpacked;
}

}  // namespace cairn::values
