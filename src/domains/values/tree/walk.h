// Walking a tree: parents, descendants, the way from a driver down to a node. Used wherever a tree is judged,
// changed or shown. Nothing here needs the tree to keep the rules: edges to missing nodes and cycles are
// walked without harm, so that CheckTree can ask too.
//
// A node may hang under several parents. The primary one is that which its attributes name: the milestone
// parentMilestoneId or, without one, the driver driverId. The others come after it in the order of their ids.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "domains/values/tree/tree.h"

namespace cairn::values {

// The id of the primary parent, as the node's attributes tell it; nothing for a driver.
const std::optional<std::string>& PrimaryParent(const Node& node);

// By child; the primary parent first, if there is an edge from it, then the others by id.
using ParentsByChild = std::map<std::string, std::vector<std::string>>;
ParentsByChild Parents(const Tree& tree);

// Everything below a node, each once, without the node itself: a node before what it has first, children in
// their order.
std::vector<std::string> Descendants(const Tree& tree, const std::string& id);

// From the driver down to the node along primary parents, both included: {"driver", "milestone", "id"}. Ends
// early, at the top, where a parent is missing; empty for an unknown node.
std::vector<std::string> PathTo(const Tree& tree, const std::string& id);

// A node in a sentence: "Run a marathon" (01JQ...). A long title is cut.
std::string NameOf(const Node& node);
// `path` in a sentence: "Health" > "Run a marathon". Ids stand where there is no node; the middle
// of a long one is left out.
std::string DescribePath(const Tree& tree, const std::vector<std::string>& path);

}  // namespace cairn::values
