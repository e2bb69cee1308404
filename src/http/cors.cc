#include "http/cors.h"

#include <algorithm>
#include <charconv>

#include "http/problem.h"

namespace cairn::http {
namespace {

constexpr std::string_view kMethods = "GET, HEAD, POST, PUT, PATCH, DELETE";
constexpr std::string_view kRequestFields =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-CSRF-Token, X-Amz-Target, "
    "X-Amz-Date, X-Amz-Content-Sha256, X-Amz-Security-Token, X-Amz-User-Agent, Amz-Sdk-Invocation-Id, "
    "Amz-Sdk-Request";  // the last seven are of AWS's SDK
constexpr std::string_view kResponseFields =
    "ETag, Location, Idempotent-Replayed, Retry-After, X-Amzn-RequestId, X-Amz-Crc32";
constexpr std::string_view kPreflightSeconds = "600";  // how long a browser may remember the answer

bool IsPort(std::string_view text, uint16_t scheme_port) {
  uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && text[0] != '0';
  return is_number && port != scheme_port;
}

bool IsHost(std::string_view text) {
  const bool is_ipv6 = text.starts_with('[') && text.ends_with(']');
  const std::string_view allowed =
      is_ipv6 ? "[]:.0123456789abcdef" : "abcdefghijklmnopqrstuvwxyz0123456789.-_";
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

bool IsOrigin(std::string_view text) {
  const bool is_https = text.starts_with("https://");
  if (!is_https && !text.starts_with("http://")) return false;
  text.remove_prefix(is_https ? 8 : 7);
  const size_t ipv6_end = text.starts_with('[') ? std::min(text.find(']'), text.size()) : 0;
  const size_t colon = text.find(':', ipv6_end);
  if (colon == std::string_view::npos) return IsHost(text);
  const std::string_view port = text.substr(colon + 1);
  return IsHost(text.substr(0, colon)) && !port.empty() && IsPort(port, is_https ? 443 : 80);
}

void Add(Response& response, std::string_view name, std::string_view value) {
  response.headers.emplace_back(name, value);
}

void AddOrigin(const CorsPolicy& policy, const Request& request, Response& response) {
  Add(response, "Access-Control-Allow-Origin", request.Header("Origin"));
  if (policy.allow_credentials) Add(response, "Access-Control-Allow-Credentials", "true");
}

}  // namespace

bool CorsPolicy::Allows(const Request& request) const {
  const std::optional<std::string_view> origin = request.OnlyHeader("Origin");
  return origin && std::ranges::find(origins, *origin) != origins.end();
}

Result<CorsPolicy> MakeCorsPolicy(std::vector<std::string> origins) {
  for (const std::string& origin : origins) {
    if (IsOrigin(origin)) continue;
    return Fail(Invalid("\"" + origin +
                        "\" is not an origin; write it as browsers do, such as \"https://app.example\" or "
                        "\"http://localhost:3000\"."));
  }
  CorsPolicy policy;
  policy.origins = std::move(origins);
  return policy;
}

void ApplyCors(const CorsPolicy& policy, const Request& request, Response& response) {
  if (!policy.is_on()) return;
  Add(response, "Vary", "Origin");  // also without the field: a cache must not give that answer to a page
  if (!policy.Allows(request)) return;
  AddOrigin(policy, request, response);
  Add(response, "Access-Control-Expose-Headers", kResponseFields);
}

std::optional<Response> AnswerPreflight(const CorsPolicy& policy, const Request& request) {
  const bool is_question = request.method == "OPTIONS" && !request.Header("Origin").empty() &&
                           !request.Header("Access-Control-Request-Method").empty();
  if (!policy.is_on() || !is_question) return std::nullopt;
  Response response;
  if (policy.Allows(request)) {
    response.status = 204;
    AddOrigin(policy, request, response);
    Add(response, "Access-Control-Allow-Methods", kMethods);
    Add(response, "Access-Control-Allow-Headers", kRequestFields);
    Add(response, "Access-Control-Max-Age", kPreflightSeconds);
  } else {
    response = ProblemResponse({Code::kAccessDenied, "Pages of this origin may not use this server."});
  }
  Add(response, "Vary", "Origin");
  return response;
}

}  // namespace cairn::http
