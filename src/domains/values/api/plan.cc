// The handlers of /api/plans, and of completing, which concerns both tree and plan.
#include "base/time_text.h"
#include "domains/values/api/api.h"
#include "domains/values/api/convert.h"
#include "domains/values/commit_plan.h"
#include "domains/values/complete_action.h"
#include "domains/values/pack_tree.h"
#include "domains/values/plan/rules.h"
#include "domains/values/plan_day.h"
#include "domains/values/settings.h"

namespace cairn::values {
namespace {

namespace data = models::values;

// At an address of a plan the tag is that of the plan, as reading it gives it; otherwise the tree's.
rest::Answered<CompleteAnswer> Answered(const ActionCompleted& completed, bool of_plan) {
  const std::string& tree = completed.tree.revision.id;
  std::string tag = of_plan ? "" : TagOfRevision(tree);
  if (of_plan && completed.plan) tag = '"' + completed.plan->revision.id + '.' + tree + '"';
  return {.body = ViewOf(completed), .etag = std::move(tag)};
}

Task<rest::Reply<CompleteAnswer>> FinishCompletion(Values& values, rest::Call& call, CompleteAction request) {
  const bool of_plan = request.day.has_value();
  auto completed = co_await Complete(values, call.caller(), std::move(request),
                                     [&call, of_plan](model::Session& platform, const ActionCompleted& done) {
                                       return rest::StageAnswer(call, platform, Answered(done, of_plan));
                                     });
  if (!completed) co_return Refused(completed.error(), call);
  co_return Answered(*completed, of_plan);
}

PlanOperation Plain(PlanOperationOp operation) {
  return std::visit(
      [](auto& op) -> PlanOperation {
        using Wire = std::decay_t<decltype(op)>;
        if constexpr (std::is_base_of_v<AddTodo, Wire>) return AddTodo(op);
        if constexpr (std::is_base_of_v<EditTodo, Wire>) return EditTodo(op);
        if constexpr (std::is_base_of_v<RemoveTodo, Wire>) return RemoveTodo(op);
        if constexpr (std::is_base_of_v<ReorderTodos, Wire>) return ReorderTodos(op);
        if constexpr (std::is_base_of_v<AddBlock, Wire>) return AddBlock(op);
        if constexpr (std::is_base_of_v<EditBlock, Wire>) return EditBlock(op);
        if constexpr (std::is_base_of_v<RemoveBlock, Wire>) return RemoveBlock(op);
      },
      operation);
}

Result<std::vector<PlanResolution>, http::Problem> ResolutionsOf(
    const std::vector<PlanResolutionView>& views) {
  using Take = PlanResolution::Take;
  std::vector<PlanResolution> resolutions;
  for (const PlanResolutionView& view : views) {
    PlanResolution resolution{.id = view.id, .field = view.field, .take = Take::kTheirs, .value = {}};
    if (view.take == "mine") {
      resolution.take = Take::kMine;
    } else if (view.take == "value") {
      resolution.take = Take::kValue;
      if (view.text) resolution.value = *view.text;
      if (view.number) resolution.value = *view.number;
      if (view.list) resolution.value = *view.list;
    } else if (view.take != "theirs") {
      return WrongField("resolutions[" + std::to_string(resolutions.size()) + "].take",
                        "must be one of theirs, mine, value");
    }
    resolutions.push_back(std::move(resolution));
  }
  return resolutions;
}

// Plan, tree and the day's bounds (with the settings) can change each: the tag names all, the plan first, so
// that it can be sent back with If-Match.
std::string TagOf(const PlanAnswer& plan, const DayBounds& bounds) {
  return '"' + *plan.rev_id + '.' + plan.values_rev_id.value_or("") + '.' +
         std::to_string(EpochSeconds(bounds.start)) + '-' + std::to_string(EpochSeconds(bounds.end)) + '"';
}

}  // namespace

ValuesApi::Answer<PlanDayList> ValuesApi::GetDays(rest::Call& call, DaysRequest request) {
  model::Session session(values_.database(), call.caller());
  const data::PlanDaysParameters parameters{.from = request.from, .to = request.to};
  const PageOf page = PageFrom(request.page);
  const model::typed::PageOptions options{.limit = page.limit, .cursor = page.cursor};
  auto days = co_await data::ReadPlanDays(session, parameters, options);
  if (!days) co_return Refused(RefusalOf(std::move(days).error()), call);
  PlanDayList list{.items = {}, .next_cursor = IfAny(days->next_cursor)};
  for (const data::PlanDay& day : days->items) {
    list.items.push_back({.day = day.day,
                          .head_rev_id = day.head_rev_id,
                          .todo_count = day.todo_count,
                          .block_count = day.block_count,
                          .updated_at = day.updated_at});
  }
  co_return rest::Answer(std::move(list));
}

// The plan as it is now is shown with the tree as it is now; an old one with the tree it was made from.
ValuesApi::Answer<PlanAnswer> ValuesApi::GetPlan(rest::Call& call, PlanRequest request) {
  model::Session session(values_.database(), call.caller());
  const PlanKind::Where where{.day = request.day};
  auto scene = co_await SceneOf(values_, session, request.day);
  if (!scene) co_return Refused(scene.error(), call);
  PlanAnswer answer;
  answer.day = request.day;
  answer.day_start = FormatIsoMilliseconds(scene->bounds.start);
  answer.day_end = FormatIsoMilliseconds(scene->bounds.end);
  std::shared_ptr<const Plan> plan;
  std::shared_ptr<const Tree> tree = scene->tree;
  answer.values_rev_id = scene->values_rev_id;
  if (request.rev) {
    auto revision = co_await values_.plans().Find(session, where, *request.rev);
    if (!revision) co_return Refused(revision.error(), call);
    auto content = co_await values_.plans().ContentOf(session, where, *revision);
    if (!content) co_return Refused(content.error(), call);
    plan = *std::move(content);
    answer.rev_id = revision->id;
    answer.rev_ts = revision->ts;
    answer.values_rev_id = revision->values_rev_id;
    if (revision->values_rev_id) {
      auto of_then = co_await values_.trees().At(session, {}, *revision->values_rev_id);
      if (!of_then) co_return Refused(of_then.error(), call);
      tree = *std::move(of_then);
    }
  } else {
    auto current = co_await values_.plans().Current(session, where);
    if (!current) co_return Refused(current.error(), call);
    plan = current->content;
    if (current->head) {
      answer.rev_id = current->head->rev_id;
      answer.rev_ts = current->head->rev_ts;
    }
  }
  int64_t order = 0;
  std::set<std::string> missing;
  for (const Todo& todo : plan->todos) {
    if (!tree->packs.empty() && !tree->nodes.contains(todo.action_id)) missing.insert(todo.action_id);
  }
  std::map<std::string, Node> packed;
  if (!missing.empty()) {
    auto found = co_await FindPacked(values_, session, tree, std::move(missing));
    if (!found) co_return Refused(found.error(), call);
    packed = *std::move(found);
  }
  for (const Todo& todo : plan->todos)
    answer.todos.push_back(ViewOf(todo, ++order, FindNode(*tree, packed, todo.action_id)));
  for (const Block* block : BlocksByStart(*plan)) answer.blocks.push_back(ViewOf(*block));
  const std::string tag = answer.rev_id ? TagOf(answer, scene->bounds) : "";
  co_return rest::Answered<PlanAnswer>{.body = std::move(answer), .etag = tag};
}

ValuesApi::Answer<PlanCommitAnswer> ValuesApi::PostPlanCommit(rest::Call& call, PlanCommitRequest request) {
  const std::string on_conflict = request.on_conflict.value_or("fail");
  if (on_conflict != "fail" && on_conflict != "merge")
    co_return WrongField("onConflict", "must be one of fail, merge");
  CO_RETURN_IF_ERROR(CheckBase(call, request.base_rev_id));
  CommitPlan commit{.day = request.day,
                    .base_rev_id = BaseOf(call, request.base_rev_id),
                    .operations = {},
                    .reason = request.reason,
                    .message = request.message.value_or(""),
                    .merge = on_conflict == "merge"};
  for (PlanOperationOp& operation : request.operations)
    commit.operations.push_back(Plain(std::move(operation)));
  CO_ASSIGN_OR_RETURN(commit.resolutions, ResolutionsOf(request.resolutions));
  co_return co_await Finish(
      Commit(values_, call.caller(), std::move(commit), WitnessOf<PlanCommitted>(call, 200)), call, 200);
}

ValuesApi::Answer<PlanCommitAnswer> ValuesApi::CommitPlanOperation(rest::Call& call, std::string day,
                                                                   PlanOperation operation, int status) {
  CommitPlan commit{.day = day, .base_rev_id = BaseOf(call), .operations = {}};
  commit.operations.push_back(std::move(operation));
  co_return co_await Finish(
      Commit(values_, call.caller(), std::move(commit), WitnessOf<PlanCommitted>(call, status)), call,
      status);
}

ValuesApi::Answer<PlanCommitList> ValuesApi::GetPlanHistory(rest::Call& call, PlanHistoryRequest request) {
  model::Session session(values_.database(), call.caller());
  const PlanKind::Where where{.day = request.day};
  PageOf wanted = PageFrom(request.page);
  auto page = co_await PlanKind::ReadHistory(session, where, std::move(wanted));
  if (!page) co_return Refused(page.error(), call);
  PlanCommitList list{.items = {}, .next_cursor = IfAny(page->next_cursor)};
  for (const PlanRepository::Rev& revision : page->revisions) list.items.push_back(ViewOf(revision));
  co_return rest::Answer(std::move(list));
}

ValuesApi::Answer<PlanDiffAnswer> ValuesApi::GetPlanDiff(rest::Call& call, PlanDiffRequest request) {
  model::Session session(values_.database(), call.caller());
  const PlanKind::Where where{.day = request.day};
  auto from = co_await values_.plans().At(session, where, request.from);
  if (!from) co_return Refused(from.error(), call);
  auto to = co_await values_.plans().At(session, where, request.to);
  if (!to) co_return Refused(to.error(), call);
  co_return rest::Answer(ViewOf(DiffPlans(**from, **to)));
}

ValuesApi::Answer<PlanCommitAnswer> ValuesApi::PostPlanRollback(rest::Call& call,
                                                                PlanRollbackRequest request) {
  CO_RETURN_IF_ERROR(CheckBase(call, request.base_rev_id));
  RestorePlan restore{.day = request.day,
                      .by = Restore::kRollback,
                      .to_rev_id = request.to_rev_id,
                      .base_rev_id = BaseOf(call, request.base_rev_id),
                      .message = request.message.value_or("")};
  co_return co_await Finish(
      RestoreRevision(values_, call.caller(), std::move(restore), WitnessOf<PlanCommitted>(call, 200)), call,
      200);
}

ValuesApi::Answer<PlanCommitAnswer> ValuesApi::PostPlanUndo(rest::Call& call, DayRequest request) {
  RestorePlan restore{.day = request.day, .by = Restore::kUndo, .base_rev_id = BaseOf(call)};
  co_return co_await Finish(
      RestoreRevision(values_, call.caller(), std::move(restore), WitnessOf<PlanCommitted>(call, 200)), call,
      200);
}

ValuesApi::Answer<PlanCommitAnswer> ValuesApi::PostPlanRedo(rest::Call& call, DayRequest request) {
  RestorePlan restore{.day = request.day, .by = Restore::kRedo, .base_rev_id = BaseOf(call)};
  co_return co_await Finish(
      RestoreRevision(values_, call.caller(), std::move(restore), WitnessOf<PlanCommitted>(call, 200)), call,
      200);
}

ValuesApi::Answer<PlanCommitAnswer> ValuesApi::PostRollover(rest::Call& call, RolloverRequest request) {
  RollOverDay rollover{.day = request.day, .from_day = request.from_day, .base_rev_id = BaseOf(call)};
  co_return co_await Finish(
      RollOver(values_, call.caller(), std::move(rollover), WitnessOf<PlanCommitted>(call, 200)), call, 200);
}

ValuesApi::Answer<PlanCommitAnswer> ValuesApi::PostAutoschedule(rest::Call& call,
                                                                AutoscheduleRequest request) {
  FillDay fill{.day = request.day,
               .from = request.from,
               .preview = request.preview.value_or(false),
               .base_rev_id = BaseOf(call)};
  if (request.pomodoro_minutes) fill.options.pomodoro = std::chrono::minutes(*request.pomodoro_minutes);
  if (request.break_minutes) fill.options.short_break = std::chrono::minutes(*request.break_minutes);
  if (request.long_break_minutes) fill.options.long_break = std::chrono::minutes(*request.long_break_minutes);
  if (request.until) {
    auto until = ParseInstant(*request.until);
    if (!until) co_return WrongField("until", until.error().message);
    fill.options.latest_end = *until;
  }
  co_return co_await Finish(
      Fill(values_, call.caller(), std::move(fill), WitnessOf<PlanCommitted>(call, 200)), call, 200);
}

ValuesApi::Answer<PlanCommitAnswer> ValuesApi::PostTodo(rest::Call& call, AddTodoRequest request) {
  return CommitPlanOperation(call, request.day, std::move(request.todo), 201);
}
ValuesApi::Answer<PlanCommitAnswer> ValuesApi::PatchTodo(rest::Call& call, EditTodoRequest request) {
  return CommitPlanOperation(call, request.day, std::move(request.todo), 200);
}
ValuesApi::Answer<PlanCommitAnswer> ValuesApi::DeleteTodo(rest::Call& call, TodoRequest request) {
  return CommitPlanOperation(call, request.day, RemoveTodo{.action_id = request.action_id}, 200);
}
ValuesApi::Answer<PlanCommitAnswer> ValuesApi::PostTodoOrder(rest::Call& call, ReorderTodosRequest request) {
  return CommitPlanOperation(call, request.day, std::move(request.reorder), 200);
}
ValuesApi::Answer<PlanCommitAnswer> ValuesApi::PostBlock(rest::Call& call, AddBlockRequest request) {
  return CommitPlanOperation(call, request.day, std::move(request.block), 201);
}
ValuesApi::Answer<PlanCommitAnswer> ValuesApi::PatchBlock(rest::Call& call, EditBlockRequest request) {
  return CommitPlanOperation(call, request.day, std::move(request.block), 200);
}
ValuesApi::Answer<PlanCommitAnswer> ValuesApi::DeleteBlock(rest::Call& call, BlockRequest request) {
  return CommitPlanOperation(call, request.day, RemoveBlock{.block_id = request.block_id}, 200);
}

ValuesApi::Answer<CompleteAnswer> ValuesApi::PostComplete(rest::Call& call, CompleteRequest request) {
  CompleteAction complete{.node_id = request.node_id,
                          .completed = true,
                          .completed_at = request.completed_at,
                          .day = {},
                          .base_rev_id = BaseOf(call)};
  return FinishCompletion(values_, call, std::move(complete));
}
ValuesApi::Answer<CompleteAnswer> ValuesApi::PostUncomplete(rest::Call& call, OneNodeRequest request) {
  CompleteAction open{.node_id = request.node_id, .completed = false, .base_rev_id = BaseOf(call)};
  return FinishCompletion(values_, call, std::move(open));
}
ValuesApi::Answer<CompleteAnswer> ValuesApi::PostTodoComplete(rest::Call& call, CompleteTodoRequest request) {
  CompleteAction complete{.node_id = request.action_id,
                          .completed = true,
                          .completed_at = request.completed_at,
                          .day = request.day,
                          .plan_rev_id = BaseOf(call)};
  return FinishCompletion(values_, call, std::move(complete));
}
ValuesApi::Answer<CompleteAnswer> ValuesApi::PostTodoUncomplete(rest::Call& call, TodoRequest request) {
  CompleteAction open{
      .node_id = request.action_id, .completed = false, .day = request.day, .plan_rev_id = BaseOf(call)};
  return FinishCompletion(values_, call, std::move(open));
}

ValuesApi::Answer<SettingsView> ValuesApi::GetSettings(rest::Call& call, Empty) {
  model::Session session(values_.database(), call.caller());
  auto settings = co_await ReadSettings(session);
  if (!settings) co_return Refused(settings.error(), call);
  co_return rest::Answer(ViewOf(*settings, values_.Now()));
}

ValuesApi::Answer<SettingsView> ValuesApi::PatchSettings(rest::Call& call, SettingsRequest request) {
  ChangeSettings changes{.timezone = request.timezone,
                         .day_start_hour = request.day_start_hour,
                         .auto_rollover = request.auto_rollover};
  auto settings = co_await ApplySettings(
      values_, call.caller(), std::move(changes), [&](model::Session& platform, const Settings& changed) {
        return rest::StageAnswer(call, platform, rest::Answer(ViewOf(changed, values_.Now())));
      });
  if (!settings) co_return Refused(settings.error(), call);
  co_return rest::Answer(ViewOf(*settings, values_.Now()));
}

}  // namespace cairn::values
