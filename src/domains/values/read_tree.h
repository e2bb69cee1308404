// Use cases: reading the tree: as it is, as it was, what touched a node, what a week did.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domains/values/tree/review.h"
#include "domains/values/values.h"

namespace cairn::values {

// Which revision: by id, by moment, or (neither) the current one.
struct WhichTree {
  std::optional<std::string> rev_id = {};
  std::optional<std::string> at = {};  // an instant: the last revision at or before it
};
struct TreeAt {
  std::optional<TreeRepository::Rev>
      revision;                      // none: nothing was committed (by then); of HEAD id and time only
  std::shared_ptr<const Tree> tree;  // empty then
};
// An unknown revision is not found; both ways at once are refused.
Task<Decision<TreeAt>> ReadTree(Values& values, model::Session& session, WhichTree which);

// A page of the log; with a filter, pages may be shorter than the limit.
struct HistoryFilter {
  std::optional<models::values::RevSource> source = {};
  std::optional<std::string> touched = {};  // a node
};
Task<Decision<RevisionPage<TreeKind::Label>>> ReadHistory(Values& values, model::Session& session,
                                                          HistoryFilter filter, PageOf page);

struct WeekReviewed {
  std::string from_day, to_day;  // Monday and Sunday
  WeeklyReview review;
  std::shared_ptr<const Tree> tree;         // at the end of the week
  std::map<std::string, Node> packed = {};  // what is named and was packed away
};
// `week_of` is a day of the week; none: today.
Task<Decision<WeekReviewed>> ReadReview(Values& values, model::Session& session,
                                        std::optional<std::string> week_of);

}  // namespace cairn::values
