#include "domains/nexus/zone_update.h"

#include "base/log.h"
#include "base/yield.h"
#include "domains/nexus/reminders.h"
#include "domains/nexus/series_reminders.h"
#include "domains/nexus/series_store.h"
#include "domains/nexus/settings.h"
#include "domains/nexus/times.h"
#include "models/platform.h"

namespace cairn::nexus {
namespace {

namespace platform = models::platform;

constexpr size_t kTable = 0;           // the model has one
constexpr int64_t kItemsOfStep = 100;  // a step is over in a fraction of a second
constexpr std::string_view kProgressName = "nexus-zones";
constexpr std::string_view kUserPrefix = "USER#";

jobs::Job ZoneJob(const std::string& version, Time due) {
  return {.kind = std::string(kZoneJob),
          .id = version,
          .due = std::chrono::floor<std::chrono::milliseconds>(due),
          .user_id = {},
          .argument = version};
}

Task<Result<std::optional<platform::Progress>>> ReadProgress(model::Session& session) {
  const platform::ProgressKey key{.name = std::string(kProgressName)};
  auto found = co_await platform::GetProgress(session, key);
  if (!found) co_return Fail(std::move(found).error().error);
  co_return *std::move(found);
}

// Notes how far the work has come, and what comes next.
Task<Status> KeepProgress(Nexus& nexus, model::Session& session, platform::Progress progress,
                          std::optional<jobs::Job> next) {
  if (auto staged = platform::CreateProgress(session, progress); !staged)
    co_return Fail(std::move(staged).error().error);
  if (next) {
    if (auto staged = nexus.jobs().Schedule(session, *next); !staged)
      co_return Fail(std::move(staged).error().error);
  }
  auto committed = co_await session.Commit();
  if (!committed) co_return Fail(std::move(committed).error().error);
  co_return Status();
}

// Of what is to come: the same wall time by the rules of now.
template <class T>
Decision<std::optional<Times>> MovedTimes(const T& entity, Time now) {
  const Times times = TimesOf(entity);
  if (times.is_floating() || TimeOf(times.start_utc) <= now) return std::optional<Times>();
  ASSIGN_OR_RETURN(const Times fresh, TimesAt(StartOf(times), times));
  if (fresh == times) return std::optional<Times>();
  return std::optional(fresh);
}

Task<Decision<void>> UpdateEvent(Nexus& nexus, model::Caller caller, std::string event_id) {
  Work work(nexus, caller);
  const data::EventKey key{.event_id = std::move(event_id)};
  auto found = co_await work.Find<data::Event>(key);
  if (!found) co_return std::unexpected(std::move(found).error());
  if (!*found) co_return Decision<void>();
  data::Event event = **std::move(found);
  CO_ASSIGN_OR_RETURN(const auto times, MovedTimes(event, nexus.Now()));
  if (!times) co_return Decision<void>();
  SetTimes(event, *times);
  auto spanned = co_await StageSpan(work, DurationOf(*times));
  if (!spanned) co_return spanned;
  Followed followed{.event_id = event.event_id,
                    .instance_id = {},
                    .master_id = {},
                    .task_id = {},
                    .title = event.title,
                    .start = TimeOf(times->start_utc),
                    .minutes = event.reminder_minutes,
                    .before = event.reminder_minutes};
  auto reminded = co_await StageFollowing(work, followed);
  if (!reminded) co_return reminded;
  auto staged = work.StageChange(std::move(event));
  if (!staged) co_return std::unexpected(std::move(staged).error());
  co_return co_await work.Commit();
}

// An occurrence that was edited on its own; the others come with their series.
Task<Decision<void>> UpdateInstance(Nexus& nexus, model::Caller caller, std::string instance_id) {
  Work work(nexus, caller);
  const data::InstanceKey key{.instance_id = std::move(instance_id)};
  auto found = co_await work.Find<data::Instance>(key);
  if (!found) co_return std::unexpected(std::move(found).error());
  if (!*found) co_return Decision<void>();
  data::Instance instance = **std::move(found);
  if (instance.is_exception.value_or(false)) {
    CO_ASSIGN_OR_RETURN(const auto times, MovedTimes(instance, nexus.Now()));
    if (times) {
      SetTimes(instance, *times);
      auto staged = work.StageChange(instance);
      if (!staged) co_return std::unexpected(std::move(staged).error());
      auto committed = co_await work.Commit();
      if (!committed) co_return committed;
    }
  }
  if (!instance.reminder_minutes) co_return Decision<void>();
  for (const int64_t distance : *instance.reminder_minutes) {
    auto followed = co_await FollowAgain(nexus, caller, FollowingId(*instance.instance_id, distance));
    if (!followed) co_return followed;
  }
  co_return Decision<void>();
}

Task<Decision<void>> UpdateSeries(Nexus& nexus, model::Caller caller, std::string master_id) {
  Work work(nexus, caller);
  const data::MasterKey key{.master_id = master_id};
  auto found = co_await work.Find<data::Master>(key);
  if (!found) co_return std::unexpected(std::move(found).error());
  if (!*found || !(*found)->start_tzid) co_return Decision<void>();
  data::Master master = **std::move(found);
  CO_ASSIGN_OR_RETURN(const auto times, MovedTimes(master, nexus.Now()));
  if (times) {
    SetTimes(master, *times);
    auto staged = work.StageChange(master);
    if (!staged) co_return std::unexpected(std::move(staged).error());
    auto committed = co_await work.Commit();
    if (!committed) co_return committed;
  }
  if (master.target_type == data::SeriesTarget::kTask) co_return Decision<void>();
  auto aligned = co_await AlignSeries(nexus, caller, master_id);
  if (!aligned) co_return std::unexpected(std::move(aligned).error());
  // Of every occurrence that has one, at the distances of the series: exceptions have moved on their own.
  auto instances = co_await ReadAllInstances(work, master_id);
  if (!instances) co_return std::unexpected(std::move(instances).error());
  const std::string now = nexus.NowText();
  for (const data::Instance& instance : *instances) {
    if (!instance.is_exception.value_or(false) || instance.start_utc < now) continue;
    co_await Yield();
    for (const int64_t distance : DistancesOf(master)) {
      auto followed = co_await FollowAgain(nexus, caller, FollowingId(*instance.instance_id, distance));
      if (!followed) co_return followed;
    }
  }
  co_return Decision<void>();
}

// The zone where somebody is may have changed its law as well.
Task<Decision<void>> UpdateUser(Nexus& nexus, model::Caller caller) {
  Work work(nexus, caller);
  CO_RETURN_IF_ERROR(StageFollowJob(work));
  co_return co_await work.Commit();
}

Task<Decision<void>> UpdateItem(Nexus& nexus, const std::string& pk, const std::string& sk) {
  if (!pk.starts_with(kUserPrefix)) co_return Decision<void>();
  const model::Caller caller = model::Caller::User({{"sub", pk.substr(kUserPrefix.size())}});
  const size_t hash = sk.find('#');
  const std::string type = sk.substr(0, hash);
  const std::string id = hash == std::string::npos ? "" : sk.substr(hash + 1);
  for (int attempt = 1;; ++attempt) {
    Decision<void> updated;
    if (type == "EVENT") updated = co_await UpdateEvent(nexus, caller, id);
    if (type == "INSTANCE") updated = co_await UpdateInstance(nexus, caller, id);
    if (type == "MASTER") updated = co_await UpdateSeries(nexus, caller, id);
    if (type == "SETTINGS") updated = co_await UpdateUser(nexus, caller);
    if (updated || attempt == kAttemptsMax || !IsWorthAnotherTry(updated.error(), {})) co_return updated;
  }
}

// What cannot be worked out (a zone that is gone from the rules) stays as it is; what the store refuses is
// tried again.
bool IsAboutTheItem(const Refusal& refusal) { return refusal.code == Code::kInvalidArgument; }

std::string TextIn(const item::Item& item, std::string_view name) {
  const item::AttributeValue* value = item.Find(name);
  return value != nullptr && value->is(item::Type::kString) ? std::string(value->string()) : "";
}

}  // namespace

Task<Status> PlanZoneUpdate(Nexus& nexus, std::string zone_version) {
  model::Session session = nexus.jobs().NewSession("");
  CO_ASSIGN_OR_RETURN(const auto progress, co_await ReadProgress(session));
  if (progress && progress->goal == zone_version) co_return Status();  // done, or its job goes on
  platform::Progress next;
  next.name = kProgressName;
  next.goal = zone_version;
  next.is_done = !progress;
  std::optional<jobs::Job> job;
  if (progress) {
    log::Info("the rules of time zones have changed: events to come are worked out anew",
              {{"before", progress->goal}, {"now", zone_version}});
    job = ZoneJob(zone_version, nexus.Now());
  }
  co_return co_await KeepProgress(nexus, session, std::move(next), std::move(job));
}

Task<Status> UpdateZones(Nexus& nexus, jobs::Job job) {
  model::Session session = nexus.jobs().NewSession("");
  CO_ASSIGN_OR_RETURN(auto progress, co_await ReadProgress(session));
  if (!progress || progress->goal != job.argument || progress->is_done.value_or(false)) co_return Status();
  store::ScanRequest request;
  request.table = nexus.database().physical_name(kTable);
  request.limit = kItemsOfStep;
  if (progress->position) {
    const size_t end = progress->position->find('\n');
    item::Item key;
    key.Set("PK", item::AttributeValue(progress->position->substr(0, end)));
    key.Set("SK", item::AttributeValue(progress->position->substr(end + 1)));
    request.exclusive_start_key = std::move(key);
  }
  auto page = co_await nexus.database().store().Scan(request);
  if (!page) co_return Fail(std::move(page).error());
  for (const item::PackedItem& packed : page->items) {
    co_await Yield();
    if (nexus.jobs().IsStopping()) co_return jobs::Stopping();
    const item::Item item = packed.Unpack();
    auto updated = co_await UpdateItem(nexus, TextIn(item, "PK"), TextIn(item, "SK"));
    if (updated) continue;
    if (!IsAboutTheItem(updated.error())) co_return StatusOf(updated.error());
    log::Warning("times cannot be worked out anew",
                 {{"item", TextIn(item, "SK")}, {"reason", updated.error().message}});
  }
  std::optional<jobs::Job> next;
  progress->position.reset();
  progress->is_done = !page->last_evaluated_key;
  if (page->last_evaluated_key) {
    progress->position =
        TextIn(*page->last_evaluated_key, "PK") + "\n" + TextIn(*page->last_evaluated_key, "SK");
    // Not the job at hand, which is removed when it is done.
    next = ZoneJob(job.argument, std::max(nexus.Now(), job.due + std::chrono::milliseconds(1)));
  } else {
    log::Info("events to come are as the rules of time zones have it", {{"rules", job.argument}});
  }
  co_return co_await KeepProgress(nexus, session, *std::move(progress), std::move(next));
}

Decision<void> StageFollowJob(Work& work) {
  return work.StageJob({.kind = std::string(kFollowJob),
                        .id = work.user_id(),
                        .due = std::chrono::floor<std::chrono::milliseconds>(work.nexus().Now()),
                        .user_id = work.user_id(),
                        .argument = {}});
}

Task<Status> FollowAgainAll(Nexus& nexus, jobs::Job job) {
  const model::Caller caller = model::Caller::User({{"sub", job.user_id}});
  model::typed::PageOptions options{.limit = 100, .cursor = {}};
  do {
    model::Session session(nexus.database(), caller);
    auto page = co_await data::ReadReminders(session, options);
    if (!page) co_return Fail(std::move(page).error().error);
    for (const Reminder& reminder : page->items) {
      if (!reminder.event_id && !reminder.instance_id) continue;
      co_await Yield();
      if (nexus.jobs().IsStopping()) co_return jobs::Stopping();
      auto followed = co_await FollowAgain(nexus, caller, *reminder.reminder_id);
      if (!followed) co_return StatusOf(followed.error());
    }
    options.cursor = page->next_cursor;
  } while (!options.cursor.empty());
  co_return Status();
}

}  // namespace cairn::nexus
