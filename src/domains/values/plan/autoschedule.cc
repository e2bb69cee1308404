#include "domains/values/plan/autoschedule.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "base/time_text.h"
#include "domains/values/plan/refusal.h"
#include "domains/values/plan/rules.h"

namespace cairn::values {
namespace {

using std::chrono::minutes;

constexpr minutes kLengthMax{240};

struct Stretch {
  Time start, end;
};

Time Instant(const std::string& text) {
  const auto time = ParseInstant(text);
  CHECK(time.has_value(), "blocks of a plan that keeps the rules have moments");
  return *time;
}

Decision<void> CheckOptions(const PomodoroRequest& request) {
  const PomodoroOptions& options = request.options;
  const auto check = [](std::string field, minutes value, minutes least) -> Decision<void> {
    if (value >= least && value <= kLengthMax) return {};
    return RefusePlan(
        "options." + std::move(field), "bad-option",
        "Give " + std::to_string(least.count()) + " to " + std::to_string(kLengthMax.count()) + " minutes.");
  };
  RETURN_IF_ERROR(check("pomodoroMinutes", options.pomodoro, minutes(1)));
  RETURN_IF_ERROR(check("shortBreakMinutes", options.short_break, minutes(0)));
  RETURN_IF_ERROR(check("longBreakMinutes", options.long_break, minutes(0)));
  if (options.long_break_after < 1 || options.long_break_after > kPomodorosMax) {
    return RefusePlan("options.longBreakAfter", "bad-option",
                      "Give 1 to " + std::to_string(kPomodorosMax) + " pomodoros.");
  }
  if (options.latest_end && *options.latest_end > request.bounds.end + kAfterDayEndMax) {
    return RefusePlan("options.latestEnd", "bad-option",
                      "Blocks run at most " + std::to_string(kAfterDayEndMax.count()) +
                          " hours into the next day. Give an earlier end.");
  }
  return {};
}

class Scheduler {
 public:
  Scheduler(const Plan& plan, const PomodoroRequest& request)
      : request_(request),
        options_(request.options),
        todos_(plan.todos),
        now_(std::chrono::ceil<minutes>(std::max(request.from, request.bounds.start))),
        latest_end_(options_.latest_end.value_or(request.bounds.end)) {
    for (const Block* block : BlocksByStart(plan)) Consider(*block);
  }

  PomodoroSchedule Run() {
    PomodoroSchedule schedule;
    for (const Classification classification :
         {Classification::kUrgent, Classification::kImportant, Classification::kOther}) {
      for (const Todo& todo : todos_) {
        if (todo.classification != classification || !request_.is_living_action(todo.action_id)) continue;
        int64_t left = todo.estimated_pomodoros.value_or(1) - stayed_[todo.action_id];
        while (left > 0 && Place(todo.action_id)) --left;
        if (left > 0) schedule.unscheduled.push_back({todo.action_id, left});
      }
    }
    Plan planned{.todos = {}, .blocks = std::move(blocks_)};
    NumberPomodoros(planned);
    for (const Block* block : BlocksByStart(planned)) schedule.blocks.push_back(*block);
    return schedule;
  }

 private:
  // Keeps the block, or remembers what it was. Blocks come in order of time.
  void Consider(const Block& block) {
    const bool fixed = block.type == BlockType::kMeeting || block.type == BlockType::kBuffer;
    const Stretch stretch{Instant(block.start), Instant(block.end)};
    if (!fixed && stretch.start >= request_.from) {
      ids_before_.emplace(std::tuple(block.type, block.start, block.end, block.action_id), block.id);
      return;
    }
    blocks_.emplace(block.id, block);
    taken_.push_back(stretch);
    if (block.type == BlockType::kPomodoro) {
      ++stayed_[*block.action_id];
      ++pomodoros_;
      rest_from_ = stretch.end;
    } else if (rest_from_ && stretch.start >= *rest_from_ && stretch.start <= now_) {
      rest_from_.reset();
    }
  }

  // One more pomodoro at the first place for it, behind those that were placed. False when there is none.
  bool Place(const std::string& action_id) {
    while (now_ < latest_end_ && now_ < request_.bounds.end) {
      const auto busy =
          std::ranges::find_if(taken_, [this](const Stretch& stretch) { return stretch.end > now_; });
      const Time free_until = busy == taken_.end() ? latest_end_ : std::min(busy->start, latest_end_);
      if (PlaceUntil(free_until, action_id)) return true;
      if (busy == taken_.end() || blocks_.size() + 2 > kBlocksMax) return false;
      now_ = std::max(now_, busy->end);
      if (rest_from_ && *rest_from_ < now_) rest_from_.reset();  // what was passed is as good as a break
    }
    return false;
  }

  bool PlaceUntil(Time free_until, const std::string& action_id) {
    const Time start = rest_from_ ? std::max(now_, *rest_from_ + BreakDue()) : now_;
    const Time end = start + options_.pomodoro;
    if (end > free_until || start >= request_.bounds.end || blocks_.size() + 2 > kBlocksMax) return false;
    if (start > now_) Add(BlockType::kBreak, {now_, start}, std::nullopt);
    Add(BlockType::kPomodoro, {start, end}, action_id);
    ++pomodoros_;
    now_ = end;
    rest_from_ = end;
    return true;
  }

  minutes BreakDue() const {
    return pomodoros_ % options_.long_break_after == 0 ? options_.long_break : options_.short_break;
  }

  void Add(BlockType type, const Stretch& stretch, std::optional<std::string> action_id) {
    Block block{.id = {},
                .type = type,
                .start = FormatIsoMilliseconds(stretch.start),
                .end = FormatIsoMilliseconds(stretch.end),
                .action_id = std::move(action_id),
                .pomodoro_index = {}};
    const auto before = ids_before_.find(std::tuple(block.type, block.start, block.end, block.action_id));
    block.id = before == ids_before_.end() ? request_.new_id() : before->second;
    std::string id = block.id;
    blocks_.emplace(std::move(id), std::move(block));
  }

  const PomodoroRequest& request_;
  const PomodoroOptions& options_;
  const std::vector<Todo>& todos_;
  Time now_;  // everything up to here is planned
  Time latest_end_;
  std::map<std::string, Block> blocks_;    // of the schedule
  std::vector<Stretch> taken_;             // by what stayed, in order of starts
  std::map<std::string, int64_t> stayed_;  // pomodoros, by action
  int64_t pomodoros_ = 0;                  // of the day so far
  std::optional<Time> rest_from_;          // the end of the last pomodoro, when nothing came after it
  std::map<std::tuple<BlockType, std::string, std::string, std::optional<std::string>>, std::string>
      ids_before_;
};

}  // namespace

Decision<PomodoroSchedule> SchedulePomodoros(const Plan& plan, const PomodoroRequest& request) {
  RETURN_IF_ERROR(CheckOptions(request));
  return Scheduler(plan, request).Run();
}

}  // namespace cairn::values
