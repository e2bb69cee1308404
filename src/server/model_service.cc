#include "server/model_service.h"

#include <algorithm>
#include <cstdio>

#include "base/log.h"
#include "base/metrics.h"
#include "base/run_here.h"
#include "design/lint.h"
#include "design/openapi.h"
#include "server/command.h"
#include "server/cursor_secret.h"
#include "server/model_command.h"

namespace cairn::server {
namespace {

constexpr std::chrono::seconds kFillPause{5};

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
                           Random& random, rest::Authenticator& authenticator)
    : adopt_(options.adopt) {
  model::DatabaseOptions settings;
  settings.upkeep = options.upkeep;
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

ModelService::~ModelService() { Stop(); }

Status Refusal(const model::Model& model, const std::vector<std::string>& misfits) {
  std::string text = "model " + model.name + " does not fit what is stored:";
  for (const std::string& misfit : misfits) text += "\n  " + misfit;
  text +=
      "\nNothing was changed. Serve the model as it was before; or have the items put right: cairn model "
      "verify " +
      model.file + " --repair; or serve it as it is: cairn serve --accept-model-change";
  return Fail(Invalid(std::move(text)));
}

Status ModelService::CreateTables() {
  for (const auto& database : databases_) {
    // Waits for indexes to be built, which must not happen on the engine's own threads.
    auto adoption = RunHere(model::AdoptModel(*database, adopt_));
    if (!adoption) {
      return Fail(adoption.error().code, "model " + database->model().name + ": " + adoption.error().message);
    }
    if (!adoption->misfits.empty()) return Refusal(database->model(), adoption->misfits);
    for (auto& fill : adoption->fills) fills_.push_back(std::move(fill));
  }
  return {};
}

void ModelService::Start() {
  if (!fills_.empty()) filler_ = std::thread([this] { RunFills(); });
}

void ModelService::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_all();
  if (filler_.joinable()) filler_.join();
}

void ModelService::RunFills() {
  for (const auto& fill : fills_) {
    while (!stopping_ && !fill->is_done()) {
      const Status done = RunHere(fill->Run(stopping_));
      if (done) continue;
      log::Failure("index keys cannot be filled; tried again soon",
                   {{"table", fill->table_name()}, {"reason", done.error().message}});
      std::unique_lock lock(mutex_);
      stopped_.wait_for(lock, kFillPause, [this] { return stopping_.load(); });
    }
  }
}

std::string ModelService::MetricsText() const {
  if (fills_.empty()) return "";
  double waiting = 0, looked_at = 0, repaired = 0;
  for (const auto& fill : fills_) {
    waiting += fill->is_done() ? 0 : 1;
    looked_at += static_cast<double>(fill->looked_at());
    repaired += static_cast<double>(fill->repaired());
  }
  std::string text;
  metrics::AppendMetric(text, "cairn_model_fills_unfinished", metrics::Kind::kGauge,
                        "Tables whose index keys are being filled after a change of the model.", waiting);
  metrics::AppendMetric(text, "cairn_model_fill_items_total", metrics::Kind::kCounter,
                        "Items looked at to fill index keys.", looked_at);
  metrics::AppendMetric(text, "cairn_model_fill_repaired_total", metrics::Kind::kCounter,
                        "Items whose index keys were put right.", repaired);
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
