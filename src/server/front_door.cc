#include "server/front_door.h"

#include "base/json_text.h"

namespace cairn::server {
namespace {

Task<http::Response> Answer(http::Response response) { co_return response; }

http::Response Text(std::string text, std::string content_type = "text/plain; charset=utf-8") {
  return {.status = 200, .content_type = std::move(content_type), .headers = {}, .body = std::move(text)};
}

}  // namespace

FrontDoor::FrontDoor(const engine::Engine& engine, dynamodb::Dispatch& dispatch,
                     std::function<std::string()> metrics_text, std::vector<http::Route> routes,
                     FrontDoorOptions options)
    : engine_(engine),
      dispatch_(dispatch),
      options_(std::move(options)),
      router_(Routes(std::move(routes), std::move(metrics_text))) {}

std::vector<http::Route> FrontDoor::Routes(std::vector<http::Route> routes,
                                           std::function<std::string()> metrics_text) {
  routes.push_back(
      {"POST", "/", [this](const auto& request, const auto&) { return dispatch_.Handle(request); }});
  routes.push_back(
      {"GET", "/", [](const auto&, const auto&) {
         return Answer(Text("Cairn serves the DynamoDB protocol here: point an AWS SDK at this address.\n"));
       }});
  routes.push_back({"GET", "/healthz", [this](const auto&, const auto&) { return Answer(Health()); }});
  if (options_.metrics == Metrics::kOpen) {
    routes.push_back({"GET", "/metrics", [text = std::move(metrics_text)](const auto&, const auto&) {
                        return Answer(Text(text(), "text/plain; version=0.0.4; charset=utf-8"));
                      }});
  }
  return routes;
}

Task<http::Response> FrontDoor::Handle(const http::Request& request) {
  // What nearly every request is, without a look at the routes.
  if (request.method == "POST" && request.path() == "/") return dispatch_.Handle(request);
  return HandleRoute(request);
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

http::Response FrontDoor::Health() const {
  const engine::EngineHealth health = engine_.Health();
  if (health.writable) return {.status = 200, .headers = {}, .body = R"({"status":"ok"})"};
  std::string body = R"({"status":"read-only","reason":)";
  AppendJsonString(body, health.reason);
  body += '}';
  return {.status = 503, .headers = {}, .body = std::move(body)};
}

}  // namespace cairn::server
