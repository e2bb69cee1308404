#include "dynamodb/expression_parameters.h"
#include "dynamodb/operations.h"
#include "dynamodb/write_request.h"

namespace cairn::dynamodb {
namespace {

Result<store::UpdateItemRequest> ReadRequest(const RequestReader& request) {
  store::UpdateItemRequest update;
  ReadWriteOptions(request, update);
  auto key = request.Attributes("Key", Presence::kRequired);
  const ExpectedParameter expected(request);
  const auto attribute_updates = ReadAttributeUpdates(request);
  const ExpressionParameters expressions(request, {ExpressionKind::kUpdate, ExpressionKind::kCondition});
  RETURN_IF_ERROR(request.Check());
  RETURN_IF_ERROR(expressions.CheckUse(request, {"AttributeUpdates", "Expected", "ConditionalOperator"}));
  RETURN_IF_ERROR(expected.Check());
  ASSIGN_OR_RETURN(update.key, *std::move(key));
  if (attribute_updates) {
    ASSIGN_OR_RETURN(update.update, UpdateOf(*attribute_updates));
  }
  ASSIGN_OR_RETURN(ParsedExpressions parsed, expressions.Parse());
  ASSIGN_OR_RETURN(update.condition, expected.Or(std::move(parsed.condition)));
  if (parsed.update) update.update = *std::move(parsed.update);
  return update;
}

}  // namespace

Task<Answer> UpdateItem(const OperationContext& context, const RequestReader& request) {
  auto read = [&] { return ReadRequest(request); };
  CO_ASSIGN_OR_RETURN(store::UpdateItemRequest update, co_await Aside(read, context.length()));
  const store::ReturnCapacity detail = update.return_capacity;
  auto response = co_await context.store.UpdateItem(std::move(update));
  if (!response) co_return std::unexpected(WriteError(std::move(response).error()));
  co_return WriteAnswer(*response, detail);
}

}  // namespace cairn::dynamodb
