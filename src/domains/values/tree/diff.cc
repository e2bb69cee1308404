#include "domains/values/tree/diff.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "domains/values/tree/fields.h"
#include "domains/values/tree/walk.h"
#include "domains/values/unmoved.h"

namespace cairn::values {
namespace {

struct PlaceView {
  std::string_view parent;
  int64_t order;
};

// The places of every node, in the order of the parents' ids.
using Places = std::unordered_map<std::string_view, std::vector<PlaceView>>;

Places PlacesIn(const Tree& tree) {
  Places places;
  places.reserve(tree.nodes.size());
  for (const auto& [parent, children] : tree.children) {
    int64_t order = 0;
    for (const std::string& child : children) places[child].push_back({parent, ++order});
  }
  return places;
}

const PlaceView* PlaceUnder(const std::vector<PlaceView>& places, std::string_view parent) {
  const auto found = std::ranges::lower_bound(places, parent, {}, &PlaceView::parent);
  return found == places.end() || found->parent != parent ? nullptr : &*found;
}

TreePlace Own(const PlaceView& place) { return {std::string(place.parent), place.order}; }

class Differ {
 public:
  Differ(const Tree& from, const Tree& to)
      : from_(from), to_(to), places_from_(PlacesIn(from)), places_to_(PlacesIn(to)) {}

  TreeDiff Run() {
    CompareNodes();
    CompareOrders();
    CompareEdges(from_, places_to_, diff_.edges_removed);
    CompareEdges(to_, places_from_, diff_.edges_added);
    for (const auto& [id, pack] : to_.packs) {
      if (!from_.packs.contains(id)) diff_.packs_added.push_back(id);
    }
    for (const auto& [id, pack] : from_.packs) {
      if (!to_.packs.contains(id)) diff_.packs_removed.push_back(id);
    }
    std::ranges::sort(diff_.moved, {}, [](const NodeMove& move) {
      return std::tie(move.node_id, move.from.parent_id, move.to.parent_id);
    });
    return std::move(diff_);
  }

 private:
  static const std::vector<PlaceView>& Of(const Places& places, std::string_view id) {
    static const std::vector<PlaceView> kNowhere;
    const auto found = places.find(id);
    return found == places.end() ? kNowhere : found->second;
  }

  void CompareNodes() {
    auto old_node = from_.nodes.begin();
    for (const auto& [id, node] : to_.nodes) {
      for (; old_node != from_.nodes.end() && old_node->first < id; ++old_node) {
        diff_.removed.push_back(old_node->first);
      }
      if (old_node == from_.nodes.end() || old_node->first != id) {
        diff_.added.push_back(id);
        continue;
      }
      CompareFields(old_node->second, node);
      ComparePlaces(old_node->second, node);
      ++old_node;
    }
    for (; old_node != from_.nodes.end(); ++old_node) diff_.removed.push_back(old_node->first);
  }

  void CompareFields(const Node& from, const Node& to) {
    for (const NodeField& field : NodeFields()) {
      if (field.same(from, to)) continue;
      diff_.changed.push_back({to.id, field.name, field.json(from), field.json(to)});
    }
    const auto driver = [](const Node& node) { return node.root_driver_id.value_or(""); };
    if (from.driver_id != to.driver_id || from.root_driver_id != to.root_driver_id) {
      diff_.driver_changed.push_back({to.id, driver(from), driver(to)});
    }
  }

  // Parents left and parents found are told in pairs, the primary ones first.
  void ComparePlaces(const Node& from, const Node& to) {
    const std::vector<PlaceView>& before = Of(places_from_, from.id);
    const std::vector<PlaceView>& after = Of(places_to_, to.id);
    std::vector<PlaceView> left, found;
    if (PrimaryParent(from) != PrimaryParent(to)) {
      const auto primary_of = [](const Node& node, const std::vector<PlaceView>& places) {
        return PlaceUnder(places, PrimaryParent(node).value_or(""));
      };
      const PlaceView* const left_primary = primary_of(from, before);
      const PlaceView* const found_primary = primary_of(to, after);
      if (left_primary && found_primary) {
        left.push_back(*left_primary);
        found.push_back(*found_primary);
      }
    }
    const auto append_new = [](std::vector<PlaceView>& target, const std::vector<PlaceView>& places,
                               const std::vector<PlaceView>& others) {
      const std::string primary(target.empty() ? "" : target.front().parent);
      for (const PlaceView& place : places) {
        if (!PlaceUnder(others, place.parent) && place.parent != primary) target.push_back(place);
      }
    };
    append_new(left, before, after);
    append_new(found, after, before);
    for (size_t i = 0; i < std::min(left.size(), found.size()); ++i) {
      diff_.moved.push_back({to.id, Own(left[i]), Own(found[i])});
    }
  }

  void CompareOrders() {
    for (const auto& [parent, children] : to_.children) {
      const auto before = from_.children.find(parent);
      if (before != from_.children.end() && before->second != children) {
        CompareOrder(parent, before->second, children);
      }
    }
  }

  void CompareOrder(const std::string& parent, const std::vector<std::string>& before,
                    const std::vector<std::string>& after) {
    std::unordered_map<std::string_view, int64_t> old_order;
    for (const std::string& child : before)
      old_order.emplace(child, static_cast<int64_t>(old_order.size()) + 1);
    std::vector<Renumbered> stayed;  // children of both lists
    for (size_t i = 0; i < after.size(); ++i) {
      const auto found = old_order.find(after[i]);
      if (found != old_order.end()) stayed.push_back({found->second, static_cast<int64_t>(i) + 1});
    }
    const std::vector<bool> unmoved = Unmoved(stayed);
    for (size_t i = 0; i < stayed.size(); ++i) {
      if (unmoved[i]) continue;
      const std::string& child = after[static_cast<size_t>(stayed[i].to - 1)];
      diff_.moved.push_back({child, {parent, stayed[i].from}, {parent, stayed[i].to}});
    }
  }

  // The edges of `tree` that the other tree has not.
  static void CompareEdges(const Tree& tree, const Places& others, std::vector<EdgeChange>& changes) {
    for (const auto& [parent, children] : tree.children) {
      int64_t order = 0;
      for (const std::string& child : children) {
        ++order;
        if (!PlaceUnder(Of(others, child), parent)) changes.push_back({parent, child, order});
      }
    }
  }

  const Tree& from_;
  const Tree& to_;
  const Places places_from_, places_to_;
  TreeDiff diff_;
};

}  // namespace

bool TreeDiff::empty() const { return *this == TreeDiff(); }

TreeDiff Diff(const Tree& from, const Tree& to) { return Differ(from, to).Run(); }

std::set<std::string> NodesTouched(const TreeDiff& diff) {
  std::set<std::string> touched(diff.added.begin(), diff.added.end());
  touched.insert(diff.removed.begin(), diff.removed.end());
  for (const FieldChange& change : diff.changed) touched.insert(change.node_id);
  for (const NodeMove& move : diff.moved) touched.insert(move.node_id);
  for (const DriverChange& change : diff.driver_changed) touched.insert(change.node_id);
  for (const EdgeChange& edge : diff.edges_added) touched.insert(edge.child_id);
  for (const EdgeChange& edge : diff.edges_removed) touched.insert(edge.child_id);
  return touched;
}

}  // namespace cairn::values
