#include "dynamodb/json_writer.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"
#include "dynamodb/resource_arn.h"

namespace cairn::dynamodb {
namespace {

// DynamoDB tells callers nothing about the tags of a table that is not there, not even that it is missing.
Error NotAuthorized(std::string_view arn, const ArnSpace& arns) {
  return {Code::kAccessDenied, "User: arn:aws:iam::" + arns.account + ":root is not authorized to perform: " +
                                   "dynamodb:ListTagsOfResource on resource: " + std::string(arn)};
}

}  // namespace

// All tags fit one page: a table has at most 50.
Task<Answer> ListTagsOfResource(const OperationContext& context, const RequestReader& request) {
  const std::string_view arn = request.String("ResourceArn", kResourceArn).value_or("");
  request.String("NextToken");
  CO_RETURN_IF_ERROR(request.Check());
  CO_ASSIGN_OR_RETURN(std::string table, TableOfResource(arn));
  auto described = co_await context.store.DescribeTable(std::move(table));
  if (!described && described.error().code == Code::kResourceNotFound) {
    co_return std::unexpected(NotAuthorized(arn, context.arns));
  }
  if (!described) co_return std::unexpected(std::move(described).error());

  JsonWriter json;
  json.BeginObject().Key("Tags").BeginArray();
  for (const auto& [key, value] : described->definition.tags) {
    json.BeginObject().Member("Key", key).Member("Value", value).EndObject();
  }
  json.EndArray().EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
