// The handlers of /api/values.
#include "domains/values/api/api.h"
#include "domains/values/api/convert.h"
#include "domains/values/complete_action.h"
#include "domains/values/read_tree.h"
#include "domains/values/tags.h"
#include "domains/values/tree/length.h"
#include "domains/values/tree/walk.h"

namespace cairn::values {
namespace {

Result<std::vector<Resolution>, http::Problem> ResolutionsOf(const std::vector<ResolutionView>& views) {
  std::vector<Resolution> resolutions;
  for (const ResolutionView& view : views) {
    Resolution resolution{
        .id = view.node_id, .field = view.field, .take = Take::kTheirs, .value = view.value};
    if (view.take == "mine") {
      resolution.take = Take::kMine;
    } else if (view.take == "value") {
      resolution.take = Take::kValue;
    } else if (view.take != "theirs") {
      return WrongField("resolutions[" + std::to_string(resolutions.size()) + "].take",
                        "must be one of theirs, mine, value");
    }
    resolutions.push_back(std::move(resolution));
  }
  return resolutions;
}

template <class Op>
Operation Plain(Op operation) {
  return std::visit(
      [](auto& op) -> Operation {
        using Wire = std::decay_t<decltype(op)>;
        if constexpr (std::is_base_of_v<AddNode, Wire>) return AddNode(op);
        if constexpr (std::is_base_of_v<EditNode, Wire>) return EditNode(op);
        if constexpr (std::is_base_of_v<MoveNode, Wire>) return MoveNode(op);
        if constexpr (std::is_base_of_v<LinkNode, Wire>) return LinkNode(op);
        if constexpr (std::is_base_of_v<UnlinkNode, Wire>) return UnlinkNode(op);
        if constexpr (std::is_base_of_v<ReorderChildren, Wire>) return ReorderChildren(op);
        if constexpr (std::is_base_of_v<CompleteNode, Wire>) return CompleteNode(op);
        if constexpr (std::is_base_of_v<UncompleteNode, Wire>) return UncompleteNode(op);
        if constexpr (std::is_base_of_v<ArchiveNode, Wire>) return ArchiveNode(op);
        if constexpr (std::is_base_of_v<DeleteNode, Wire>) return DeleteNode(op);
        if constexpr (std::is_base_of_v<RestoreNode, Wire>) return RestoreNode(op);
      },
      operation);
}

Task<Decision<TreeAt>> Which(Values& values, model::Session& session, WhichRequest which) {
  WhichTree tree{.rev_id = which.rev, .at = which.at};
  return ReadTree(values, session, std::move(tree));
}

}  // namespace

ValuesApi::Answer<rest::Rendered<TreeAnswer>> ValuesApi::GetTree(rest::Call& call, TreeRequest request) {
  model::Session session(values_.database(), call.caller());
  if (request.tag) {
    if (request.which.rev || request.which.at) {
      co_return Refused(Refusal(Code::kInvalidArgument, "rev-and-tag",
                                "Ask for a tag, a revision or a moment, one of them"),
                        call);
    }
    auto revision = co_await RevisionOfTag(session, *request.tag);
    if (!revision) co_return Refused(revision.error(), call);
    request.which.rev = *std::move(revision);
  }
  auto at = co_await Which(values_, session, request.which);
  if (!at) co_return Refused(at.error(), call);
  const std::string rev_id = at->revision ? at->revision->id : "";
  // A revision never changes, so its JSON is made once.
  const std::string key = call.user_id() + '\0' + rev_id + (request.which.include_archived ? "+" : "-");
  auto json = rev_id.empty() ? nullptr : rendered_.Find(key);
  if (json == nullptr) {
    auto render = [&] { return rest::WriteAnswer(ViewOf(*at, request.which.include_archived)); };
    json = std::make_shared<const std::string>(co_await Aside(render, LengthOf(*at->tree)));
    if (!rev_id.empty()) rendered_.Put(key, json, json->size());
  }
  const std::string tag =
      rev_id.empty() ? "" : '"' + rev_id + (request.which.include_archived ? "+all\"" : "\"");
  co_return rest::Answered<rest::Rendered<TreeAnswer>>{.body = {json}, .etag = tag};
}

ValuesApi::Answer<HeadAnswer> ValuesApi::GetHead(rest::Call& call, Empty) {
  model::Session session(values_.database(), call.caller());
  auto head = co_await TreeKind::ReadHead(session, {});
  if (!head) co_return Refused(head.error(), call);
  if (!*head)
    co_return Refused(Refusal(Code::kResourceNotFound, "not-found", "Nothing was committed yet"), call);
  HeadAnswer answer{.rev_id = (*head)->rev_id, .rev_ts = (*head)->rev_ts, .updated_at = (*head)->updated_at};
  co_return rest::Answered<HeadAnswer>{.body = answer, .etag = TagOfRevision(answer.rev_id)};
}

ValuesApi::Answer<CommitAnswer> ValuesApi::PostCommit(rest::Call& call, CommitRequest request) {
  const std::string on_conflict = request.on_conflict.value_or("fail");
  if (on_conflict != "fail" && on_conflict != "merge")
    co_return WrongField("onConflict", "must be one of fail, merge");
  CO_RETURN_IF_ERROR(CheckBase(call, request.base_rev_id));
  CommitTree commit{.base_rev_id = BaseOf(call, request.base_rev_id),
                    .operations = {},
                    .source = request.source,
                    .message = request.message.value_or(""),
                    .merge = on_conflict == "merge",
                    .resolutions = {},
                    .theirs_rev_id = request.theirs_rev_id};
  for (OperationOp& operation : request.operations) commit.operations.push_back(Plain(std::move(operation)));
  CO_ASSIGN_OR_RETURN(commit.resolutions, ResolutionsOf(request.resolutions));
  co_return co_await Finish(
      Commit(values_, call.caller(), std::move(commit), WitnessOf<TreeCommitted>(call, 200)), call, 200);
}

ValuesApi::Answer<CommitAnswer> ValuesApi::CommitOperation(rest::Call& call, Operation operation,
                                                           int status) {
  CommitTree commit{.base_rev_id = BaseOf(call), .operations = {}};
  commit.operations.push_back(std::move(operation));
  co_return co_await Finish(
      Commit(values_, call.caller(), std::move(commit), WitnessOf<TreeCommitted>(call, status)), call,
      status);
}

ValuesApi::Answer<CommitAnswer> ValuesApi::CommitRestore(rest::Call& call, RestoreTree request) {
  co_return co_await Finish(
      RestoreRevision(values_, call.caller(), std::move(request), WitnessOf<TreeCommitted>(call, 200)), call,
      200);
}

ValuesApi::Answer<CommitList> ValuesApi::GetHistory(rest::Call& call, HistoryRequest request) {
  model::Session session(values_.database(), call.caller());
  HistoryFilter filter{.source = request.source};
  PageOf wanted = PageFrom(request.page);
  auto page = co_await ReadHistory(values_, session, std::move(filter), std::move(wanted));
  if (!page) co_return Refused(page.error(), call);
  CommitList list{.items = {}, .next_cursor = IfAny(page->next_cursor)};
  for (const TreeRepository::Rev& revision : page->revisions) list.items.push_back(ViewOf(revision));
  co_return rest::Answer(std::move(list));
}

ValuesApi::Answer<CommitList> ValuesApi::GetNodeHistory(rest::Call& call, NodeHistoryRequest request) {
  model::Session session(values_.database(), call.caller());
  auto current = co_await values_.trees().Current(session, {});
  if (!current) co_return Refused(current.error(), call);
  HistoryFilter filter{.source = {}, .touched = request.node_id};
  PageOf wanted = PageFrom(request.page);
  auto page = co_await ReadHistory(values_, session, std::move(filter), std::move(wanted));
  if (!page) co_return Refused(page.error(), call);
  const bool unknown = page->revisions.empty() && page->next_cursor.empty() && !request.page.cursor &&
                       !current->content->nodes.contains(request.node_id);
  if (unknown)
    co_return Refused(Refusal(Code::kResourceNotFound, "not-found", "There is no such node"), call);
  CommitList list{.items = {}, .next_cursor = IfAny(page->next_cursor)};
  for (const TreeRepository::Rev& revision : page->revisions) list.items.push_back(ViewOf(revision));
  co_return rest::Answer(std::move(list));
}

ValuesApi::Answer<CommitDetail> ValuesApi::GetCommit(rest::Call& call, RevisionRequest request) {
  model::Session session(values_.database(), call.caller());
  auto revision = co_await values_.trees().Find(session, {}, request.rev_id);
  if (!revision) co_return Refused(revision.error(), call);
  auto content = co_await values_.trees().ContentOf(session, {}, *revision);
  if (!content) co_return Refused(content.error(), call);
  std::shared_ptr<const Tree> before = std::make_shared<const Tree>();
  if (revision->parent_id) {
    auto parent = co_await values_.trees().At(session, {}, *revision->parent_id);
    if (!parent) co_return Refused(parent.error(), call);
    before = *std::move(parent);
  }
  auto compare = [&] { return ViewOf(Diff(*before, **content), *before, **content); };
  CommitDetail detail{.commit = ViewOf(*revision), .diff = {}};
  detail.diff = co_await Aside(compare, LengthOf(**content));
  detail.diff.from_rev_id = revision->parent_id;
  detail.diff.to_rev_id = revision->id;
  co_return rest::Answer(std::move(detail));
}

ValuesApi::Answer<DiffAnswer> ValuesApi::GetDiff(rest::Call& call, DiffRequest request) {
  model::Session session(values_.database(), call.caller());
  auto from = co_await values_.trees().At(session, {}, request.from);
  if (!from) co_return Refused(from.error(), call);
  auto to = co_await values_.trees().At(session, {}, request.to);
  if (!to) co_return Refused(to.error(), call);
  auto compare = [&] { return ViewOf(Diff(**from, **to), **from, **to); };
  DiffAnswer answer = co_await Aside(compare, LengthOf(**to));
  answer.from_rev_id = request.from;
  answer.to_rev_id = request.to;
  co_return rest::Answer(std::move(answer));
}

ValuesApi::Answer<CommitAnswer> ValuesApi::PostRollback(rest::Call& call, RollbackRequest request) {
  CO_RETURN_IF_ERROR(CheckBase(call, request.base_rev_id));
  RestoreTree restore{.by = Restore::kRollback,
                      .to_rev_id = request.to_rev_id,
                      .base_rev_id = BaseOf(call, request.base_rev_id),
                      .source = request.source.value_or(RevSource::kDailyUpdate),
                      .message = request.message.value_or("")};
  co_return co_await CommitRestore(call, std::move(restore));
}

ValuesApi::Answer<CommitAnswer> ValuesApi::PostUndo(rest::Call& call, Empty) {
  RestoreTree restore{.by = Restore::kUndo, .base_rev_id = BaseOf(call)};
  return CommitRestore(call, std::move(restore));
}

ValuesApi::Answer<CommitAnswer> ValuesApi::PostRedo(rest::Call& call, Empty) {
  RestoreTree restore{.by = Restore::kRedo, .base_rev_id = BaseOf(call)};
  return CommitRestore(call, std::move(restore));
}

ValuesApi::Answer<NodeAnswer> ValuesApi::GetNode(rest::Call& call, NodeRequest request) {
  model::Session session(values_.database(), call.caller());
  auto at = co_await Which(values_, session, request.which);
  if (!at) co_return Refused(at.error(), call);
  const auto node = at->tree->nodes.find(request.node_id);
  if (node == at->tree->nodes.end())
    co_return Refused(Refusal(Code::kResourceNotFound, "not-found", "There is no such node"), call);
  NodeAnswer answer{.rev_id = at->revision->id, .node = ViewOf(node->second), .parents = {}, .progress = {}};
  const ParentsByChild parents = Parents(*at->tree);
  if (const auto found = parents.find(request.node_id); found != parents.end())
    answer.parents = found->second;
  if (node->second.type != NodeType::kAction) {
    const Progress progress = ProgressOf(*at->tree, request.node_id);
    answer.progress = {.node_id = request.node_id, .completed = progress.completed, .total = progress.total};
  }
  co_return rest::Answered<NodeAnswer>{.body = std::move(answer), .etag = TagOfRevision(at->revision->id)};
}

ValuesApi::Answer<ChildrenAnswer> ValuesApi::GetChildren(rest::Call& call, ChildrenRequest request) {
  model::Session session(values_.database(), call.caller());
  auto at = co_await Which(values_, session, request.which);
  if (!at) co_return Refused(at.error(), call);
  if (!at->tree->nodes.contains(request.node_id))
    co_return Refused(Refusal(Code::kResourceNotFound, "not-found", "There is no such node"), call);
  ChildrenAnswer answer{.rev_id = at->revision->id, .items = {}};
  if (const auto children = at->tree->children.find(request.node_id); children != at->tree->children.end()) {
    for (const std::string& child : children->second) {
      const Node& node = at->tree->nodes.at(child);
      if (node.living() || request.which.include_archived) answer.items.push_back(ViewOf(node));
    }
  }
  co_return rest::Answered<ChildrenAnswer>{.body = std::move(answer),
                                           .etag = TagOfRevision(at->revision->id)};
}

ValuesApi::Answer<CommitAnswer> ValuesApi::PostNode(rest::Call& call, CreateNodeRequest request) {
  return CommitOperation(call, AddNode(std::move(request.add)), 201);
}
ValuesApi::Answer<CommitAnswer> ValuesApi::PatchNode(rest::Call& call, EditNodeRequest request) {
  return CommitOperation(call, std::move(request.edit), 200);
}
ValuesApi::Answer<CommitAnswer> ValuesApi::PostMove(rest::Call& call, MoveNodeRequest request) {
  return CommitOperation(call, std::move(request.move), 200);
}
ValuesApi::Answer<CommitAnswer> ValuesApi::PostReorder(rest::Call& call, ReorderRequest request) {
  return CommitOperation(call, std::move(request.reorder), 200);
}
ValuesApi::Answer<CommitAnswer> ValuesApi::PostArchive(rest::Call& call, OneNodeRequest request) {
  return CommitOperation(call, ArchiveNode{.node_id = request.node_id}, 200);
}
ValuesApi::Answer<CommitAnswer> ValuesApi::DeleteOne(rest::Call& call, OneNodeRequest request) {
  return CommitOperation(call, DeleteNode{.node_id = request.node_id}, 200);
}
ValuesApi::Answer<CommitAnswer> ValuesApi::PostRestore(rest::Call& call, OneNodeRequest request) {
  return CommitOperation(call, RestoreNode{.node_id = request.node_id}, 200);
}

ValuesApi::Answer<ReviewAnswer> ValuesApi::GetReview(rest::Call& call, ReviewRequest request) {
  model::Session session(values_.database(), call.caller());
  auto week = co_await ReadReview(values_, session, request.week_of);
  if (!week) co_return Refused(week.error(), call);
  auto view = [&] { return ViewOf(*week); };
  co_return rest::Answer(co_await Aside(view, LengthOf(*week->tree)));
}

ValuesApi::Answer<TagView> ValuesApi::PutOneTag(rest::Call& call, PutTagRequest request) {
  PutTag put{.name = request.name, .rev_id = request.rev_id};
  auto tag = co_await Put(values_, call.caller(), std::move(put),
                          [&call](model::Session& platform, const Tag& made) {
                            return rest::StageAnswer(call, platform, rest::Answer(ViewOf(made)));
                          });
  if (!tag) co_return Refused(tag.error(), call);
  co_return rest::Answer(ViewOf(*tag));
}

ValuesApi::Answer<rest::Nothing> ValuesApi::DeleteTag(rest::Call& call, TagRequest request) {
  auto removed =
      co_await RemoveTag(values_, call.caller(), request.name, [&call](model::Session& platform, const Tag&) {
        return rest::StageAnswer(call, platform, rest::Answer(rest::Nothing()));
      });
  if (!removed) co_return Refused(removed.error(), call);
  co_return rest::Answer(rest::Nothing());
}

ValuesApi::Answer<TagList> ValuesApi::GetTags(rest::Call& call, ListRequest request) {
  model::Session session(values_.database(), call.caller());
  PageOf wanted = PageFrom(request.page);
  auto page = co_await ReadTags(session, std::move(wanted));
  if (!page) co_return Refused(page.error(), call);
  TagList list{.items = {}, .next_cursor = IfAny(page->next_cursor)};
  for (const Tag& tag : page->tags) list.items.push_back(ViewOf(tag));
  co_return rest::Answer(std::move(list));
}

}  // namespace cairn::values
