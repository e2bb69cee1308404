// What Query and Scan have in common: where to read, what to return, and the answer's page.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dynamodb/expression_parameters.h"
#include "dynamodb/legacy_parameters.h"
#include "dynamodb/request_reader.h"
#include "store/item_requests.h"

namespace cairn::dynamodb {

// The shared members, with findings noted. `filter_name`: "QueryFilter" or "ScanFilter".
struct PageParameters {
  PageParameters(const RequestReader& request, std::string_view filter_name);

  std::optional<store::Select> select;
  std::optional<std::string_view> index;
  store::ReturnCapacity return_capacity;
  std::string table;
  std::optional<expr::ConditionalOperator> conditional_operator;
  std::optional<ConditionParameters> filter;
  std::optional<std::vector<std::string_view>> attributes_to_get;
  std::optional<Result<item::Item>> exclusive_start_key;
  store::Consistency consistency;
};

// The parts of PageRequest that need no expression: the older filter and projection, the starting key.
Result<store::PageRequest> PageOf(PageParameters parameters, std::optional<int64_t> limit);
// Adds the filter and the projection that came as expressions.
void ApplyExpressions(ParsedExpressions& parsed, store::PageRequest& page);
// Select and the attributes asked for must fit together.
Status CheckSelect(const PageParameters& parameters, const ExpressionParameters& expressions);

std::string PageAnswer(const store::PageResponse& response, std::optional<store::Select> select,
                       store::ReturnCapacity detail);

}  // namespace cairn::dynamodb
