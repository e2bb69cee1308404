#include "dynamodb/operations.h"
#include "dynamodb/page_request.h"

namespace cairn::dynamodb {
namespace {

// Query words this one in its own way.
std::optional<int64_t> ReadLimit(const RequestReader& request) {
  const auto limit = request.Integer("Limit");
  if (limit && *limit < 1) {
    request.findings().OddViolation(
        "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1");
  }
  return limit;
}

Result<expr::KeyCondition> ReadKeyCondition(const std::optional<ConditionParameters>& key_conditions,
                                            ParsedExpressions& parsed) {
  if (parsed.key_condition) return *std::move(parsed.key_condition);
  return KeyConditionOf(*key_conditions);
}

Result<store::QueryRequest> ReadRequest(const RequestReader& request) {
  PageParameters parameters(request, "QueryFilter");
  const auto limit = ReadLimit(request);
  const auto key_conditions = ReadConditions(request, "KeyConditions");
  const bool forward = request.Boolean("ScanIndexForward").value_or(true);
  const ExpressionParameters expressions(
      request, {ExpressionKind::kProjection, ExpressionKind::kFilter, ExpressionKind::kKeyCondition});
  RETURN_IF_ERROR(request.Check());
  RETURN_IF_ERROR(expressions.CheckUse(
      request, {"AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"}));
  RETURN_IF_ERROR(CheckConditionalOperator(parameters.conditional_operator, parameters.filter));
  RETURN_IF_ERROR(CheckSelect(parameters, expressions));
  ASSIGN_OR_RETURN(store::PageRequest page, PageOf(std::move(parameters), limit));
  if (!key_conditions && !expressions.Has(ExpressionKind::kKeyCondition)) {
    return Fail(Invalid(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."));
  }
  ASSIGN_OR_RETURN(ParsedExpressions parsed, expressions.Parse());
  ApplyExpressions(parsed, page);
  store::QueryRequest query{
      std::move(page), {}, forward ? store::Order::kAscending : store::Order::kDescending};
  ASSIGN_OR_RETURN(query.key_condition, ReadKeyCondition(key_conditions, parsed));
  return query;
}

}  // namespace

Task<Answer> Query(const OperationContext& context, const RequestReader& request) {
  auto read = [&] { return ReadRequest(request); };
  CO_ASSIGN_OR_RETURN(store::QueryRequest query, co_await Aside(read, context.length()));
  const auto select = query.select;
  const store::ReturnCapacity detail = query.return_capacity;
  CO_ASSIGN_OR_RETURN(const store::PageResponse response, co_await context.store.Query(std::move(query)));
  co_return PageAnswer(response, select, detail);
}

}  // namespace cairn::dynamodb
