// ModelService: the models a server was started with, bound to its store, and their REST interface. Wiring
// only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "http/router.h"
#include "model/database.h"
#include "model/load.h"
#include "model_api/model_api.h"
#include "rest/authenticator.h"
#include "store/store.h"

namespace cairn::server {

struct ModelServiceOptions {
  std::vector<model::ModelPtr> models;
  std::string stage = "dev";  // stands for {env} and {stage} in table names
  std::string signing_key;
  model::WriteFence* fence = nullptr;
  rest::Admission* admission = nullptr;  // null: everybody may ask as often as they like
};

class ModelService {
 public:
  ModelService(ModelServiceOptions options, store::Store& store, const Clock& clock, Random& random,
               rest::Authenticator& authenticator);

  // Tables and indexes that are missing. Fails with a sentence that names the model.
  Status CreateTables();

  // Valid as long as this.
  std::vector<http::Route> Routes() { return api_->Routes(); }

 private:
  std::vector<std::unique_ptr<model::Database>> databases_;
  std::unique_ptr<model_api::ModelApi> api_;
};

// Every file's errors go to standard error; nothing when there was one, or when two models have the same
// name.
std::optional<std::vector<model::ModelPtr>> LoadModels(const std::vector<std::string>& files);

}  // namespace cairn::server
