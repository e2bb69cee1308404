// Use cases: a user's settings: zone, start of the day, automatic rollover.
#pragma once

#include <optional>
#include <string>

#include "domains/values/plan/day.h"
#include "domains/values/values.h"

namespace cairn::values {

using Settings = models::values::Settings;

// With defaults where nothing was set.
Task<Decision<Settings>> ReadSettings(model::Session& session);
DayRules RulesOf(const Settings& settings);

// Absent: stays as it is.
struct ChangeSettings {
  std::optional<std::string> timezone;
  std::optional<int64_t> day_start_hour;
  std::optional<bool> auto_rollover;
};
// Refusal: "unknown-zone". Plans the next automatic rollover, if there is to be one.
Task<Decision<Settings>> ApplySettings(Values& values, model::Caller caller, ChangeSettings changes,
                                       Witness<Settings> witness);

inline constexpr std::string_view kRolloverJob = "values-rollover";
// `due` as it stands in the settings.
jobs::Job RolloverJob(const std::string& user_id, const std::string& due);

// Whether there is one to be made up for at once.
enum class MissedRollover { kNo, kYes };

// Stages the settings with the next automatic rollover after `now`, or the one that was missed, and its job:
// as they will be. The commit fails with a conflict when they were changed since they were read.
Decision<Settings> StageNextRollover(Values& values, model::Session& session, model::Session& platform,
                                     Settings settings, Time now,
                                     MissedRollover missed = MissedRollover::kNo);

}  // namespace cairn::values
