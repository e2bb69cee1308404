#include "dynamodb/expression_parameters.h"
#include "dynamodb/operations.h"
#include "dynamodb/write_request.h"

namespace cairn::dynamodb {
namespace {

Result<store::PutItemRequest> ReadRequest(const RequestReader& request) {
  store::PutItemRequest put;
  ReadWriteOptions(request, put);
  auto item = request.Attributes("Item", Presence::kRequired);
  const ExpectedParameter expected(request);
  const ExpressionParameters expressions(request, {ExpressionKind::kCondition});
  RETURN_IF_ERROR(request.Check());
  RETURN_IF_ERROR(expressions.CheckUse(request, {"Expected", "ConditionalOperator"}));
  RETURN_IF_ERROR(expected.Check());
  ASSIGN_OR_RETURN(put.item, *std::move(item));
  RETURN_IF_ERROR(CheckReturnsOldAtMost(put.return_values));
  RETURN_IF_ERROR(CheckItemSize(put.item));
  ASSIGN_OR_RETURN(ParsedExpressions parsed, expressions.Parse());
  ASSIGN_OR_RETURN(put.condition, expected.Or(std::move(parsed.condition)));
  return put;
}

}  // namespace

Task<Answer> PutItem(const OperationContext& context, const RequestReader& request) {
  auto read = [&] { return ReadRequest(request); };
  CO_ASSIGN_OR_RETURN(store::PutItemRequest put, co_await Aside(read, context.length()));
  const store::ReturnCapacity detail = put.return_capacity;
  auto response = co_await context.store.PutItem(std::move(put));
  if (!response) co_return std::unexpected(WriteError(std::move(response).error()));
  co_return WriteAnswer(*response, detail);
}

}  // namespace cairn::dynamodb
