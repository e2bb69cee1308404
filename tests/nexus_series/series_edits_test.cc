// Random edits of random series against a plain list of occurrences (README.md).
#include <gmock/gmock.h>

#include <iostream>
#include <map>
#include <set>

#include "base/log.h"
#include "domains/nexus/agenda.h"
#include "domains/nexus/conformance.h"
#include "domains/nexus/jobs.h"
#include "domains/nexus/series.h"
#include "domains/nexus/series_store.h"
#include "models/platform.h"
#include "series_model.h"
#include "session_fixture.h"

namespace cairn::nexus {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr uint64_t kSeedDefault = 20'261'118;
constexpr int64_t kEditsDefault = 600;
constexpr int kEditsOfOneRun = 25;
constexpr int kWideEvery = 10;

int64_t Setting(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

LocalTime Local(std::string_view text) { return *calendar::ParseLocal(text); }

class SeriesEditsTest : public model::SessionTest {
 protected:
  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    Start(models::platform::LoadModel());
    data_ = std::make_unique<model::Database>(models::nexus::LoadModel(), *engine_, clock_, random_,
                                              model::DatabaseOptions{.cursor_secret = "secret"});
    ASSERT_TRUE(RunHere(data_->CreateTables()));
    queue_ = std::make_unique<jobs::JobQueue>(*database_);
    nexus_ = std::make_unique<Nexus>(*data_, *queue_, clock_, random_);
  }
  void TearDown() override {
    nexus_.reset();
    queue_.reset();
    data_.reset();
    model::SessionTest::TearDown();
    log::SetLevel(log::Level::kInfo);
  }

  std::unique_ptr<model::Database> data_;
  std::unique_ptr<jobs::JobQueue> queue_;
  std::unique_ptr<Nexus> nexus_;
};

// One user with a few series.
class Journey {
 public:
  Journey(Nexus& nexus, uint64_t seed)
      : nexus_(nexus),
        random_(seed),
        user_("user-" + std::to_string(seed)),
        caller_(model::Caller::User({{"sub", user_}})),
        is_told_(Setting("CAIRN_TELL", 0) != 0),
        has_reminders_(seed % 2 == 0) {}

  // How many edits were done; fails the test where the agenda differs from the model.
  int Go() {
    const int count = Pick(1, 2);
    for (int i = 0; i < count; ++i) Create();
    Compare(false);
    int edits = 0;
    while (edits < kEditsOfOneRun && !testing::Test::HasFailure() && !series_.empty()) {
      if (!EditSomething()) {
        if (++idle_ > 200) break;
        continue;
      }
      ++edits;
      Compare(edits % kWideEvery == 0);
    }
    if (!testing::Test::HasFailure()) CheckConformance();
    EXPECT_TRUE(RunHere(EraseUser(nexus_, user_)));
    return edits;
  }
  const std::map<std::string, int64_t>& done() const { return done_; }

 private:
  // ---- chance
  int Pick(int low, int high) {
    return low + static_cast<int>(random_.Next() % static_cast<uint64_t>(high - low + 1));
  }
  bool Chance(int percent) { return Pick(1, 100) <= percent; }
  template <class T>
  T& OneOf(std::vector<T>& values) {
    return values[static_cast<size_t>(Pick(0, static_cast<int>(values.size()) - 1))];
  }
  void Tell(const std::string& what) {
    ++done_[what.substr(0, what.find(':'))];
    story_ += what + "\n";
    if (is_told_) std::cout << what << std::endl;
  }
  std::string NewTitle() { return "title " + std::to_string(++titles_); }
  std::optional<std::string> PickZone() {
    static const std::vector<std::string> kZones{"Europe/Berlin",       "America/New_York", "UTC",
                                                 "Australia/Lord_Howe", "Asia/Kathmandu",   "Africa/Cairo"};
    if (Chance(20)) return std::nullopt;
    return kZones[static_cast<size_t>(Pick(0, static_cast<int>(kZones.size()) - 1))];
  }

  // ---- making a series, with its list

  struct Made {
    std::string rule;
    std::vector<LocalTime> list;  // long enough
  };

