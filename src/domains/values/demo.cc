#include "domains/values/demo.h"

#include <array>

#include "base/time_text.h"
#include "domains/values/change_plan.h"
#include "domains/values/commit_tree.h"
#include "domains/values/history/publication.h"
#include "domains/values/plan/autoschedule.h"
#include "domains/values/plan/operations.h"
#include "domains/values/plan/rollover.h"
#include "domains/values/plan/rules.h"
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

// Commits at moments of the past.
class Storyteller {
 public:
  Storyteller(Values& values, model::Caller caller, Random& random, DayRules rules)
      : values_(values), caller_(std::move(caller)), ulids_(random), rules_(std::move(rules)) {}

  const DemoFilled& filled() const { return filled_; }

  Task<Decision<void>> Change(Time when, RevSource source, std::string message,
                              std::vector<Operation> operations);
  // Yesterday's unfinished todos, these actions, a meeting, and pomodoros for all of it.
  Task<Decision<void>> PlanMorning(std::string day, Time start, std::vector<std::string> actions);
  Task<Decision<void>> Complete(std::string day, Time when, std::string action);

 private:
  std::function<std::string()> NewIds(Time when) {
    return [this, when] { return ulids_.Next(when); };
  }
  Task<Decision<void>> AddPlan(Publication& publication, const std::string& day,
                               const PlanRepository::State& current, Plan plan, PlanReason reason,
                               std::string message, std::string rev_id,
                               std::optional<std::string> values_rev_id);

  Values& values_;
  model::Caller caller_;
  UlidSource ulids_;
  DayRules rules_;
  std::optional<std::string> last_day_;
  DemoFilled filled_;
};

Task<Decision<void>> Storyteller::Change(Time when, RevSource source, std::string message,
                                         std::vector<Operation> operations) {
  Publication publication(values_, caller_);
  auto current = co_await values_.trees().Current(publication.session(), {});
  if (!current) co_return std::unexpected(std::move(current).error());
  auto applied =
      Apply(*current->content, operations, {.now = FormatIsoMilliseconds(when), .new_id = NewIds(when)});
  if (!applied) co_return std::unexpected(std::move(applied).error());
  TreeRepository::Draft draft{.content = std::move(applied->tree),
                              .label = source,
                              .message = std::move(message),
                              .touched = {},
                              .rev_id = ulids_.Next(when)};
  draft.touched = TouchedNodes(*current->content, draft.content);
  auto added = co_await publication.Add(*current, std::move(draft));
  if (!added) co_return std::unexpected(std::move(added).error());
  auto committed = co_await publication.Commit();
  if (!committed) co_return std::unexpected(std::move(committed).error());
  ++filled_.revisions;
  co_return Decision<void>();
}

Task<Decision<void>> Storyteller::AddPlan(Publication& publication, const std::string& day,
                                          const PlanRepository::State& current, Plan plan, PlanReason reason,
                                          std::string message, std::string rev_id,
                                          std::optional<std::string> values_rev_id) {
  PlanRepository::Draft draft{.content = std::move(plan),
                              .label = reason,
                              .message = std::move(message),
                              .values_rev_id = std::move(values_rev_id),
                              .touched = {},
                              .rev_id = std::move(rev_id)};
  auto added = co_await publication.Add(day, current, std::move(draft));
  if (!added) co_return std::unexpected(std::move(added).error());
  co_return Decision<void>();
}

Task<Decision<void>> Storyteller::PlanMorning(std::string day, Time start, std::vector<std::string> actions) {
  const auto bounds = BoundsOf(day, rules_);
  if (!bounds) co_return std::unexpected(Refusal(bounds.error()));
  Publication publication(values_, caller_);
  auto tree = co_await values_.trees().Current(publication.session(), {});
  if (!tree) co_return std::unexpected(std::move(tree).error());
  const auto is_living = [&](const std::string& id) { return IsLivingAction(*tree->content, id); };
  Plan plan;
  if (last_day_) {
    const PlanKind::Where where{.day = *last_day_};
    auto source = co_await values_.plans().Current(publication.session(), where);
    if (!source) co_return std::unexpected(std::move(source).error());
    plan =
        RollOver(
            plan, *source->content, *last_day_,
            [&](const std::string& id) { return is_living(id) ? ActionState::kLiving : ActionState::kGone; },
            start)
            .plan;
  }
  std::vector<PlanOperation> operations;
  for (size_t i = 0; i < actions.size(); ++i) {
    if (!is_living(actions[i]) || FindTodo(plan, actions[i]) != nullptr) continue;
    operations.push_back(
        AddTodo{.action_id = actions[i],
                .classification = i == 0 ? Classification::kUrgent : Classification::kImportant,
                .estimated_pomodoros = static_cast<int64_t>(1 + i % 3)});
  }
  const Time meeting = start + std::chrono::minutes(150);
  operations.push_back(AddBlock{.type = BlockType::kMeeting,
                                .start = FormatIsoMilliseconds(meeting),
                                .end = FormatIsoMilliseconds(meeting + std::chrono::minutes(30))});
  auto applied = ApplyPlan(plan, operations,
                           {.bounds = *bounds, .new_id = NewIds(start), .is_living_action = is_living});
  if (!applied) co_return std::unexpected(std::move(applied).error());
  auto schedule = SchedulePomodoros(applied->plan, {.bounds = *bounds,
                                                    .from = start + std::chrono::minutes(60),
                                                    .options = {},
                                                    .new_id = NewIds(start),
                                                    .is_living_action = is_living});
  if (!schedule) co_return std::unexpected(std::move(schedule).error());
  plan = std::move(applied->plan);
  plan.blocks.clear();
  for (Block& block : schedule->blocks) {
    std::string id = block.id;
    plan.blocks.emplace(std::move(id), std::move(block));
  }
  const std::optional<std::string> values_rev_id =
      tree->head ? std::optional(tree->head->rev_id) : std::nullopt;
  const PlanRepository::State nothing{.head = {}, .content = std::make_shared<const Plan>()};
  CO_RETURN_IF_ERROR(co_await AddPlan(publication, day, nothing, std::move(plan), PlanReason::kMorningPlan,
                                      "Plan of the day", ulids_.Next(start), values_rev_id));
  auto committed = co_await publication.Commit();
  if (!committed) co_return std::unexpected(std::move(committed).error());
  last_day_ = day;
  ++filled_.days;
  co_return Decision<void>();
}

