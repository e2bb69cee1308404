#include "domains/values/tree/rules.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "domains/values/tree/index.h"
#include "domains/values/tree/texts.h"
#include "domains/values/tree/walk.h"

namespace cairn::values {
namespace {

constexpr size_t kFaultsTold = 20;

class Faults {
 public:
  void Add(std::string reason, std::string field, std::string message, Code code = Code::kInvalidArgument) {
    if (!refusal_) refusal_.emplace(code, std::move(reason), message);
    if (refusal_->fields.size() < kFaultsTold) {
      refusal_->fields.push_back({std::move(field), std::move(message)});
    }
  }
  bool empty() const { return !refusal_; }
  Decision<void> Take() {
    if (refusal_) return std::unexpected(*std::move(refusal_));
    return {};
  }

 private:
  std::optional<Refusal> refusal_;
};

std::string FieldOf(const Node& node, std::string_view attribute) {
  return "nodes[" + node.id + "]." + std::string(attribute);
}

void CheckSizes(const Tree& tree, Faults& faults) {
  if (tree.nodes.size() > kNodesMax) {
    faults.Add("too-many-nodes", "nodes",
               "A tree has at most " + std::to_string(kNodesMax) +
                   " nodes, completed, archived and deleted ones included; this has " +
                   std::to_string(tree.nodes.size()) + ". " + std::string(kPackAdvice),
               Code::kLimitExceeded);
  }
  if (tree.packs.size() > kPacksMax) {
    faults.Add("too-many-packs", "packs",
               "A tree has at most " + std::to_string(kPacksMax) +
                   " packs of nodes that are packed away: pack less often.",
               Code::kLimitExceeded);
  }
  if (const size_t edges = EdgeCount(tree); edges > kEdgesMax) {
    faults.Add("too-many-edges", "children",
               "A tree has at most " + std::to_string(kEdgesMax) + " edges; this has " +
                   std::to_string(edges) + ". Hang nodes under fewer parents.",
               Code::kLimitExceeded);
  }
  if (const size_t bytes = TextBytes(tree); bytes > kTextBytesMax) {
    faults.Add("too-much-text", "nodes",
               "The titles and notes of a tree have at most " + std::to_string(kTextBytesMax) +
                   " bytes together; these have " + std::to_string(bytes) + ". Shorten some notes.",
               Code::kLimitExceeded);
  }
}

void CheckMoment(const Node& node, std::string_view attribute, const std::optional<std::string>& moment,
                 Faults& faults) {
  if (!moment || StoredMoment(*moment) == *moment) return;
  faults.Add("bad-time", FieldOf(node, attribute),
             "The " + std::string(attribute) + " of " + NameOf(node) +
                 " must be a moment such as 2026-11-15T19:42:30.123Z.");
}

void CheckTexts(const std::string& key, const Node& node, Faults& faults) {
  if (key != node.id) faults.Add("bad-id", FieldOf(node, "nodeId"), "A node is listed under another id.");
  if (auto fault = IdFault(node.id)) faults.Add("bad-id", FieldOf(node, "nodeId"), *std::move(fault));
  if (auto fault = TitleFault(node.title)) faults.Add("bad-title", FieldOf(node, "title"), *std::move(fault));
  if (node.notes) {
    if (auto fault = NotesFault(*node.notes))
      faults.Add("bad-notes", FieldOf(node, "notes"), *std::move(fault));
  }
  CheckMoment(node, "createdAt", node.created_at, faults);
  CheckMoment(node, "completedAt", node.completed_at, faults);
  CheckMoment(node, "archivedAt", node.archived_at, faults);
  CheckMoment(node, "deletedAt", node.deleted_at, faults);
  if (node.packed_actions < 0 || (node.packed_actions > 0 && node.type == NodeType::kAction)) {
    faults.Add("bad-count", FieldOf(node, "packedActions"), "Nothing was ever below " + NameOf(node) + ".");
  }
  if (node.archived_at && !node.archived) {
    faults.Add("bad-time", FieldOf(node, "archivedAt"),
               NameOf(node) + " has archivedAt but is not archived.");
  }
  if (node.deleted_at && !node.archived) {
    faults.Add("bad-time", FieldOf(node, "deletedAt"), NameOf(node) + " is deleted but not archived.");
  }
}

std::string HangingFault(const Node& child, const Node& parent) {
  if (child.type == NodeType::kDriver) return "The driver " + NameOf(child) + " cannot hang under anything.";
  return "Nothing can hang under an action; " + NameOf(child) + " hangs under " + NameOf(parent) + ".";
}

void CheckChildren(const Tree& tree, const Node& parent, const std::vector<std::string>& children,
                   Faults& faults) {
  const std::string list = "children[" + parent.id + "]";
  for (size_t i = 0; i < children.size(); ++i) {
    const auto child = tree.nodes.find(children[i]);
    const auto field = [&] { return list + "[" + std::to_string(i) + "]"; };
    if (child == tree.nodes.end()) {
      faults.Add("unknown-node", field(),
                 "There is no node " + children[i] + " to hang under " + NameOf(parent) + ".");
    } else if (!MayHangUnder(child->second.type, parent.type)) {
      faults.Add("wrong-parent", field(), HangingFault(child->second, parent));
    }
  }
  if (children.empty()) faults.Add("empty-list", list, "A node without children has no list of them.");
  std::vector<std::string_view> sorted(children.begin(), children.end());
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    faults.Add("duplicate-edge", list, std::string(*twice) + " hangs twice under " + NameOf(parent) + ".");
  }
}

void CheckEdges(const Tree& tree, Faults& faults) {
  for (const auto& [id, children] : tree.children) {
    const auto parent = tree.nodes.find(id);
    if (parent == tree.nodes.end()) {
      faults.Add("unknown-node", "children[" + id + "]", "There is no node " + id + ", yet it has children.");
    } else {
      CheckChildren(tree, parent->second, children, faults);
    }
  }
}

// One cycle, from top to bottom, its first node once more at the end. Every node that ParentsFirst leaves out
// has a parent that it leaves out too, so going up from one must come round.
std::vector<std::string> FindCycle(const TreeIndex& index, const std::vector<TreeIndex::Position>& ordered) {
  std::vector<bool> left(index.size(), true);
  for (const TreeIndex::Position position : ordered) left[position] = false;
  auto at = static_cast<TreeIndex::Position>(std::ranges::find(left, true) - left.begin());
  std::vector<TreeIndex::Position> way;
  std::vector<bool> passed(index.size());
  while (!passed[at]) {
    passed[at] = true;
    way.push_back(at);
    at = *std::ranges::find_if(index.parents(at), [&](TreeIndex::Position parent) { return left[parent]; });
  }
  way.erase(way.begin(), std::ranges::find(way, at));
  way.push_back(at);
  std::vector<std::string> cycle;
  for (const TreeIndex::Position position : way) cycle.push_back(index.node(position).id);
  std::ranges::reverse(cycle);  // the way went up
  return cycle;
}

void CheckHanging(const Tree& tree, const TreeIndex& index, const std::vector<TreeIndex::Position>& ordered,
                  Faults& faults) {
  for (TreeIndex::Position i = 0; i < index.size(); ++i) {
    const Node& node = index.node(i);
    if (node.type != NodeType::kDriver && index.parents(i).empty()) {
      faults.Add("no-parent", FieldOf(node, "parentId"),
                 NameOf(node) + " must hang under a driver or a milestone.");
    }
  }
  if (!faults.empty() || ordered.size() == index.size()) return;
  const std::vector<std::string> cycle = FindCycle(index, ordered);
  faults.Add("cycle", "children[" + cycle.front() + "]",
             "Nothing can hang under itself: " + DescribePath(tree, cycle) + ".");
}

void CheckPrimary(const TreeIndex& index, TreeIndex::Position position, Faults& faults) {
  const Node& node = index.node(position);
  const Node& first = index.node(index.parents(position).front());
  if (node.parent_milestone_id && first.type != NodeType::kMilestone) {
    faults.Add("primary-parent", FieldOf(node, "parentMilestoneId"),
               "The parentMilestoneId of " + NameOf(node) + " must name a milestone that it hangs under.");
  } else if (PrimaryParent(node) != first.id) {
    faults.Add("primary-parent", FieldOf(node, node.parent_milestone_id ? "parentMilestoneId" : "driverId"),
               NameOf(node) + " must hang under the parent that it names as its first.");
  }
}

// Drivers of all nodes, from the top down.
void CheckDrivers(const TreeIndex& index, const std::vector<TreeIndex::Position>& ordered, Faults& faults) {
  std::vector<TreeIndex::Position> driver(index.size());
  for (const TreeIndex::Position i : ordered) {
    const Node& node = index.node(i);
    const bool is_driver = node.type == NodeType::kDriver;
    driver[i] = is_driver ? i : driver[index.parents(i).front()];
    const std::string& driver_id = index.node(driver[i]).id;
    if (node.root_driver_id != driver_id) {
      faults.Add(
          "no-driver", FieldOf(node, "rootDriverId"),
          "The rootDriverId of " + NameOf(node) + " must be " + driver_id + ", the driver at the top.");
    }
    if (is_driver) {
      if (node.driver_id || node.parent_milestone_id) {
        faults.Add("wrong-parent", FieldOf(node, "driverId"),
                   "The driver " + NameOf(node) + " has no parent.");
      }
      continue;
    }
    if (node.driver_id != driver_id) {
      faults.Add(
          "no-driver", FieldOf(node, "driverId"),
          "The driverId of " + NameOf(node) + " must be " + driver_id + ", the driver it hangs under.");
    }
    CheckPrimary(index, i, faults);
    for (const TreeIndex::Position parent : index.parents(i)) {
      if (driver[parent] == driver[i]) continue;
      faults.Add("other-driver", FieldOf(node, "parentId"),
                 NameOf(node) + " hangs under two drivers; all its parents must be under one.");
    }
  }
}

void CheckLife(const TreeIndex& index, Faults& faults) {
  for (TreeIndex::Position i = 0; i < index.size(); ++i) {
    const Node& node = index.node(i);
    if (!node.living() || node.type == NodeType::kDriver) continue;
    const auto is_living = [&](TreeIndex::Position parent) { return index.node(parent).living(); };
    if (std::ranges::any_of(index.parents(i), is_living)) continue;
    faults.Add("parent-deleted", FieldOf(node, "archived"),
               NameOf(node) + " is in use, but all its parents are archived or deleted.");
  }
}

}  // namespace

