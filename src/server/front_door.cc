#include "server/front_door.h"

#include "base/json_text.h"
#include "http/problem.h"
#include "rest/hmac.h"
#include "rest/origin.h"

namespace cairn::server {
namespace {

Task<http::Response> Answer(http::Response response) { co_return response; }

http::Response Text(std::string text, std::string content_type = "text/plain; charset=utf-8") {
  return {.status = 200, .content_type = std::move(content_type), .headers = {}, .body = std::move(text)};
}

// Asked of every request of the protocol.
bool HasOrigin(const http::Request& request) {
  constexpr std::string_view kOrigin = "origin";
  for (const http::HeaderField& field : request.headers) {
    if (field.name.size() == kOrigin.size() && http::EqualsIgnoreCase(field.name, kOrigin)) return true;
  }
  return false;
}

}  // namespace

http::Response AnswerMetrics(const http::Request& request, const std::string& token,
                             const std::function<std::string()>& text) {
  const std::string_view authorization = request.OnlyHeader("Authorization").value_or("");
  if (!token.empty() && !rest::EqualInConstantTime(authorization, "Bearer " + token)) {
    http::Response refusal = http::ProblemResponse(
        {Code::kUnauthenticated, "Metrics need the token of this server: Authorization: Bearer TOKEN."});
    if (!refusal.HasHeader("WWW-Authenticate")) refusal.headers.emplace_back("WWW-Authenticate", "Bearer");
    return refusal;
  }
  return Text(text(), "text/plain; version=0.0.4; charset=utf-8");
}

FrontDoor::FrontDoor(const engine::Engine& engine, dynamodb::Dispatch& dispatch,
                     std::function<std::string()> metrics_text, std::vector<http::Route> routes,
                     FrontDoorOptions options)
    : engine_(engine),
      dispatch_(dispatch),
      options_(std::move(options)),
      router_(Routes(std::move(routes), std::move(metrics_text))) {}

std::vector<http::Route> FrontDoor::Routes(std::vector<http::Route> routes,
                                           std::function<std::string()> metrics_text) {
  routes.push_back({"POST", "/", [this](const auto& request, const auto&) { return HandleProtocol(request); },
                    [this](const auto& head) { return AdmitProtocol(head); }});
  routes.push_back(
      {"GET", "/", [is_on = options_.protocol != Protocol::kOff](const auto&, const auto&) {
         return Answer(
             Text(is_on ? "Cairn serves the DynamoDB protocol here: point an AWS SDK at this address.\n"
                        : "Cairn serves models here, under /api/m.\n"));
       }});
  routes.push_back({"GET", "/healthz", [this](const auto&, const auto&) { return Answer(Health()); }});
  if (options_.metrics != Metrics::kHidden) {
    routes.push_back(
        {"GET", "/metrics", [this, text = std::move(metrics_text)](const auto& request, const auto&) {
           return Answer(AnswerMetrics(request, options_.metrics_token, text));
         }});
  }
  return routes;
}

Task<http::Response> FrontDoor::Handle(const http::Request& request) {
  // What nearly every request is, without a look at the routes.
  if (request.method == "POST" && request.path() == "/") {
    const bool is_usual = options_.protocol != Protocol::kOff && !HasOrigin(request);
    return is_usual ? dispatch_.Handle(request) : HandleProtocol(request);
  }
  if (!request.repeated_field.empty()) return Answer(RefuseRepeated(request));
  return HandleRoute(request);
}

std::optional<http::Response> FrontDoor::RefusalOf(const http::Request& request) {
  if (options_.protocol == Protocol::kOff)
    return dispatch_.Refusal(400,
                             "The DynamoDB protocol is off: others can reach this server, and it was started "
                             "without --credentials.");
  // A browser lets any page send this and only keeps the answer from it.
  if (HasOrigin(request) && rest::SenderOf(request, options_.public_origin) != rest::Sender::kOwnPage &&
      !options_.cors.Allows(request))
    return dispatch_.Refusal(403,
                             "Pages of this origin may not use this server; its operator can list the origin "
                             "with --cors-origin. Nothing was done.");
  return std::nullopt;
}

Task<http::Response> FrontDoor::HandleProtocol(const http::Request& request) {
  if (auto refusal = RefusalOf(request)) co_return *std::move(refusal);
  http::Response response = co_await dispatch_.Handle(request);
  http::ApplyCors(options_.cors, request, response);
  co_return response;
}

Task<http::BodyAdmission> FrontDoor::AdmitProtocol(const http::Request& head) {
  http::BodyAdmission admission = co_await dispatch_.AdmitBody(head);
  if (auto refusal = RefusalOf(head)) {
    admission.admitted = false;
    admission.refusal = *std::move(refusal);
  }
  http::ApplyCors(options_.cors, head, admission.refusal);
  co_return admission;
}

Task<http::Response> FrontDoor::HandleRoute(const http::Request& request) {
  if (options_.pages != nullptr) {
    if (auto page = options_.pages->Find(request)) co_return *std::move(page);
  }
  if (auto preflight = http::AnswerPreflight(options_.cors, request)) {
    http::SecureApiResponse(*preflight, options_.public_scheme);
    co_return *std::move(preflight);
  }
  http::Response response = co_await router_.Handle(request);
  if (response.websocket == nullptr) {
    http::SecureApiResponse(response, options_.public_scheme);
    http::ApplyCors(options_.cors, request, response);
  }
  co_return response;
}

http::Response FrontDoor::RefuseRepeated(const http::Request& request) const {
  http::Response response = http::ProblemResponse(
      {Code::kMalformed, "The field " + std::string(request.repeated_field) + " is given more than once"});
  http::SecureApiResponse(response, options_.public_scheme);
  http::ApplyCors(options_.cors, request, response);
  return response;
}

Task<http::BodyAdmission> FrontDoor::AdmitBody(const http::Request& head) {
  const bool is_protocol = head.path() == "/";
  if (!is_protocol && !head.repeated_field.empty()) {
    http::BodyAdmission refused{.admitted = false, .refusal = RefuseRepeated(head)};
    co_return refused;
  }
  http::BodyAdmission admission = co_await router_.AdmitBody(head);
  if (!is_protocol) {
    http::SecureApiResponse(admission.refusal, options_.public_scheme);
    http::ApplyCors(options_.cors, head, admission.refusal);
  }
  co_return admission;
}

http::Response FrontDoor::Health() const {
  const engine::EngineHealth health = engine_.Health();
  if (health.writable) return {.status = 200, .headers = {}, .body = R"({"status":"ok"})"};
  std::string body = R"({"status":"read-only","reason":)";
  AppendJsonString(body, health.reason);
  body += '}';
  return {.status = 503, .headers = {}, .body = std::move(body)};
}

}  // namespace cairn::server
