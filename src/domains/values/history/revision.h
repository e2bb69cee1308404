// Revision and Head: the commit log of a repository, tree or plan alike.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/values.h"

namespace cairn::values {

using Restore = models::values::Restore;

// Where a repository stands.
struct Head {
  std::string rev_id;
  std::string rev_ts;  // as stored: 2026-11-15T19:42:30.123Z
  std::string updated_at;
  std::optional<int64_t> item_count;
};

// One commit. Its moment is that of its id (history/revision_id.h), so the id alone finds it.
template <class Label>
struct Revision {
  std::string id;
  std::string ts;
  std::optional<std::string> parent_id;  // none for the first
  std::string message;
  Label label{};  // the source of a tree's commit, the reason of a plan's
  int64_t item_count = 0;
  std::optional<std::string> restored_from;
  std::optional<Restore> restored_by;
  std::optional<std::string> values_rev_id;         // of a plan: the tree it was made from
  std::optional<std::vector<std::string>> touched;  // of a tree: the nodes that differ from its parent's
};

}  // namespace cairn::values
