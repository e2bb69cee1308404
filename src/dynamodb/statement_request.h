// A PartiQL statement inside a request: its text, its parameters and what they parse to. Shared by
// ExecuteStatement, BatchExecuteStatement and ExecuteTransaction.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dynamodb/request_reader.h"
#include "item/attribute_value.h"
#include "partiql/statement.h"

namespace cairn::dynamodb {

class StatementParameters {
 public:
  // Reads the members Statement and Parameters; what is wrong with their shape is a finding.
  explicit StatementParameters(const RequestReader& request);

  std::string_view text() const { return text_; }
  // The parameters' values, or the first error among them.
  Result<std::vector<item::AttributeValue>> Values() const;

 private:
  std::string_view text_;
  std::optional<std::vector<Result<item::AttributeValue>>> values_;
};

}  // namespace cairn::dynamodb