  Made MakePattern(ModelSeries& series, LocalTime start) {
    static const char* const kDays[] = {"MO", "TU", "WE", "TH", "FR", "SA", "SU"};
    Made made;
    const LocalTime end = Local("2029-12-01T00:00:00");
    const int kind = Pick(1, 100), interval = Chance(60) ? 1 : Pick(2, 3);
    const std::string every = interval == 1 ? "" : ";INTERVAL=" + std::to_string(interval);
    if (kind <= 25) {
      made.rule = "FREQ=DAILY" + every;
      for (LocalTime time = start; time < end; time += days(interval)) made.list.push_back(time);
    } else if (kind <= 60) {
      made.rule = "FREQ=WEEKLY" + every;
      std::set<int> weekdays{WeekdayOfTime(start)};
      for (int more = Pick(0, 2); more > 0; --more) weekdays.insert(Pick(0, 6));
      const int week_start = Chance(70) ? 0 : Pick(1, 6);
      if (weekdays.size() > 1 || Chance(60)) {
        std::string list;
        for (const int day : weekdays) list += std::string(list.empty() ? "" : ",") + kDays[day];
        made.rule += ";BYDAY=" + list;
      }
      if (week_start != 0) made.rule += std::string(";WKST=") + kDays[week_start];
      const local_days week = DayOfTime(start) - days((WeekdayOfTime(start) - week_start + 7) % 7);
      for (local_days first = week; first < end; first += days(7 * interval)) {
        for (int i = 0; i < 7; ++i) {
          const LocalTime time = first + days(i) + ClockOfTime(start);
          if (weekdays.contains(WeekdayOfTime(time)) && time >= start) made.list.push_back(time);
        }
      }
    } else if (kind <= 67) {
      const int step = Pick(5, 30);
      made.rule = "FREQ=HOURLY;INTERVAL=" + std::to_string(step);
      for (LocalTime time = start; made.list.size() < 40; time += hours(step)) made.list.push_back(time);
      series.zone = "UTC";
      series.length = minutes(30);
      series.hours = {-1};
    } else if (kind <= 75) {
      series.zone = "UTC";
      series.length = minutes(30);
      const int first = static_cast<int>(ClockOfTime(start) / hours(1));
      series.hours = {first, Pick(first + 1, 21)};
      series.first_clock = ClockOfTime(start);
      made.rule = "FREQ=DAILY" + every + ";BYHOUR=" + std::to_string(first) + "," +
                  std::to_string(series.hours.back());
      for (LocalTime time = start; made.list.size() < 40; time += days(interval)) {
        made.list.push_back(time);
        made.list.push_back(time + hours(series.hours.back() - first));
      }
    } else {
      made.rule = "FREQ=MONTHLY" + every;
      const Place like = kind <= 88 ? Place{.month_day = Chance(70) ? 1 : -1}
                                    : Place{.month_day = 0, .ordinal = Chance(60) ? 1 : -1};
      const auto place = PlaceOf(start, like);
      if (!place) return made;
      series.place = place;
      const bool is_implied = place->month_day > 0 && Chance(40);
      if (place->month_day == 0)
        made.rule += ";BYDAY=" + std::to_string(place->ordinal) + kDays[place->weekday];
      else if (!is_implied)
        made.rule += ";BYMONTHDAY=" + std::to_string(place->month_day);
      for (auto month = MonthOfTime(start); local_days(month / 1) < end;
           month += std::chrono::months(interval))
        made.list.push_back(DayAt(*place, month) + ClockOfTime(start));
    }
    return made;
  }