bool MayHangUnder(NodeType child, NodeType parent) {
  return child != NodeType::kDriver && parent != NodeType::kAction;
}

size_t EdgeCount(const Tree& tree) {
  size_t count = 0;
  for (const auto& [parent, children] : tree.children) count += children.size();
  return count;
}

size_t TextBytes(const Tree& tree) {
  size_t bytes = 0;
  for (const auto& [id, node] : tree.nodes)
    bytes += node.title.size() + (node.notes ? node.notes->size() : 0);
  return bytes;
}

Decision<void> CheckTree(const Tree& tree) {
  Faults faults;
  CheckSizes(tree, faults);
  if (!faults.empty()) return faults.Take();
  for (const auto& [id, node] : tree.nodes) CheckTexts(id, node, faults);
  if (!faults.empty()) return faults.Take();
  CheckEdges(tree, faults);
  if (!faults.empty()) return faults.Take();
  const TreeIndex index(tree);
  const std::vector<TreeIndex::Position> ordered = index.ParentsFirst();
  CheckHanging(tree, index, ordered, faults);
  if (!faults.empty()) return faults.Take();
  CheckDrivers(index, ordered, faults);
  if (!faults.empty()) return faults.Take();
  CheckLife(index, faults);
  return faults.Take();
}

}  // namespace cairn::values
