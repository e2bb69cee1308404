#include "dynamodb/statement_request.h"

#include "partiql/parse.h"

namespace cairn::dynamodb {

StatementParameters::StatementParameters(const RequestReader& request)
    : text_(request
                .String("Statement", {.presence = Presence::kRequired,
                                      .length_min = 1,
                                      .length_max = partiql::kStatementCharactersMax})
                .value_or("")),
      values_(request.Values("Parameters", {.length_min = 1})) {}

Result<std::vector<item::AttributeValue>> StatementParameters::Values() const {
  std::vector<item::AttributeValue> values;
  if (!values_) return values;
  for (const Result<item::AttributeValue>& value : *values_) {
    if (!value) return Fail(value.error());
    values.push_back(*value);
  }
  return values;
}

}  // namespace cairn::dynamodb
