#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"
#include "dynamodb/resource_arn.h"
#include "dynamodb/table_schema.h"

namespace cairn::dynamodb {

Task<Answer> TagResource(const OperationContext& context, const RequestReader& request) {
  const std::string_view arn = request.String("ResourceArn", kResourceArn).value_or("");
  auto tags = ReadTags(request, Presence::kRequired);
  CO_RETURN_IF_ERROR(request.Check());
  CO_ASSIGN_OR_RETURN(std::string table, TableOfResource(arn));
  if (tags.empty()) co_return std::unexpected(Invalid("Atleast one Tag needs to be provided as Input."));
  auto tagged = co_await context.store.TagTable(std::move(table), std::move(tags));
  if (!tagged) co_return std::unexpected(ResourceError(std::move(tagged).error(), arn));
  co_return std::string("{}");
}

}  // namespace cairn::dynamodb
