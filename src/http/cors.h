// CORS: which pages of other origins may use the API from a browser. A policy as data; off when it lists
// nothing.
//
// Only listed origins are ever named in an answer; "null" and "*" cannot be listed. Also answers the question
// who may open a WebSocket, which browsers do not ask.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/http.h"

namespace cairn::http {

struct CorsPolicy {
  std::vector<std::string> origins;  // exact: "https://app.example", "http://localhost:3000"
  bool allow_credentials = false;    // whether pages there may send our cookies along

  bool is_on() const { return !origins.empty(); }
  // Whether the policy lists what the request's Origin field says; false when there is none, or several.
  bool Allows(const Request& request) const;
};

// Fails with kInvalidArgument unless each one is written as browsers write it: http or https, a host in lower
// case, a port only where it is not the scheme's own, nothing behind.
Result<CorsPolicy> MakeCorsPolicy(std::vector<std::string> origins);

// Tells the browser what a page of the request's origin may see of the response.
void ApplyCors(const CorsPolicy& policy, const Request& request, Response& response);

// The browser's question before a request that is more than a form could send. Nothing when the policy is off
// or the request is no such question; 403 for origins that are not listed.
std::optional<Response> AnswerPreflight(const CorsPolicy& policy, const Request& request);

}  // namespace cairn::http
