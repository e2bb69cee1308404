// FrontDoor: the router of the program: which part answers which path.
#pragma once

#include "base/task.h"
#include "dynamodb/dispatch.h"
#include "engine/engine.h"
#include "http/http.h"
#include "http/router.h"
#include "server/model_service.h"

namespace cairn::server {

// Metrics tell how a server is used: for everybody only where everybody is this machine.
enum class Metrics { kHidden, kOpen };

class FrontDoor {
 public:
  FrontDoor(const engine::Engine& engine, dynamodb::Dispatch& dispatch, ModelService& models,
            Metrics metrics);

  Task<http::Response> Handle(const http::Request& request);

 private:
  std::vector<http::Route> Routes(ModelService& models, Metrics metrics);
  http::Response Health() const;

  const engine::Engine& engine_;
  dynamodb::Dispatch& dispatch_;
  http::Router router_;
};

}  // namespace cairn::server
