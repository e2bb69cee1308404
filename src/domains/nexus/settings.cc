#include "domains/nexus/settings.h"

#include <algorithm>
#include <set>

namespace cairn::nexus {
namespace {

using data::TaskStatus;

// Few steps: the settings are written again when one is passed, not with every longer event.
constexpr std::chrono::seconds kSpanSteps[] = {std::chrono::hours(4), std::chrono::days(1),
                                               std::chrono::days(7), kEventSpanMax};

std::vector<data::Column> DefaultColumns() {
  return {{.status = TaskStatus::kBacklog, .title = "Backlog", .limit = {}},
          {.status = TaskStatus::kTodo, .title = "To do", .limit = {}},
          {.status = TaskStatus::kInProgress, .title = "In progress", .limit = {}},
          {.status = TaskStatus::kBlocked, .title = "Blocked", .limit = {}},
          {.status = TaskStatus::kDone, .title = "Done", .limit = {}}};
}

// The one of a user: ids of users are UUIDs, and others (tokens of operators name anybody) have one made of
// them.
std::string SettingsIdOf(const Work& work) { return PrefixedId("set_", work.user_id(), "settings"); }

Decision<void> CheckColumns(const std::vector<data::Column>& columns) {
  if (columns.empty()) return RefuseField("columns", "must have at least one column");
  std::set<TaskStatus> seen;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!seen.insert(columns[i].status).second)
      return RefuseField("columns[" + std::to_string(i) + "].status", "has a column already");
  }
  return {};
}

Task<Decision<Settings>> ApplyOnce(Nexus& nexus, const model::Caller& caller, const ChangeSettings& changes,
                                   SeenVersion seen, const Witness<Settings>& witness) {
  Work work(nexus, caller);
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return settings;
  if (seen && settings->version.value_or(0) != *seen)
    co_return RefuseConflict(std::string(kVersionMismatch), "The settings were changed: read them again");
  if (changes.timezone) settings->timezone = changes.timezone;
  if (changes.columns) settings->columns = changes.columns;
  if (changes.notify_email) settings->notify_email = changes.notify_email;
  co_return co_await work.Publish(StageSettings(work, *std::move(settings)), witness);
}

}  // namespace

Task<Decision<Settings>> ReadSettings(Work& work) {
  const data::SettingsKey key{.settings_id = SettingsIdOf(work)};
  auto found = co_await work.Find<Settings>(key);
  if (!found) co_return std::unexpected(std::move(found).error());
  Settings settings;
  if (*found) settings = **std::move(found);
  settings.settings_id = key.settings_id;
  if (!settings.timezone) settings.timezone = "UTC";
  if (!settings.columns) settings.columns = DefaultColumns();
  if (!settings.max_event_seconds) settings.max_event_seconds = kSpanSteps[0].count();
  co_return settings;
}

Decision<Settings> StageSettings(Work& work, Settings settings) {
  if (settings.version) return work.StageChange(std::move(settings));
  return work.StageNew(settings);
}

Task<Decision<void>> StageSpan(Work& work, std::chrono::seconds duration) {
  if (duration <= kSpanSteps[0] || duration > kEventSpanMax) co_return Decision<void>();
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  if (*settings->max_event_seconds >= duration.count()) co_return Decision<void>();
  settings->max_event_seconds = std::ranges::lower_bound(kSpanSteps, duration)->count();
  auto staged = StageSettings(work, *std::move(settings));
  if (!staged) co_return std::unexpected(std::move(staged).error());
  co_return Decision<void>();
}

Task<Decision<Settings>> ApplySettings(Nexus& nexus, model::Caller caller, ChangeSettings changes,
                                       SeenVersion seen, Witness<Settings> witness) {
  if (changes.columns) CO_RETURN_IF_ERROR(CheckColumns(*changes.columns));
  for (int attempt = 1;; ++attempt) {
    auto applied = co_await ApplyOnce(nexus, caller, changes, seen, witness);
    if (applied || attempt == kAttemptsMax || !IsWorthAnotherTry(applied.error(), seen)) co_return applied;
  }
}

}  // namespace cairn::nexus
