#include "dynamodb/expression_parameters.h"
#include "dynamodb/operations.h"
#include "dynamodb/write_request.h"

namespace cairn::dynamodb {
namespace {

Result<store::DeleteItemRequest> ReadRequest(const RequestReader& request) {
  store::DeleteItemRequest remove;
  ReadWriteOptions(request, remove);
  auto key = request.Attributes("Key", Presence::kRequired);
  const ExpectedParameter expected(request);
  const ExpressionParameters expressions(request, {ExpressionKind::kCondition});
  RETURN_IF_ERROR(request.Check());
  RETURN_IF_ERROR(expressions.CheckUse(request, {"Expected", "ConditionalOperator"}));
  RETURN_IF_ERROR(expected.Check());
  ASSIGN_OR_RETURN(remove.key, *std::move(key));
  RETURN_IF_ERROR(CheckReturnsOldAtMost(remove.return_values));
  ASSIGN_OR_RETURN(ParsedExpressions parsed, expressions.Parse());
  ASSIGN_OR_RETURN(remove.condition, expected.Or(std::move(parsed.condition)));
  return remove;
}

}  // namespace

Task<Answer> DeleteItem(const OperationContext& context, const RequestReader& request) {
  auto read = [&] { return ReadRequest(request); };
  CO_ASSIGN_OR_RETURN(store::DeleteItemRequest remove, co_await Aside(read, context.length()));
  const store::ReturnCapacity detail = remove.return_capacity;
  auto response = co_await context.store.DeleteItem(std::move(remove));
  if (!response) co_return std::unexpected(WriteError(std::move(response).error()));
  co_return WriteAnswer(*response, detail);
}

}  // namespace cairn::dynamodb
