#include "dynamodb/page_request.h"

#include <algorithm>
#include <array>

#include "dynamodb/capacity_json.h"
#include "dynamodb/enum_names.h"
#include "dynamodb/item_enum_names.h"
#include "item/item_json.h"

namespace cairn::dynamodb {
namespace {

std::unexpected<Error> Broken(std::string rule) {
  return Fail(Invalid("One or more parameter values were invalid: " + std::move(rule)));
}

// Some of the messages about a bad value in a starting key say so in front, the ones about numbers do not.
Error StartKeyError(Error error) {
  static constexpr auto kAlone = std::to_array<std::string_view>(
      {"contains duplicates", "number set", "numeric value", "significant digits", "number with magnitude"});
  const auto contains = [&](std::string_view part) { return error.message.find(part) != std::string::npos; };
  if (std::ranges::none_of(kAlone, contains))
    error.message.insert(0, "The provided starting key is invalid: ");
  return error;
}

}  // namespace

PageParameters::PageParameters(const RequestReader& request, std::string_view filter_name)
    : select(request.Enum("Select", kSelects)),
      index(request.String("IndexName", kOptionalName)),
      return_capacity(ReadReturnCapacity(request)),
      table(request.TableName(TableNameKind::kData)),
      conditional_operator(ReadConditionalOperator(request)),
      filter(ReadConditions(request, filter_name)),
      attributes_to_get(ReadAttributesToGet(request)),
      exclusive_start_key(request.Attributes("ExclusiveStartKey")),
      consistency(ReadConsistency(request)) {}

Result<store::PageRequest> PageOf(PageParameters parameters, std::optional<int64_t> limit) {
  store::PageRequest page;
  page.table = std::move(parameters.table);
  if (parameters.index) page.index = std::string(*parameters.index);
  page.select = parameters.select;
  page.limit = limit;
  page.consistency = parameters.consistency;
  page.return_capacity = parameters.return_capacity;
  ASSIGN_OR_RETURN(page.filter, FilterCondition(parameters.filter, parameters.conditional_operator));
  ASSIGN_OR_RETURN(page.projection, ProjectionOf(parameters.attributes_to_get));
  if (parameters.exclusive_start_key) {
    Result<item::Item>& key = *parameters.exclusive_start_key;
    if (!key) return Fail(StartKeyError(key.error()));
    page.exclusive_start_key = *std::move(key);
  }
  return page;
}

Status CheckSelect(const PageParameters& parameters, const ExpressionParameters& expressions) {
  const bool has_expression = expressions.Has(ExpressionKind::kProjection);
  const bool has_projection = has_expression || parameters.attributes_to_get;
  if (!parameters.select) return {};
  const store::Select select = *parameters.select;
  if (select == store::Select::kSpecificAttributes) {
    if (has_projection) return {};
    return Broken(
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES");
  }
  if (has_projection) {
    const std::string subject =
        std::string("Cannot specify the ") + (has_expression ? "ProjectionExpression" : "AttributesToGet");
    if (select == store::Select::kCount)
      return Fail(Invalid(subject + " when choosing to get only the Count"));
    return Broken(subject + " when choosing to get " + std::string(NameOf(kSelects, select)));
  }
  if (select == store::Select::kAllProjectedAttributes && !parameters.index) {
    return Broken("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
  }
  return {};
}

void ApplyExpressions(ParsedExpressions& parsed, store::PageRequest& page) {
  if (parsed.filter != nullptr) page.filter = std::move(parsed.filter);
  if (parsed.projection) page.projection = std::move(parsed.projection);
}

std::string PageAnswer(const store::PageResponse& response, std::optional<store::Select> select,
                       store::ReturnCapacity detail) {
  size_t bytes = 256;
  for (const item::PackedItem& item : response.items) bytes += item.bytes().size() * 2;
  JsonWriter json(bytes);
  json.BeginObject().Member("Count", response.count).Member("ScannedCount", response.scanned_count);
  if (select != store::Select::kCount) {
    json.Key("Items").BeginArray();
    for (const item::PackedItem& item : response.items) item::AppendItemJson(json.RawValue(), item);
    json.EndArray();
  }
  if (response.last_evaluated_key) {
    item::AppendItemJson(json.Key("LastEvaluatedKey").RawValue(), *response.last_evaluated_key);
  }
  AppendCapacity(json, response.capacity, detail);
  json.EndObject();
  return json.Take();
}

}  // namespace cairn::dynamodb
