#include "http/cors.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "http/problem.h"

namespace cairn::http {
namespace {

constexpr std::string_view kMethods = "GET, HEAD, POST, PUT, PATCH, DELETE";
constexpr std::string_view kRequestFields =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-CSRF-Token, X-Amz-Target, "
    "X-Amz-Date, X-Amz-Content-Sha256, X-Amz-Security-Token, X-Amz-User-Agent, Amz-Sdk-Invocation-Id, "
    "Amz-Sdk-Request";  // the last seven are of AWS's SDK
// AWS's SDKs add fields of their own from version to version.
constexpr auto kSdkPrefixes = std::to_array<std::string_view>({"x-amz-", "x-amzn-", "amz-sdk-"});
// The SDKs read the last four: the clock's difference, the request's name, whether the answer arrived whole.
constexpr std::string_view kResponseFields =
    "ETag, Location, Idempotent-Replayed, Retry-After, Date, X-Amzn-RequestId, X-Amzn-ErrorType, X-Amz-Crc32";
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

bool IsFieldName(std::string_view text) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  return text.find_first_not_of(kAllowed) == std::string_view::npos;
}

bool IsOfSdk(std::string_view name) {
  return IsFieldName(name) && std::ranges::any_of(kSdkPrefixes, [&](std::string_view prefix) {
           return name.size() > prefix.size() && EqualsIgnoreCase(name.substr(0, prefix.size()), prefix);
         });
}

// The fields that a page may send: those we know, and what else of AWS's SDKs it asks for.
std::string AllowedFields(std::string_view asked) {
  std::string allowed(kRequestFields);
  while (!asked.empty()) {
    std::string_view name = asked.substr(0, asked.find(','));
    asked.remove_prefix(std::min(name.size() + 1, asked.size()));
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (IsOfSdk(name)) allowed.append(", ").append(name);
  }
  return allowed;
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
    Add(response, "Access-Control-Allow-Headers",
        AllowedFields(request.Header("Access-Control-Request-Headers")));
    Add(response, "Access-Control-Max-Age", kPreflightSeconds);
  } else {
    response = ProblemResponse({Code::kAccessDenied, "Pages of this origin may not use this server."});
  }
  Add(response, "Vary", "Origin");
  return response;
}

}  // namespace cairn::http
