#include "rest/failure_problem.h"

#include "base/check.h"

namespace cairn::rest {
namespace {

using model::ConflictKind;

struct ConflictRow {
  ConflictKind kind;
  int status;
  std::string_view code, title;
};

constexpr ConflictRow kConflicts[] = {
    {ConflictKind::kAlreadyExists, 409, "already-exists", "There is one with this key already"},
    {ConflictKind::kNotFound, 404, "not-found", "There is nothing at this address"},
    {ConflictKind::kVersion, 412, "version-mismatch", "It was changed by someone else"},
    {ConflictKind::kUnique, 409, "not-unique", "Another one has this value"},
    {ConflictKind::kChanged, 409, "conflict", "The request conflicts with the present state"},
};

const ConflictRow& RowOf(ConflictKind kind) {
  for (const ConflictRow& row : kConflicts) {
    if (row.kind == kind) return row;
  }
  CHECK(false, "every kind of conflict has its row");
  return kConflicts[0];
}

http::Problem ConflictProblem(const model::Conflict& conflict, const std::string& detail) {
  const ConflictRow& row = RowOf(conflict.kind);
  http::Problem problem{.status = row.status,
                        .code = std::string(row.code),
                        .title = std::string(row.title),
                        .detail = detail,
                        .errors = {}};
  for (const std::string& attribute : conflict.attributes) problem.errors.push_back({attribute, "is taken"});
  return problem;
}

// A message about the inside of a value begins with the path there: attribute "lines", message "[2].count
// must be ..." is about the field "lines[2].count".
http::FieldProblem FieldOf(const model::FieldError& error) {
  if (!error.message.starts_with('[') && !error.message.starts_with('.'))
    return {error.attribute, error.message};
  const size_t end = error.message.find(' ');
  if (end == error.message.npos) return {error.attribute, error.message};
  return {error.attribute + error.message.substr(0, end), error.message.substr(end + 1)};
}

Code CodeOfBrokenRule(FieldsFrom from) {
  switch (from) {
    case FieldsFrom::kBody:
      return Code::kInvalidArgument;
    case FieldsFrom::kQuery:
      return Code::kMalformed;
    case FieldsFrom::kPath:
      return Code::kResourceNotFound;
  }
  return Code::kInvalidArgument;
}

}  // namespace

http::Problem ProblemOf(const model::Failure& failure, FieldsFrom from) {
  if (!failure.conflicts.empty()) return ConflictProblem(failure.conflicts.front(), failure.error.message);
  Error error = failure.error;
  if (error.code == Code::kAccessDenied) error.code = Code::kResourceNotFound;
  if (error.code == Code::kInvalidArgument) error.code = CodeOfBrokenRule(from);
  http::Problem problem = http::ProblemOf(error);
  for (const model::FieldError& field : failure.fields) problem.errors.push_back(FieldOf(field));
  return problem;
}

}  // namespace cairn::rest
