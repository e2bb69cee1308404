// ModelService: the models a server was started with, bound to its store, and their REST interface. Wiring
// only.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "http/router.h"
#include "model/adopt_model.h"
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
  model::AdoptOptions adopt = {};
  store::Store* upkeep = nullptr;  // the store without a meter
  model::WriteFence* fence = nullptr;
  rest::Admission* admission = nullptr;  // null: everybody may ask as often as they like
};

class ModelService {
 public:
  ModelService(ModelServiceOptions options, store::Store& store, const Clock& clock, Random& random,
               rest::Authenticator& authenticator);

  ~ModelService();

  // Tables and indexes that are missing. Fails with a sentence that names the model, also when stored items
  // do not fit it (model/adopt_model.h).
  Status CreateTables();
  // Index keys that a changed model wants are filled between these.
  void Start();
  void Stop();
  // Of those, as Prometheus reads it.
  std::string MetricsText() const;

  // Valid as long as this.
  std::vector<http::Route> Routes() { return api_->Routes(); }

 private:
  void RunFills();

  const model::AdoptOptions adopt_;
  std::vector<std::unique_ptr<model::Database>> databases_;
  std::vector<std::unique_ptr<model::IndexFill>> fills_;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;  // of the pause between two attempts
  std::condition_variable stopped_;
  std::thread filler_;
  std::unique_ptr<model_api::ModelApi> api_;
};

// Why a model is not served over what is stored, and what to do about it.
Status Refusal(const model::Model& model, const std::vector<std::string>& misfits);

// Every file's errors go to standard error; nothing when there was one, or when two models have the same
// name.
std::optional<std::vector<model::ModelPtr>> LoadModels(const std::vector<std::string>& files);

}  // namespace cairn::server