  void Create() {
    ModelSeries series;
    series.title = NewTitle();
    series.zone = PickZone();
    series.length = minutes(15 * Pick(1, 12));
    const LocalTime start = Local("2027-01-10T00:00:00") + days(Pick(0, 60)) + minutes(15 * Pick(16, 60));
    series.start = start;
    Made made = MakePattern(series, start);
    if (made.list.empty()) return Create();
    const bool is_frequent = !series.hours.empty() || made.rule.starts_with("FREQ=DAILY");
    const int bound = Pick(1, 100);
    const auto size = static_cast<size_t>(Pick(2, 8));
    std::string end;
    if (bound <= 60) {
      end = ";COUNT=" + std::to_string(size);
    } else if (bound <= 92 || is_frequent) {
      const auto room = (made.list[size] - made.list[size - 1]).count();
      LocalTime until = made.list[size - 1];
      if (Chance(60)) until += seconds(static_cast<int64_t>(random_.Next() % static_cast<uint64_t>(room)));
      std::string text = calendar::FormatLocal(until);
      std::erase(text, '-');
      std::erase(text, ':');
      end = ";UNTIL=" + text;
    }
    if (!end.empty()) made.list.resize(size);
    for (const LocalTime time : made.list)
      series.occurrences.push_back(
          {.original = time, .start = time, .length = series.length, .title = series.title});
    SeriesPatch patch;
    patch.title = series.title;
    patch.rrule = made.rule + end;
    if (has_reminders_) patch.reminder_minutes.emplace(std::vector<int64_t>{10, 3 * 24 * 60});
    patch.times.start_local = calendar::FormatLocal(start);
    patch.times.end_local = calendar::FormatLocal(start + series.length);
    patch.times.tzid = series.zone;
    if (series.hours.empty() && !series.place && Chance(15)) {
      const LocalTime extra = DayOfTime(start) + days(Pick(1, 40)) + minutes(15 * Pick(16, 60)) + minutes(7);
      patch.rdates.emplace(std::vector{calendar::FormatLocal(extra)});
      series.occurrences.push_back({.original = extra,
                                    .start = extra,
                                    .length = series.length,
                                    .title = series.title,
                                    .is_extra = true});
      Sort(series);
    }
    Tell("create: " + **patch.rrule + " from " + *patch.times.start_local + " in " +
         series.zone.value_or("(floating)") + (patch.rdates ? " and " + (**patch.rdates)[0] : ""));
    auto created = RunHere(CreateSeries(nexus_, caller_, patch, Silent<SeriesChanged>()));
    ASSERT_TRUE(created) << Words(created.error());
    series.id = *created->master.master_id;
    series_.push_back(std::move(series));
  }

  // ---- edits

  template <class T>
  static Witness<T> Silent() {
    return [](model::Session&, const T&) { return model::Outcome<void>(); };
  }
  std::string Words(const Refusal& refusal) {
    std::string text = refusal.reason + ": " + refusal.message;
    for (const FieldFault& fault : refusal.fields) text += " [" + fault.field + " " + fault.message + "]";
    return text + "\n" + story_;
  }
  static void Sort(ModelSeries& series) {
    std::ranges::sort(series.occurrences, {}, &ModelOccurrence::original);
  }
  std::optional<Instance> Find(const ModelSeries& series, const ModelOccurrence& one) {
    Work work(nexus_, caller_);
    auto all = RunHere(ReadAllInstances(work, series.id));
    EXPECT_TRUE(all);
    for (Instance& instance : *all) {
      if (instance.original_local == calendar::FormatLocal(one.original)) return std::move(instance);
    }
    return std::nullopt;
  }

  // What an edit changes, as it is said for the occurrence.
  struct Edit {
    std::optional<std::string> title;
    std::optional<LocalTime> start;
    std::optional<seconds> length;
    std::optional<std::optional<std::string>> zone;
  };
  SeriesPatch PatchOf(const Edit& edit, const ModelSeries& series, LocalTime start, seconds length) {
    SeriesPatch patch;
    patch.title = edit.title;
    const auto zone = edit.zone.value_or(series.zone);
    if (edit.zone) patch.times.tzid = *edit.zone;
    if (edit.start) patch.times.start_local = calendar::FormatLocal(*edit.start);
    const LocalTime begins = edit.start.value_or(start);
    if (edit.length) {
      if (zone && !series.all_day)
        patch.times.end_utc = TextOf(*calendar::ToInstant(begins, *zone) + *edit.length);
      else
        patch.times.end_local = calendar::FormatLocal(begins + *edit.length);
    } else if (edit.start && Chance(40)) {  // as pages do: both ends, although it lasts as long
      patch.times.end_local = calendar::FormatLocal(EndOf(begins, length, zone, series.all_day));
    }
    return patch;
  }
  static LocalTime EndOf(LocalTime start, seconds length, const std::optional<std::string>& zone,
                         bool all_day) {
    if (!zone || all_day) return start + length;
    return *calendar::ToLocal(*calendar::ToInstant(start, *zone) + length, *zone);
  }

