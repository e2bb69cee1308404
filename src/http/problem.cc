#include "http/problem.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/json_writer.h"

namespace cairn::http {
namespace {

struct Row {
  Code code;
  int status;
  std::string_view name;
  std::string_view title;
  std::string_view fixed_detail = {};  // told instead of the error's own message
};

constexpr std::string_view kConflict = "The request conflicts with the present state";
constexpr std::string_view kNotFound = "There is nothing at this address";
constexpr std::string_view kNotAuthenticated = "The caller is not known";

// In the order of the enum: the row of a code is at its value.
constexpr auto kRows = std::to_array<Row>({
    {Code::kInvalidArgument, 422, "invalid", "The request breaks a rule"},
    {Code::kMalformed, 400, "malformed", "The request cannot be understood"},
    {Code::kUnknownOperation, 404, "not-found", kNotFound},
    {Code::kUnauthenticated, 401, "unauthenticated", kNotAuthenticated},
    {Code::kIncompleteSignature, 401, "unauthenticated", kNotAuthenticated},
    {Code::kInvalidSignature, 401, "unauthenticated", kNotAuthenticated},
    {Code::kUnknownCredential, 401, "unauthenticated", kNotAuthenticated},
    {Code::kAccessDenied, 403, "forbidden", "The caller may not do this"},
    {Code::kConditionFailed, 409, "conflict", kConflict},
    {Code::kTransactionCanceled, 409, "conflict", kConflict},
    {Code::kTransactionConflict, 409, "conflict", kConflict},
    {Code::kTransactionInProgress, 409, "in-progress", "The same request is being worked on"},
    {Code::kIdempotencyMismatch, 422, "idempotency-mismatch", "This key was used for another request"},
    {Code::kResourceNotFound, 404, "not-found", kNotFound},
    {Code::kResourceInUse, 409, "conflict", kConflict},
    {Code::kTableNotFound, 404, "not-found", kNotFound},
    {Code::kTableInUse, 409, "conflict", kConflict},
    {Code::kTableExists, 409, "conflict", kConflict},
    {Code::kIndexNotFound, 404, "not-found", kNotFound},
    {Code::kBackupNotFound, 404, "not-found", kNotFound},
    {Code::kBackupInUse, 409, "conflict", kConflict},
    {Code::kLimitExceeded, 422, "limit-exceeded", "The request is beyond a limit"},
    {Code::kCollectionTooLarge, 422, "limit-exceeded", "The request is beyond a limit"},
    {Code::kDuplicateItem, 409, "conflict", kConflict},
    {Code::kTrimmedData, 410, "gone", "What was asked for is no longer kept"},
    {Code::kExpiredIterator, 410, "gone", "What was asked for is no longer kept"},
    {Code::kTooLarge, 413, "too-large", "The request is too large"},
    {Code::kOverloaded, 429, "overloaded", "The server is busy"},
    {Code::kStorageFull, 503, "storage-full", "The server takes no writes at present",
     "Its disk is full; reading goes on"},
    {Code::kReadOnly, 503, "read-only", "The server takes no writes at present",
     "It could not write to its disk; reading goes on"},
    {Code::kDamaged, 500, "internal", "The server failed", "Stored data did not pass its checks"},
    {Code::kUnavailable, 503, "unavailable", "The server is not available"},
    {Code::kInternal, 500, "internal", "The server failed", "The server's log says more"},
});

}  // namespace

Problem ProblemOf(const Error& error) {
  const Row& row = kRows[static_cast<size_t>(error.code)];
  CHECK(row.code == error.code, "the table is in the order of the enum");
  return {.status = row.status,
          .code = std::string(row.name),
          .title = std::string(row.title),
          .detail = row.fixed_detail.empty() ? error.message : std::string(row.fixed_detail),
          .errors = {}};
}

Problem MethodNotAllowed(const std::string& allowed) {
  return {.status = 405,
          .code = "method-not-allowed",
          .title = "This address does not take this method",
          .detail = "It takes " + allowed,
          .errors = {},
          .headers = {{"Allow", allowed}}};
}

Response ToResponse(const Problem& problem) {
  JsonWriter json;
  json.BeginObject().Member("type", "urn:cairn:problem:" + problem.code).Member("title", problem.title);
  json.Member("status", problem.status);
  if (!problem.detail.empty()) json.Member("detail", problem.detail);
  json.Member("code", problem.code);
  if (!problem.errors.empty()) {
    json.Key("errors").BeginArray();
    for (const FieldProblem& error : problem.errors) {
      json.BeginObject().Member("field", error.field).Member("message", error.message).EndObject();
    }
    json.EndArray();
  }
  for (const auto& [name, value] : problem.extensions) json.Key(name).RawValue() += value;
  json.EndObject();

  Response response{.status = problem.status,
                    .content_type = "application/problem+json",
                    .headers = {{"Cache-Control", "no-store"}},
                    .body = json.Take()};
  response.headers.insert(response.headers.end(), problem.headers.begin(), problem.headers.end());
  if (problem.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  const bool says_when =
      std::ranges::any_of(problem.headers, [](const auto& field) { return field.first == "Retry-After"; });
  if ((problem.status == 429 || problem.status == 503) && !says_when)
    response.headers.emplace_back("Retry-After", "1");
  return response;
}

Response ProblemResponse(const Error& error) { return ToResponse(ProblemOf(error)); }

}  // namespace cairn::http
