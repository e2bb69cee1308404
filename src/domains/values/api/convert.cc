#include "domains/values/api/convert.h"

#include "base/json_writer.h"
#include "domains/values/plan/rules.h"

namespace cairn::values {
namespace {

std::string ConflictsJson(const std::vector<MergeConflict>& conflicts) {
  JsonWriter json;
  json.BeginArray();
  for (const MergeConflict& conflict : conflicts) {
    json.BeginObject().Member("nodeId", conflict.id).Member("field", conflict.field);
    json.Key("base").RawValue() += conflict.base;
    json.Key("theirs").RawValue() += conflict.theirs;
    json.Key("mine").RawValue() += conflict.mine;
    json.EndObject();
  }
  return json.EndArray().Take();
}

std::optional<Json> JsonOf(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return Json{*text};
}

// `others`: where a node is that the tree has not.
std::vector<NodeView> NodesOf(const std::vector<std::string>& ids, const Tree& tree,
                              const std::map<std::string, Node>& others = {}) {
  std::vector<NodeView> views;
  for (const std::string& id : ids) {
    if (const Node* node = FindNode(tree, others, id)) views.push_back(ViewOf(*node));
  }
  return views;
}

std::vector<PlanThingView> ThingsOf(const std::vector<PlanThingChange>& changes) {
  std::vector<PlanThingView> views;
  for (const PlanThingChange& change : changes) {
    PlanThingView view{.id = change.id, .fields = {}};
    for (const PlanFieldChange& field : change.fields)
      view.fields.push_back({.field = field.field, .from = JsonOf(field.from), .to = JsonOf(field.to)});
    views.push_back(std::move(view));
  }
  return views;
}

std::vector<TodoView> TodosOf(const std::vector<PlacedTodo>& todos) {
  std::vector<TodoView> views;
  for (const PlacedTodo& placed : todos) views.push_back(ViewOf(placed.todo, placed.order, nullptr));
  return views;
}

// Routes for a single operation have its fields in the body itself, not in a list.
std::string AsSpelled(const std::string& field, const rest::Call& call) {
  constexpr std::string_view kOnlyOne = "operations[0].";
  const bool is_list = call.endpoint.path.ends_with("/commits");
  return !is_list && field.starts_with(kOnlyOne) ? field.substr(kOnlyOne.size()) : field;
}

std::vector<BlockView> BlocksOf(const std::vector<Block>& blocks) {
  std::vector<BlockView> views;
  for (const Block& block : blocks) views.push_back(ViewOf(block));
  return views;
}

}  // namespace

const Node* FindNode(const Tree& tree, const std::map<std::string, Node>& others, const std::string& id) {
  for (const auto* nodes : {&tree.nodes, &others}) {
    if (const auto node = nodes->find(id); node != nodes->end()) return &node->second;
  }
  return nullptr;
}

http::Problem ProblemOf(const Refusal& refusal, const rest::Call& call) {
  // Reading has only its address to be wrong in: a cursor of another list, two ways to name a revision.
  const bool reads = call.request.method == "GET" || call.request.method == "HEAD";
  const bool about_address = reads && refusal.code == Code::kInvalidArgument;
  http::Problem problem =
      http::ProblemOf(Error{about_address ? Code::kMalformed : refusal.code, refusal.message});
  if (!refusal.reason.empty()) problem.code = refusal.reason;
  for (const FieldFault& fault : refusal.fields)
    problem.errors.push_back({AsSpelled(fault.field, call), fault.message});
  if (!refusal.conflicts.empty())
    problem.extensions.emplace_back("conflicts", ConflictsJson(refusal.conflicts));
  if (!refusal.head_rev_id.empty()) {
    JsonWriter json;
    problem.extensions.emplace_back("headRevId", json.Value(refusal.head_rev_id).Take());
  }
  const bool version_asked = call.if_match && !call.if_match->any;
  const bool version_differs = refusal.reason == "stale-base" || refusal.reason == "head-moved";
  if (version_asked && version_differs) {
    problem.status = 412;
    problem.code = "version-mismatch";
    problem.title = "It was changed by someone else";
  }
  return problem;
}

std::optional<std::string> BaseOf(const rest::Call& call, const std::optional<std::string>& given) {
  if (given || !call.if_match || call.if_match->any) return given;
  // Tags may say more than the revision: which tree a plan was shown with, whether archived nodes are
  // included.
  const std::string& tag = call.if_match->tag;
  return tag.substr(1, tag.find_first_of(".+\"", 1) - 1);
}

Result<void, http::Problem> CheckBase(const rest::Call& call, const std::optional<std::string>& given) {
  if (!given || !call.if_match || call.if_match->any || BaseOf(call) == given) return {};
  const Refusal differ(Code::kConditionFailed, "stale-base",
                       "If-Match and baseRevId name different revisions: send one of them");
  return std::unexpected(ProblemOf(differ, call));
}

std::string TagOfRevision(const std::string& rev_id) { return rev_id.empty() ? "" : '"' + rev_id + '"'; }

std::unexpected<http::Problem> WrongField(std::string field, std::string message) {
  http::Problem problem = http::ProblemOf({Code::kInvalidArgument, "Some fields of the body are wrong"});
  problem.errors.push_back({std::move(field), std::move(message)});
  return std::unexpected(std::move(problem));
}

PageOf PageFrom(const PageQuery& page) {
  return {.limit = page.limit.value_or(50), .cursor = page.cursor.value_or("")};
}

std::optional<std::string> IfAny(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

NodeView ViewOf(const Node& node) {
  return {.id = node.id,
          .type = node.type,
          .title = node.title,
          .notes = node.notes,
          .created_at = node.created_at,
          .completed_at = node.completed_at,
          .archived = node.archived,
          .archived_at = node.archived_at,
          .deleted_at = node.deleted_at,
          .driver_id = node.driver_id,
          .parent_milestone_id = node.parent_milestone_id,
          .root_driver_id = node.root_driver_id,
          .packed_actions = node.packed_actions == 0 ? std::nullopt : std::optional(node.packed_actions)};
}

EdgeView ViewOf(const EdgeChange& edge) {
  return {.parent_id = edge.parent_id, .child_id = edge.child_id, .order = edge.order};
}

TreeAnswer ViewOf(const TreeAt& at, bool include_archived) {
  TreeAnswer answer;
  if (at.revision) {
    answer.rev_id = at.revision->id;
    answer.rev_ts = at.revision->ts;
  }
  const auto shown = [&](const std::string& id) {
    const auto node = at.tree->nodes.find(id);
    return node != at.tree->nodes.end() && (include_archived || node->second.living());
  };
  for (const auto& [id, node] : at.tree->nodes) {
    if (shown(id)) answer.nodes.push_back(ViewOf(node));
  }
  for (const auto& [parent, children] : at.tree->children) {
    if (!shown(parent)) continue;
    int64_t order = 0;
    for (const std::string& child : children) {
      ++order;
      if (shown(child)) answer.edges.push_back({.parent_id = parent, .child_id = child, .order = order});
    }
  }
  return answer;
}

CommitView ViewOf(const TreeRepository::Rev& revision) {
  return {.rev_id = revision.id,
          .rev_ts = revision.ts,
          .parent_rev_id = revision.parent_id,
          .message = revision.message,
          .source = revision.label,
          .item_count = revision.item_count,
          .restored_from = revision.restored_from,
          .restored_by = revision.restored_by};
}

CommitAnswer ViewOf(const TreeCommitted& committed) {
  CommitAnswer answer{.commit = ViewOf(committed.revision),
                      .changed = committed.changed,
                      .merged = committed.merged,
                      .added = committed.added,
                      .plans = {}};
  for (const PlanCommitted& plan : committed.plans)
    answer.plans.push_back({.day = plan.day, .rev_id = plan.revision.id});
  return answer;
}

PackAnswer ViewOf(const TreePacked& packed) {
  return {.tree = ViewOf(packed.tree), .packed = packed.packed, .left = packed.left};
}

DiffAnswer ViewOf(const TreeDiff& diff, const Tree& from, const Tree& to) {
  DiffAnswer answer;
  answer.added = NodesOf(diff.added, to);
  answer.removed = NodesOf(diff.removed, from);
  for (const FieldChange& change : diff.changed) {
    answer.changed.push_back({.node_id = change.node_id,
                              .field = std::string(change.field),
                              .from = JsonOf(change.from),
                              .to = JsonOf(change.to)});
  }
  for (const NodeMove& move : diff.moved) {
    answer.moved.push_back({.node_id = move.node_id,
                            .from = {.parent_id = move.from.parent_id, .order = move.from.order},
                            .to = {.parent_id = move.to.parent_id, .order = move.to.order}});
  }
  for (const DriverChange& change : diff.driver_changed)
    answer.drivers_changed.push_back({.node_id = change.node_id, .from = change.from, .to = change.to});
  for (const EdgeChange& edge : diff.edges_added) answer.edges_added.push_back(ViewOf(edge));
  for (const EdgeChange& edge : diff.edges_removed) answer.edges_removed.push_back(ViewOf(edge));
  answer.packed = diff.packs_added;
  answer.unpacked = diff.packs_removed;
  return answer;
}

ReviewAnswer ViewOf(const WeekReviewed& week) {
  ReviewAnswer answer{.from = week.from_day,
                      .to = week.to_day,
                      .completed = {},
                      .added = NodesOf(week.review.added, *week.tree, week.packed),
                      .archived = NodesOf(week.review.archived, *week.tree, week.packed),
                      .stale = NodesOf(week.review.stale, *week.tree),
                      .offers = NodesOf(week.review.offers, *week.tree),
                      .progress = {}};
  for (const Node& node : week.review.completed) answer.completed.push_back(ViewOf(node));
  for (const NodeProgress& one : week.review.progress) {
    answer.progress.push_back(
        {.node_id = one.node_id, .completed = one.progress.completed, .total = one.progress.total});
  }
  return answer;
}

TagView ViewOf(const Tag& tag) {
  return {.name = tag.name, .rev_id = tag.rev_id, .rev_ts = tag.rev_ts, .created_at = tag.created_at};
}

TodoView ViewOf(const Todo& todo, int64_t order, const Node* action) {
  TodoView view{.action_id = todo.action_id,
                .order = order,
                .classification = todo.classification,
                .estimated_pomodoros = todo.estimated_pomodoros,
                .notes = todo.notes,
                .rolled_from = todo.rolled_from,
                .title = {},
                .completed_at = {}};
  if (action != nullptr) {
    view.title = action->title;
    view.completed_at = action->completed_at;
    view.archived = !action->living();
  }
  return view;
}

BlockView ViewOf(const Block& block) {
  return {.id = block.id,
          .type = block.type,
          .start = block.start,
          .end = block.end,
          .action_id = block.action_id,
          .pomodoro_index = block.pomodoro_index};
}

PlanCommitView ViewOf(const PlanRepository::Rev& revision) {
  return {.rev_id = revision.id,
          .rev_ts = revision.ts,
          .parent_rev_id = revision.parent_id,
          .message = revision.message,
          .reason = revision.label,
          .item_count = revision.item_count,
          .values_rev_id = revision.values_rev_id,
          .restored_from = revision.restored_from,
          .restored_by = revision.restored_by};
}

PlanCommitAnswer ViewOf(const PlanCommitted& committed) {
  PlanCommitAnswer answer{.day = committed.day,
                          .commit = {},
                          .changed = committed.changed,
                          .merged = committed.merged,
                          .added_blocks = committed.added_blocks,
                          .rolled = committed.rolled,
                          .unscheduled = {},
                          .preview = {}};
  if (!committed.revision.id.empty()) answer.commit = ViewOf(committed.revision);
  for (const Unscheduled& left : committed.unscheduled)
    answer.unscheduled.push_back({.action_id = left.action_id, .pomodoros_left = left.pomodoros_left});
  if (committed.preview) {
    answer.preview.emplace();
    for (const Block& block : *committed.preview) answer.preview->push_back(ViewOf(block));
  }
  return answer;
}

CompleteAnswer ViewOf(const ActionCompleted& completed) {
  CompleteAnswer answer{.tree = ViewOf(completed.tree), .plan = {}, .offers = completed.offers};
  if (completed.plan) answer.plan = ViewOf(*completed.plan);
  return answer;
}

PlanDiffAnswer ViewOf(const PlanDiff& diff) {
  PlanDiffAnswer answer{.todos_added = TodosOf(diff.todos_added),
                        .todos_removed = TodosOf(diff.todos_removed),
                        .todos_changed = ThingsOf(diff.todos_changed),
                        .todos_moved = {},
                        .blocks_added = BlocksOf(diff.blocks_added),
                        .blocks_removed = BlocksOf(diff.blocks_removed),
                        .blocks_changed = ThingsOf(diff.blocks_changed)};
  for (const TodoMove& move : diff.todos_moved)
    answer.todos_moved.push_back({.action_id = move.action_id, .from = move.from, .to = move.to});
  return answer;
}

SettingsView ViewOf(const Settings& settings, Time now) {
  return {.timezone = settings.timezone.value_or("UTC"),
          .day_start_hour = settings.day_start_hour.value_or(0),
          .auto_rollover = settings.auto_rollover.value_or(false),
          .next_rollover_at = settings.next_rollover_at,
          .today = DayOf(now, RulesOf(settings)).value_or("")};
}

}  // namespace cairn::values