  // Whether people put events there in this test: not over midnight, not where clocks are changed.
  static bool IsFine(LocalTime start, seconds length) {
    return ClockOfTime(start) >= hours(4) && ClockOfTime(start) + length <= hours(24);
  }
  std::optional<ModelMove> MoveOf(const ModelSeries& series, LocalTime at, seconds shift) {
    ModelMove move{.shift = shift};
    const LocalTime to = at + shift;
    if (to < Local("2026-12-25T00:00:00") || to > Local("2027-12-20T00:00:00")) return std::nullopt;
    if (series.place && DayOfTime(to) != DayOfTime(at)) {
      move.place = PlaceOf(to, *series.place);
      if (!move.place) return std::nullopt;
      move.months = MonthsBetween(at, to);
    }
    return move;
  }
  // Several times of a day stay on one day.
  static bool IsRefused(const ModelSeries& series, seconds shift) {
    if (series.hours.size() < 2) return false;
    const seconds part = shift - std::chrono::floor<days>(shift);
    const seconds first = series.first_clock;
    const seconds last = first + hours(series.hours.back() - series.hours.front());
    return std::chrono::floor<days>(first + part) != std::chrono::floor<days>(last + part);
  }

  Edit PickEdit(const ModelSeries& series, LocalTime start, seconds length) {
    Edit edit;
    const int kind = Pick(1, 100);
    if (kind <= 25 || kind > 90) edit.title = NewTitle();
    if (kind > 25 && kind <= 75) {
      const int by = Pick(1, 3);
      LocalTime to = start;
      if (by != 1) to += days(Pick(0, 1) == 0 ? Pick(1, 9) : -Pick(1, 9));
      if (by != 2 && !series.all_day) to = DayOfTime(to) + minutes(15 * Pick(16, 80));
      if (to != start) edit.start = to;
    }
    if (kind > 70 && kind <= 90) {
      const seconds to = series.all_day ? seconds(days(Pick(1, 3))) : seconds(minutes(15 * Pick(1, 12)));
      if (to != length) edit.length = to;
    }
    return edit;
  }
  static bool IsEmpty(const Edit& edit) { return !edit.title && !edit.start && !edit.length && !edit.zone; }

  static std::string NameOf(Scope scope) { return std::string(kScopeTexts[static_cast<size_t>(scope)]); }
  std::string Describe(const Edit& edit) {
    std::string text;
    if (edit.title) text += " title";
    if (edit.start) text += " start " + calendar::FormatLocal(*edit.start);
    if (edit.length) text += " length " + std::to_string(edit.length->count());
    if (edit.zone) text += " zone " + edit.zone->value_or("(floating)");
    return text;
  }

  bool EditSomething() {
    ModelSeries& series = OneOf(series_);
    const int kind = Pick(1, 100);
    if (kind <= 62) return PatchOccurrence(series);
    if (kind <= 78) return DeleteOccurrence(series);
    if (kind <= 86) return PatchTheMaster(series);
    if (kind <= 92) return ChangeExdates(series);
    if (kind <= 97) return ChangeZone(series);
    return ChangeKind(series);
  }

  // The part of a series from an occurrence on, or the whole: as a series to be edited.
  ModelSeries Rest(ModelSeries& series, LocalTime at) {
    ModelSeries rest = series;
    std::erase_if(rest.occurrences, [&](const ModelOccurrence& one) { return one.original < at; });
    std::erase_if(series.occurrences, [&](const ModelOccurrence& one) { return one.original >= at; });
    for (const ModelOccurrence& one : rest.occurrences) {
      if (one.is_extra) continue;
      rest.start = one.original;
      return rest;
    }
    rest.start = at;  // of extra dates alone the first makes the series
    for (ModelOccurrence& one : rest.occurrences) {
      if (one.original == at) one.is_extra = false;
    }
    return rest;
  }
  static bool IsFirstOf(ModelSeries& series, LocalTime at) {
    for (const ModelOccurrence* one : series.Live()) {
      if (one->original < at) return false;
    }
    return true;
  }

