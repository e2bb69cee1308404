#include "domains/nexus/demo.h"

#include <array>

#include "calendar/day.h"
#include "domains/nexus/events.h"
#include "domains/nexus/notes.h"
#include "domains/nexus/reminders.h"
#include "domains/nexus/series.h"
#include "domains/nexus/settings.h"
#include "domains/nexus/tasks.h"

namespace cairn::nexus {
namespace {

// Days count from today. No hours: the whole day.
struct DemoEvent {
  int day;
  std::string_view title, place, from, to;
  int days = 1;
};
constexpr auto kEvents = std::to_array<DemoEvent>({
    {-9, "Dentist", "Mill Street 4", "08:30", "09:15"},
    {-6, "Lunch with Ana", "Café Sol", "12:30", "13:45"},
    {-3, "Review of the design", "Room 2", "14:00", "15:30"},
    {-1, "Concert", "Town hall", "19:30", "22:00"},
    {0, "Coffee with Jonas", "Library", "10:00", "10:45"},
    {0, "Write the proposal", "", "13:00", "15:30"},
    {1, "Call with the landlord", "", "09:30", "10:00"},
    {1, "Prepare the slides", "", "10:30", "12:00"},
    {2, "Train to Porto", "Platform 3", "07:12", "10:25"},
    {2, "Porto", "", "", "", 3},
    {5, "Mother's birthday", "", "", ""},
    {6, "Flat viewing", "Garden Road 17", "17:00", "17:45"},
    {9, "Parents' evening", "School", "18:00", "20:00"},
    {13, "Film night", "At Mira's", "20:00", "23:30"},
});

struct DemoSeries {
  int day;
  std::string_view title, place, from, to, rule;
};
constexpr auto kSeries = std::to_array<DemoSeries>({
    {-14, "Stand-up", "Room 1", "09:00", "09:15", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"},
    {-12, "Yoga", "Studio by the river", "18:30", "19:45", "FREQ=WEEKLY"},
    {-20, "Pay the rent", "", "08:00", "08:10", "FREQ=MONTHLY;BYMONTHDAY=1"},
});

struct DemoTask {
  std::string_view title;
  TaskStatus status;
  int64_t priority;
  std::optional<int> due;  // at five o'clock in UTC
  std::string_view rule = "";
};
constexpr auto kTasks = std::to_array<DemoTask>({
    {"Renew the passport", TaskStatus::kTodo, 1, 10},
    {"Book the hotel in Porto", TaskStatus::kDone, 1, -2},
    {"Proposal for the new heating", TaskStatus::kInProgress, 1, 3},
    {"Answer the insurance", TaskStatus::kTodo, 2, -1},
    {"Repair the bicycle", TaskStatus::kBlocked, 3, std::nullopt},
    {"Photo book of the summer", TaskStatus::kBacklog, 3, std::nullopt},
    {"Learn to bake sourdough", TaskStatus::kBacklog, 4, std::nullopt},
    {"Sort the cellar", TaskStatus::kBacklog, 4, std::nullopt},
    {"Read the contract", TaskStatus::kInProgress, 2, 1},
    {"Find a present for Mother", TaskStatus::kTodo, 2, 4},
    {"Cancel the old phone contract", TaskStatus::kDone, 3, -7},
    {"Water the plants", TaskStatus::kTodo, 3, 1, "FREQ=WEEKLY"},
});

struct DemoNote {
  std::string_view title, body, tag;
  bool is_pinned = false;
};
constexpr auto kNotes = std::to_array<DemoNote>({
    {"Sourdough",
     "1. Feed the starter in the evening\n2. 500 g flour, 350 g water, 10 g salt\n3. Fold **four times**\n4. "
     "240 °C, 45 minutes",
     "kitchen"},
    {"Books", "- [x] The left hand of darkness\n- [ ] A pattern language\n- [ ] The timeless way of building",
     "reading"},
    {"Ideas for the balcony", "Herbs on the left, tomatoes on the right.\n\n> Ask Jonas for his seeds.",
     "home"},
    {"Porto", "## To see\n- the bridge at night\n- *Livraria Lello*, before nine\n- the tram along the river",
     "travel", true},
});

std::optional<std::optional<std::string>> IfAnyText(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return std::optional(std::string(text));
}

// What nobody waits for.
template <class T>
Witness<T> Unwitnessed() {
  return [](model::Session&, const T&) { return model::Outcome<void>(); };
}

class Filler {
 public:
  Filler(Nexus& nexus, model::Caller caller, std::string today, std::string zone)
      : nexus_(nexus), caller_(std::move(caller)), today_(std::move(today)), zone_(std::move(zone)) {}

  Task<Decision<void>> Events() {
    for (const DemoEvent& event : kEvents) {
      EventPatch content;
      content.title = event.title;
      content.location = IfAnyText(event.place);
      if (event.from.empty()) {
        content.times = {.start_utc = {},
                         .end_utc = {},
                         .start_local = Day(event.day) + "T00:00:00",
                         .end_local = Day(event.day + event.days) + "T00:00:00",
                         .tzid = {},
                         .all_day = true};
      } else {
        content.times = Hours(event.day, event.from, event.to);
      }
      auto created = co_await CreateEvent(nexus_, caller_, std::move(content), Unwitnessed<Event>());
      if (!created) co_return std::unexpected(std::move(created).error());
      ++filled_.events;
    }
    for (const DemoSeries& series : kSeries) {
      SeriesPatch content;
      content.title = series.title;
      content.location = IfAnyText(series.place);
      content.times = Hours(series.day, series.from, series.to);
      content.rrule = series.rule;
      auto created = co_await CreateSeries(nexus_, caller_, std::move(content), Unwitnessed<SeriesChanged>());
      if (!created) co_return std::unexpected(std::move(created).error());
      ++filled_.events;
    }
    co_return Decision<void>();
  }

  Task<Decision<void>> Tasks() {
    for (const DemoTask& task : kTasks) {
      NewTask wanted{.title = std::string(task.title),
                     .description = {},
                     .status = task.status,
                     .priority = task.priority,
                     .due_utc = {},
                     .tags = {},
                     .rrule = {},
                     .start_tzid = {}};
      if (task.due) wanted.due_utc = Day(*task.due) + "T17:00:00Z";
      if (!task.rule.empty()) wanted.rrule = task.rule;
      auto created = co_await CreateTask(nexus_, caller_, std::move(wanted), Unwitnessed<data::Task>());
      if (!created) co_return std::unexpected(std::move(created).error());
      ++filled_.tasks;
    }
    co_return Decision<void>();
  }

  // The last one comes with the witness.
  Task<Decision<DemoFilled>> Notes(Witness<DemoFilled> witness) {
    for (const DemoNote& note : kNotes) {
      NewNote wanted{.title = std::string(note.title),
                     .body = std::string(note.body),
                     .tags = Tags({std::string(note.tag)}),
                     .is_pinned = note.is_pinned};
      ++filled_.notes;
      Witness<data::Note> seen = Unwitnessed<data::Note>();
      if (&note == &kNotes.back() && witness)
        seen = [&](model::Session& platform, const data::Note&) { return witness(platform, filled_); };
      auto created = co_await CreateNote(nexus_, caller_, std::move(wanted), seen);
      if (!created) co_return std::unexpected(std::move(created).error());
    }
    co_return filled_;
  }

 private:
  std::string Day(int from_today) const {
    const auto day = calendar::AddDays(today_, from_today);
    CHECK(day.has_value(), "days around now have names");
    return *day;
  }
  GivenTimes Hours(int day, std::string_view from, std::string_view to) const {
    return {.start_utc = {},
            .end_utc = {},
            .start_local = Day(day) + "T" + std::string(from) + ":00",
            .end_local = Day(day) + "T" + std::string(to) + ":00",
            .tzid = std::optional(zone_),
            .all_day = {}};
  }

  Nexus& nexus_;
  const model::Caller caller_;
  const std::string today_, zone_;
  DemoFilled filled_;
};

// Nothing of the domain but settings.
Task<Decision<bool>> IsEmpty(Work& work) {
  const model::typed::PageOptions one{.limit = 1, .cursor = {}};
  auto events = co_await data::ReadEvents(work.session(), one);
  if (!events) co_return std::unexpected(Refusal(std::move(events).error()));
  auto masters = co_await data::ReadMasters(work.session(), one);
  if (!masters) co_return std::unexpected(Refusal(std::move(masters).error()));
  auto tasks = co_await data::ReadTasks(work.session(), one);
  if (!tasks) co_return std::unexpected(Refusal(std::move(tasks).error()));
  auto notes = co_await data::ReadNotes(work.session(), one);
  if (!notes) co_return std::unexpected(Refusal(std::move(notes).error()));
  co_return events->items.empty() && masters->items.empty() && tasks->items.empty() && notes->items.empty();
}

}  // namespace

Task<Decision<DemoFilled>> FillDemo(Nexus& nexus, model::Caller caller, Witness<DemoFilled> witness) {
  Work work(nexus, caller);
  auto is_empty = co_await IsEmpty(work);
  if (!is_empty) co_return std::unexpected(std::move(is_empty).error());
  if (!*is_empty)
    co_return RefuseConflict("not-empty",
                             "The demo data is for a new account: this one has a calendar, tasks or notes");
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  const std::string zone = settings->timezone.value_or("UTC");
  CO_ASSIGN_OR_RETURN(const std::string today, calendar::DayOf(nexus.Now(), {.timezone = zone}));
  Filler filler(nexus, std::move(caller), today, zone);
  auto events = co_await filler.Events();
  if (!events) co_return std::unexpected(std::move(events).error());
  auto tasks = co_await filler.Tasks();
  if (!tasks) co_return std::unexpected(std::move(tasks).error());
  co_return co_await filler.Notes(std::move(witness));
}

}  // namespace cairn::nexus
