#include "domains/values/plan_transfer.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "base/test_point.h"
#include "base/ulid.h"
#include "domains/values/history/publication.h"
#include "domains/values/plan/rules.h"
#include "domains/values/settings.h"

namespace cairn::values {
namespace {

namespace data = models::values;

constexpr std::chrono::hours kClocksDifferMax{24};
constexpr std::chrono::hours kSweepsComeWithin{2};  // also one that has failed before

Refusal BadHistory(const PlanEntry& entry, const std::string& what) {
  return Refusal(Code::kInvalidArgument, "bad-history",
                 "Revision " + entry.rev_id + " of the plan of " + entry.day + ": " + what);
}

// `before`: the revisions of the same day that come before it.
Decision<void> CheckEntry(const PlanEntry& entry, std::span<const PlanEntry> before, Time now) {
  if (!IsUlid(entry.rev_id)) return std::unexpected(BadHistory(entry, "its id is not a ULID"));
  const std::optional<std::string> parent =
      before.empty() ? std::nullopt : std::optional(before.back().rev_id);
  if (entry.parent_rev_id != parent)
    return std::unexpected(BadHistory(entry, "its parent is not the revision before it"));
  if (parent && entry.rev_id <= *parent)
    return std::unexpected(BadHistory(entry, "its id is not after its parent's"));
  if (MomentOf(entry.rev_id) > now + kClocksDifferMax)
    return std::unexpected(BadHistory(entry, "its id is of the future"));
  if (entry.restored_from.has_value() != entry.restored_by.has_value())
    return std::unexpected(BadHistory(entry, "restoredFrom and restoredBy come together"));
  if (entry.restored_from &&
      !std::ranges::binary_search(before, *entry.restored_from, {}, &PlanEntry::rev_id))
    return std::unexpected(BadHistory(entry, "it was restored from no earlier revision"));
  return {};
}

Task<Decision<void>> CheckAll(Values& values, model::Session& session,
                              const std::vector<PlanEntry>& entries) {
  auto settings = co_await ReadSettings(session);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  std::set<std::string> days, trees;
  size_t first = 0;  // of the day
  for (size_t i = 0; i < entries.size(); ++i) {
    const PlanEntry& entry = entries[i];
    if (i == 0 || entry.day != entries[i - 1].day) {
      first = i;
      if (!days.insert(entry.day).second)
        co_return std::unexpected(BadHistory(entry, "the revisions of a day must come together"));
    }
    CO_RETURN_IF_ERROR(CheckEntry(entry, std::span(entries).subspan(first, i - first), values.Now()));
    const auto bounds = BoundsOf(entry.day, RulesOf(*settings));
    if (!bounds) co_return std::unexpected(Refusal(bounds.error()));
    // The day may have had other bounds then.
    CO_RETURN_IF_ERROR(CheckPlan(entry.plan, *bounds, entry.plan));
    if (!entry.values_rev_id || !trees.insert(*entry.values_rev_id).second) continue;
    auto tree = co_await values.trees().Find(session, {}, *entry.values_rev_id);
    if (!tree && tree.error().code == Code::kResourceNotFound)
      co_return std::unexpected(BadHistory(entry, "the tree has no revision " + *entry.values_rev_id));
    if (!tree) co_return std::unexpected(std::move(tree).error());
  }
  co_return Decision<void>();
}

// Snapshots that an interrupted import has left: nobody may be clearing them away while they are written.
Task<Decision<void>> ClearLeftovers(Values& values, const std::string& user_id,
                                    const std::vector<PlanEntry>& entries) {
  std::map<std::string, std::string> days;  // by revision
  for (const PlanEntry& entry : entries) days.emplace(entry.rev_id, entry.day);
  auto pending = co_await values.jobs().Pending(user_id, values.Now() + kSweepsComeWithin);
  if (!pending) co_return std::unexpected(RefusalOf(std::move(pending).error()));
  for (const jobs::Job& job : *pending) {
    const auto day = days.find(job.id);
    if (job.kind != kSweepJob || day == days.end()) continue;
    if (job.attempts > 0) {  // someone is at it
      co_return std::unexpected(
          Refusal(Code::kTransactionInProgress, "in-progress",
                  "What an interrupted import has left is being cleared away: try again later"));
    }
    const PlanKind::Where where{.day = day->second};
    const Status swept = co_await values.plans().Sweep(job, where, job.id);
    if (!swept) co_return std::unexpected(Refusal(swept.error()));
  }
  co_return Decision<void>();
}

// Whether it was new.
Task<Decision<bool>> ImportOne(Values& values, const model::Caller& caller, PlanEntry entry) {
  Publication publication(values, caller);
  const PlanKind::Where where{.day = entry.day};
  auto current = co_await values.plans().Current(publication.session(), where);
  if (!current) co_return std::unexpected(std::move(current).error());
  const auto head = current->head ? std::optional(current->head->rev_id) : std::nullopt;
  if (head != entry.parent_rev_id) {
    if (head && *head >= entry.rev_id) {
      auto known = co_await values.plans().Find(publication.session(), where, entry.rev_id);
      if (known) co_return false;  // an earlier attempt brought it
      if (known.error().code != Code::kResourceNotFound) co_return std::unexpected(std::move(known).error());
    }
    co_return std::unexpected(Refusal(Code::kConditionFailed, "not-empty",
                                      "The day " + entry.day + " has a plan of its own already"));
  }
  PlanRepository::Draft draft{.content = std::move(entry.plan),
                              .label = entry.reason,
                              .message = std::move(entry.message),
                              .restored_from = std::move(entry.restored_from),
                              .restored_by = entry.restored_by,
                              .values_rev_id = std::move(entry.values_rev_id),
                              .touched = {},
                              .rev_id = std::move(entry.rev_id)};
  auto added = co_await publication.Add(entry.day, *current, std::move(draft));
  if (!added) co_return std::unexpected(std::move(added).error());
  auto committed = co_await publication.Commit();
  if (!committed) co_return std::unexpected(std::move(committed).error());
  co_return true;
}

}  // namespace

Task<Decision<void>> PlanExport::NextDay() {
  const std::string from = day_.empty() ? "0001-01-01" : day_;
  const data::PlanDaysParameters parameters{.from = from, .to = "9999-12-31"};
  const model::typed::PageOptions options{.limit = 2, .cursor = {}};
  auto days = co_await data::ReadPlanDays(session_, parameters, options);
  if (!days) co_return std::unexpected(RefusalOf(std::move(days).error()));
  const auto next =
      std::ranges::find_if(days->items, [&](const data::PlanDay& day) { return day.day != day_; });
  if (next == days->items.end()) co_return Decision<void>();
  day_ = next->day;
  const PlanKind::Where where{.day = day_};
  PageOf page{.limit = 100, .cursor = {}};
  for (;;) {
    auto history = co_await PlanKind::ReadHistory(session_, where, page);
    if (!history) co_return std::unexpected(std::move(history).error());
    for (PlanRepository::Rev& revision : history->revisions) log_.push_back(std::move(revision));
    if (history->next_cursor.empty()) co_return Decision<void>();
    page.cursor = history->next_cursor;
  }
}

Task<Decision<std::optional<PlanEntry>>> PlanExport::Next() {
  if (log_.empty()) {
    auto read = co_await NextDay();
    if (!read) co_return std::unexpected(std::move(read).error());
    if (log_.empty()) co_return std::optional<PlanEntry>();
  }
  const PlanRepository::Rev revision = std::move(log_.back());
  log_.pop_back();
  const PlanKind::Where where{.day = day_};
  auto content = co_await values_.plans().ContentOf(session_, where, revision);
  if (!content) co_return std::unexpected(std::move(content).error());
  co_return PlanEntry{.day = day_,
                      .rev_id = revision.id,
                      .parent_rev_id = revision.parent_id,
                      .reason = revision.label,
                      .message = revision.message,
                      .values_rev_id = revision.values_rev_id,
                      .restored_from = revision.restored_from,
                      .restored_by = revision.restored_by,
                      .plan = **content};
}

Task<Decision<int64_t>> ImportPlans(Values& values, model::Caller caller, std::vector<PlanEntry> entries) {
  model::Session session(values.database(), caller);
  CO_RETURN_IF_ERROR(co_await CheckAll(values, session, entries));
  CO_RETURN_IF_ERROR(co_await ClearLeftovers(values, *caller.Claim("sub"), entries));
  int64_t brought = 0;
  for (PlanEntry& entry : entries) {
    co_await TestPoint("values.import-revision");
    auto is_new = co_await ImportOne(values, caller, std::move(entry));
    if (!is_new) co_return std::unexpected(std::move(is_new).error());
    if (*is_new) ++brought;
  }
  co_return brought;
}

}  // namespace cairn::values
