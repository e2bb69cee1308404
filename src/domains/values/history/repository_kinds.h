// The two kinds of repositories: what they hold, and how their items are read and written. Repository
// (history/repository.h) is made of one of them and does the rest for both.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "domains/values/history/revision.h"
#include "domains/values/plan/plan.h"
#include "domains/values/refusal.h"
#include "domains/values/tree/tree.h"
#include "model/session.h"

namespace cairn::values {

// What a session says as a refusal of this domain.
Refusal RefusalOf(model::Failure failure);

template <class Label>
struct RevisionPage {
  std::vector<Revision<Label>> revisions;  // newest first
  std::string next_cursor;
};

struct PageOf {
  std::optional<int64_t> limit;
  std::string cursor;
};

// The content of a revision and, if this process has written it, its items as they are stored: what the next
// revision leaves as it is need not be made again.
template <class Content, class Stored>
struct Snapshot {
  Content content;
  std::optional<Stored> stored = {};
};

struct StoredTree {
  std::vector<item::PackedItem> nodes, edges;  // as NodeItems and EdgeItems have them
};

// A user has one tree.
struct TreeKind {
  using Content = Tree;
  using Snapshot = values::Snapshot<Tree, StoredTree>;
  using Label = models::values::RevSource;
  struct Where {};

  static std::string CacheKey(const Where&, const std::string& rev_id) { return rev_id; }
  static size_t ItemCount(const Tree& tree);
  // In memory, about.
  static size_t BytesOf(const Snapshot& snapshot);
  static std::string SweepArgument(const Where&, const std::string& rev_id) { return "tree " + rev_id; }

  static Task<Decision<std::optional<Head>>> ReadHead(model::Session& session, Where where);
  static Task<Decision<std::optional<Revision<Label>>>> ReadRevision(model::Session& session, Where where,
                                                                     std::string rev_id);
  static Task<Decision<RevisionPage<Label>>> ReadHistory(model::Session& session, Where where, PageOf page);
  // The last one at or before a moment.
  static Task<Decision<std::optional<Revision<Label>>>> ReadRevisionAt(model::Session& session, Where where,
                                                                       std::string at);
  static Task<Decision<Tree>> ReadSnapshot(model::Session& session, Where where, std::string rev_id);
  // `base`: of the revision before, if it is at hand.
  static Task<Decision<size_t>> WriteSnapshot(model::Session& session, Where where, std::string rev_id,
                                              Snapshot& snapshot, const Snapshot* base);
  // System sessions only: of a revision that was never published, or of an account that is erased.
  static Task<Decision<size_t>> DeleteSnapshot(model::Session& session, Where where, std::string rev_id);
  // Stages the commit and the move of HEAD from where it was seen.
  static Decision<void> Stage(model::Session& session, const Where& where, const Revision<Label>& revision,
                              const std::optional<Head>& seen, const Tree& tree);
};

// And a plan for every day.
struct PlanKind {
  using Content = Plan;
  struct Stored {};  // a day has few items
  using Snapshot = values::Snapshot<Plan, Stored>;
  using Label = models::values::PlanReason;
  struct Where {
    std::string day;
  };

  static std::string CacheKey(const Where& where, const std::string& rev_id) { return where.day + rev_id; }
  static size_t ItemCount(const Plan& plan) { return plan.todos.size() + plan.blocks.size(); }
  static size_t BytesOf(const Snapshot& snapshot);
  static std::string SweepArgument(const Where& where, const std::string& rev_id) {
    return where.day + " " + rev_id;
  }

  static Task<Decision<std::optional<Head>>> ReadHead(model::Session& session, Where where);
  static Task<Decision<std::optional<Revision<Label>>>> ReadRevision(model::Session& session, Where where,
                                                                     std::string rev_id);
  static Task<Decision<RevisionPage<Label>>> ReadHistory(model::Session& session, Where where, PageOf page);
  static Task<Decision<Plan>> ReadSnapshot(model::Session& session, Where where, std::string rev_id);
  static Task<Decision<size_t>> WriteSnapshot(model::Session& session, Where where, std::string rev_id,
                                              Snapshot& snapshot, const Snapshot* base);
  static Task<Decision<size_t>> DeleteSnapshot(model::Session& session, Where where, std::string rev_id);
  static Decision<void> Stage(model::Session& session, const Where& where, const Revision<Label>& revision,
                              const std::optional<Head>& seen, const Plan& plan);
};

}  // namespace cairn::values
