// The attributes of a node that are its own, by the names they are stored under. Comparing and merging go
// through this list, so a new attribute is one more line in it. Not among them: driverId, parentMilestoneId
// and rootDriverId, which follow from the place of the node.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "domains/values/tree/tree.h"

namespace cairn::values {

struct NodeField {
  std::string_view name;
  // A JSON text; nothing when the attribute is not there.
  std::optional<std::string> (*json)(const Node& node);
  bool (*same)(const Node& one, const Node& other);
  void (*copy)(const Node& from, Node& to);
};

// nodeType, title, notes, createdAt, completedAt, archived, deletedAt.
std::span<const NodeField> NodeFields();

// As JSON: "Run", with quotes and escapes; ["a","b"].
std::string JsonText(std::string_view text);
std::string JsonTexts(std::span<const std::string> texts);

}  // namespace cairn::values
