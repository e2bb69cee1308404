#include "domains/values/demo.h"

#include <array>

#include "domains/values/demo_storyteller.h"
#include "domains/values/settings.h"

namespace cairn::values {
namespace {

constexpr int kWeeks = 5;

// Ids are short words here, so that operations read like a story.
struct Seed {
  std::string_view id, parent, title, notes;
  NodeType type;
};
constexpr auto kFirst = std::to_array<Seed>({
    {"health", "", "Stay healthy", "Energy for everything else.", NodeType::kDriver},
    {"craft", "", "Grow in my craft", "", NodeType::kDriver},
    {"people", "", "Be there for people", "", NodeType::kDriver},
    {"marathon", "health", "Run a half marathon", "In spring, by the river.", NodeType::kMilestone},
    {"shoes", "marathon", "Buy running shoes", "", NodeType::kAction},
    {"run5", "marathon", "Run 5 km without a break", "", NodeType::kAction},
    {"run10", "marathon", "Run 10 km", "", NodeType::kAction},
    {"race", "marathon", "Book the race", "Early birds pay less.", NodeType::kAction},
    {"sleep", "health", "Sleep seven hours", "", NodeType::kMilestone},
    {"phone", "sleep", "Charge the phone outside the bedroom", "", NodeType::kAction},
    {"blinds", "sleep", "Mount the blinds", "", NodeType::kAction},
    {"side", "craft", "Ship the side project", "", NodeType::kMilestone},
    {"sketch", "side", "Sketch the data model", "One table, all access patterns.", NodeType::kAction},
    {"proto", "side", "Write the prototype", "", NodeType::kAction},
    {"friends", "side", "Show it to three friends", "", NodeType::kAction},
    {"launch", "side", "Launch page", "", NodeType::kMilestone},
    {"copy", "launch", "Write the copy", "", NodeType::kAction},
    {"domain", "launch", "Choose a domain", "", NodeType::kAction},
    {"books", "craft", "Read two technical books", "", NodeType::kMilestone},
    {"book1", "books", "Finish the book on databases", "", NodeType::kAction},
    {"book2", "books", "Start the book on typography", "", NodeType::kAction},
    {"granny", "people", "Call Grandma", "She likes Sunday mornings.", NodeType::kAction},
    {"dinner", "people", "Invite the neighbours for dinner", "", NodeType::kAction},
});
// What later weekly reviews add.
constexpr auto kLater = std::to_array<Seed>({
    {"intervals", "marathon", "Intervals on Tuesday", "", NodeType::kAction},
    {"physio", "health", "See the physiotherapist", "The left knee.", NodeType::kAction},
    {"feedback", "side", "Collect feedback", "", NodeType::kAction},
    {"talk", "craft", "Give a talk at the meetup", "", NodeType::kMilestone},
    {"outline", "talk", "Outline the talk", "", NodeType::kAction},
    {"slides", "talk", "Draw the slides", "", NodeType::kAction},
    {"gift", "people", "Find a gift for Ana", "", NodeType::kAction},
    {"run15", "marathon", "Run 15 km", "", NodeType::kAction},
});
// In this order, two on Mondays and one on other days; what is not done rolls over.
constexpr auto kWork = std::to_array<std::string_view>(
    {"shoes",   "sketch", "phone",     "granny",  "run5",   "proto",  "dinner", "blinds",
     "copy",    "book1",  "intervals", "friends", "domain", "physio", "run10",  "feedback",
     "outline", "race",   "gift",      "slides",  "book2",  "run15"});

AddNode Add(const Seed& seed) {
  AddNode add{.node_id = std::string(seed.id), .type = seed.type, .title = std::string(seed.title)};
  if (!seed.notes.empty()) add.notes = seed.notes;
  if (!seed.parent.empty()) add.parent_id = seed.parent;
  return add;
}

using Step = std::function<Task<Decision<void>>()>;

// All that happens, in order: known before the first of it is written, so that the last one is known.
class Script {
 public:
  Script(Storyteller& story, DayRules rules, Time now, std::string today)
      : story_(story), rules_(std::move(rules)), now_(now), today_(std::move(today)) {}

