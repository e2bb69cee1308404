#include "calendar/internal/zone_rules.h"

#include <date/tz.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace cairn::calendar {
namespace {

using std::chrono::days;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::sys_seconds;

constexpr seconds kCycle = days(146'097);  // 400 years: the same dates on the same days of the week
constexpr sys_seconds kFirst = sys_days(std::chrono::year(0) / std::chrono::January / 1);
constexpr sys_seconds kEnd = sys_days(std::chrono::year(10000) / std::chrono::January / 2);

std::string Quoted(std::string_view text) { return std::string("\"").append(text) + "\""; }

// What stands between the last two line ends of the zone's file: the library does not read it.
std::string ReadTail(const std::string& name) {
  std::ifstream file("/usr/share/zoneinfo/" + name, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.size() < 2 || bytes.back() != '\n') return "";
  const size_t begin = bytes.rfind('\n', bytes.size() - 2) + 1;
  return bytes.substr(begin, bytes.size() - 1 - begin);
}

// Throws what the library throws when the zone's file cannot be read.
std::unique_ptr<const ZoneRules> Load(const date::time_zone& zone) {
  std::vector<OffsetChange> changes;
  for (sys_seconds at = kFirst; at < kEnd;) {
    const date::sys_info info = zone.get_info(at);
    changes.push_back({at, info.offset});
    if (info.end <= at) break;
    at = info.end;
  }
  return std::make_unique<const ZoneRules>(std::move(changes), ReadTail(zone.name()));
}

// A place for every zone of the database, filled on first use. Filled by two threads at once, the first one
// stays.
Result<const ZoneRules*> FindInDatabase(std::string_view name) {
  // Names without a place are aliases, "localtime" among them, that differ from machine to machine.
  const date::time_zone* zone = nullptr;
  if (name == "UTC" || name.find('/') != std::string_view::npos) {
    try {
      zone = date::locate_zone(name);
    } catch (const std::exception&) {  // not in the database
    }
  }
  if (zone == nullptr) {
    return Fail(Code::kInvalidArgument, "There is no time zone " + Quoted(name) +
                                            ". Use a name of the IANA database, such as Europe/Berlin.");
  }
  try {
    const auto& zones = date::get_tzdb().zones;
    // Never freed: threads may look things up until the process ends.
    static auto* const places = new std::vector<std::atomic<const ZoneRules*>>(zones.size());
    auto& place = (*places)[static_cast<size_t>(zone - zones.data())];
    if (const ZoneRules* known = place.load(std::memory_order_acquire)) return known;
    auto loaded = Load(*zone);
    const ZoneRules* known = nullptr;
    if (place.compare_exchange_strong(known, loaded.get(), std::memory_order_acq_rel))
      return loaded.release();
    return known;
  } catch (const std::exception& problem) {
    return Fail(Code::kInternal, "The time zone " + Quoted(name) + " cannot be read: " + problem.what());
  }
}

}  // namespace

ZoneRules::ZoneRules(std::vector<OffsetChange> changes, std::string_view tail)
    : changes_(std::move(changes)) {
  const sys_seconds last = changes_.back().at;
  const int year = static_cast<int>(std::chrono::year_month_day(std::chrono::floor<days>(last)).year());
  // A cycle of whole years after the last change, and a year more to look ahead in.
  const auto by_tail = ChangesByTail(tail, year, year + 402);
  if (by_tail.empty()) return;
  for (const OffsetChange& change : by_tail) {
    if (change.at > last && change.offset != changes_.back().offset) changes_.push_back(change);
  }
  list_end_ = sys_days(std::chrono::year(year + 401) / std::chrono::January / 1).time_since_epoch();
}

Result<const ZoneRules*> ZoneRules::Find(std::string_view name) {
  // Requests convert many times in the same zone: the last one of the thread is not looked up again.
  thread_local std::string last_name;
  thread_local const ZoneRules* last_rules = nullptr;
  if (last_rules != nullptr && last_name == name) return last_rules;
  ASSIGN_OR_RETURN(const ZoneRules* rules, FindInDatabase(name));
  last_name = name;
  last_rules = rules;
  return rules;
}

seconds ZoneRules::CyclesAfterList(seconds since_epoch) const {
  if (since_epoch < list_end_) return seconds(0);
  return ((since_epoch - list_end_) / kCycle + 1) * kCycle;
}

size_t ZoneRules::StretchAt(sys_seconds instant) const {
  const auto after = std::ranges::upper_bound(changes_, instant, {}, &OffsetChange::at);
  return after == changes_.begin() ? 0 : static_cast<size_t>(after - changes_.begin()) - 1;
}

LocalTime ZoneRules::ToLocal(sys_seconds instant) const {
  const seconds cycles = CyclesAfterList(instant.time_since_epoch());
  return LocalTime(instant.time_since_epoch() + changes_[StretchAt(instant - cycles)].offset);
}

ZoneRules::Pass ZoneRules::FirstPass(LocalTime time) const {
  const seconds cycles = CyclesAfterList(time.time_since_epoch());
  const sys_seconds as_utc(time.time_since_epoch() - cycles);
  // No clock is two days off: the stretch to start from surely begins before.
  for (size_t i = StretchAt(as_utc - days(2));; ++i) {
    const sys_seconds instant = as_utc - changes_[i].offset;
    if (i + 1 == changes_.size() || instant < changes_[i + 1].at) {
      // Shown in this stretch, unless this one begins with a later wall time already.
      if (i == 0 || instant >= changes_[i].at) return {.instant = instant + cycles};
      return {.instant = as_utc - changes_[i - 1].offset + cycles,
              .is_skipped = true,
              .change = changes_[i].at + cycles};
    }
  }
}

}  // namespace cairn::calendar