  void Apply(ModelSeries& series, const Edit& edit, seconds length_before, const ModelMove& move) {
    if (edit.title) {
      series.title = *edit.title;
      for (ModelOccurrence& one : series.occurrences) {
        if (!one.is_exception) one.title = series.title;
      }
    }
    if (edit.length) series.length = *edit.length;
    if (edit.zone) series.zone = *edit.zone;
    MoveAll(series, move, length_before);
    Sort(series);
  }

  bool PatchOccurrence(ModelSeries& series) {
    auto live = series.Live();
    if (live.empty()) return false;
    ModelOccurrence& one = *OneOf(live);
    if (DayOfTime(one.start) > Local("2027-12-01T00:00:00")) return false;
    const Scope scope = static_cast<Scope>(Pick(0, 2));
    const Edit edit = PickEdit(series, one.start, one.length);
    if (IsEmpty(edit)) return false;
    const seconds length = edit.length.value_or(one.length);
    const bool is_timed = series.hours.empty() && !series.all_day;
    if (is_timed && !IsFine(edit.start.value_or(one.start), length)) return false;
    const LocalTime at = one.original;
    const seconds shift = edit.start.value_or(one.start) - one.start;
    if (scope != Scope::kThis && is_timed && !IsFine(at + shift, std::max(length, series.length)))
      return false;
    auto move = MoveOf(series, at, shift);
    if (scope != Scope::kThis && !move) return false;
    if (scope != Scope::kThis && is_timed) {
      for (const ModelOccurrence& other : series.occurrences) {
        if (!IsFine(other.original + shift, std::max({other.length, length, series.length}))) return false;
        if (!IsFine(other.start, std::max(other.length, length))) return false;
      }
    }
    const auto instance = Find(series, one);
    if (!instance) {
      ADD_FAILURE() << "no item for " << calendar::FormatLocal(at) << "\n" << story_;
      return true;
    }
    const SeriesPatch patch = PatchOf(edit, series, one.start, one.length);
    Tell("patch " + NameOf(scope) + (one.is_exception ? " exception" : "") + ": " + series.id + " " +
         calendar::FormatLocal(at) + Describe(edit));
    if (scope == Scope::kThis) {
      auto changed = RunHere(PatchInstance(nexus_, caller_, *instance->instance_id, patch, instance->version,
                                           Silent<Instance>()));
      EXPECT_TRUE(changed) << Words(changed.error());
      Take(one, edit);
      return true;
    }
    auto changed = RunHere(PatchFrom(nexus_, caller_, *instance->instance_id, scope, patch, instance->version,
                                     Silent<SeriesChanged>()));
    if (IsRefused(series, shift)) {
      EXPECT_FALSE(changed) << story_;
      if (!changed) {
        EXPECT_EQ(changed.error().reason, "rule-cannot-move") << Words(changed.error());
      }
      return true;
    }
    EXPECT_TRUE(changed) << (changed ? "" : Words(changed.error()));
    if (!changed) return true;
    EXPECT_TRUE(changed->orphans.empty()) << story_;
    const bool is_whole = scope == Scope::kAll || IsFirstOf(series, at);
    EXPECT_EQ(changed->split_from.has_value(), !is_whole) << story_;
    const bool is_exception = one.is_exception;
    std::optional<ModelSeries> rest;
    if (!is_whole) rest = Rest(series, at);
    ModelSeries& target = rest ? *rest : series;
    const auto edited = std::ranges::find(target.occurrences, at, &ModelOccurrence::original);
    ModelOccurrence own = *edited;
    Apply(target, edit, series.length, *move);
    if (is_exception) {
      const LocalTime then = move->Of(own, at);
      ModelOccurrence& moved = *std::ranges::find(target.occurrences, then, &ModelOccurrence::original);
      moved.start = own.start;
      moved.length = own.length;
      Take(moved, edit);
    }
    if (rest) {
      rest->id = *changed->master.master_id;
      series_.push_back(*std::move(rest));
    }
    return true;
  }
  static void Take(ModelOccurrence& one, const Edit& edit) {
    if (edit.title) one.title = *edit.title;
    if (edit.start) one.start = *edit.start;
    if (edit.length) one.length = *edit.length;
    one.is_exception = true;
  }

