// Use cases: what a person has set: zone, columns of the board, how far back the agenda has to look.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "domains/nexus/work.h"

namespace cairn::nexus {

using Settings = data::Settings;

// No event lasts longer, but those that are marked isLong.
inline constexpr std::chrono::seconds kEventSpanMax = std::chrono::days(31);

// With defaults where nothing was set; without a version when nothing ever was.
Task<Decision<Settings>> ReadSettings(Work& work);

// Absent: stays as it is.
struct ChangeSettings {
  std::optional<std::string> timezone;
  std::optional<std::vector<data::Column>> columns;
  std::optional<bool> notify_email;
};
Task<Decision<Settings>> ApplySettings(Nexus& nexus, model::Caller caller, ChangeSettings changes,
                                       SeenVersion seen, Witness<Settings> witness);

// Stages what was read and changed, whether it was there before or not: as it will be.
Decision<Settings> StageSettings(Work& work, Settings settings);

// Of a series: whether as much is kept ahead as of others (series_store.h).
enum class Density { kSparse, kDense };

// Stages that there is an event which lasts so long, or a dense series, if the agenda does not look for such
// already. In the transaction that writes it.
Task<Decision<void>> StageSpan(Work& work, std::chrono::seconds duration, Density density = Density::kSparse);

}  // namespace cairn::nexus
