// Repository: content with the history of a git repository: a HEAD, a log of revisions, and for each revision
// the whole content in a partition of its own. One implementation for the values tree and the daily plans
// (history/repository_kinds.h).
//
// A revision is made in two steps. Prepare writes its snapshot, which nobody can see yet; a job (sweep.h)
// clears it away should nothing follow. Stage and a commit of the sessions then publish it: the log entry,
// the move of HEAD from where it was seen, and the end of that job, in one transaction. A crash leaves the
// old HEAD or the new one.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "domains/values/history/repository_kinds.h"
#include "domains/values/history/revision.h"
#include "domains/values/history/revision_id.h"
#include "domains/values/history/snapshot_cache.h"
#include "jobs/job_queue.h"
#include "model/session.h"

namespace cairn::values {

inline constexpr std::string_view kSweepJob = "values-sweep";

// What a HEAD that has moved is refused with.
Refusal StaleBase(const std::string& base_rev_id, const std::optional<Head>& head);

template <class Kind>
class Repository {
 public:
  using Content = typename Kind::Content;
  using Snapshot = typename Kind::Snapshot;
  using Label = typename Kind::Label;
  using Where = typename Kind::Where;
  using Rev = Revision<Label>;

  struct State {
    std::optional<Head> head;                // none: nothing was ever committed
    std::shared_ptr<const Content> content;  // empty then
  };
  struct Draft {
    Content content;
    Label label{};
    std::string message = {};
    std::optional<std::string> restored_from = {};
    std::optional<Restore> restored_by = {};
    std::optional<std::string> values_rev_id = {};
    std::optional<std::vector<std::string>> touched = {};
    std::optional<std::string> rev_id = {};  // of an import or a packing; greater than its parent's
  };
  // A snapshot that is written and not yet published.
  struct Prepared {
    Where where;
    Rev revision;
    std::optional<Head> seen;
    std::shared_ptr<const Snapshot> snapshot;
    jobs::Job sweep;
  };

  Repository(model::Database& database, jobs::JobQueue& jobs, RevisionIds& ids, size_t cache_bytes)
      : database_(database), jobs_(jobs), ids_(ids), cache_(cache_bytes) {}

  // HEAD, then its content.
  Task<Decision<State>> Current(model::Session& session, Where where);
  // A published revision; anything else is not found.
  Task<Decision<Rev>> Find(model::Session& session, Where where, std::string rev_id);
  Task<Decision<std::shared_ptr<const Content>>> ContentOf(model::Session& session, Where where,
                                                           const Rev& rev);
  // Find and ContentOf.
  Task<Decision<std::shared_ptr<const Content>>> At(model::Session& session, Where where, std::string rev_id);

  // Which revision undoing HEAD goes back to, and redoing goes on to, as in an editor: undos and redos do not
  // count themselves, nor do revisions that changed nothing. Refused with "nothing-to-undo",
  // "nothing-to-redo".
  Task<Decision<Rev>> UndoTarget(model::Session& session, Where where, const Head& head);
  Task<Decision<Rev>> RedoTarget(model::Session& session, Where where, const Head& head);

  Task<Decision<Prepared>> Prepare(model::Session& session, Where where, const std::optional<Head>& seen,
                                   Draft draft);
  Decision<void> Stage(model::Session& session, model::Session& platform, const Prepared& prepared);
  // After a commit that went through: the next reader finds the content at hand.
  void Remember(const model::Session& session, const Prepared& prepared);
  // After one that did not. What cannot be cleared away now is left to the job.
  Task<Status> Abandon(const Prepared& prepared);
  // Removes the snapshot of a revision that was never published. Whether it is: the job's claim makes sure
  // that nobody can publish it meanwhile.
  Task<Status> Sweep(const jobs::Job& job, Where where, std::string rev_id);

 private:
  Task<Decision<size_t>> ScheduleSweep(std::string user, const jobs::Job& job);
  // The revision that a chain of undos and redos has brought back: itself when it is neither.
  Task<Decision<Rev>> Origin(model::Session& session, Where where, Rev rev);
  // The origin of its parent; none for the first.
  Task<Decision<std::optional<Rev>>> Before(model::Session& session, Where where, const Rev& rev);
  Task<Decision<bool>> SameContent(model::Session& session, Where where, const Rev& one, const Rev& other);
  Task<Decision<bool>> IsMadeOn(model::Session& session, Where where, const Rev& made, const Rev& on);

  static std::string UserOf(const model::Session& session) { return *session.caller().Claim("sub"); }
  std::string CacheKey(const model::Session& session, const Where& where, const std::string& rev_id) const {
    return UserOf(session) + '\0' + Kind::CacheKey(where, rev_id);
  }
  // `expected` items; fewer is a read that missed some.
  Task<Decision<std::shared_ptr<const Content>>> Load(model::Session& session, Where where,
                                                      std::string rev_id, std::optional<int64_t> expected);

  model::Database& database_;
  jobs::JobQueue& jobs_;
  RevisionIds& ids_;
  SnapshotCache<Snapshot> cache_;
};

extern template class Repository<TreeKind>;
extern template class Repository<PlanKind>;

using TreeRepository = Repository<TreeKind>;
using PlanRepository = Repository<PlanKind>;

}  // namespace cairn::values
