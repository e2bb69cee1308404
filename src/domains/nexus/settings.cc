#include "domains/nexus/settings.h"

#include <algorithm>
#include <set>

#include "domains/nexus/zone_update.h"

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

// Mail goes to the account's own address and nowhere else.
Task<Decision<void>> CheckMail(Nexus& nexus, std::string user_id) {
  if (!nexus.HasMail())
    co_return RefuseField("notifyEmail", "cannot be set: the operator of this server has not set up e-mail");
  auto address = co_await nexus.delivery().address_of(std::move(user_id));
  if (!address) co_return std::unexpected(Refusal(address.error()));
  if (!*address) co_return RefuseField("notifyEmail", "needs an account with an e-mail address");
  co_return Decision<void>();
}

Task<Decision<Settings>> ApplyOnce(Nexus& nexus, const model::Caller& caller, const ChangeSettings& changes,
                                   SeenVersion seen, const Witness<Settings>& witness) {
  Work work(nexus, caller);
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return settings;
  if (!IsAsSeen(*settings, seen))
    co_return RefuseConflict(std::string(kVersionMismatch), "The settings were changed: read them again");
  if (changes.timezone && changes.timezone != settings->timezone) CO_RETURN_IF_ERROR(StageFollowJob(work));
  if (changes.timezone) settings->timezone = changes.timezone;
  if (changes.columns) settings->columns = changes.columns;
  if (changes.notify_email && !*changes.notify_email) settings->last_email.reset();
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

Task<Decision<void>> StageSpan(Work& work, std::chrono::seconds duration, Density density) {
  const bool may_be_long = duration > kSpanSteps[0] && duration <= kEventSpanMax;
  if (!may_be_long && density == Density::kSparse) co_return Decision<void>();
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  const bool is_longer = may_be_long && *settings->max_event_seconds < duration.count();
  const bool is_denser = density == Density::kDense && !settings->has_dense_series.value_or(false);
  if (!is_longer && !is_denser) co_return Decision<void>();
  if (is_longer) settings->max_event_seconds = std::ranges::lower_bound(kSpanSteps, duration)->count();
  if (is_denser) settings->has_dense_series = true;
  auto staged =
      settings->version ? work.StageQuietly(*std::move(settings)) : work.StageNew(*std::move(settings));
  if (!staged) co_return std::unexpected(std::move(staged).error());
  co_return Decision<void>();
}

Task<Decision<Settings>> ApplySettings(Nexus& nexus, model::Caller caller, ChangeSettings changes,
                                       SeenVersion seen, Witness<Settings> witness) {
  if (changes.columns) CO_RETURN_IF_ERROR(CheckColumns(*changes.columns));
  if (changes.notify_email.value_or(false)) {
    auto possible = co_await CheckMail(nexus, *caller.Claim("sub"));
    if (!possible) co_return std::unexpected(std::move(possible).error());
  }
  for (int attempt = 1;; ++attempt) {
    auto applied = co_await ApplyOnce(nexus, caller, changes, seen, witness);
    if (applied || attempt == kAttemptsMax || !IsWorthAnotherTry(applied.error(), seen)) co_return applied;
  }
}

}  // namespace cairn::nexus