Task<Decision<void>> Storyteller::Complete(std::string day, Time when, std::string action) {
  Publication publication(values_, caller_);
  auto tree = co_await values_.trees().Current(publication.session(), {});
  if (!tree) co_return std::unexpected(std::move(tree).error());
  if (!IsLivingAction(*tree->content, action)) co_return Decision<void>();
  const Operation complete = CompleteNode{.node_id = action};
  auto applied = Apply(*tree->content, std::span(&complete, 1),
                       {.now = FormatIsoMilliseconds(when), .new_id = NewIds(when)});
  if (!applied) co_return std::unexpected(std::move(applied).error());
  const std::string message = "Complete \"" + applied->tree.nodes.at(action).title + "\"";
  TreeRepository::Draft draft{.content = std::move(applied->tree),
                              .label = RevSource::kCompletion,
                              .message = message,
                              .touched = std::vector<std::string>{action},
                              .rev_id = ulids_.Next(when)};
  auto revision = co_await publication.Add(*tree, std::move(draft));
  if (!revision) co_return std::unexpected(std::move(revision).error());
  const PlanKind::Where where{.day = day};
  auto plan = co_await values_.plans().Current(publication.session(), where);
  if (!plan) co_return std::unexpected(std::move(plan).error());
  Plan same = *plan->content;
  CO_RETURN_IF_ERROR(co_await AddPlan(publication, day, *plan, std::move(same), PlanReason::kCompletion,
                                      message, ulids_.Next(when), revision->id));
  auto committed = co_await publication.Commit();
  if (!committed) co_return std::unexpected(std::move(committed).error());
  ++filled_.revisions;
  co_return Decision<void>();
}

}  // namespace

Task<Decision<DemoFilled>> FillDemo(Values& values, model::Caller caller, Random& random) {
  model::Session session(values.database(), caller);
  auto head = co_await TreeKind::ReadHead(session, {});
  if (!head) co_return std::unexpected(std::move(head).error());
  if (*head) {
    co_return std::unexpected(Refusal(Code::kConditionFailed, "not-empty",
                                      "This account has a tree already: demo data is for a new account"));
  }
  auto settings = co_await ReadSettings(session);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  const DayRules rules = RulesOf(*settings);
  const auto today = DayOf(values.Now(), rules);
  if (!today) co_return std::unexpected(Refusal(today.error()));
  const auto first_day = AddDays(WeekOf(*today).value_or(*today), -7 * (kWeeks - 1));
  if (!first_day) co_return std::unexpected(Refusal(first_day.error()));

  Storyteller story(values, caller, random, rules);
  size_t work = 0, later = 0;
  for (int day_number = 0; day_number < 7 * kWeeks; ++day_number) {
    const auto day = AddDays(*first_day, day_number);
    if (!day) co_return std::unexpected(Refusal(day.error()));
    const auto day_start = DayStart(*day, rules);
    if (!day_start) co_return std::unexpected(Refusal(day_start.error()));
    const Time morning = *day_start + std::chrono::hours(7);
    if (morning > values.Now()) break;
    if (day_number % 7 == 0) {
      std::vector<Operation> review;
      if (day_number == 0) {
        for (const Seed& seed : kFirst) review.push_back(Add(seed));
      }
      for (int i = 0; i < 2 && day_number > 0 && later < kLater.size(); ++i)
        review.push_back(Add(kLater[later++]));
      if (day_number == 21) review.push_back(ArchiveNode{.node_id = "book2"});
      CO_RETURN_IF_ERROR(co_await story.Change(morning, RevSource::kWeeklyReview, "Weekly review", review));
    }
    if (day_number % 7 >= 5) continue;  // weekends are free
    std::vector<std::string> actions;
    for (int i = 0; i < 1 + (day_number % 7 == 0) && work < kWork.size(); ++i)
      actions.emplace_back(kWork[work++]);
    CO_RETURN_IF_ERROR(co_await story.PlanMorning(*day, morning + std::chrono::minutes(20), actions));
    for (size_t i = 0; i < actions.size(); ++i) {
      const Time done = morning + std::chrono::hours(3 + 4 * static_cast<int>(i));
      // One in four waits for another day.
      if (done > values.Now() || (day_number + static_cast<int>(i)) % 4 == 3) continue;
      CO_RETURN_IF_ERROR(co_await story.Complete(*day, done, actions[i]));
    }
    if (day_number % 7 == 2) {
      std::vector<Operation> note;
      note.push_back(
          EditNode{.node_id = "marathon", .notes = "Week " + std::to_string(day_number / 7 + 1) + " done."});
      CO_RETURN_IF_ERROR(co_await story.Change(morning + std::chrono::minutes(30), RevSource::kDailyUpdate,
                                               "Note the training", note));
    }
  }
  co_return story.filled();
}

}  // namespace cairn::values
