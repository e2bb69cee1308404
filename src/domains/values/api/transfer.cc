// Export and import: histories as JSON lines, one revision or tag each; and demo data.
#include "domains/values/transfer.h"

#include "base/aside.h"
#include "domains/values/api/api.h"
#include "domains/values/api/convert.h"
#include "domains/values/demo.h"
#include "domains/values/plan/rules.h"
#include "domains/values/plan_transfer.h"
#include "domains/values/tags.h"
#include "rest/failure_problem.h"
#include "rest/json_object.h"

namespace cairn::values {
namespace {

constexpr std::string_view kFormat = "cairn-values/1";
constexpr std::string_view kTagFormat = "cairn-values-tag/1";
constexpr std::string_view kPlanFormat = "cairn-values-plan/1";

struct ChildrenLine {
  std::string parent_id;
  std::vector<std::string> child_ids;
};
template <class Fields>
void Describe(Fields& fields, ChildrenLine& children) {
  fields.Body("parentNodeId", children.parent_id, kId);
  fields.Body("childIds", children.child_ids, {.kind = Kind::kId, .max = static_cast<int64_t>(kNodesMax)});
}

struct PackLine {
  std::string pack_rev_id;
  int64_t node_count = 0;
  std::optional<std::string> completed_from, completed_to;
};
template <class Fields>
void Describe(Fields& fields, PackLine& pack) {
  fields.Body("packRevId", pack.pack_rev_id, kRevId);
  fields.Body("nodeCount", pack.node_count, {.min = 1, .max = 1'000'000});
  fields.Body("completedFrom", pack.completed_from, kInstant);
  fields.Body("completedTo", pack.completed_to, kInstant);
}

struct RevisionLine {
  std::string format;
  std::string rev_id;
  std::optional<std::string> parent_rev_id;
  RevSource source{};
  std::string message;
  std::optional<std::string> restored_from;
  std::optional<Restore> restored_by;
  std::vector<NodeView> nodes;
  std::vector<std::string> removed;
  std::vector<ChildrenLine> children;
  std::vector<PackLine> packed;
  std::vector<std::string> unpacked;
};
template <class Fields>
void Describe(Fields& fields, RevisionLine& line) {
  fields.Body("format", line.format, {.max = 20});
  fields.Body("revId", line.rev_id, kRevId);
  fields.Body("parentRevId", line.parent_rev_id, kRevId);
  fields.Body("source", line.source);
  fields.Body("message", line.message, {.max = 2'000, .optional = true});
  fields.Body("restoredFrom", line.restored_from, kRevId);
  fields.Body("restoredBy", line.restored_by);
  fields.Body("nodes", line.nodes, {.max = static_cast<int64_t>(kNodesMax), .optional = true});
  fields.Body("removed", line.removed,
              {.kind = Kind::kId, .max = static_cast<int64_t>(kNodesMax), .optional = true});
  fields.Body("children", line.children, {.max = static_cast<int64_t>(kNodesMax), .optional = true});
  fields.Body("packed", line.packed, {.optional = true});
  fields.Body("unpacked", line.unpacked, {.kind = Kind::kUlid, .optional = true});
}

Node NodeOf(NodeView view) {
  return {.id = std::move(view.id),
          .type = view.type,
          .title = std::move(view.title),
          .notes = std::move(view.notes),
          .created_at = std::move(view.created_at),
          .completed_at = std::move(view.completed_at),
          .archived = view.archived,
          .archived_at = std::move(view.archived_at),
          .deleted_at = std::move(view.deleted_at),
          .driver_id = std::move(view.driver_id),
          .parent_milestone_id = std::move(view.parent_milestone_id),
          .root_driver_id = std::move(view.root_driver_id),
          .packed_actions = view.packed_actions.value_or(0)};
}

RevisionLine LineOf(const RevisionDelta& delta) {
  RevisionLine line{.format = std::string(kFormat),
                    .rev_id = delta.rev_id,
                    .parent_rev_id = delta.parent_rev_id,
                    .source = delta.source,
                    .message = delta.message,
                    .restored_from = delta.restored_from,
                    .restored_by = delta.restored_by,
                    .nodes = {},
                    .removed = delta.removed,
                    .children = {},
                    .packed = {},
                    .unpacked = delta.unpacked};
  for (const auto& [id, pack] : delta.packed)
    line.packed.push_back({id, pack.node_count, pack.completed_from, pack.completed_to});
  for (const Node& node : delta.nodes) line.nodes.push_back(ViewOf(node));
  for (const auto& [parent, children] : delta.children) line.children.push_back({parent, children});
  return line;
}

RevisionDelta DeltaOf(RevisionLine line) {
  RevisionDelta delta{.rev_id = std::move(line.rev_id),
                      .parent_rev_id = std::move(line.parent_rev_id),
                      .source = line.source,
                      .message = std::move(line.message),
                      .restored_from = std::move(line.restored_from),
                      .restored_by = line.restored_by,
                      .nodes = {},
                      .removed = std::move(line.removed),
                      .children = {},
                      .packed = {},
                      .unpacked = std::move(line.unpacked)};
  for (PackLine& pack : line.packed) {
    delta.packed.emplace_back(std::move(pack.pack_rev_id),
                              Pack{.node_count = pack.node_count,
                                   .completed_from = std::move(pack.completed_from),
                                   .completed_to = std::move(pack.completed_to)});
  }
  for (NodeView& node : line.nodes) delta.nodes.push_back(NodeOf(std::move(node)));
  for (ChildrenLine& children : line.children)
    delta.children.emplace_back(std::move(children.parent_id), std::move(children.child_ids));
  return delta;
}

struct TagLine {
  std::string format, name, rev_id;
};
template <class Fields>
void Describe(Fields& fields, TagLine& line) {
  fields.Body("format", line.format, {.max = 30});
  fields.Body("name", line.name, {.min = 1, .max = 100});
  fields.Body("revId", line.rev_id, kRevId);
}

struct TodoLine {
  std::string action_id;
  Classification classification{};
  std::optional<int64_t> estimated_pomodoros;
  std::optional<std::string> notes, rolled_from;
};
template <class Fields>
void Describe(Fields& fields, TodoLine& todo) {
  fields.Body("actionId", todo.action_id, kId);
  fields.Body("classification", todo.classification);
  fields.Body("estimatedPomodoros", todo.estimated_pomodoros, {.min = 0, .max = 100});
  fields.Body("notes", todo.notes, {.max = 10'000});
  fields.Body("rolledFrom", todo.rolled_from, kDay);
}

struct PlanLine {
  std::string format, day, rev_id;
  std::optional<std::string> parent_rev_id;
  models::values::PlanReason reason{};
  std::string message;
  std::optional<std::string> values_rev_id, restored_from;
  std::optional<Restore> restored_by;
  std::vector<TodoLine> todos;
  std::vector<BlockView> blocks;
};
template <class Fields>
void Describe(Fields& fields, PlanLine& line) {
  fields.Body("format", line.format, {.max = 30});
  fields.Body("day", line.day, kDay);
  fields.Body("revId", line.rev_id, kRevId);
  fields.Body("parentRevId", line.parent_rev_id, kRevId);
  fields.Body("reason", line.reason);
  fields.Body("message", line.message, {.max = 2'000, .optional = true});
  fields.Body("valuesRevId", line.values_rev_id, kRevId);
  fields.Body("restoredFrom", line.restored_from, kRevId);
  fields.Body("restoredBy", line.restored_by);
  fields.Body("todos", line.todos, {.optional = true});
  fields.Body("blocks", line.blocks, {.optional = true});
}

PlanLine LineOf(const PlanEntry& entry) {
  PlanLine line{.format = std::string(kPlanFormat),
                .day = entry.day,
                .rev_id = entry.rev_id,
                .parent_rev_id = entry.parent_rev_id,
                .reason = entry.reason,
                .message = entry.message,
                .values_rev_id = entry.values_rev_id,
                .restored_from = entry.restored_from,
                .restored_by = entry.restored_by,
                .todos = {},
                .blocks = {}};
  for (const Todo& todo : entry.plan.todos) {
    line.todos.push_back(
        {todo.action_id, todo.classification, todo.estimated_pomodoros, todo.notes, todo.rolled_from});
  }
  for (const Block* block : BlocksByStart(entry.plan)) line.blocks.push_back(ViewOf(*block));
  return line;
}

PlanEntry EntryOf(PlanLine line) {
  PlanEntry entry{.day = std::move(line.day),
                  .rev_id = std::move(line.rev_id),
                  .parent_rev_id = std::move(line.parent_rev_id),
                  .reason = line.reason,
                  .message = std::move(line.message),
                  .values_rev_id = std::move(line.values_rev_id),
                  .restored_from = std::move(line.restored_from),
                  .restored_by = line.restored_by};
  for (TodoLine& todo : line.todos) {
    entry.plan.todos.push_back({.action_id = std::move(todo.action_id),
                                .classification = todo.classification,
                                .estimated_pomodoros = todo.estimated_pomodoros,
                                .notes = std::move(todo.notes),
                                .rolled_from = std::move(todo.rolled_from)});
  }
  for (BlockView& block : line.blocks) {
    std::string id = block.id;
    entry.plan.blocks.insert_or_assign(std::move(id), Block{.id = std::move(block.id),
                                                            .type = block.type,
                                                            .start = std::move(block.start),
                                                            .end = std::move(block.end),
                                                            .action_id = std::move(block.action_id),
                                                            .pomodoro_index = block.pomodoro_index});
  }
  return entry;
}

// Everything as lines, some at a time: the tree's history, its tags, the plans.
class LinesSource final : public http::BodySource {
 public:
  LinesSource(Values& values, model::Caller caller, std::unique_ptr<Export> run)
      : run_(std::move(run)), session_(values.database(), caller), plans_(values, std::move(caller)) {}

  Task<Result<std::string>> Next() override {
    std::string text;
    while (text.size() < kPartBytes) {
      auto line = co_await NextLine();
      if (!line) co_return Fail(line.error().code, line.error().message);
      if (line->empty()) break;
      text += *line;
    }
    co_return text;
  }

 private:
  // Empty after the last. Tags come together.
  Task<Decision<std::string>> NextLine() {
    if (run_ != nullptr) {
      auto delta = co_await run_->Next();
      if (!delta) co_return std::unexpected(std::move(delta).error());
      if (*delta) {
        auto write = [&] { return rest::WriteAnswer(LineOf(**delta)) + "\n"; };
        const bool is_long = (*delta)->nodes.size() > kNodesHereMax;
        co_return co_await Aside(write, is_long ? Length::kLong : Length::kShort);
      }
      run_.reset();
      auto tags = co_await TagLines();
      if (!tags || !tags->empty()) co_return tags;
    }
    auto entry = co_await plans_.Next();
    if (!entry) co_return std::unexpected(std::move(entry).error());
    co_return *entry ? rest::WriteAnswer(LineOf(**entry)) + "\n" : "";
  }
  Task<Decision<std::string>> TagLines() {
    std::string lines;
    PageOf page{.limit = 100, .cursor = {}};
    for (;;) {
      auto tags = co_await ReadTags(session_, page);
      if (!tags) co_return std::unexpected(std::move(tags).error());
      for (const Tag& tag : tags->tags) {
        const TagLine line{.format = std::string(kTagFormat), .name = tag.name, .rev_id = tag.rev_id};
        lines += rest::WriteAnswer(line) + "\n";
      }
      if (tags->next_cursor.empty()) co_return lines;
      page.cursor = tags->next_cursor;
    }
  }

  static constexpr size_t kPartBytes = 64 * 1024;
  static constexpr size_t kNodesHereMax = 50;  // more are written by a helper

  std::unique_ptr<Export> run_;  // null: done
  model::Session session_;
  PlanExport plans_;
};

// What an import brings.
struct Histories {
  std::vector<RevisionDelta> revisions;
  std::vector<PutTag> tags;
  std::vector<PlanEntry> plans;
};

// One line of a kind, if nothing about it is wrong.
template <class Line>
Line ReadLine(const item::Item& object, const std::string& place, std::vector<http::FieldProblem>& faults) {
  Line line;
  rest::ObjectReader reader(object, place, faults);
  Describe(reader, line);
  reader.Finish();
  return line;
}

// Adds the line to what is imported, unless there are faults.
void AddLine(const item::Item& object, const std::string& place, std::vector<http::FieldProblem>& faults,
             Histories& histories) {
  const item::AttributeValue* given = object.Find("format");
  const std::string format = given != nullptr && given->is(item::Type::kString) ? given->string() : "";
  if (format == kTagFormat) {
    TagLine line = ReadLine<TagLine>(object, place, faults);
    if (faults.empty()) histories.tags.push_back({std::move(line.name), std::move(line.rev_id)});
  } else if (format == kPlanFormat) {
    PlanLine line = ReadLine<PlanLine>(object, place, faults);
    if (faults.empty()) histories.plans.push_back(EntryOf(std::move(line)));
  } else {
    RevisionLine line = ReadLine<RevisionLine>(object, place, faults);
    if (faults.empty() && format != kFormat)
      faults.push_back({place + ".format", "must be " + std::string(kFormat)});
    if (faults.empty()) histories.revisions.push_back(DeltaOf(std::move(line)));
  }
}

// Line by line; the first wrong line is told by its number.
Result<Histories, http::Problem> ReadLines(std::string_view text) {
  Histories histories;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.empty() || line == "\r") continue;
    const std::string place = "line " + std::to_string(number);
    const auto object = rest::ParseJsonObject(line);
    if (!object) {
      http::Problem problem = rest::ProblemOf(object.error(), rest::FieldsFrom::kBody);
      problem.detail = "In " + place + ": " + problem.detail;
      return std::unexpected(std::move(problem));
    }
    std::vector<http::FieldProblem> faults;
    AddLine(*object, place, faults, histories);
    if (!faults.empty()) {
      http::Problem problem =
          http::ProblemOf({Code::kInvalidArgument, "Some fields of " + place + " are wrong"});
      problem.errors = std::move(faults);
      return std::unexpected(std::move(problem));
    }
  }
  return histories;
}

}  // namespace

ValuesApi::Answer<rest::Document> ValuesApi::GetExport(rest::Call& call, ExportRequest request) {
  auto run = co_await Export::Begin(values_, call.caller(), request.after);
  if (!run) co_return std::unexpected(ProblemOf(run.error(), call));
  rest::Answered<rest::Document> answer;
  answer.headers.emplace_back("Content-Disposition", "attachment; filename=\"values.ndjson\"");
  answer.source = std::make_shared<LinesSource>(values_, call.caller(), *std::move(run));
  co_return answer;
}

ValuesApi::Answer<ImportAnswer> ValuesApi::PostImport(rest::Call& call, ImportRequest request) {
  auto read = [&] { return ReadLines(request.lines.text); };
  CO_ASSIGN_OR_RETURN(Histories histories, co_await Aside(read, rest::LengthOfBody(call.request)));
  ImportAnswer answer;
  const bool has_others = !histories.tags.empty() || !histories.plans.empty();
  if (!histories.revisions.empty() || !has_others) {
    auto imported = co_await Import(values_, call.caller(), std::move(histories.revisions));
    if (!imported) co_return Refused(imported.error(), call);
    answer.revisions = imported->revisions;
    answer.head_rev_id = imported->head_rev_id;
  }
  for (PutTag& tag : histories.tags) {
    auto put = co_await Put(values_, call.caller(), std::move(tag),
                            [](model::Session&, const Tag&) { return model::Outcome<void>(); });
    if (!put) co_return Refused(put.error(), call);
    ++answer.tags;
  }
  auto plans = co_await ImportPlans(values_, call.caller(), std::move(histories.plans));
  if (!plans) co_return Refused(plans.error(), call);
  answer.plan_revisions = *plans;
  co_return rest::Answer(std::move(answer));
}

ValuesApi::Answer<DemoAnswer> ValuesApi::PostDemo(rest::Call& call, Empty) {
  const auto answer_of = [](const DemoFilled& filled) {
    return rest::Answer(DemoAnswer{.revisions = filled.revisions, .days = filled.days});
  };
  Witness<DemoFilled> witness = [&](model::Session& platform, const DemoFilled& filled) {
    return rest::StageAnswer(call, platform, answer_of(filled));
  };
  model::Caller caller = call.caller();
  auto filled = co_await FillDemo(values_, std::move(caller), random_, std::move(witness));
  if (!filled) co_return Refused(filled.error(), call);
  co_return answer_of(*filled);
}

}  // namespace cairn::values
