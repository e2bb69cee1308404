#include "domains/values/history/repository.h"

#include "base/log.h"
#include "base/test_point.h"
#include "base/together.h"
#include "base/yield.h"

namespace cairn::values {
namespace {

// Long after any commit has ended one way or the other.
constexpr std::chrono::minutes kSweepAfter{60};

Refusal NoSuchRevision() {
  return Refusal(Code::kResourceNotFound, "not-found", "There is no such revision");
}

// Keeps the whole snapshot.
template <class Snapshot>
auto ContentIn(std::shared_ptr<const Snapshot> snapshot) {
  const auto* content = &snapshot->content;
  return std::shared_ptr<const std::remove_cvref_t<decltype(*content)>>(std::move(snapshot), content);
}

bool IsStep(const std::optional<Restore>& restored_by) {
  return restored_by == Restore::kUndo || restored_by == Restore::kRedo;
}

}  // namespace

Refusal StaleBase(const std::string& base_rev_id, const std::optional<Head>& head) {
  Refusal refusal(Code::kConditionFailed, "stale-base",
                  head
                      ? "The change is based on revision " + base_rev_id + ", but the current one is " +
                            head->rev_id + " by now: read it and try again, or ask for a merge"
                      : "The change is based on revision " + base_rev_id + ", but nothing was committed yet");
  if (head) refusal.head_rev_id = head->rev_id;
  return refusal;
}

template <class Kind>
Task<Decision<std::shared_ptr<const typename Kind::Content>>> Repository<Kind>::Load(
    model::Session& session, Where where, std::string rev_id, std::optional<int64_t> expected) {
  const std::string key = CacheKey(session, where, rev_id);
  if (auto known = cache_.Find(key)) co_return ContentIn(std::move(known));
  auto read = co_await Kind::ReadSnapshot(session, where, rev_id);
  if (!read) co_return std::unexpected(std::move(read).error());
  const size_t items = Kind::ItemCount(*read);
  if (expected && *expected >= 0 && static_cast<size_t>(*expected) != items) {
    co_return std::unexpected(Refusal(
        Error{Code::kUnavailable, "The snapshot of revision " + rev_id + " has " + std::to_string(items) +
                                      " items instead of " + std::to_string(*expected) + "; try again"}));
  }
  auto snapshot = std::make_shared<const Snapshot>(Snapshot{.content = *std::move(read)});
  cache_.Put(key, snapshot, Kind::BytesOf(*snapshot));
  co_return ContentIn(std::move(snapshot));
}

template <class Kind>
Task<Decision<typename Repository<Kind>::State>> Repository<Kind>::Current(model::Session& session,
                                                                           Where where) {
  auto head = co_await Kind::ReadHead(session, where);
  if (!head) co_return std::unexpected(std::move(head).error());
  State state{.head = *std::move(head), .content = nullptr};
  if (!state.head) {
    state.content = std::make_shared<const Content>();
    co_return state;
  }
  auto content = co_await Load(session, where, state.head->rev_id, state.head->item_count);
  if (!content) co_return std::unexpected(std::move(content).error());
  state.content = *std::move(content);
  co_return state;
}

template <class Kind>
Task<Decision<typename Repository<Kind>::Rev>> Repository<Kind>::Find(model::Session& session, Where where,
                                                                      std::string rev_id) {
  if (!IsUlid(rev_id)) co_return std::unexpected(NoSuchRevision());
  auto found = co_await Kind::ReadRevision(session, where, rev_id);
  if (!found) co_return std::unexpected(std::move(found).error());
  if (!*found) co_return std::unexpected(NoSuchRevision());
  co_return **std::move(found);
}

template <class Kind>
Task<Decision<std::shared_ptr<const typename Kind::Content>>> Repository<Kind>::ContentOf(
    model::Session& session, Where where, const Rev& rev) {
  // Whoever looks at many revisions lets others have their turn in between.
  co_await Yield();
  co_return co_await Load(session, std::move(where), rev.id, rev.item_count);
}

template <class Kind>
Task<Decision<std::shared_ptr<const typename Kind::Content>>> Repository<Kind>::At(model::Session& session,
                                                                                   Where where,
                                                                                   std::string rev_id) {
  auto rev = co_await Find(session, where, rev_id);
  if (!rev) co_return std::unexpected(std::move(rev).error());
  co_return co_await ContentOf(session, where, *rev);
}

template <class Kind>
Task<Decision<typename Repository<Kind>::Rev>> Repository<Kind>::Origin(model::Session& session, Where where,
                                                                        Rev rev) {
  while (IsStep(rev.restored_by)) {
    // Always backwards, or this could go round.
    if (!rev.restored_from || *rev.restored_from >= rev.id)
      co_return std::unexpected(
          Refusal(Error{Code::kDamaged, "Revision " + rev.id + " was restored from nowhere"}));
    auto from = co_await Find(session, where, *rev.restored_from);
    if (!from) co_return std::unexpected(std::move(from).error());
    rev = *std::move(from);
  }
  co_return rev;
}

template <class Kind>
Task<Decision<std::optional<typename Repository<Kind>::Rev>>> Repository<Kind>::Before(
    model::Session& session, Where where, const Rev& rev) {
  if (!rev.parent_id) co_return std::nullopt;
  auto parent = co_await Find(session, where, *rev.parent_id);
  if (!parent) co_return std::unexpected(std::move(parent).error());
  auto origin = co_await Origin(session, where, *std::move(parent));
  if (!origin) co_return std::unexpected(std::move(origin).error());
  co_return *std::move(origin);
}

template <class Kind>
Task<Decision<bool>> Repository<Kind>::SameContent(model::Session& session, Where where, const Rev& one,
                                                   const Rev& other) {
  auto first = co_await ContentOf(session, where, one);
  if (!first) co_return std::unexpected(std::move(first).error());
  auto second = co_await ContentOf(session, where, other);
  if (!second) co_return std::unexpected(std::move(second).error());
  co_return **first == **second;
}

template <class Kind>
Task<Decision<typename Repository<Kind>::Rev>> Repository<Kind>::UndoTarget(model::Session& session,
                                                                            Where where, const Head& head) {
  auto current = co_await Find(session, where, head.rev_id);
  if (!current) co_return std::unexpected(std::move(current).error());
  auto rev = co_await Origin(session, where, *current);
  for (;;) {
    if (!rev) co_return std::unexpected(std::move(rev).error());
    auto before = co_await Before(session, where, *rev);
    if (!before) co_return std::unexpected(std::move(before).error());
    if (!*before) {
      co_return std::unexpected(
          Refusal(Code::kConditionFailed, "nothing-to-undo", "The first revision cannot be undone"));
    }
    // A completion leaves the plan as it was: going back there would be no step at all.
    auto same = co_await SameContent(session, where, **before, *current);
    if (!same) co_return std::unexpected(std::move(same).error());
    if (!*same) co_return **std::move(before);
    rev = **std::move(before);
  }
}

// HEAD is at the content of some revision after undoing and redoing. What redoing leads to is the revision
// that was made on it, among those that the steps back from HEAD passed.
template <class Kind>
Task<Decision<typename Repository<Kind>::Rev>> Repository<Kind>::RedoTarget(model::Session& session,
                                                                            Where where, const Head& head) {
  const Refusal nothing(Code::kConditionFailed, "nothing-to-redo", "Nothing was undone that could be redone");
  auto step = co_await Find(session, where, head.rev_id);
  if (!step) co_return std::unexpected(std::move(step).error());
  const auto at = co_await Origin(session, where, *step);
  if (!at) co_return std::unexpected(at.error());
  while (IsStep(step->restored_by) && step->parent_id) {
    step = co_await Find(session, where, *step->parent_id);
    if (!step) co_return std::unexpected(std::move(step).error());
    auto passed = co_await Origin(session, where, *step);
    if (!passed) co_return std::unexpected(std::move(passed).error());
    auto made_on = co_await IsMadeOn(session, where, *passed, *at);
    if (!made_on) co_return std::unexpected(std::move(made_on).error());
    if (*made_on) co_return passed;
  }
  co_return std::unexpected(nothing);
}

// Revisions in between that changed nothing do not count.
template <class Kind>
Task<Decision<bool>> Repository<Kind>::IsMadeOn(model::Session& session, Where where, const Rev& made,
                                                const Rev& on) {
  Rev rev = made;
  for (;;) {
    auto before = co_await Before(session, where, rev);
    if (!before) co_return std::unexpected(std::move(before).error());
    if (!*before) co_return false;
    if ((*before)->id == on.id) co_return true;
    auto same = co_await SameContent(session, where, **before, made);
    if (!same) co_return std::unexpected(std::move(same).error());
    if (!*same) co_return false;
    rev = **std::move(before);
  }
}

template <class Kind>
Task<Decision<typename Repository<Kind>::Prepared>> Repository<Kind>::Prepare(model::Session& session,
                                                                              Where where,
                                                                              const std::optional<Head>& seen,
                                                                              Draft draft) {
  const std::optional<std::string> parent = seen ? std::optional(seen->rev_id) : std::nullopt;
  Prepared prepared{.where = where, .revision = {}, .seen = seen, .snapshot = nullptr, .sweep = {}};
  const auto snapshot = std::make_shared<Snapshot>(Snapshot{.content = std::move(draft.content)});
  prepared.snapshot = snapshot;
  Rev& revision = prepared.revision;
  revision.id = draft.rev_id ? *draft.rev_id : ids_.Next(parent);
  revision.ts = TimestampOf(revision.id);
  revision.parent_id = parent;
  revision.message = std::move(draft.message);
  revision.label = draft.label;
  revision.item_count = static_cast<int64_t>(Kind::ItemCount(snapshot->content));
  revision.restored_from = std::move(draft.restored_from);
  revision.restored_by = draft.restored_by;
  revision.values_rev_id = std::move(draft.values_rev_id);
  revision.touched = std::move(draft.touched);
  prepared.sweep = {.kind = std::string(kSweepJob),
                    .id = revision.id,
                    .due = std::chrono::floor<std::chrono::milliseconds>(database_.Now() + kSweepAfter),
                    .user_id = UserOf(session),
                    .argument = Kind::SweepArgument(where, revision.id)};

  const auto base = seen ? cache_.Find(CacheKey(session, where, seen->rev_id)) : nullptr;
  // The job first: the engine keeps the order in which writes are given to it, so no crash leaves a snapshot
  // without its job. (A store that does not could leave items that nobody sees.) They share a sync.
  std::vector<Task<Decision<size_t>>> writes;
  writes.push_back(ScheduleSweep(UserOf(session), prepared.sweep));
  writes.push_back(Kind::WriteSnapshot(session, where, revision.id, *snapshot, base.get()));
  std::vector<Decision<size_t>> written = co_await Together(std::move(writes));
  if (!written.front()) {  // nobody else would clear it away
    model::Session system(database_, model::Caller::SystemFor({{"sub", UserOf(session)}}));
    co_await Kind::DeleteSnapshot(system, where, revision.id);
  }
  for (Decision<size_t>& one : written) {
    if (one) continue;
    Refusal refusal = std::move(one).error();
    co_await Abandon(prepared);
    co_return std::unexpected(std::move(refusal));
  }
  co_return prepared;
}

template <class Kind>
Task<Decision<size_t>> Repository<Kind>::ScheduleSweep(std::string user, const jobs::Job& job) {
  model::Session platform = jobs_.NewSession(user);
  if (auto staged = jobs_.Schedule(platform, job); !staged)
    co_return std::unexpected(RefusalOf(std::move(staged).error()));
  auto planned = co_await platform.Commit();
  if (!planned) co_return std::unexpected(RefusalOf(std::move(planned).error()));
  co_return 1;
}

template <class Kind>
Decision<void> Repository<Kind>::Stage(model::Session& session, model::Session& platform,
                                       const Prepared& prepared) {
  RETURN_IF_ERROR(
      Kind::Stage(session, prepared.where, prepared.revision, prepared.seen, prepared.snapshot->content));
  if (auto staged = jobs_.Remove(platform, prepared.sweep); !staged)
    return std::unexpected(RefusalOf(std::move(staged).error()));
  return {};
}

template <class Kind>
void Repository<Kind>::Remember(const model::Session& session, const Prepared& prepared) {
  cache_.Put(CacheKey(session, prepared.where, prepared.revision.id), prepared.snapshot,
             Kind::BytesOf(*prepared.snapshot));
}

template <class Kind>
Task<Status> Repository<Kind>::Abandon(const Prepared& prepared) {
  const Status swept = co_await Sweep(prepared.sweep, prepared.where, prepared.revision.id);
  if (!swept) {
    log::Warning("an unpublished snapshot stays until its job is due",
                 {{"revision", prepared.revision.id}, {"reason", swept.error().message}});
  }
  co_return swept;
}

template <class Kind>
Task<Status> Repository<Kind>::Sweep(const jobs::Job& job, Where where, std::string rev_id) {
  const auto failed = [](const Refusal& refusal) { return Fail(refusal.code, refusal.message); };
  // Publishing needs the job where it was: once it has another time, nobody can publish any more.
  jobs::Job claimed = job;
  claimed.due = std::chrono::floor<std::chrono::milliseconds>(database_.Now() + kSweepAfter);
  ++claimed.attempts;
  if (claimed.due == job.due) claimed.due += std::chrono::milliseconds(1);
  model::Session claiming = jobs_.NewSession(job.user_id);
  auto staged = jobs_.Remove(claiming, job);
  if (staged) staged = jobs_.Schedule(claiming, claimed);
  if (!staged) co_return Fail(staged.error().error);
  auto claim = co_await claiming.Commit();
  if (!claim) {
    // Gone: it was published, or swept by someone else.
    if (claim.error().error.code == Code::kResourceNotFound) co_return Status();
    co_return Fail(claim.error().error);
  }
  co_await TestPoint("values.sweep-claimed");
  model::Session system(database_, model::Caller::SystemFor({{"sub", job.user_id}}));
  auto published = co_await Kind::ReadRevision(system, where, rev_id);
  if (!published) co_return failed(published.error());
  if (!*published) {
    auto deleted = co_await Kind::DeleteSnapshot(system, where, rev_id);
    if (!deleted) co_return failed(deleted.error());
  }
  model::Session ending = jobs_.NewSession(job.user_id);
  if (auto removed = jobs_.Remove(ending, claimed); !removed) co_return Fail(removed.error().error);
  auto ended = co_await ending.Commit();
  if (!ended) co_return Fail(ended.error().error);
  co_return Status();
}

template class Repository<TreeKind>;
template class Repository<PlanKind>;

}  // namespace cairn::values
