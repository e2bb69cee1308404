#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"
#include "dynamodb/resource_arn.h"

namespace cairn::dynamodb {

Task<Answer> UntagResource(const OperationContext& context, const RequestReader& request) {
  const std::string_view arn = request.String("ResourceArn", kResourceArn).value_or("");
  const auto keys =
      request.Strings("TagKeys", {.presence = Presence::kRequired}, {.length_min = 1, .length_max = 128});
  CO_RETURN_IF_ERROR(request.Check());
  CO_ASSIGN_OR_RETURN(std::string table, TableOfResource(arn));
  if (keys->empty()) co_return std::unexpected(Invalid("Atleast one Tag Key needs to be provided as Input."));
  std::vector<std::string> tag_keys(keys->begin(), keys->end());
  auto untagged = co_await context.store.UntagTable(std::move(table), std::move(tag_keys));
  if (!untagged) co_return std::unexpected(ResourceError(std::move(untagged).error(), arn));
  co_return std::string("{}");
}

}  // namespace cairn::dynamodb
