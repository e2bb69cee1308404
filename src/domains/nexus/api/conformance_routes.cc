#include "domains/nexus/api/conformance_routes.h"

#include "domains/nexus/api/convert.h"
#include "domains/nexus/conformance.h"

namespace cairn::nexus {
namespace {

constexpr int64_t kCheckedDefault = 500;
// A cursor holds a key, which has up to 3 KB.
constexpr int64_t kCursorBytesMax = 8'000;

struct ConformanceQuery {
  std::optional<int64_t> limit;
  std::optional<std::string> cursor;
};
template <class Fields>
void Describe(Fields& fields, ConformanceQuery& query) {
  fields.Query("limit", query.limit, {.min = 1, .max = 1'000, .doc = "Items to check; 500 unless said."});
  fields.Query("cursor", query.cursor,
               {.min = 1, .max = kCursorBytesMax, .doc = "nextCursor of the part before."});
}

struct FindingView {
  std::string rule, pk, sk, message;
};
template <class Fields>
void Describe(Fields& fields, FindingView& finding) {
  fields.Name("ConformanceFinding");
  fields.Body("rule", finding.rule);
  fields.Body("PK", finding.pk, {.max = 2'048});
  fields.Body("SK", finding.sk, {.max = 1'024});
  fields.Body("message", finding.message);
}
struct RuleView {
  std::string id, what;
  int64_t violations = 0;
};
template <class Fields>
void Describe(Fields& fields, RuleView& rule) {
  fields.Name("ConformanceRule");
  fields.Body("id", rule.id);
  fields.Body("what", rule.what);
  fields.Body("violations", rule.violations, {.min = 0, .doc = "Among the items checked by this request."});
}
struct ConformanceView {
  int64_t checked = 0;
  std::vector<FindingView> findings;
  std::vector<RuleView> rules;
  std::optional<std::string> next_cursor;
};
template <class Fields>
void Describe(Fields& fields, ConformanceView& view) {
  fields.Name("Conformance");
  fields.Body("checked", view.checked, {.min = 0, .doc = "Stored items looked at by this request."});
  fields.Body("findings", view.findings, {.max = 1'000, .doc = "The first thousand; the rules count all."});
  fields.Body("rules", view.rules);
  fields.Body("nextCursor", view.next_cursor, {.max = kCursorBytesMax, .doc = "The table goes on."});
}

Task<rest::Reply<ConformanceView>> GetConformance(Nexus& nexus, rest::Call& call, ConformanceQuery query) {
  const int64_t limit = query.limit.value_or(kCheckedDefault);
  auto inspection = co_await Inspect(nexus, query.cursor.value_or(""), limit);
  if (!inspection) co_return Refused(inspection.error(), call);
  ConformanceView view{.checked = inspection->checked,
                       .findings = {},
                       .rules = {},
                       .next_cursor = IfAny(std::move(inspection->next_cursor))};
  const auto rules = ConformanceRules();
  for (size_t i = 0; i < rules.size(); ++i)
    view.rules.push_back({.id = std::string(rules[i].id),
                          .what = std::string(rules[i].what),
                          .violations = inspection->violations[i]});
  for (ConformanceFinding& finding : inspection->findings)
    view.findings.push_back({.rule = std::string(rules[static_cast<size_t>(finding.rule)].id),
                             .pk = std::move(finding.pk),
                             .sk = std::move(finding.sk),
                             .message = std::move(finding.message)});
  co_return rest::Answer(std::move(view));
}

}  // namespace

std::vector<rest::Endpoint> ConformanceEndpoints(Nexus& nexus) {
  rest::EndpointInfo info = Reading("/api/admin/conformance", "checkConformance",
                                    "Stored items of Nexus against the conventions of its design");
  info.permission = rest::Permission::kOperator;
  info.tag = "admin";
  return {Route(nexus, info, &GetConformance)};
}

}  // namespace cairn::nexus
