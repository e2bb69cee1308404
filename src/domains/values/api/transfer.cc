// Export and import: a history as JSON lines, one revision each; and demo data.
#include "domains/values/transfer.h"

#include "base/aside.h"
#include "domains/values/api/api.h"
#include "domains/values/api/convert.h"
#include "domains/values/demo.h"
#include "rest/failure_problem.h"
#include "rest/json_object.h"

namespace cairn::values {
namespace {

constexpr std::string_view kFormat = "cairn-values/1";

struct ChildrenLine {
  std::string parent_id;
  std::vector<std::string> child_ids;
};
template <class Fields>
void Describe(Fields& fields, ChildrenLine& children) {
  fields.Body("parentNodeId", children.parent_id, kId);
  fields.Body("childIds", children.child_ids, {.kind = Kind::kId, .max = static_cast<int64_t>(kNodesMax)});
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
}

Node NodeOf(NodeView view) {
  return {.id = std::move(view.id),
          .type = view.type,
          .title = std::move(view.title),
          .notes = std::move(view.notes),
          .created_at = std::move(view.created_at),
          .completed_at = std::move(view.completed_at),
          .archived = view.archived,
          .deleted_at = std::move(view.deleted_at),
          .driver_id = std::move(view.driver_id),
          .parent_milestone_id = std::move(view.parent_milestone_id),
          .root_driver_id = std::move(view.root_driver_id)};
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
                    .children = {}};
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
                      .children = {}};
  for (NodeView& node : line.nodes) delta.nodes.push_back(NodeOf(std::move(node)));
  for (ChildrenLine& children : line.children)
    delta.children.emplace_back(std::move(children.parent_id), std::move(children.child_ids));
  return delta;
}

// A history as lines, some at a time.
class LinesSource final : public http::BodySource {
 public:
  explicit LinesSource(std::unique_ptr<Export> run) : run_(std::move(run)) {}

  Task<Result<std::string>> Next() override {
    std::string text;
    while (text.size() < kPartBytes) {
      auto delta = co_await run_->Next();
      if (!delta) co_return Fail(delta.error().code, delta.error().message);
      if (!*delta) break;
      auto write = [&] { return rest::WriteAnswer(LineOf(**delta)); };
      text += co_await Aside(write, (*delta)->nodes.size() > kNodesHereMax ? Length::kLong : Length::kShort);
      text += "\n";
    }
    co_return text;
  }

 private:
  static constexpr size_t kPartBytes = 64 * 1024;
  static constexpr size_t kNodesHereMax = 50;  // more are written by a helper

  std::unique_ptr<Export> run_;
};

// Line by line; the first wrong line is told by its number.
Result<std::vector<RevisionDelta>, http::Problem> ReadLines(std::string_view text) {
  std::vector<RevisionDelta> revisions;
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
    RevisionLine read;
    rest::ObjectReader reader(*object, place, faults);
    Describe(reader, read);
    reader.Finish();
    if (faults.empty() && read.format != kFormat)
      faults.push_back({place + ".format", "must be " + std::string(kFormat)});
    if (!faults.empty()) {
      http::Problem problem =
          http::ProblemOf({Code::kInvalidArgument, "Some fields of " + place + " are wrong"});
      problem.errors = std::move(faults);
      return std::unexpected(std::move(problem));
    }
    revisions.push_back(DeltaOf(std::move(read)));
  }
  return revisions;
}

}  // namespace

ValuesApi::Answer<rest::Document> ValuesApi::GetExport(rest::Call& call, ExportRequest request) {
  auto run = co_await Export::Begin(values_, call.caller(), request.after);
  if (!run) co_return std::unexpected(ProblemOf(run.error(), call));
  rest::Answered<rest::Document> answer;
  answer.headers.emplace_back("Content-Disposition", "attachment; filename=\"values.ndjson\"");
  answer.source = std::make_shared<LinesSource>(*std::move(run));
  co_return answer;
}

ValuesApi::Answer<ImportAnswer> ValuesApi::PostImport(rest::Call& call, ImportRequest request) {
  auto read = [&] { return ReadLines(request.lines.text); };
  CO_ASSIGN_OR_RETURN(std::vector<RevisionDelta> revisions,
                      co_await Aside(read, rest::LengthOfBody(call.request)));
  auto imported = co_await Import(values_, call.caller(), std::move(revisions));
  if (!imported) co_return std::unexpected(ProblemOf(imported.error(), call));
  ImportAnswer answer{.revisions = imported->revisions, .head_rev_id = imported->head_rev_id};
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
