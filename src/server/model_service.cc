#include "server/model_service.h"

#include <algorithm>
#include <cstdio>

#include "base/run_here.h"
#include "design/lint.h"
#include "design/openapi.h"
#include "server/command.h"
#include "server/cursor_secret.h"
#include "server/model_command.h"

namespace cairn::server {
namespace {

// A design with an error that nobody has acknowledged is not served.
bool PassesLint(const model::Model& model) {
  bool passes = true;
  for (const model::Diagnostic& finding : design::Lint(model)) {
    if (finding.severity != model::Severity::kError || !finding.accepted_reason.empty()) continue;
    std::fprintf(stderr, "%s\n", model::ToString(finding).c_str());
    passes = false;
  }
  if (!passes) Complain(model.file + " is not served: mend it, or acknowledge the findings with [[accept]]");
  return passes;
}

}  // namespace

ModelService::ModelService(ModelServiceOptions options, store::Store& store, const Clock& clock,
                           Random& random, rest::Authenticator& authenticator) {
  model::DatabaseOptions settings;
  settings.variables = {{"env", options.stage}, {"stage", options.stage}};
  settings.cursor_secret = CursorSecret(options.signing_key);
  settings.fence = options.fence;
  std::vector<model_api::ServedModel> served;
  for (const model::ModelPtr& model : options.models) {
    databases_.push_back(std::make_unique<model::Database>(model, store, clock, random, settings));
    served.push_back({.database = databases_.back().get(), .openapi = design::OpenApi(*model)});
  }
  api_ = std::make_unique<model_api::ModelApi>(std::move(served), authenticator, options.admission);
}

Status ModelService::CreateTables() {
  for (const auto& database : databases_) {
    // Waits for indexes to be built, which must not happen on the engine's own threads.
    auto created = RunHere(database->CreateTables());
    if (!created) {
      return Fail(created.error().code, "model " + database->model().name + ": " + created.error().message);
    }
  }
  return {};
}

std::optional<std::vector<model::ModelPtr>> LoadModels(const std::vector<std::string>& files) {
  std::vector<model::ModelPtr> models;
  bool good = true;
  for (const std::string& file : files) {
    model::ModelPtr model = LoadOrComplain(file);
    if (!model || !PassesLint(*model)) {
      good = false;
      continue;
    }
    const auto same =
        std::ranges::find_if(models, [&](const auto& other) { return other->name == model->name; });
    if (same != models.end()) {
      Complain(file + " and " + (*same)->file + " are both called " + model->name);
      good = false;
    }
    models.push_back(std::move(model));
  }
  if (!good) return std::nullopt;
  return models;
}

}  // namespace cairn::server
