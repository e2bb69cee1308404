#include "domains/nexus/import_share.h"

#include <algorithm>

#include "base/aside.h"
#include "base/slice.h"
#include "domains/nexus/calendar_entries.h"
#include "domains/nexus/instance_plan.h"
#include "domains/nexus/series_store.h"

namespace cairn::nexus {
namespace {

// Rules are counted for so long; those that are left count as dense ones.
constexpr std::chrono::seconds kCountedMax{3};

// How many items the series would have.
size_t WantedBy(const ics::Event& entry, Time now) {
  data::Master master;
  // What is refused has none.
  if (!SetContent(master, entry)) return 0;
  const Time until = now + kKeptAhead + kGrowthStep;
  const auto occurrences = OccurrencesBetween(master, now - kKeptBack, until);
  return occurrences ? std::min(occurrences->size(), kOccurrencesKeptAhead) : 0;
}

}  // namespace

std::optional<int64_t> ShareOf(std::vector<size_t> wanted, size_t total) {
  std::ranges::sort(wanted);
  size_t left = total;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const size_t share = left / (wanted.size() - i);
    if (wanted[i] > share) return static_cast<int64_t>(std::max<size_t>(share, 1));
    left -= wanted[i];
  }
  return std::nullopt;
}

Task<std::optional<int64_t>> FindShare(const Nexus& nexus, const ics::Calendar& calendar) {
  std::vector<const ics::Event*> series;
  for (const ics::Event& event : calendar.events) {
    if (!event.rrule.empty()) series.push_back(&event);
  }
  if (series.size() * kOccurrencesKeptAhead <= kImportedOccurrencesMax) co_return std::nullopt;
  const Time now = nexus.Now();
  std::vector<size_t> wanted;
  for (const ics::Event* event : series) {
    co_await Breathe();
    size_t count = kOccurrencesKeptAhead;
    auto find = [&] { return WantedBy(*event, now); };
    if (nexus.Now() < now + kCountedMax) count = co_await Aside(find);
    wanted.push_back(count);
  }
  co_return ShareOf(std::move(wanted), kImportedOccurrencesMax);
}

}  // namespace cairn::nexus
