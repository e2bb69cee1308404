// FrontDoor: the router of the program: which part answers which path.
#pragma once

#include "base/task.h"
#include "dynamodb/dispatch.h"
#include "engine/engine.h"
#include "http/http.h"

namespace cairn::server {

class FrontDoor {
 public:
  FrontDoor(const engine::Engine& engine, dynamodb::Dispatch& dispatch)
      : engine_(engine), dispatch_(dispatch) {}

  Task<http::Response> Handle(const http::Request& request);

 private:
  http::Response Health() const;

  const engine::Engine& engine_;
  dynamodb::Dispatch& dispatch_;
};

}  // namespace cairn::server
