#include "domains/nexus/event_patch.h"

namespace cairn::nexus {
namespace {

constexpr int64_t kMinutesMax = 525'600;  // a year
constexpr size_t kTagBytesMax = 100;

std::string At(const char* name, size_t position) {
  return std::string(name) + "[" + std::to_string(position) + "]";
}

}  // namespace

Decision<void> CheckPatch(const EventPatch& patch) {
  if (patch.tags && *patch.tags) {
    for (size_t i = 0; i < (*patch.tags)->size(); ++i) {
      const std::string& tag = (**patch.tags)[i];
      if (tag.empty() || tag.size() > kTagBytesMax)
        return RefuseField(At("tags", i), "must have 1 to 100 bytes");
    }
  }
  if (patch.reminder_minutes && *patch.reminder_minutes) {
    for (size_t i = 0; i < (*patch.reminder_minutes)->size(); ++i) {
      const int64_t minutes = (**patch.reminder_minutes)[i];
      if (minutes < 0 || minutes > kMinutesMax)
        return RefuseField(At("reminderMinutes", i), "must be a number of minutes from 0 to 525600");
    }
  }
  return {};
}

}  // namespace cairn::nexus
