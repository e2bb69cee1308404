// cairn model verify: stored items judged by their model, and index attributes put right on request.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "base/clock.h"
#include "base/random.h"
#include "base/task.h"
#include "engine/engine.h"
#include "model/check_item.h"
#include "model/conditions.h"
#include "model/guard.h"
#include "model/guard_check.h"
#include "model/model_memory.h"
#include "model/move_item.h"
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
  uint64_t moved = 0;  // brought to the type and key that a changed model gives them
  uint64_t repaired = 0;
  uint64_t left = 0;  // findings that no repair can put right
};

class TableVerifier {
 public:
  TableVerifier(engine::Engine& engine, const model::Database& database, size_t table,
                const VerifySettings& settings, std::optional<model::TableOfModel> before, Totals& totals)
      : engine_(engine),
        database_(database),
        table_(table),
        name_(database.physical_name(table)),
        settings_(settings),
        before_(std::move(before)),
        totals_(totals) {}

  Status Run() {
    if (settings_.repair && before_) RETURN_IF_ERROR(MoveAll());
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
  // Items that the model before would find and the one of now would not.
  Status MoveAll() {
    store::ScanRequest request;
    request.table = name_;
    do {
      ASSIGN_OR_RETURN(store::PageResponse page, SyncWait(engine_.Scan(request)));
      for (const item::PackedItem& item : page.items) {
        auto moved = model::MovedItem(*before_->model, before_->position, database_, table_, item);
        if (moved && *moved) RETURN_IF_ERROR(Move(item, **std::move(moved)));
      }
      request.exclusive_start_key = std::move(page.last_evaluated_key);
    } while (request.exclusive_start_key);
    return {};
  }

  // Where the new place is taken the item stays, and is reported like any other.
  Status Move(const item::PackedItem& item, item::Item moved) {
    const model::Table& table = database_.model().tables[table_];
    const item::Item from = model::KeyOfItem(table, item.Unpack());
    const item::Item to = model::KeyOfItem(table, moved);
    store::TransactWriteItemsRequest request;
    store::TransactAction put;
    put.action = store::TransactPut{name_, std::move(moved),
                                    from == to ? nullptr : model::NotExists(table.pk_attribute)};
    request.actions.push_back(std::move(put));
    if (!(from == to)) {
      store::TransactAction gone;
      gone.action = store::TransactDelete{name_, from, nullptr};
      request.actions.push_back(std::move(gone));
    }
    auto written = SyncWait(engine_.TransactWriteItems(std::move(request)));
    if (written) ++totals_.moved;
    if (written || written.error().error.code == Code::kTransactionCanceled) return {};
    return Fail(std::move(written).error().error);
  }

  Status CheckGuards(const item::PackedItem& item, const std::string& entity) {
    ASSIGN_OR_RETURN(const auto findings, SyncWait(model::CheckGuards(database_, table_, item)));
    for (const model::GuardFinding& finding : findings) {
      ++totals_.wrong_items;
      PrintLine(item, entity, finding.attribute, finding.message);
      if (finding.repair.empty()) ++totals_.left;
      if (!settings_.repair || finding.repair.empty()) continue;
      store::TransactWriteItemsRequest request;
      request.actions = finding.repair;
      auto written = SyncWait(engine_.TransactWriteItems(std::move(request)));
      if (!written) return Fail(std::move(written).error().error);
      ++totals_.repaired;
    }
    return {};
  }

  Status Check(const item::PackedItem& item) {
    model::ItemCheck check = model::CheckItem(database_, table_, item);
    RETURN_IF_ERROR(CheckGuards(item, check.entity != nullptr ? check.entity->name : "guard"));
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
      PrintLine(item, check.entity != nullptr ? check.entity->name : "", finding.attribute, finding.message);
    }
  }

  void PrintLine(const item::PackedItem& item, const std::string& entity, const std::string& attribute,
                 const std::string& message) {
    if (totals_.findings++ >= settings_.findings_shown_max) return;
    std::printf("%s: %s: %s%s%s%s%s\n", name_.c_str(), KeyText(item).c_str(), entity.c_str(),
                entity.empty() ? "" : " ", attribute.c_str(), attribute.empty() ? "" : " ", message.c_str());
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
  const std::optional<model::TableOfModel> before_;  // what the model had made of the table
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
    if (totals.moved > 0) {
      std::printf(", %llu items moved to what the model makes of them",
                  static_cast<unsigned long long>(totals.moved));
    }
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
  if (const Status fits = SyncWait(database.CheckTables()); !fits) return Complain(fits.error().message);
  model::ModelMemory memory(**engine);
  const auto remembered = SyncWait(memory.Load());
  if (!remembered) return Complain(remembered.error().message);
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
    const auto before = std::ranges::find_if(*remembered, [&](const model::RememberedModel& one) {
      return one.table == name && one.model == model->name;
    });
    const uint64_t left_before = totals.left;
    auto known = before == remembered->end() ? std::nullopt : model::ReadDefinition(*before);
    if (auto done = TableVerifier(**engine, database, table, settings, std::move(known), totals).Run();
        !done) {
      return Complain(name + ": " + done.error().message);
    }
    ++verified;
    // Everything is as this model wants it: the next start need not look again.
    if (settings.repair && totals.left == left_before) {
      const auto noted =
          SyncWait(memory.Remember(database, table, EpochMilliseconds(clock.Now()), std::nullopt));
      if (!noted) return Complain(noted.error().message);
    }
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
  command->add_flag(
      "--repair", settings->repair,
      "Put right what the model alone decides: index attributes, times to live, guards of unique "
      "values, versions; and types and keys that the model had changed since it was served. "
      "Everything else is only reported");
  command->add_option("--max-findings", settings->findings_shown_max, "How many findings to print")
      ->capture_default_str();
  return [settings] { return Verify(*settings); };
}

}  // namespace cairn::server