  bool DeleteOccurrence(ModelSeries& series) {
    auto live = series.Live();
    if (live.empty()) return false;
    const int chance = Pick(1, 100);
    const Scope scope = chance <= 75 ? Scope::kThis : chance <= 95 ? Scope::kFollowing : Scope::kAll;
    ModelOccurrence& one = *OneOf(live);
    if (DayOfTime(one.start) > Local("2027-12-01T00:00:00")) return false;
    const LocalTime at = one.original;
    const auto instance = Find(series, one);
    EXPECT_TRUE(instance) << story_;
    if (!instance) return true;
    Tell("delete " + NameOf(scope) + ": " + series.id + " " + calendar::FormatLocal(at));
    auto gone = RunHere(
        DeleteInstance(nexus_, caller_, *instance->instance_id, scope, instance->version, Silent<Gone>()));
    EXPECT_TRUE(gone) << (gone ? "" : Words(gone.error()));
    if (scope == Scope::kThis) {
      one.is_deleted = true;
      one.is_exception = false;
    } else if (scope == Scope::kAll || IsFirstOf(series, at)) {
      std::erase_if(series_, [&](const ModelSeries& other) { return &other == &series; });
    } else {
      Rest(series, at);
    }
    return true;
  }

  std::optional<Master> Load(const ModelSeries& series) {
    Work work(nexus_, caller_);
    const data::MasterKey key{.master_id = series.id};
    auto master = RunHere(work.Load<Master>(key));
    EXPECT_TRUE(master) << (master ? "" : Words(master.error()));
    if (!master) return std::nullopt;
    EXPECT_EQ(master->start_local, calendar::FormatLocal(series.start)) << story_;
    return *std::move(master);
  }

  bool PatchWhole(ModelSeries& series, const Edit& edit, const SeriesPatch& patch, const ModelMove& move,
                  const std::string& what) {
    const auto master = Load(series);
    if (!master) return true;
    Tell(what + ": " + series.id + Describe(edit));
    auto changed =
        RunHere(PatchSeries(nexus_, caller_, series.id, patch, master->version, Silent<SeriesChanged>()));
    if (IsRefused(series, move.shift)) {
      EXPECT_FALSE(changed) << story_;
      return true;
    }
    EXPECT_TRUE(changed) << (changed ? "" : Words(changed.error()));
    if (changed) {
      EXPECT_TRUE(changed->orphans.empty()) << story_;
    }
    Apply(series, edit, series.length, move);
    return true;
  }

  bool PatchTheMaster(ModelSeries& series) {
    const Edit edit = PickEdit(series, series.start, series.length);
    if (IsEmpty(edit)) return false;
    const seconds length = edit.length.value_or(series.length);
    const seconds shift = edit.start.value_or(series.start) - series.start;
    for (const ModelOccurrence& other : series.occurrences) {
      if (series.all_day || !series.hours.empty()) break;
      if (!IsFine(other.original + shift, std::max(other.length, length))) return false;
      if (!IsFine(other.start, std::max(other.length, length))) return false;
    }
    const auto move = MoveOf(series, series.start, shift);
    if (!move) return false;
    return PatchWhole(series, edit, PatchOf(edit, series, series.start, series.length), *move,
                      "patch master");
  }

  bool ChangeZone(ModelSeries& series) {
    if (series.all_day || !series.hours.empty()) return false;
    Edit edit;
    edit.zone = PickZone();
    if (*edit.zone == series.zone) return false;
    return PatchWhole(series, edit, PatchOf(edit, series, series.start, series.length), {}, "change zone");
  }

  // From hours to whole days, and back.
  bool ChangeKind(ModelSeries& series) {
    const bool has_extra = std::ranges::any_of(series.occurrences, &ModelOccurrence::is_extra);
    if (has_extra || !series.hours.empty()) return false;
    SeriesPatch patch;
    ModelMove move;
    Edit edit;
    patch.times.all_day = !series.all_day;
    if (series.all_day) {
      const LocalTime start = series.start + minutes(15 * Pick(16, 60));
      edit.zone = PickZone();
      edit.length = minutes(15 * Pick(1, 12));
      patch.times.tzid = *edit.zone;
      patch.times.start_local = calendar::FormatLocal(start);
      patch.times.end_local = calendar::FormatLocal(EndOf(start, *edit.length, *edit.zone, false));
      move.shift = start - series.start;
    } else {
      edit.zone = std::optional<std::string>();
      edit.length = days(1);
      move.shift = -ClockOfTime(series.start);
    }
    series.all_day = !series.all_day;
    const bool becomes_all_day = series.all_day;
    // Whatever one had of its own in hours, or days, is told in the other.
    for (ModelOccurrence& one : series.occurrences) one.length = series.length;
    PatchWhole(series, edit, patch, move, becomes_all_day ? "to whole days" : "to hours");
    return true;
  }

