#include "journey.h"

#include <gtest/gtest.h>

#include <iostream>
#include <set>

#include "base/run_here.h"
#include "domains/nexus/agenda.h"
#include "domains/nexus/conformance.h"
#include "domains/nexus/events.h"
#include "domains/nexus/jobs.h"
#include "domains/nexus/series_store.h"
#include "random_rule.h"

namespace cairn::nexus {
namespace {

using std::chrono::minutes;

constexpr int kEditsOfOneRun = 25;
constexpr int kWideEvery = 10;

std::string Line(const std::string& id, const std::string& start, const std::string& end,
                 const std::optional<std::string>& zone, bool all_day, const std::string& title) {
  return start + " to " + end + " " + (all_day ? "day" : zone.value_or("(floating)")) + " " + title + " of " +
         id;
}
template <class T>
std::string LineOf(const std::string& id, const T& item, const std::string& title) {
  return Line(id, *item.start_local, *item.end_local, item.start_tzid, item.all_day.value_or(false), title);
}

}  // namespace

LocalTime Local(std::string_view text) { return *calendar::ParseLocal(text); }
int64_t Setting(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

LocalTime EndOf(LocalTime start, seconds length, const std::optional<std::string>& zone, bool all_day) {
  if (!zone || all_day) return start + length;
  return *calendar::ToLocal(*calendar::ToInstant(start, *zone) + length, *zone);
}

Journey::Journey(Nexus& nexus, FakeClock& clock, uint64_t seed)
    : nexus_(nexus),
      clock_(clock),
      chance_(seed),
      user_("user-" + std::to_string(seed)),
      caller_(model::Caller::User({{"sub", user_}})),
      is_told_(Setting("CAIRN_TELL", 0) != 0),
      has_reminders_(seed % 2 == 0) {}

int Journey::Go() {
  const int count = chance_.Pick(1, 2);
  for (int i = 0; i < count; ++i) Create();
  Compare(chance_.Is(30));
  int edits = 0;
  while (edits < kEditsOfOneRun && !testing::Test::HasFailure() && !series_.empty()) {
    clock_.Advance(std::chrono::milliseconds(1));
    if (!EditSomething()) {
      if (++idle_ > 400) break;
      continue;
    }
    ++edits;
    Compare(edits % kWideEvery == 0);
  }
  if (!testing::Test::HasFailure()) CheckConformance();
  EXPECT_TRUE(RunHere(EraseUser(nexus_, user_)));
  return edits;
}

void Journey::Tell(const std::string& what) {
  ++done_[what.substr(0, what.find(':'))];
  story_ += what + "\n";
  if (is_told_) std::cout << what << std::endl;
}

std::string Journey::Words(const Refusal& refusal) {
  std::string text = refusal.reason + ": " + refusal.message;
  for (const FieldFault& fault : refusal.fields) text += " [" + fault.field + " " + fault.message + "]";
  return text + "\n" + story_;
}

std::optional<std::string> Journey::PickZone() {
  static const std::vector<std::string> kZones{"Europe/Berlin",       "America/New_York", "UTC",
                                               "Australia/Lord_Howe", "Asia/Kathmandu",   "Africa/Cairo"};
  if (chance_.Is(20)) return std::nullopt;
  return kZones[static_cast<size_t>(chance_.Below(static_cast<int64_t>(kZones.size())))];
}

void Journey::Create() {
  ModelSeries series;
  series.title = NewTitle();
  series.zone = PickZone();
  series.length = minutes(15 * chance_.Pick(1, 12));
  // Every fourth on one of the days that not every month has.
  const int day = chance_.Is(25) ? chance_.Pick(28, 30) : chance_.Pick(9, 69);
  const LocalTime start = Local("2027-01-01T00:00:00") + days(day) + minutes(15 * chance_.Pick(16, 60));
  series.start = start;
  series.first_clock = ClockOfTime(start);
  if (chance_.Is(8)) return CreateSingle(std::move(series));
  auto rule = RandomRule(chance_, start, series.zone == "UTC");
  if (!rule) return Create();
  series.rule = *std::move(rule);
  if (series.HasHours()) series.length = minutes(30);
  series.begins_at_first = series.rule.list.front() == start;
  for (const LocalTime time : series.rule.list) series.occurrences.push_back(OccurrenceAt(series, time));
  SeriesPatch patch;
  patch.title = series.title;
  patch.rrule = series.rule.text;
  if (has_reminders_) patch.reminder_minutes.emplace(std::vector<int64_t>{10, 3 * 24 * 60});
  patch.times.start_local = calendar::FormatLocal(start);
  patch.times.end_local = calendar::FormatLocal(EndOf(start, series.length, series.zone, false));
  patch.times.tzid = series.zone;
  if (chance_.Is(15)) {
    const LocalTime extra =
        DayOfTime(start) + days(chance_.Pick(-9, 40)) + minutes(15 * chance_.Pick(16, 60) + 7);
    patch.rdates.emplace(std::vector{calendar::FormatLocal(extra)});
    series.occurrences.push_back(OccurrenceAt(series, extra));
    series.occurrences.back().is_extra = true;
    series.occurrences.back().is_of_rule = false;
    series.Sort();
  }
  Tell("create: " + **patch.rrule + " from " + *patch.times.start_local + " in " +
       series.zone.value_or("(floating)") + (patch.rdates ? " and " + (**patch.rdates)[0] : ""));
  auto created = RunHere(CreateSeries(nexus_, caller_, patch, Silent<SeriesChanged>()));
  ASSERT_TRUE(created) << Words(created.error());
  series.id = *created->master.master_id;
  series_.push_back(std::move(series));
}

void Journey::CreateSingle(ModelSeries series) {
  series.is_single = true;
  series.occurrences = {OccurrenceAt(series, series.start)};
  EventPatch patch;
  patch.title = series.title;
  patch.times.start_local = calendar::FormatLocal(series.start);
  patch.times.end_local = calendar::FormatLocal(EndOf(series.start, series.length, series.zone, false));
  patch.times.tzid = series.zone;
  Tell("create single: " + *patch.times.start_local);
  auto created = RunHere(CreateEvent(nexus_, caller_, patch, Silent<Event>()));
  ASSERT_TRUE(created) << Words(created.error());
  series.id = *created->event_id;
  series_.push_back(std::move(series));
}

std::optional<Instance> Journey::Find(const ModelSeries& series, const ModelOccurrence& one) {
  Work work(nexus_, caller_);
  auto all = RunHere(ReadAllInstances(work, series.id));
  EXPECT_TRUE(all);
  for (Instance& instance : *all) {
    if (instance.original_local == calendar::FormatLocal(one.original)) return std::move(instance);
  }
  // What is far away may have no item yet, and what was deleted no longer.
  if (one.is_deleted) return std::nullopt;
  EXPECT_GT(one.original, Local("2027-12-01T00:00:00")) << calendar::FormatLocal(one.original) << "\n"
                                                        << story_;
  return std::nullopt;
}

std::optional<Master> Journey::Load(const ModelSeries& series) {
  Work work(nexus_, caller_);
  const data::MasterKey key{.master_id = series.id};
  auto master = RunHere(work.Load<Master>(key));
  EXPECT_TRUE(master) << (master ? "" : Words(master.error()));
  if (!master) return std::nullopt;
  if (series.begins_at_first) {
    EXPECT_EQ(master->start_local, calendar::FormatLocal(series.start)) << story_;
  }
  return *std::move(master);
}

void Journey::Remove(const ModelSeries& series) {
  std::erase_if(series_, [&](const ModelSeries& other) { return &other == &series; });
}

void Journey::Compare(bool is_wide) {
  // Near: all of it is kept as items. Wide: series are taken further, and expanded without items.
  const LocalTime from = Local(is_wide ? "2026-06-01T00:00:00" : "2026-12-17T00:00:00");
  const LocalTime to = Local(is_wide ? "2031-06-01T00:00:00" : "2028-02-01T00:00:00");
  const auto is_inside = [&](LocalTime start) { return start >= from + days(2) && start < to - days(2); };
  std::multiset<std::string> expected, shown;
  for (const ModelSeries& series : series_) {
    for (const ModelOccurrence& one : series.occurrences) {
      if (one.is_deleted || !is_inside(one.start)) continue;
      const LocalTime end = EndOf(one.start, one.length, series.zone, series.all_day);
      expected.insert(Line(series.id, calendar::FormatLocal(one.start), calendar::FormatLocal(end),
                           series.zone, series.all_day, one.title));
    }
  }
  AgendaRequest request{.from = Time(from.time_since_epoch()),
                        .to = Time(to.time_since_epoch()),
                        .zone = "UTC",
                        .kinds = {AgendaKind::kInstance, AgendaKind::kEvent},
                        .limit = 100,
                        .cursor = {}};
  do {
    auto agenda = RunHere(ReadAgenda(nexus_, caller_, request));
    ASSERT_TRUE(agenda) << Words(agenda.error());
    for (const AgendaEntry& entry : agenda->entries) {
      if (const auto* event = std::get_if<data::Event>(entry.item)) {
        if (is_inside(Local(*event->start_local)))
          shown.insert(LineOf(*event->event_id, *event, event->title));
        continue;
      }
      const auto* instance = std::get_if<data::Instance>(entry.item);
      ASSERT_NE(instance, nullptr);
      if (is_inside(Local(*instance->start_local)))
        shown.insert(LineOf(instance->master_id, *instance, instance->title.value_or("")));
    }
    request.cursor = agenda->next_cursor;
  } while (!request.cursor.empty());
  if (expected == shown) return;
  std::string difference;
  for (const std::string& line : expected) {
    if (shown.count(line) < expected.count(line)) difference += "missing " + line + "\n";
  }
  for (const std::string& line : shown) {
    if (expected.count(line) < shown.count(line)) difference += "unexpected " + line + "\n";
  }
  for (const ModelSeries& series : series_) {
    if (series.is_single) continue;
    if (const auto master = Load(series))
      difference += series.id + " " + master->rrule + " from " + *master->start_local + "\n";
  }
  ADD_FAILURE() << (is_wide ? "wide" : "near") << "\n" << difference << story_;
}

void Journey::CheckConformance() {
  std::string cursor;
  do {
    auto inspected = RunHere(Inspect(nexus_, cursor, 1'000));
    ASSERT_TRUE(inspected);
    for (const ConformanceFinding& finding : inspected->findings)
      ADD_FAILURE() << finding.sk << " " << finding.message << "\n" << story_;
    cursor = inspected->next_cursor;
  } while (!cursor.empty());
  const auto wrong = RunHere(CheckReminders(nexus_, user_));
  ASSERT_TRUE(wrong);
  for (const std::string& finding : *wrong) ADD_FAILURE() << finding << "\n" << story_;
}

}  // namespace cairn::nexus
