#include "domains/values/tree/walk.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/utf8.h"

namespace cairn::values {
namespace {

constexpr size_t kTitleBytesShown = 60;
constexpr size_t kPathEndShown = 5;  // nodes at either end of a path

std::string QuotedTitle(const Node& node) {
  if (!IsUtf8(node.title)) return "\"?\"";
  const std::string_view shown = CutUtf8(node.title, kTitleBytesShown);
  return '"' + std::string(shown) + (shown.size() < node.title.size() ? "...\"" : "\"");
}

}  // namespace

const std::optional<std::string>& PrimaryParent(const Node& node) {
  return node.parent_milestone_id ? node.parent_milestone_id : node.driver_id;
}

ParentsByChild Parents(const Tree& tree) {
  ParentsByChild parents;
  for (const auto& [parent, children] : tree.children) {
    for (const std::string& child : children) parents[child].push_back(parent);  // by id: a map's order
  }
  for (auto& [child, ids] : parents) {
    const auto node = tree.nodes.find(child);
    if (node == tree.nodes.end() || !PrimaryParent(node->second)) continue;
    const auto primary = std::ranges::find(ids, *PrimaryParent(node->second));
    if (primary != ids.end()) std::rotate(ids.begin(), primary, primary + 1);
  }
  return parents;
}

std::vector<std::string> Descendants(const Tree& tree, const std::string& id) {
  std::vector<std::string> found;
  std::set<std::string_view> seen = {id};
  std::vector<std::string_view> open = {id};
  while (!open.empty()) {
    const std::string_view next = open.back();
    open.pop_back();
    if (next != id) {
      if (!seen.insert(next).second) continue;
      found.emplace_back(next);
    }
    const auto children = tree.children.find(std::string(next));
    if (children == tree.children.end()) continue;
    open.insert(open.end(), children->second.rbegin(), children->second.rend());
  }
  return found;
}

std::vector<std::string> PathTo(const Tree& tree, const std::string& id) {
  std::vector<std::string> path;
  auto node = tree.nodes.find(id);
  while (node != tree.nodes.end() && path.size() < tree.nodes.size()) {
    path.push_back(node->first);
    if (!PrimaryParent(node->second)) break;
    node = tree.nodes.find(*PrimaryParent(node->second));
  }
  std::ranges::reverse(path);
  return path;
}

std::string NameOf(const Node& node) { return QuotedTitle(node) + " (" + node.id + ")"; }

std::string DescribePath(const Tree& tree, const std::vector<std::string>& path) {
  std::string text;
  for (size_t i = 0; i < path.size(); ++i) {
    if (!text.empty()) text += " > ";
    if (i == kPathEndShown && path.size() > 2 * kPathEndShown + 1) {
      i = path.size() - kPathEndShown - 1;
      text += "...";
      continue;
    }
    const auto node = tree.nodes.find(path[i]);
    text += node == tree.nodes.end() ? path[i] : QuotedTitle(node->second);
  }
  return text;
}

}  // namespace cairn::values
