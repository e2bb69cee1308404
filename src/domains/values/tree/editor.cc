#include "domains/values/tree/editor.h"

#include <algorithm>
#include <utility>

#include "domains/values/tree/rules.h"

namespace cairn::values {
namespace {

const std::vector<std::string> kNone;

const std::vector<std::string>& ListOf(const std::map<std::string, std::vector<std::string>>& lists,
                                       const std::string& id) {
  const auto found = lists.find(id);
  return found == lists.end() ? kNone : found->second;
}

}  // namespace

TreeEditor::TreeEditor(const Tree& tree)
    : tree_(tree), parents_(Parents(tree_)), edge_count_(EdgeCount(tree_)) {}

const Node* TreeEditor::Find(const std::string& id) const {
  const auto found = tree_.nodes.find(id);
  return found == tree_.nodes.end() ? nullptr : &found->second;
}

const std::vector<std::string>& TreeEditor::Children(const std::string& id) const {
  return ListOf(tree_.children, id);
}

const std::vector<std::string>& TreeEditor::ParentsOf(const std::string& id) const {
  return ListOf(parents_, id);
}

bool TreeEditor::IsChild(const std::string& parent, const std::string& child) const {
  return std::ranges::find(ParentsOf(child), parent) != ParentsOf(child).end();
}

bool TreeEditor::HasLivingParent(const std::string& id) const {
  return std::ranges::any_of(ParentsOf(id),
                             [this](const std::string& parent) { return At(parent).living(); });
}

void TreeEditor::Add(Node node) {
  std::string id = node.id;
  tree_.nodes.emplace(std::move(id), std::move(node));
}

void TreeEditor::Link(const std::string& parent, const std::string& child, size_t position) {
  std::vector<std::string>& siblings = tree_.children[parent];
  siblings.insert(siblings.begin() + static_cast<ptrdiff_t>(position), child);
  ++edge_count_;
  std::vector<std::string>& parents = parents_[child];
  if (parents.empty()) {
    parents.push_back(parent);
    Settle(child);
  } else {
    parents.insert(std::lower_bound(parents.begin() + 1, parents.end(), parent), parent);
  }
}

void TreeEditor::Unlink(const std::string& parent, const std::string& child) {
  const auto siblings = tree_.children.find(parent);
  std::erase(siblings->second, child);
  if (siblings->second.empty()) tree_.children.erase(siblings);
  --edge_count_;
  std::vector<std::string>& parents = parents_[child];
  const bool was_primary = parents.front() == parent;
  std::erase(parents, parent);
  if (!was_primary || parents.empty()) return;
  const auto living =
      std::ranges::find_if(parents, [this](const std::string& id) { return At(id).living(); });
  if (living != parents.end()) std::rotate(parents.begin(), living, living + 1);
  Settle(child);
}

void TreeEditor::MakePrimary(const std::string& parent, const std::string& child) {
  std::vector<std::string>& parents = parents_[child];
  std::erase(parents, parent);
  std::ranges::sort(parents);  // the primary one so far takes its place among the others
  parents.insert(parents.begin(), parent);
  Settle(child);
}

void TreeEditor::Reorder(const std::string& parent, std::vector<std::string> children) {
  if (!children.empty()) tree_.children[parent] = std::move(children);
}

void TreeEditor::SetDriver(const std::string& id, const std::string& driver_id) {
  Node& node = At(id);
  node.driver_id = driver_id;
  node.root_driver_id = driver_id;
}

void TreeEditor::Settle(const std::string& child) {
  const Node& parent = At(parents_[child].front());
  Node& node = At(child);
  node.parent_milestone_id.reset();
  if (parent.type == NodeType::kMilestone) node.parent_milestone_id = parent.id;
  SetDriver(child, *parent.root_driver_id);
}

}  // namespace cairn::values
