// FrontDoor: the router of the program: which part answers which path, and to whom (exposure.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/task.h"
#include "dynamodb/dispatch.h"
#include "engine/engine.h"
#include "http/cors.h"
#include "http/http.h"
#include "http/router.h"
#include "http/security_headers.h"
#include "pages/pages.h"
#include "server/exposure.h"

namespace cairn::server {

struct FrontDoorOptions {
  Protocol protocol = Protocol::kOff;
  Metrics metrics = Metrics::kHidden;
  std::string metrics_token;  // with kWithToken
  std::string public_origin;  // "": whatever host a request names
  http::PublicScheme public_scheme = http::PublicScheme::kHttp;
  http::CorsPolicy cors;
  const pages::Pages* pages = nullptr;  // none: for programs only
};

// The answer to GET /metrics that needs `token` (empty: none).
http::Response AnswerMetrics(const http::Request& request, const std::string& token,
                             const std::function<std::string()>& text);

class FrontDoor {
 public:
  // `routes` of all that answers here beside the DynamoDB protocol and the server's own health.
  FrontDoor(const engine::Engine& engine, dynamodb::Dispatch& dispatch,
            std::function<std::string()> metrics_text, std::vector<http::Route> routes,
            FrontDoorOptions options);

  Task<http::Response> Handle(const http::Request& request);
  // Whether a large body is read.
  Task<http::BodyAdmission> AdmitBody(const http::Request& head);

 private:
  std::vector<http::Route> Routes(std::vector<http::Route> routes, std::function<std::string()> metrics_text);
  http::Response Health() const;
  // Nothing that decides who is asking may be there twice.
  http::Response RefuseRepeated(const http::Request& request) const;
  Task<http::Response> HandleRoute(const http::Request& request);
  // POST / that is more than a program's call on a server that takes it.
  Task<http::Response> HandleProtocol(const http::Request& request);
  Task<http::BodyAdmission> AdmitProtocol(const http::Request& head);
  // Why a request to the protocol is answered without a look at it. Nothing: it is not.
  std::optional<http::Response> RefusalOf(const http::Request& request);

  const engine::Engine& engine_;
  dynamodb::Dispatch& dispatch_;
  const FrontDoorOptions options_;
  http::Router router_;
};

}  // namespace cairn::server
