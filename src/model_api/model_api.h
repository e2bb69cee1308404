// ModelApi: a REST interface to any model: entities by their keys, patterns by their parameters. The routes
// are data (Routes()), the work is done by model::Session on behalf of the caller that the request's token
// names.
//
// Not reachable here: other owners' items (they do not exist for the caller), entities that belong to nobody
// (read only where the model says read = "anyone", never written), secret attributes (written, never shown).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "http/http.h"
#include "http/problem.h"
#include "http/router.h"
#include "model/database.h"
#include "model/session.h"
#include "rest/admission.h"
#include "rest/authenticator.h"

namespace cairn::model_api {

struct ServedModel {
  model::Database* database = nullptr;
  std::string openapi;  // what /openapi.json answers
};

class ModelApi {
 public:
  // The models have different names. Callers show a token: a browser's cookie is not enough here.
  // Without an admission everybody may ask as often as they like.
  ModelApi(std::vector<ServedModel> models, rest::Authenticator& authenticator,
           rest::Admission* admission = nullptr);

  // The routes call into this object: it must outlive them.
  std::vector<http::Route> Routes();

 private:
  using Reply = Result<http::Response, http::Problem>;
  // An entity that the caller may reach.
  struct Target {
    model::Database& database;
    const model::Entity& entity;
    model::Caller caller;
    const std::vector<std::string>& key;  // segments of the address
  };
  using EntityHandler = Task<Reply> (ModelApi::*)(const http::Request&, const Target&);
  using ModelHandler = std::string (*)(const ServedModel&);

  http::Route EntityRoute(std::string method, std::string pattern, EntityHandler handler);
  http::Route ModelRoute(std::string pattern, ModelHandler handler);
  Task<http::Response> HandleEntity(EntityHandler handler, const http::Request& request,
                                    const http::PathParameters& parameters);
  Task<http::Response> HandleModel(ModelHandler handler, const http::Request& request,
                                   const http::PathParameters& parameters);
  Task<http::Response> HandlePattern(const http::Request& request, const http::PathParameters& parameters);
  Task<http::Response> HandleList(const http::Request& request);

  Task<http::BodyAdmission> AdmitBody(const http::Request& head) const;
  // A request counts towards how often somebody may ask when it is complete.
  enum class Stage { kHead, kComplete };
  Task<Result<model::Caller, http::Problem>> CallerOf(const http::Request& request,
                                                      Stage stage = Stage::kComplete) const;
  Result<const ServedModel*, http::Problem> Find(std::string_view name) const;
  Result<Target, http::Problem> TargetOf(const http::Request& request, const http::PathParameters& parameters,
                                         model::Caller caller) const;

  Task<Reply> Create(const http::Request& request, const Target& target);
  Task<Reply> Get(const http::Request& request, const Target& target);
  Task<Reply> Put(const http::Request& request, const Target& target);
  Task<Reply> Patch(const http::Request& request, const Target& target);
  Task<Reply> Delete(const http::Request& request, const Target& target);
  Task<Reply> ReadPattern(const http::Request& request, const http::PathParameters& parameters);

  std::vector<ServedModel> models_;
  rest::Authenticator& authenticator_;
  rest::Admission* const admission_;
};

}  // namespace cairn::model_api