  const std::vector<Step>& steps() const { return steps_; }

  Result<void> AddDay(int number, const std::string& day) {
    ASSIGN_OR_RETURN(const Time day_start, DayStart(day, rules_));
    const Time morning = day_start + std::chrono::hours(7);
    if (number % 7 == 0) Review(number, Moment(morning));
    // Weekends are free; but whoever looks at the data looks at today.
    if (number % 7 >= 5 && day != today_) return {};
    std::vector<std::string> actions;
    for (int i = 0; i < 1 + (number % 7 == 0) && work_ < kWork.size(); ++i)
      actions.emplace_back(kWork[work_++]);
    const Time start = morning + std::chrono::minutes(20);
    steps_.push_back(
        [this, day, start, actions] { return story_.PlanMorning(day, Moment(start), start, actions); });
    if (number % 7 == 2) Note(number / 7 + 1, Moment(morning + std::chrono::minutes(30)));
    for (size_t i = 0; i < actions.size(); ++i) {
      const Time done = morning + std::chrono::hours(3 + 4 * static_cast<int>(i));
      // One in four waits for another day.
      if (done > now_ || (number + static_cast<int>(i)) % 4 == 3) continue;
      steps_.push_back([this, day, done, action = actions[i]] { return story_.Complete(day, done, action); });
    }
    return {};
  }

 private:
  // Early in the day this morning is still to come; nothing is committed in the future.
  Time Moment(Time planned) const { return std::min(planned, now_); }

  void Review(int number, Time when) {
    std::vector<Operation> review;
    if (number == 0) {
      for (const Seed& seed : kFirst) review.push_back(Add(seed));
    }
    for (int i = 0; i < 2 && number > 0 && later_ < kLater.size(); ++i)
      review.push_back(Add(kLater[later_++]));
    if (number == 21) review.push_back(ArchiveNode{.node_id = "book2"});
    steps_.push_back([this, when, review] {
      return story_.Change(when, RevSource::kWeeklyReview, "Weekly review", review);
    });
  }
  void Note(int week, Time when) {
    std::vector<Operation> note;
    note.push_back(EditNode{.node_id = "marathon", .notes = "Week " + std::to_string(week) + " done."});
    steps_.push_back([this, when, note] {
      return story_.Change(when, RevSource::kDailyUpdate, "Note the training", note);
    });
  }

  Storyteller& story_;
  const DayRules rules_;
  const Time now_;
  const std::string today_;
  size_t work_ = 0, later_ = 0;  // how much of kWork and kLater has been told
  std::vector<Step> steps_;
};

}  // namespace

Task<Decision<DemoFilled>> FillDemo(Values& values, model::Caller caller, Random& random,
                                    Witness<DemoFilled> witness) {
  model::Session session(values.database(), caller);
  auto settings = co_await ReadSettings(session);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  const DayRules rules = RulesOf(*settings);
  const Time now = values.Now();
  const auto today = DayOf(now, rules);
  if (!today) co_return std::unexpected(Refusal(today.error()));
  const auto first_day = AddDays(WeekOf(*today).value_or(*today), -7 * (kWeeks - 1));
  if (!first_day) co_return std::unexpected(Refusal(first_day.error()));

  Storyteller story(values, caller, random, rules);
  Script script(story, rules, now, *today);
  for (int number = 0; number < 7 * kWeeks; ++number) {
    const auto day = AddDays(*first_day, number);
    if (!day) co_return std::unexpected(Refusal(day.error()));
    if (*day > *today) break;
    const auto added = script.AddDay(number, *day);
    if (!added) co_return std::unexpected(Refusal(added.error()));
  }
  for (const Step& step : script.steps()) {
    if (&step == &script.steps().back()) story.WitnessNext(witness);
    CO_RETURN_IF_ERROR(co_await step());
  }
  co_return story.filled();
}

}  // namespace cairn::values
