#include "domains/values/tree/review.h"

#include <algorithm>
#include <optional>

#include "base/time_text.h"
#include "domains/values/tree/index.h"

namespace cairn::values {
namespace {

// Counts for one node after the other; marks tell what a count has seen already, so that nothing is cleared
// in between.
class ProgressCounter {
 public:
  explicit ProgressCounter(const TreeIndex& index) : index_(index), seen_in_(index.size(), 0) {}

  Progress Count(TreeIndex::Position top) {
    ++count_;
    Progress progress;
    open_ = {top};
    CountPacked(top, progress);
    while (!open_.empty()) {
      const TreeIndex::Position next = open_.back();
      open_.pop_back();
      for (const TreeIndex::Position child : index_.children(next)) {
        const Node& node = index_.node(child);
        if (!node.living() || seen_in_[child] == count_) continue;
        seen_in_[child] = count_;
        if (node.type == NodeType::kAction) {
          ++progress.total;
          if (node.completed_at) ++progress.completed;
        } else {
          open_.push_back(child);
          CountPacked(child, progress);
        }
      }
    }
    return progress;
  }

 private:
  void CountPacked(TreeIndex::Position position, Progress& progress) const {
    progress.total += index_.node(position).packed_actions;
    progress.completed += index_.node(position).packed_actions;
  }

  const TreeIndex& index_;
  std::vector<uint32_t> seen_in_;
  uint32_t count_ = 0;
  std::vector<TreeIndex::Position> open_;
};

}  // namespace

Progress ProgressOf(const Tree& tree, const std::string& id) {
  const TreeIndex index(tree);
  const std::optional<TreeIndex::Position> top = index.Find(id);
  return top ? ProgressCounter(index).Count(*top) : Progress();
}

WeeklyReview Review(const ReviewTrees& trees, const ReviewWeek& week,
                    const std::map<std::string, std::string>& last_touched) {
  const Tree& start = trees.start;
  const Tree& end = trees.end;
  const std::string from = FormatIsoMilliseconds(week.from);
  const std::string to = FormatIsoMilliseconds(week.to);
  const std::string stale_before = FormatIsoMilliseconds(week.to - week.stale_after);
  const auto within = [&](const std::string& moment) { return from <= moment && moment < to; };
  const auto was_away = [&](const std::string& id) {
    const auto node = start.nodes.find(id);
    return node != start.nodes.end() && !node->second.living();
  };
  const auto is_stale = [&](const Node& node) {
    const auto touched = last_touched.find(node.id);
    const std::string& last = touched == last_touched.end() ? node.created_at : touched->second;
    return last < stale_before;
  };

  std::map<std::string, const Node*> completed;
  for (const Tree* tree : {&end, &trees.newest}) {
    for (const auto& [id, node] : tree->nodes) {
      if (!node.deleted_at && node.completed_at && within(*node.completed_at)) completed.emplace(id, &node);
    }
  }
  for (const Node* node : trees.packed) {
    if (!node->deleted_at && node->completed_at && within(*node->completed_at))
      completed.emplace(node->id, node);
  }

  const TreeIndex index(end);
  ProgressCounter counter(index);
  WeeklyReview review;
  for (const auto& [id, node] : completed) review.completed.push_back(*node);
  for (TreeIndex::Position i = 0; i < index.size(); ++i) {
    const Node& node = index.node(i);
    if (!node.deleted_at && within(node.created_at)) review.added.push_back(node.id);
    if (!node.living()) {
      if (!was_away(node.id)) review.archived.push_back(node.id);
    } else if (node.type == NodeType::kAction) {
      if (!node.completed_at && !completed.contains(node.id) && is_stale(node))
        review.stale.push_back(node.id);
    } else {
      const Progress progress = counter.Count(i);
      review.progress.push_back({node.id, progress});
      const bool all_done = progress.total > 0 && progress.completed == progress.total;
      if (node.type == NodeType::kMilestone && !node.completed_at && all_done)
        review.offers.push_back(node.id);
    }
  }
  for (const Node* node : trees.packed) {
    if (!node->deleted_at && within(node->created_at)) review.added.push_back(node->id);
    const auto& away = node->deleted_at ? node->deleted_at : node->archived_at;
    if (away && within(*away) && !was_away(node->id)) review.archived.push_back(node->id);
  }
  std::ranges::sort(review.added);
  std::ranges::sort(review.archived);
  return review;
}

}  // namespace cairn::values
