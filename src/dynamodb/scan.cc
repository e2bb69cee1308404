#include "dynamodb/operations.h"
#include "dynamodb/page_request.h"

namespace cairn::dynamodb {
namespace {

constexpr int64_t kSegmentsMax = 1'000'000;

Status CheckSegments(std::optional<int64_t> segment, std::optional<int64_t> total) {
  if (segment && !total) {
    return Fail(
        Invalid("The TotalSegments parameter is required but was not present in the request when Segment "
                "parameter is "
                "present"));
  }
  if (total && !segment) {
    return Fail(
        Invalid("The Segment parameter is required but was not present in the request when parameter "
                "TotalSegments is "
                "present"));
  }
  if (segment && *segment >= *total) {
    return Fail(Invalid(
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: " +
        std::to_string(*segment) + " is not less than TotalSegments: " + std::to_string(*total)));
  }
  return {};
}

Result<store::ScanRequest> ReadRequest(const RequestReader& request) {
  const auto total_segments = request.Integer("TotalSegments", {.min = 1, .max = kSegmentsMax});
  PageParameters parameters(request, "ScanFilter");
  const auto segment = request.Integer("Segment", {.min = 0, .max = kSegmentsMax - 1});
  const auto limit = request.Integer("Limit", {.min = 1});
  const ExpressionParameters expressions(request, {ExpressionKind::kProjection, ExpressionKind::kFilter});
  RETURN_IF_ERROR(request.Check());
  RETURN_IF_ERROR(expressions.CheckUse(request, {"AttributesToGet", "ScanFilter", "ConditionalOperator"}));
  RETURN_IF_ERROR(CheckConditionalOperator(parameters.conditional_operator, parameters.filter));
  RETURN_IF_ERROR(CheckSelect(parameters, expressions));
  ASSIGN_OR_RETURN(store::PageRequest page, PageOf(std::move(parameters), limit));
  RETURN_IF_ERROR(CheckSegments(segment, total_segments));
  ASSIGN_OR_RETURN(ParsedExpressions parsed, expressions.Parse());
  ApplyExpressions(parsed, page);
  return store::ScanRequest{std::move(page), segment.value_or(0), total_segments.value_or(1)};
}

}  // namespace

Task<Answer> Scan(const OperationContext& context, const RequestReader& request) {
  auto read = [&] { return ReadRequest(request); };
  CO_ASSIGN_OR_RETURN(store::ScanRequest scan, co_await Aside(read, context.length()));
  const auto select = scan.select;
  const store::ReturnCapacity detail = scan.return_capacity;
  CO_ASSIGN_OR_RETURN(const store::PageResponse response, co_await context.store.Scan(std::move(scan)));
  co_return PageAnswer(response, select, detail);
}

}  // namespace cairn::dynamodb
