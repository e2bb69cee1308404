#include "calendar/internal/zone_rules.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/zone_folder.h"
#include "calendar/internal/zone_file.h"

namespace cairn::calendar {
namespace {

using std::chrono::days;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::sys_seconds;

constexpr seconds kCycle = days(146'097);  // 400 years: the same dates on the same days of the week
constexpr sys_seconds kFirst = sys_days(std::chrono::year(0) / std::chrono::January / 1);

std::string Quoted(std::string_view text) { return std::string("\"").append(text) + "\""; }

// Names without a place are aliases, "localtime" among them, that differ from machine to machine.
bool IsZoneName(std::string_view name) {
  if (name == "UTC") return true;
  if (name.find('/') == std::string_view::npos || name.size() > 64) return false;
  if (name.starts_with("posix/") || name.starts_with("right/")) return false;  // other leap seconds
  char before = '/';
  for (const char c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_other = (c >= '0' && c <= '9') || c == '/' || c == '_' || c == '-' || c == '+';
    if (!is_letter && (before == '/' || !is_other)) return false;
    before = c;
  }
  return before != '/';
}

Result<std::unique_ptr<const ZoneRules>> Load(std::string_view name) {
  const std::string path = ZoneFolder() + std::string(name);
  std::error_code error;
  if (!IsZoneName(name) || !std::filesystem::is_regular_file(path, error)) {
    return Fail(Code::kInvalidArgument, "There is no time zone " + Quoted(name) +
                                            ". Use a name of the IANA database, such as Europe/Berlin.");
  }
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto zone = ParseZoneFile(bytes);
  if (!zone)
    return Fail(Code::kInternal,
                "The time zone " + Quoted(name) + " cannot be read: " + zone.error().message);
  std::vector<OffsetChange> changes{{kFirst, zone->first_offset}};
  for (const OffsetChange& change : zone->changes) {
    if (change.at <= kFirst) changes.clear();
    changes.push_back({std::max(change.at, kFirst), change.offset});
  }
  return std::make_unique<const ZoneRules>(std::move(changes), zone->tail);
}

// Every zone that was asked for. Never freed: threads may look things up until the process ends.
struct Known {
  std::mutex mutex;  // guards zones
  std::map<std::string, std::unique_ptr<const ZoneRules>, std::less<>> zones;
};

Result<const ZoneRules*> FindOrLoad(std::string_view name) {
  static auto* const known = new Known;
  std::lock_guard lock(known->mutex);
  if (const auto found = known->zones.find(name); found != known->zones.end()) return found->second.get();
  ASSIGN_OR_RETURN(auto loaded, Load(name));
  return known->zones.emplace(name, std::move(loaded)).first->second.get();
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
  // Requests convert many times in the same zone: the last one of the thread is not looked up again, and
  // others that the thread has met take no lock.
  thread_local std::string last_name;
  thread_local const ZoneRules* last_rules = nullptr;
  thread_local std::map<std::string, const ZoneRules*, std::less<>> met;
  if (last_rules != nullptr && last_name == name) return last_rules;
  auto found = met.find(name);
  if (found == met.end()) {
    ASSIGN_OR_RETURN(const ZoneRules* rules, FindOrLoad(name));
    found = met.emplace(name, rules).first;
  }
  last_name = name;
  last_rules = found->second;
  return last_rules;
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
