#include "dynamodb/batch_tables.h"

#include "dynamodb/arn.h"

namespace cairn::dynamodb {

std::string TableOfBatchKey(const RequestReader& request, std::string_view key) {
  if (auto table = TableOfArn(key)) return *std::move(table);
  if (key.size() < 3 || key.size() > 255 || !MatchesNamePattern(key)) {
    request.findings().Violation(
        request.TextOf("RequestItems"), "requestItems",
        "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must "
        "have "
        "length greater than or equal to 3, Member must satisfy regular expression pattern: " +
            std::string(kNamePattern) + "]");
  }
  return std::string(key);
}

Status CheckNotEmptyBatch(size_t tables, std::string_view operation) {
  if (tables > 0) return {};
  return Fail(Invalid("The requestItems parameter is required for " + std::string(operation)));
}

}  // namespace cairn::dynamodb
