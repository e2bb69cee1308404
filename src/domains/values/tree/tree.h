// Tree: the drivers, milestones and actions of one revision, and how they hang together. Plain data: what may
// be is in tree/rules.h, how it changes in tree/operations.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/values.h"

namespace cairn::values {

using NodeType = models::values::NodeType;

inline constexpr size_t kNodesMax = 5'000;   // tombstones count, until they are packed away (tree/pack.h)
inline constexpr size_t kEdgesMax = 10'000;  // parents beyond the first
inline constexpr size_t kPacksMax = 500;
inline constexpr size_t kTitleBytesMax = 1'000;
inline constexpr size_t kNotesBytesMax = 50'000;
inline constexpr size_t kTextBytesMax = 10'000'000;  // titles and notes together: every revision has them all

// Times are texts as stored: 2026-11-15T19:42:30.123Z.
struct Node {
  std::string id;
  NodeType type = NodeType::kDriver;
  std::string title;
  std::optional<std::string> notes;
  std::string created_at;
  std::optional<std::string> completed_at;
  bool archived = false;
  std::optional<std::string> archived_at;          // what has the same was archived together
  std::optional<std::string> deleted_at;           // deleted exactly when it is there
  std::optional<std::string> driver_id;            // of milestones and actions: the driver they hang under
  std::optional<std::string> parent_milestone_id;  // the first parent, when that is a milestone
  std::optional<std::string> root_driver_id;       // a driver's own id; of others, the driver above

  int64_t packed_actions = 0;  // completed ones below that were packed away, and count as progress

  bool living() const { return !archived && !deleted_at; }
  friend bool operator==(const Node&, const Node&) = default;
};

// Nodes that a revision has packed away.
struct Pack {
  int64_t node_count = 0;
  std::optional<std::string> completed_from, completed_to;  // of those that were completed: when, at most
  friend bool operator==(const Pack&, const Pack&) = default;
};

struct Tree {
  std::map<std::string, Node> nodes;                         // by id
  std::map<std::string, std::vector<std::string>> children;  // by parent, in order; no empty lists
  std::map<std::string, Pack> packs;                         // by the revision that packed

  friend bool operator==(const Tree&, const Tree&) = default;
};

}  // namespace cairn::values
