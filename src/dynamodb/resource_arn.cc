#include "dynamodb/resource_arn.h"

#include "dynamodb/arn.h"

namespace cairn::dynamodb {

Result<std::string> TableOfResource(std::string_view resource_arn) {
  auto table = TableOfArn(resource_arn);
  if (table) return *std::move(table);
  return Fail(
      Invalid("Invalid TableArn: Invalid ResourceArn provided as input " + std::string(resource_arn)));
}

Error ResourceError(Error error, std::string_view resource_arn) {
  if (error.code != Code::kResourceNotFound) return error;
  error.message = "Requested resource not found: ResourcArn: " + std::string(resource_arn) +
                  " not found";  // AWS's spelling
  return error;
}

}  // namespace cairn::dynamodb
