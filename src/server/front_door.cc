#include "server/front_door.h"

#include "base/json_text.h"

namespace cairn::server {
namespace {

Task<http::Response> Answer(http::Response response) { co_return response; }

http::Response Text(int status, std::string text) {
  return {
      .status = status, .content_type = "text/plain; charset=utf-8", .headers = {}, .body = std::move(text)};
}

}  // namespace

Task<http::Response> FrontDoor::Handle(const http::Request& request) {
  if (request.method == "POST" && request.path() == "/") return dispatch_.Handle(request);
  const bool reading = request.method == "GET" || request.method == "HEAD";
  if (reading && request.path() == "/healthz") return Answer(Health());
  if (reading && request.path() == "/") {
    return Answer(Text(200, "Cairn serves the DynamoDB protocol here: point an AWS SDK at this address.\n"));
  }
  return Answer(Text(404, "Nothing here.\n"));
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
