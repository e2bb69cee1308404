// ValuesApi: the routes of this domain. Reading a request and writing an answer happen here, everything else
// in the use cases. The tables in tree_routes.cc and plan_routes.cc are the place to look first.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "domains/values/api/plan_types.h"
#include "domains/values/api/tree_types.h"
#include "domains/values/history/snapshot_cache.h"
#include "domains/values/values.h"
#include "rest/endpoint.h"

namespace cairn::values {

class ValuesApi {
 public:
  ValuesApi(Values& values, Random& random);

  // They call into this object: it must outlive them.
  std::vector<rest::Endpoint> Endpoints();

 private:
  template <class T>
  using Answer = Task<rest::Reply<T>>;
  template <class Request, class T>
  rest::Endpoint Route(rest::EndpointInfo info, Answer<T> (ValuesApi::*handler)(rest::Call&, Request)) {
    return rest::MakeEndpoint<Request, T>(std::move(info),
                                          [this, handler](rest::Call& call, Request request) -> Answer<T> {
                                            return (this->*handler)(call, std::move(request));
                                          });
  }
  std::vector<rest::Endpoint> TreeEndpoints();
  std::vector<rest::Endpoint> PlanEndpoints();

  // The tree (api/tree.cc).
  Answer<rest::Rendered<TreeAnswer>> GetTree(rest::Call& call, TreeRequest request);
  Answer<HeadAnswer> GetHead(rest::Call& call, Empty request);
  Answer<CommitAnswer> PostCommit(rest::Call& call, CommitRequest request);
  Answer<CommitList> GetHistory(rest::Call& call, HistoryRequest request);
  Answer<CommitDetail> GetCommit(rest::Call& call, RevisionRequest request);
  Answer<DiffAnswer> GetDiff(rest::Call& call, DiffRequest request);
  Answer<CommitAnswer> PostRollback(rest::Call& call, RollbackRequest request);
  Answer<CommitAnswer> PostUndo(rest::Call& call, Empty request);
  Answer<CommitAnswer> PostRedo(rest::Call& call, Empty request);
  Answer<NodeAnswer> GetNode(rest::Call& call, NodeRequest request);
  Answer<ChildrenAnswer> GetChildren(rest::Call& call, ChildrenRequest request);
  Answer<CommitList> GetNodeHistory(rest::Call& call, NodeHistoryRequest request);
  Answer<CommitAnswer> PostNode(rest::Call& call, CreateNodeRequest request);
  Answer<CommitAnswer> PatchNode(rest::Call& call, EditNodeRequest request);
  Answer<CommitAnswer> PostMove(rest::Call& call, MoveNodeRequest request);
  Answer<CommitAnswer> PostReorder(rest::Call& call, ReorderRequest request);
  Answer<CompleteAnswer> PostComplete(rest::Call& call, CompleteRequest request);
  Answer<CompleteAnswer> PostUncomplete(rest::Call& call, OneNodeRequest request);
  Answer<CommitAnswer> PostArchive(rest::Call& call, OneNodeRequest request);
  Answer<CommitAnswer> DeleteOne(rest::Call& call, OneNodeRequest request);
  Answer<CommitAnswer> PostRestore(rest::Call& call, OneNodeRequest request);
  Answer<PackAnswer> PostPack(rest::Call& call, PackRequest request);
  Answer<PackList> GetPacks(rest::Call& call, Empty request);
  Answer<PackDetail> GetPack(rest::Call& call, OnePackRequest request);
  Answer<CommitAnswer> PostUnpack(rest::Call& call, UnpackRequest request);
  Answer<ReviewAnswer> GetReview(rest::Call& call, ReviewRequest request);
  Answer<TagView> PutOneTag(rest::Call& call, PutTagRequest request);
  Answer<rest::Nothing> DeleteTag(rest::Call& call, TagRequest request);
  Answer<TagList> GetTags(rest::Call& call, ListRequest request);
  Answer<rest::Document> GetExport(rest::Call& call, ExportRequest request);
  Answer<ImportAnswer> PostImport(rest::Call& call, ImportRequest request);
  Answer<DemoAnswer> PostDemo(rest::Call& call, Empty request);

  // Plans (api/plan.cc).
  Answer<PlanDayList> GetDays(rest::Call& call, DaysRequest request);
  Answer<PlanAnswer> GetPlan(rest::Call& call, PlanRequest request);
  Answer<PlanCommitAnswer> PostPlanCommit(rest::Call& call, PlanCommitRequest request);
  Answer<PlanCommitList> GetPlanHistory(rest::Call& call, PlanHistoryRequest request);
  Answer<PlanDiffAnswer> GetPlanDiff(rest::Call& call, PlanDiffRequest request);
  Answer<PlanCommitAnswer> PostPlanRollback(rest::Call& call, PlanRollbackRequest request);
  Answer<PlanCommitAnswer> PostPlanUndo(rest::Call& call, DayRequest request);
  Answer<PlanCommitAnswer> PostPlanRedo(rest::Call& call, DayRequest request);
  Answer<PlanCommitAnswer> PostRollover(rest::Call& call, RolloverRequest request);
  Answer<PlanCommitAnswer> PostTodo(rest::Call& call, AddTodoRequest request);
  Answer<PlanCommitAnswer> PatchTodo(rest::Call& call, EditTodoRequest request);
  Answer<PlanCommitAnswer> DeleteTodo(rest::Call& call, TodoRequest request);
  Answer<PlanCommitAnswer> PostTodoOrder(rest::Call& call, ReorderTodosRequest request);
  Answer<CompleteAnswer> PostTodoComplete(rest::Call& call, CompleteTodoRequest request);
  Answer<CompleteAnswer> PostTodoUncomplete(rest::Call& call, TodoRequest request);
  Answer<PlanCommitAnswer> PostBlock(rest::Call& call, AddBlockRequest request);
  Answer<PlanCommitAnswer> PatchBlock(rest::Call& call, EditBlockRequest request);
  Answer<PlanCommitAnswer> DeleteBlock(rest::Call& call, BlockRequest request);
  Answer<PlanCommitAnswer> PostAutoschedule(rest::Call& call, AutoscheduleRequest request);
  Answer<SettingsView> GetSettings(rest::Call& call, Empty request);
  Answer<SettingsView> PatchSettings(rest::Call& call, SettingsRequest request);

  // What several of them do.
  Answer<CommitAnswer> CommitOperation(rest::Call& call, Operation operation, int status);
  Answer<CommitAnswer> CommitRestore(rest::Call& call, RestoreTree request);
  Answer<PlanCommitAnswer> CommitPlanOperation(rest::Call& call, std::string day, PlanOperation operation,
                                               int status);

  Values& values_;
  Random& random_;
  SnapshotCache<std::string> rendered_;  // trees as JSON
};

}  // namespace cairn::values
