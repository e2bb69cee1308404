// The weekly review: what a week did to a tree, what lies still, how far things are. Pure: the two trees and
// when each node was last touched come in.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "domains/values/tree/tree.h"

namespace cairn::values {

// Living actions below a node, each once, as far as living nodes lead to them; completed ones also after they
// were packed away.
struct Progress {
  int64_t completed = 0;
  int64_t total = 0;
  friend bool operator==(const Progress&, const Progress&) = default;
};

// 0 of 0 for an unknown node.
Progress ProgressOf(const Tree& tree, const std::string& id);

struct NodeProgress {
  std::string node_id;
  Progress progress;
  friend bool operator==(const NodeProgress&, const NodeProgress&) = default;
};

struct ReviewWeek {
  Time from, to;  // the end is not part of it
  std::chrono::days stale_after = std::chrono::days(14);
};

// Node ids (of what was completed, the nodes), each list in the order of ids.
struct WeeklyReview {
  // completedAt within the week, and not deleted: in the tree at its end, or in the newest one, which knows
  // what was told only later.
  std::vector<Node> completed;
  std::vector<std::string> added;     // createdAt within the week, and not deleted since
  std::vector<std::string> archived;  // archived or deleted at the end, and not so at the start
  // Living actions, not completed (nor, as it was told later, in this week), that nobody has touched for
  // stale_after before the end of the week.
  std::vector<std::string> stale;
  // Living milestones whose actions are all completed, while they are not: completing them is offered.
  std::vector<std::string> offers;
  std::vector<NodeProgress> progress;  // of living drivers and milestones
};

// The trees that a review looks at.
struct ReviewTrees {
  const Tree& start;
  const Tree& end;
  const Tree& newest;                    // the current one
  std::vector<const Node*> packed = {};  // what neither of the last two has, for it was packed away
};

// `last_touched` has stored moments by node; a node without one counts as touched when it was created.
WeeklyReview Review(const ReviewTrees& trees, const ReviewWeek& week,
                    const std::map<std::string, std::string>& last_touched);

}  // namespace cairn::values
