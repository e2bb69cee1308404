#include "domains/nexus/instance_plan.h"

#include <algorithm>
#include <map>
#include <set>

namespace cairn::nexus {
namespace {

using std::chrono::days;

std::string ZoneOf(const data::Master& master) { return master.start_tzid.value_or(""); }

Decision<std::vector<LocalTime>> LocalsOf(const std::optional<std::vector<std::string>>& texts,
                                          const char* field) {
  std::vector<LocalTime> locals;
  if (!texts) return locals;
  for (size_t i = 0; i < texts->size(); ++i) {
    const auto local = calendar::ParseLocal((*texts)[i]);
    if (!local)
      return RefuseField(std::string(field) + "[" + std::to_string(i) + "]",
                         "must be a wall time such as 2026-11-16T09:00:00");
    locals.push_back(*local);
  }
  return locals;
}

// The wall time of a moment where the series is.
LocalTime WallAt(Time moment, const data::Master& master) {
  const std::string zone = master.start_tzid.value_or("UTC");
  const auto local = calendar::ToLocal(moment, zone);
  return local ? *local : calendar::kLocalMax;
}

// The same for all who bring the occurrences in line with this version of the master. An exception that has
// moved, also to another series, keeps the id of where it came from: another version has other ids. A series
// that begins again under its former id (repeating.h) counts its versions from one again: `taken`.
std::string IdOf(const data::Master& master, LocalTime original, int generation) {
  return PrefixedId("inst_",
                    *master.master_id + " " + calendar::FormatLocal(original) + " " +
                        std::to_string(master.version.value_or(0)) + " " + std::to_string(generation),
                    "instance");
}

// What a series passes on to its occurrences. The description stays with the master: it may be long, and who
// opens an occurrence reads both.
void Inherit(data::Instance& instance, const data::Master& master) {
  instance.master_id = *master.master_id;
  instance.title = master.title;
  instance.location = master.location;
  instance.tags = master.tags;
}

bool SameWall(const Times& a, const Times& b) {
  return a.start_local == b.start_local && a.end_local == b.end_local && a.tzid == b.tzid &&
         a.all_day == b.all_day;
}

// `fresh` with the instants of an occurrence that has begun, if its wall times are the same.
void KeepPast(data::Instance& fresh, const data::Instance& instance, Time now) {
  if (TimeOf(instance.start_utc) > now || !SameWall(TimesOf(fresh), TimesOf(instance))) return;
  SetTimes(fresh, TimesOf(instance));
  fresh.original_start_utc = instance.original_start_utc;
}

bool SameContent(const data::Instance& a, const data::Instance& b) {
  return a.title == b.title && a.location == b.location && a.tags == b.tags && TimesOf(a) == TimesOf(b) &&
         a.date == b.date && a.is_cancelled.value_or(false) == b.is_cancelled.value_or(false);
}

// Cancelling an exception leaves an excluded date, so it is none then.
bool IsException(const data::Instance& instance) {
  return instance.is_exception.value_or(false) && !instance.is_cancelled.value_or(false);
}

// Whether the series has the occurrence, kept or not.
Decision<bool> Happens(const calendar::Series& series, const std::string& original) {
  const auto local = calendar::ParseLocal(original);
  if (!local) return false;
  const auto found = calendar::Occurrences(series, *local, *local + std::chrono::seconds(1), 1);
  if (!found) return std::unexpected(Refusal(found.error()));
  return !found->empty();
}

}  // namespace

Decision<calendar::Series> SeriesOf(const data::Master& master) {
  const LocalTime start = StartOf(TimesOf(master));
  auto rule = calendar::Rule::Parse(master.rrule, start, ZoneOf(master));
  if (!rule) return RefuseField("rrule", rule.error().message);
  calendar::Series series{.rule = *std::move(rule), .start = start, .exdates = {}, .rdates = {}};
  ASSIGN_OR_RETURN(series.exdates, LocalsOf(master.exdates, "exdates"));
  ASSIGN_OR_RETURN(series.rdates, LocalsOf(master.rdates, "rdates"));
  return series;
}

Decision<std::vector<LocalTime>> OccurrencesBetween(const data::Master& master, Time from, Time until) {
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  const LocalTime first = std::chrono::floor<days>(WallAt(from, master));
  const LocalTime last = std::chrono::floor<days>(WallAt(until, master));
  if (last <= first) return std::vector<LocalTime>();
  auto occurrences = calendar::Occurrences(series, first, last, kOccurrencesMax);
  if (!occurrences) {
    const bool too_many = occurrences.error().code == Code::kLimitExceeded;
    return RefuseField("rrule", too_many ? "happens more than 100,000 times in what is kept of a series, or "
                                           "takes too long to work out"
                                         : occurrences.error().message);
  }
  return *std::move(occurrences);
}

Time MidnightBefore(const data::Master& master, Time moment) {
  const LocalTime midnight = std::chrono::floor<days>(WallAt(moment, master));
  const auto instant = calendar::ToInstant(midnight, master.start_tzid.value_or("UTC"));
  return instant ? *instant : moment;
}

std::vector<std::string> DatesOf(const std::vector<LocalTime>& originals) {
  std::vector<std::string> dates;
  dates.reserve(originals.size());
  LocalTime last_day = LocalTime::min();
  for (const LocalTime original : originals) {
    const std::string text = calendar::FormatLocal(original);
    std::string date = text.substr(0, 10);
    const LocalTime day = std::chrono::floor<days>(original);
    if (day == last_day) date += "T" + text.substr(11, 2) + text.substr(14, 2) + text.substr(17, 2);
    last_day = day;
    dates.push_back(std::move(date));
  }
  return dates;
}

Decision<data::Instance> InstanceAt(const data::Master& master, LocalTime original, std::string date) {
  data::Instance instance;
  Inherit(instance, master);
  instance.date = std::move(date);
  ASSIGN_OR_RETURN(const Times times, TimesAt(original, TimesOf(master)));
  SetTimes(instance, times);
  instance.original_local = calendar::FormatLocal(original);
  instance.original_start_utc = times.start_utc;
  instance.is_exception = false;
  instance.is_cancelled = false;
  return instance;
}

Decision<InstancePlan> PlanInstances(const data::Master& master, const std::vector<data::Instance>& existing,
                                     Time now, const std::set<std::string>& taken) {
  const Time from = TimeOf(*master.materialized_from), until = TimeOf(*master.materialized_until);
  ASSIGN_OR_RETURN(const std::vector<LocalTime> originals, OccurrencesBetween(master, from, until));
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  const std::vector<std::string> dates = DatesOf(originals);
  std::map<std::string, size_t> wanted;  // by original wall time
  for (size_t i = 0; i < originals.size(); ++i) wanted.emplace(calendar::FormatLocal(originals[i]), i);
  std::set<std::string> excluded;
  if (master.exdates) excluded.insert(master.exdates->begin(), master.exdates->end());

  InstancePlan plan;
  std::set<std::string> ids = taken, there;
  // Exceptions first: where one stands for an occurrence, there is no other.
  for (const data::Instance& instance : existing) {
    ids.insert(*instance.instance_id);
    if (!IsException(instance)) continue;
    const std::string original = instance.original_local.value_or("");
    const auto position = wanted.find(original);
    const bool is_taken = position != wanted.end() && !there.insert(original).second;
    ASSIGN_OR_RETURN(const bool happens, Happens(series, original));
    if (is_taken || !happens) plan.orphans.push_back(instance);
    if (is_taken || position == wanted.end() || instance.date == dates[position->second]) continue;
    plan.change.push_back(instance);
    plan.change.back().date = dates[position->second];
  }
  for (const data::Instance& instance : existing) {
    if (IsException(instance)) continue;
    const std::string original = instance.original_local.value_or("");
    const auto position = wanted.find(original);
    const bool is_wanted = position != wanted.end() && there.insert(original).second;
    if (!is_wanted) {
      // A cancelled one stays as the record of its excluded date.
      if (!(instance.is_cancelled.value_or(false) && excluded.contains(original)))
        plan.remove.push_back(instance);
      continue;
    }
    ASSIGN_OR_RETURN(data::Instance fresh,
                     InstanceAt(master, originals[position->second], dates[position->second]));
    KeepPast(fresh, instance, now);
    if (SameContent(instance, fresh)) continue;
    fresh.instance_id = instance.instance_id;
    fresh.version = instance.version;
    fresh.created_at = instance.created_at;
    fresh.reminder_minutes = instance.reminder_minutes;
    fresh.muted_minutes = instance.muted_minutes;
    plan.change.push_back(std::move(fresh));
  }
  for (size_t i = 0; i < originals.size(); ++i) {
    if (there.contains(calendar::FormatLocal(originals[i]))) continue;
    ASSIGN_OR_RETURN(data::Instance fresh, InstanceAt(master, originals[i], dates[i]));
    int generation = 0;
    std::string id = IdOf(master, originals[i], generation);
    while (ids.contains(id)) id = IdOf(master, originals[i], ++generation);
    fresh.instance_id = std::move(id);
    plan.create.push_back(std::move(fresh));
  }
  return plan;
}

}  // namespace cairn::nexus
