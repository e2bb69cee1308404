// The routes of /api/plans.
#include "domains/values/api/api.h"

namespace cairn::values {

// clang-format off
std::vector<rest::Endpoint> ValuesApi::PlanEndpoints() {
  using rest::EndpointInfo;
  const auto get = [](std::string path, std::string id, std::string summary) {
    return EndpointInfo{.method = "GET", .path = path, .id = id, .summary = summary, .tag = "plans"};
  };
  const auto change = [](std::string method, std::string path, std::string id, std::string summary, int status = 200) {
    return EndpointInfo{.method = method, .path = path, .id = id, .summary = summary, .tag = "plans",
                        .status = status, .has_etag = true, .takes_if_match = true};
  };
  EndpointInfo plan_info = get("/api/plans/{day}", "readPlan", "A day's todos and blocks");
  plan_info.has_etag = true;
  EndpointInfo settings_info = change("PATCH", "/api/plans/settings", "changePlanSettings", "Zone, start of the day, automatic rollover");
  settings_info.has_etag = settings_info.takes_if_match = false;

  return {
    Route(get("/api/plans", "listPlans", "Days that have a plan"), &ValuesApi::GetDays),
    Route(get("/api/plans/settings", "readPlanSettings", "Zone, start of the day, automatic rollover"), &ValuesApi::GetSettings),
    Route(settings_info, &ValuesApi::PatchSettings),
    Route(plan_info, &ValuesApi::GetPlan),
    Route(change("POST", "/api/plans/{day}/commits", "commitPlan", "Several operations as one revision"), &ValuesApi::PostPlanCommit),
    Route(get("/api/plans/{day}/commits", "listPlanCommits", "The day's log, newest first"), &ValuesApi::GetPlanHistory),
    Route(get("/api/plans/{day}/diff", "diffPlans", "What differs between two revisions of the day"), &ValuesApi::GetPlanDiff),
    Route(change("POST", "/api/plans/{day}/rollback", "rollbackPlan", "An old revision as the newest one"), &ValuesApi::PostPlanRollback),
    Route(change("POST", "/api/plans/{day}/undo", "undoPlan", "Back to the revision before"), &ValuesApi::PostPlanUndo),
    Route(change("POST", "/api/plans/{day}/redo", "redoPlan", "What was undone, again"), &ValuesApi::PostPlanRedo),
    Route(change("POST", "/api/plans/{day}/rollover", "rolloverPlan", "Unfinished todos of an earlier day"), &ValuesApi::PostRollover),
    Route(change("POST", "/api/plans/{day}/todos", "addTodo", "An action for the day", 201), &ValuesApi::PostTodo),
    Route(change("PATCH", "/api/plans/{day}/todos/{actionId}", "editTodo", "Classification, estimate, notes"), &ValuesApi::PatchTodo),
    Route(change("DELETE", "/api/plans/{day}/todos/{actionId}", "removeTodo", "Not for this day"), &ValuesApi::DeleteTodo),
    Route(change("POST", "/api/plans/{day}/todos/reorder", "reorderTodos", "All todos in another order"), &ValuesApi::PostTodoOrder),
    Route(change("POST", "/api/plans/{day}/todos/{actionId}/complete", "completeTodo", "Done: the tree and the plan move together"), &ValuesApi::PostTodoComplete),
    Route(change("POST", "/api/plans/{day}/todos/{actionId}/uncomplete", "uncompleteTodo", "Not done after all"), &ValuesApi::PostTodoUncomplete),
    Route(change("POST", "/api/plans/{day}/blocks", "addBlock", "A stretch of time", 201), &ValuesApi::PostBlock),
    Route(change("PATCH", "/api/plans/{day}/blocks/{blockId}", "editBlock", "Another time or kind"), &ValuesApi::PatchBlock),
    Route(change("DELETE", "/api/plans/{day}/blocks/{blockId}", "removeBlock", "The time is free again"), &ValuesApi::DeleteBlock),
    Route(change("POST", "/api/plans/{day}/autoschedule", "autoschedulePlan", "Pomodoros and breaks around the meetings"), &ValuesApi::PostAutoschedule),
  };
}
// clang-format on

}  // namespace cairn::values
