// FrontDoor: the router of the program: which part answers which path.
#pragma once

#include <functional>
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

namespace cairn::server {

// Metrics tell how a server is used: for everybody only where everybody is this machine.
enum class Metrics { kHidden, kOpen };

struct FrontDoorOptions {
  Metrics metrics = Metrics::kHidden;
  http::PublicScheme public_scheme = http::PublicScheme::kHttp;
  http::CorsPolicy cors;
  const pages::Pages* pages = nullptr;  // none: for programs only
};

class FrontDoor {
 public:
  // `routes` of all that answers here beside the DynamoDB protocol and the server's own health.
  FrontDoor(const engine::Engine& engine, dynamodb::Dispatch& dispatch,
            std::function<std::string()> metrics_text, std::vector<http::Route> routes,
            FrontDoorOptions options);

  Task<http::Response> Handle(const http::Request& request);

 private:
  std::vector<http::Route> Routes(std::vector<http::Route> routes, std::function<std::string()> metrics_text);
  http::Response Health() const;
  Task<http::Response> HandleRoute(const http::Request& request);

  const engine::Engine& engine_;
  dynamodb::Dispatch& dispatch_;
  const FrontDoorOptions options_;
  http::Router router_;
};

}  // namespace cairn::server
