// Problem: an error reply of a REST route (RFC 9457, application/problem+json). One table translates the
// project's error codes; routes with more to say fill a Problem themselves.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "http/http.h"

namespace cairn::http {

struct FieldProblem {
  std::string field;  // as the client spells it; "" for the request as a whole
  std::string message;
};

struct Problem {
  int status = 500;
  std::string code;    // stable, for programs: "version-conflict"
  std::string title;   // the same for every problem of this code
  std::string detail;  // what happened here, for people; may be empty
  std::vector<FieldProblem> errors;
  std::vector<std::pair<std::string, std::string>> headers = {};     // of the reply, such as Allow
  std::vector<std::pair<std::string, std::string>> extensions = {};  // further members: name and JSON
};

// Secrets of the inside stay there: of damaged data or a bug only that it happened is told.
Problem ProblemOf(const Error& error);
// 405 with Allow: "GET, HEAD".
Problem MethodNotAllowed(const std::string& allowed);

// {"type","title","status","detail","code","errors"}; with WWW-Authenticate for 401 and Retry-After where
// waiting helps.
Response ToResponse(const Problem& problem);
Response ProblemResponse(const Error& error);

}  // namespace cairn::http
