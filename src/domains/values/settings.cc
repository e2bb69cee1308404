#include "domains/values/settings.h"

#include "base/time_text.h"
#include "domains/values/history/publication.h"

namespace cairn::values {

namespace data = models::values;

jobs::Job RolloverJob(const std::string& user_id, const std::string& due) {
  return {.kind = std::string(kRolloverJob),
          .id = user_id,
          .due = ParseInstant(due).value_or(Time()),
          .user_id = user_id,
          .argument = {}};
}

Task<Decision<Settings>> ReadSettings(model::Session& session) {
  auto stored = co_await data::GetSettings(session);
  if (!stored) co_return std::unexpected(RefusalOf(std::move(stored).error()));
  Settings settings;
  if (*stored) settings = **std::move(stored);
  if (!settings.timezone) settings.timezone = "UTC";
  if (!settings.day_start_hour) settings.day_start_hour = 0;
  if (!settings.auto_rollover) settings.auto_rollover = false;
  co_return settings;
}

DayRules RulesOf(const Settings& settings) {
  return {.timezone = settings.timezone.value_or("UTC"),
          .day_start_hour = static_cast<int>(settings.day_start_hour.value_or(0))};
}

Decision<Settings> StageNextRollover(Values& values, model::Session& session, model::Session& platform,
                                     Settings settings, Time now, MissedRollover missed) {
  const std::string user_id = *session.caller().Claim("sub");
  settings.next_rollover_at.reset();
  if (settings.auto_rollover.value_or(false)) {
    Result<Time> next = std::chrono::floor<std::chrono::milliseconds>(now);
    if (missed == MissedRollover::kNo) next = NextDayStart(now, RulesOf(settings));
    if (!next) return std::unexpected(Refusal(std::move(next).error()));
    settings.next_rollover_at = FormatIsoMilliseconds(*next);
    if (auto planned = values.jobs().Schedule(platform, RolloverJob(user_id, *settings.next_rollover_at));
        !planned)
      return std::unexpected(RefusalOf(std::move(planned).error()));
  }
  model::Outcome<void> staged;
  if (settings.version) {
    staged = data::ReplaceSettings(session, settings, settings.version);
  } else if (auto created = data::CreateSettings(session, settings); !created) {
    staged = std::unexpected(std::move(created).error());
  }
  if (!staged) return std::unexpected(RefusalOf(std::move(staged).error()));
  return settings;
}

namespace {

// Whether a day has begun for the user that nothing was rolled over to: by the old settings, whose job has
// not come yet, or by the new ones, where it is a later day already.
Decision<MissedRollover> MissedBy(const Settings& before, const Settings& after, Time now) {
  if (!before.auto_rollover.value_or(false)) return MissedRollover::kNo;
  if (before.next_rollover_at && *before.next_rollover_at <= FormatIsoMilliseconds(now))
    return MissedRollover::kYes;
  const auto day_before = DayOf(now, RulesOf(before)), day_after = DayOf(now, RulesOf(after));
  if (!day_before) return std::unexpected(Refusal(day_before.error()));
  if (!day_after) return std::unexpected(Refusal(day_after.error()));
  return *day_after > *day_before ? MissedRollover::kYes : MissedRollover::kNo;
}

Task<Decision<Settings>> ApplyOnce(Values& values, const model::Caller& caller, const ChangeSettings& changes,
                                   const Witness<Settings>& witness) {
  model::Session session(values.database(), caller);
  model::Session platform = values.jobs().NewSession(*caller.Claim("sub"));
  auto settings = co_await ReadSettings(session);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  const Settings before = *settings;
  if (changes.timezone) settings->timezone = changes.timezone;
  if (changes.day_start_hour) settings->day_start_hour = changes.day_start_hour;
  if (changes.auto_rollover) settings->auto_rollover = changes.auto_rollover;
  CO_ASSIGN_OR_RETURN(const MissedRollover missed, MissedBy(before, *settings, values.Now()));
  auto staged = StageNextRollover(values, session, platform, *settings, values.Now(), missed);
  if (!staged) co_return std::unexpected(std::move(staged).error());
  if (auto kept = witness(platform, *staged); !kept)
    co_return std::unexpected(RefusalOf(std::move(kept).error()));
  auto committed = co_await session.CommitWith(platform);
  if (!committed) co_return std::unexpected(RefusalOf(std::move(committed).error()));
  co_return staged;
}

}  // namespace

Task<Decision<Settings>> ApplySettings(Values& values, model::Caller caller, ChangeSettings changes,
                                       Witness<Settings> witness) {
  if (changes.timezone && !IsKnownZone(*changes.timezone)) {
    Refusal refusal(Code::kInvalidArgument, "unknown-zone", "There is no time zone of this name");
    refusal.fields.push_back({"timezone", "must be a name such as Europe/Berlin"});
    co_return std::unexpected(std::move(refusal));
  }
  for (int attempt = 1;; ++attempt) {
    auto applied = co_await ApplyOnce(values, caller, changes, witness);
    if (applied || applied.error().code != Code::kConditionFailed || attempt == kAttemptsMax)
      co_return applied;
  }
}

}  // namespace cairn::values
