// What clients change of events, series and their occurrences: the same fields everywhere. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/nexus/nexus.h"
#include "domains/nexus/times.h"

namespace cairn::nexus {

// Absent: stays as it is; null: goes away.
struct EventPatch {
  std::optional<std::string> title;
  std::optional<std::optional<std::string>> description, location;
  std::optional<std::optional<std::vector<std::string>>> tags;
  std::optional<std::optional<std::vector<int64_t>>> reminder_minutes;
  GivenTimes times;
};

// Everything but the times.
template <class T>
void ApplyContent(T& entity, const EventPatch& patch) {
  if (patch.title) entity.title = *patch.title;
  if (patch.description) entity.description = *patch.description;
  if (patch.location) entity.location = *patch.location;
  if (patch.tags) {
    entity.tags.reset();
    if (*patch.tags) entity.tags.emplace((*patch.tags)->begin(), (*patch.tags)->end());
  }
  if (patch.reminder_minutes) {
    if constexpr (requires { entity.muted_minutes; }) entity.muted_minutes.reset();
    entity.reminder_minutes.reset();
    if (*patch.reminder_minutes)
      entity.reminder_minutes.emplace((*patch.reminder_minutes)->begin(), (*patch.reminder_minutes)->end());
  }
}

// What the model cannot say about elements of sets.
Decision<void> CheckPatch(const EventPatch& patch);

}  // namespace cairn::nexus