  bool ChangeExdates(ModelSeries& series) {
    std::vector<ModelOccurrence*> deleted;
    for (ModelOccurrence& one : series.occurrences) {
      if (one.is_deleted) deleted.push_back(&one);
    }
    auto live = series.Live();
    const bool is_back = !deleted.empty() && Chance(70);
    if (!is_back && live.empty()) return false;
    ModelOccurrence& one = *OneOf(is_back ? deleted : live);
    if (DayOfTime(one.original) > Local("2027-12-01T00:00:00")) return false;
    const std::string local = calendar::FormatLocal(one.original);
    Tell(std::string(is_back ? "remove" : "add") + " exdate: " + series.id + " " + local);
    auto changed = is_back
                       ? RunHere(RemoveExdate(nexus_, caller_, series.id, local, {}, Silent<SeriesChanged>()))
                       : RunHere(AddExdate(nexus_, caller_, series.id, local, {}, Silent<SeriesChanged>()));
    EXPECT_TRUE(changed) << (changed ? "" : Words(changed.error()));
    one.is_deleted = !is_back;
    one.is_exception = false;
    if (!is_back) return true;
    one.start = one.original;
    one.length = series.length;
    one.title = series.title;
    return true;
  }

  // ---- what is shown

  static std::string Line(const std::string& id, const std::string& start, const std::string& end,
                          const std::optional<std::string>& zone, bool all_day, const std::string& title) {
    return start + " to " + end + " " + (all_day ? "day" : zone.value_or("(floating)")) + " " + title +
           " of " + id;
  }

  void Compare(bool is_wide) {
    // Near: all of it is kept as items. Wide: series are taken further, and expanded without items.
    const LocalTime from = Local(is_wide ? "2026-06-01T00:00:00" : "2026-12-17T00:00:00");
    const LocalTime to = Local(is_wide ? "2028-10-01T00:00:00" : "2028-02-01T00:00:00");
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
        const auto* instance = std::get_if<data::Instance>(entry.item);
        ASSERT_NE(instance, nullptr);
        if (!is_inside(Local(*instance->start_local))) continue;
        shown.insert(Line(instance->master_id, *instance->start_local, *instance->end_local,
                          instance->start_tzid, instance->all_day.value_or(false),
                          instance->title.value_or("")));
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
      if (const auto master = Load(series)) difference += series.id + " " + master->rrule + "\n";
    }
    ADD_FAILURE() << (is_wide ? "wide" : "near") << "\n" << difference << story_;
  }

  void CheckConformance() {
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

  Nexus& nexus_;
  SeededRandom random_;
  const std::string user_;
  const model::Caller caller_;
  const bool is_told_, has_reminders_;
  std::vector<ModelSeries> series_;
  std::string story_;
  std::map<std::string, int64_t> done_;
  int titles_ = 0, idle_ = 0;
};

TEST_F(SeriesEditsTest, EveryEditIsAsAPersonExpects) {
  const auto seed = static_cast<uint64_t>(Setting("CAIRN_SEED", static_cast<int64_t>(kSeedDefault)));
  const int64_t wanted = Setting("CAIRN_EDITS", kEditsDefault);
  std::map<std::string, int64_t> done;
  int64_t edits = 0;
  uint64_t runs = 0;
  for (; edits < wanted && !HasFailure(); ++runs) {
    SCOPED_TRACE("CAIRN_SEED=" + std::to_string(seed + runs));
    Journey run(*nexus_, seed + runs);
    edits += run.Go();
    for (const auto& [name, count] : run.done()) done[name] += count;
  }
  std::cout << edits << " edits in " << runs << " runs from CAIRN_SEED=" << seed << "\n";
  for (const auto& [name, count] : done) std::cout << "  " << count << " " << name << "\n";
}

}  // namespace
}  // namespace cairn::nexus
