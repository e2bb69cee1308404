// cairn model verify: stored items judged by their model, and index attributes put right on request.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/clock.h"
#include "base/random.h"
#include "base/task.h"
#include "engine/engine.h"
#include "model/check_item.h"
#include "server/model_command.h"
#include "server/progress_bar.h"

namespace cairn::server {
namespace {

struct VerifySettings {
  std::string file;
  std::string data = "./data";
  std::string stage = "dev";
  std::string table;
  bool repair = false;
  uint64_t findings_shown_max = 100;
};

struct Totals {
  std::map<std::string, uint64_t> items;  // by entity
  uint64_t findings = 0;
  uint64_t wrong_items = 0;
  uint64_t repaired = 0;
  uint64_t left = 0;  // findings that no repair can put right
};

class TableVerifier {
 public:
  TableVerifier(engine::Engine& engine, const model::Database& database, size_t table,
                const VerifySettings& settings, Totals& totals)
      : engine_(engine),
        database_(database),
        table_(table),
        name_(database.physical_name(table)),
        settings_(settings),
        totals_(totals) {}

  Status Run() {
    ASSIGN_OR_RETURN(const store::TableDescription description, SyncWait(engine_.DescribeTable(name_)));
    ProgressBar bar((settings_.repair ? "repairing " : "verifying ") + name_,
                    static_cast<uint64_t>(description.item_count));
    store::ScanRequest request;
    request.table = name_;
    uint64_t done = 0;
    do {
      ASSIGN_OR_RETURN(store::PageResponse page, SyncWait(engine_.Scan(request)));
      for (const item::PackedItem& item : page.items) RETURN_IF_ERROR(Check(item));
      bar.Update(done += page.items.size());
      request.exclusive_start_key = std::move(page.last_evaluated_key);
    } while (request.exclusive_start_key);
    return {};
  }

 private:
  Status Check(const item::PackedItem& item) {
    model::ItemCheck check = model::CheckItem(database_, table_, item);
    ++totals_.items[check.entity != nullptr ? check.entity->name : check.guard ? "(guards)" : "(unknown)"];
    if (check.findings.empty()) return {};
    ++totals_.wrong_items;
    Print(item, check);
    for (const model::ItemFinding& finding : check.findings) totals_.left += finding.repairable ? 0 : 1;
    return settings_.repair && !check.repair.empty() ? Repair(item, std::move(check)) : Status();
  }

  std::string KeyText(const item::PackedItem& item) const {
    const model::Table& table = database_.model().tables[table_];
    std::string text;
    for (const std::string* name : {&table.pk_attribute, &table.sk_attribute}) {
      const auto value = name->empty() ? std::nullopt : item.Find(*name);
      if (value && value->is(item::Type::kString)) text += (text.empty() ? "" : " / ") + value->string();
    }
    return text;
  }

  void Print(const item::PackedItem& item, const model::ItemCheck& check) {
    for (const model::ItemFinding& finding : check.findings) {
      if (totals_.findings++ >= settings_.findings_shown_max) continue;
      std::printf("%s: %s: %s%s%s%s\n", name_.c_str(), KeyText(item).c_str(),
                  check.entity != nullptr ? (check.entity->name + " ").c_str() : "",
                  finding.attribute.c_str(), finding.attribute.empty() ? "" : " ", finding.message.c_str());
    }
  }

  Status Repair(const item::PackedItem& item, model::ItemCheck check) {
    const model::Table& table = database_.model().tables[table_];
    store::UpdateItemRequest request;
    request.table = name_;
    for (const std::string* name : {&table.pk_attribute, &table.sk_attribute}) {
      if (!name->empty()) request.key.Set(*name, *item.Find(*name));
    }
    request.update = std::move(check.repair);
    request.condition = std::move(check.repair_condition);
    auto written = SyncWait(engine_.UpdateItem(std::move(request)));
    if (!written) return Fail(std::move(written).error().error);
    ++totals_.repaired;
    return {};
  }

  engine::Engine& engine_;
  const model::Database& database_;
  const size_t table_;
  const std::string name_;
  const VerifySettings& settings_;
  Totals& totals_;
};

int Report(const VerifySettings& settings, const Totals& totals) {
  if (totals.findings > settings.findings_shown_max) {
    std::printf("... and %llu more\n",
                static_cast<unsigned long long>(totals.findings - settings.findings_shown_max));
  }
  uint64_t items = 0;
  for (const auto& [entity, count] : totals.items) {
    items += count;
    std::printf("%10llu %s\n", static_cast<unsigned long long>(count), entity.c_str());
  }
  std::printf("%llu items, %llu findings in %llu items", static_cast<unsigned long long>(items),
              static_cast<unsigned long long>(totals.findings),
              static_cast<unsigned long long>(totals.wrong_items));
  if (settings.repair) {
    std::printf(", %llu items repaired, %llu findings left", static_cast<unsigned long long>(totals.repaired),
                static_cast<unsigned long long>(totals.left));
  }
  std::printf("\n");
  return (settings.repair ? totals.left : totals.findings) == 0 ? kExitOk : kExitFailure;
}

int Verify(const VerifySettings& settings) {
  const model::ModelPtr model = LoadOrComplain(settings.file);
  if (!model) return kExitUsage;
  auto engine = OpenExisting(settings.data);
  if (!engine) return Complain(engine.error().message);
  const SystemClock clock;
  SystemRandom random;
  const model::Database database(model, **engine, clock, random,
                                 {.variables = {{"env", settings.stage}, {"stage", settings.stage}},
                                  .retention = {},
                                  .cursor_secret = ""});
  Totals totals;
  size_t verified = 0;
  for (size_t table = 0; table < model->tables.size(); ++table) {
    const std::string& name = database.physical_name(table);
    if (!settings.table.empty() && settings.table != name && settings.table != model->tables[table].name)
      continue;
    if (!SyncWait((*engine)->DescribeTable(name))) {
      std::fprintf(stderr, "cairn: %s has no table %s\n", settings.data.c_str(), name.c_str());
      continue;
    }
    if (auto done = TableVerifier(**engine, database, table, settings, totals).Run(); !done) {
      return Complain(name + ": " + done.error().message);
    }
    ++verified;
  }
  if (verified == 0) {
    return Complain(settings.table.empty() ? "no table of the model is there; is the stage right (--stage)?"
                                           : "the model has no table " + settings.table + " here",
                    kExitUsage);
  }
  return Report(settings, totals);
}

}  // namespace

Command AddModelVerify(CLI::App& model) {
  auto* command = model.add_subcommand("verify",
                                       "Check stored items against their model: keys, index keys, types, "
                                       "required attributes. Exit code 1 when "
                                       "something is wrong");
  auto settings = std::make_shared<VerifySettings>();
  command->add_option("FILE", settings->file, "Model file (.toml or .json)")->required();
  command->add_option("--data", settings->data, "Data directory; no server may be using it")
      ->capture_default_str();
  command->add_option("--stage", settings->stage, "Stands for {env} and {stage} in table names")
      ->capture_default_str();
  command->add_option("--table", settings->table, "Only this table: its name in the model or in the store");
  command->add_flag("--repair", settings->repair,
                    "Put index attributes and times to live right; everything else is only reported");
  command->add_option("--max-findings", settings->findings_shown_max, "How many findings to print")
      ->capture_default_str();
  return [settings] { return Verify(*settings); };
}

}  // namespace cairn::server
