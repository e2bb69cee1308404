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

// A user has one tree.
struct TreeKind {
  using Content = Tree;
  using Label = models::values::RevSource;
  struct Where {};

  static std::string CacheKey(const Where&, const std::string& rev_id) { return rev_id; }
  static size_t ItemCount(const Tree& tree);
  // In memory, about.
  static size_t BytesOf(const Tree& tree);
  static std::string SweepArgument(const Where&, const std::string& rev_id) { return "tree " + rev_id; }

  static Task<Decision<std::optional<Head>>> ReadHead(model::Session& session, Where where);
  static Task<Decision<std::optional<Revision<Label>>>> ReadRevision(model::Session& session, Where where,
                                                                     std::string rev_id);
  static Task<Decision<RevisionPage<Label>>> ReadHistory(model::Session& session, Where where, PageOf page);
  // The last one at or before a moment.
  static Task<Decision<std::optional<Revision<Label>>>> ReadRevisionAt(model::Session& session, Where where,
                                                                       std::string at);
  static Task<Decision<Tree>> ReadSnapshot(model::Session& session, Where where, std::string rev_id);
  static Task<Decision<size_t>> WriteSnapshot(model::Session& session, Where where, std::string rev_id,
                                              const Tree& tree);
  // System sessions only: of a revision that was never published, or of an account that is erased.
  static Task<Decision<size_t>> DeleteSnapshot(model::Session& session, Where where, std::string rev_id);
  // Stages the commit and the move of HEAD from where it was seen.
  static Decision<void> Stage(model::Session& session, const Where& where, const Revision<Label>& revision,
                              const std::optional<Head>& seen, const Tree& tree);
};

// And a plan for every day.
struct PlanKind {
  using Content = Plan;
  using Label = models::values::PlanReason;
  struct Where {
    std::string day;
  };

  static std::string CacheKey(const Where& where, const std::string& rev_id) { return where.day + rev_id; }
  static size_t ItemCount(const Plan& plan) { return plan.todos.size() + plan.blocks.size(); }
  static size_t BytesOf(const Plan& plan);
  static std::string SweepArgument(const Where& where, const std::string& rev_id) {
    return where.day + " " + rev_id;
  }

  static Task<Decision<std::optional<Head>>> ReadHead(model::Session& session, Where where);
  static Task<Decision<std::optional<Revision<Label>>>> ReadRevision(model::Session& session, Where where,
                                                                     std::string rev_id);
  static Task<Decision<RevisionPage<Label>>> ReadHistory(model::Session& session, Where where, PageOf page);
  static Task<Decision<Plan>> ReadSnapshot(model::Session& session, Where where, std::string rev_id);
  static Task<Decision<size_t>> WriteSnapshot(model::Session& session, Where where, std::string rev_id,
                                              const Plan& plan);
  static Task<Decision<size_t>> DeleteSnapshot(model::Session& session, Where where, std::string rev_id);
  static Decision<void> Stage(model::Session& session, const Where& where, const Revision<Label>& revision,
                              const std::optional<Head>& seen, const Plan& plan);
};

}  // namespace cairn::values
