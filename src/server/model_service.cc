#include "server/model_service.h"

#include <algorithm>
#include <cstdio>

#include "base/run_here.h"
#include "design/lint.h"
#include "design/openapi.h"
#include "identity/hmac.h"
#include "server/command.h"
#include "server/model_command.h"

namespace cairn::server {
namespace {

// Cursors have a secret of their own, so that nothing sealed with it helps to forge a token.
constexpr std::string_view kCursorLabel = "cairn model cursors";

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
                           Random& random)
    : store_(store) {
  model::DatabaseOptions settings;
  settings.variables = {{"env", options.stage}, {"stage", options.stage}};
  settings.cursor_secret = identity::HmacSha256(options.signing_key, kCursorLabel);
  std::vector<model_api::ServedModel> served;
  for (const model::ModelPtr& model : options.models) {
    databases_.push_back(std::make_unique<model::Database>(model, store_, clock, random, settings));
    served.push_back({.database = databases_.back().get(), .openapi = design::OpenApi(*model)});
  }
  api_ = std::make_unique<model_api::ModelApi>(std::move(served), std::move(options.signing_key), clock);
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

std::string ModelService::MetricsText() const {
  std::string text =
      "# HELP cairn_model_store_calls_total Calls to the store on behalf of models, by operation.\n"
      "# TYPE cairn_model_store_calls_total counter\n";
  uint64_t scans = 0;
  for (const auto& [operation, calls] : store_.Calls()) {
    text += "cairn_model_store_calls_total{operation=\"" + std::string(operation) + "\"} " +
            std::to_string(calls) + "\n";
    if (operation == "Scan") scans = calls;
  }
  text +=
      "# HELP cairn_request_scans_total Scans on behalf of models: no request makes one.\n"
      "# TYPE cairn_request_scans_total counter\n"
      "cairn_request_scans_total " +
      std::to_string(scans) + "\n";
  return text;
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
