// cairn model cost: capacity units of a model, with item sizes from a file or measured in a data directory.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "base/task.h"
#include "design/cost.h"
#include "design/export.h"
#include "engine/engine.h"
#include "model/entity_codec.h"
#include "server/model_command.h"
#include "server/progress_bar.h"

namespace cairn::server {
namespace {

constexpr uint64_t kItemsMeasuredMax = 10'000;  // of each table

struct CostSettings {
  std::string file;
  std::string sizes;
  std::string data;
  std::string stage = "dev";
};

struct Measured {
  double bytes = 0;
  uint64_t items = 0;
};

// Reads the first items of one table; false when the data directory has no such table.
Result<bool> MeasureTable(engine::Engine& engine, const model::Model& model, size_t table,
                          const std::string& name, std::map<std::string, Measured>& measured) {
  if (!SyncWait(engine.DescribeTable(name))) return false;
  std::vector<size_t> candidates;
  for (size_t i = 0; i < model.entities.size(); ++i) {
    if (model.entities[i].table == table) candidates.push_back(i);
  }
  ProgressBar bar("measuring " + name, kItemsMeasuredMax);
  store::ScanRequest request;
  request.table = name;
  uint64_t seen = 0;
  do {
    ASSIGN_OR_RETURN(store::PageResponse page, SyncWait(engine.Scan(request)));
    for (const item::PackedItem& item : page.items) {
      if (seen++ == kItemsMeasuredMax) return true;
      const model::Entity* entity = model::EntityOf(model, candidates, item);
      if (entity == nullptr) continue;
      Measured& sum = measured[entity->name];
      sum.bytes += static_cast<double>(item.ItemBytes());
      ++sum.items;
    }
    bar.Update(seen);
    request.exclusive_start_key = std::move(page.last_evaluated_key);
  } while (request.exclusive_start_key);
  return true;
}

Result<design::MeasuredSizes> Measure(const model::Model& model, const CostSettings& settings) {
  ASSIGN_OR_RETURN(std::unique_ptr<engine::Engine> engine, OpenExisting(settings.data));
  std::map<std::string, Measured> measured;
  size_t found = 0;
  for (size_t table = 0; table < model.tables.size(); ++table) {
    const std::string name = design::PhysicalName(model.tables[table], settings.stage);
    ASSIGN_OR_RETURN(const bool there, MeasureTable(*engine, model, table, name, measured));
    if (there) {
      ++found;
    } else {
      std::fprintf(stderr, "cairn: %s has no table %s\n", settings.data.c_str(), name.c_str());
    }
  }
  if (found == 0)
    return Fail(Code::kResourceNotFound, "no table of the model is there; is the stage right (--stage)?");
  design::MeasuredSizes sizes;
  for (const auto& [entity, sum] : measured) sizes[entity] = sum.bytes / static_cast<double>(sum.items);
  return sizes;
}

Result<design::MeasuredSizes> ReadSizes(const std::string& file, const model::Model& model) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return Fail(Code::kUnavailable, "cannot read " + file);
  const std::string json{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  auto sizes = design::ParseSizes(json, model);
  if (!sizes) return Fail(sizes.error().code, file + ": " + sizes.error().message);
  return sizes;
}

int Cost(const CostSettings& settings) {
  const model::ModelPtr model = LoadOrComplain(settings.file);
  if (!model) return kExitUsage;
  design::MeasuredSizes sizes;
  if (!settings.data.empty()) {
    auto measured = Measure(*model, settings);
    if (!measured) return Complain(measured.error().message, kExitUsage);
    sizes = *std::move(measured);
  }
  if (!settings.sizes.empty()) {
    auto read = ReadSizes(settings.sizes, *model);
    if (!read) return Complain(read.error().message, kExitUsage);
    for (const auto& [entity, bytes] : *read) sizes[entity] = bytes;
  }
  return WriteText("", design::ToText(design::EstimateCost(*model, sizes)));
}

}  // namespace

Command AddModelCost(CLI::App& model) {
  auto* command = model.add_subcommand(
      "cost",
      "Work out the read and write units of every pattern and write, indexes and transactions included, and "
      "what "
      "a shared partition takes. Item sizes are measured, declared (item_bytes) or estimated from the types");
  auto settings = std::make_shared<CostSettings>();
  command->add_option("FILE", settings->file, "Model file (.toml or .json)")->required();
  command->add_option("--sizes", settings->sizes, "JSON file of mean item bytes: {\"Task\": 812.5}");
  command->add_option(
      "--data", settings->data,
      "Measure: read up to 10,000 items of each table of a data directory that no server uses");
  command->add_option("--stage", settings->stage, "Stands for {env} and {stage} in table names")
      ->capture_default_str();
  return [settings] { return Cost(*settings); };
}

}  // namespace cairn::server
