// cairn tables and cairn verify: looking into a data directory without a server.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/clock.h"
#include "base/random.h"
#include "base/run_here.h"
#include "base/task.h"
#include "domains/nexus/conformance.h"
#include "engine/engine.h"
#include "jobs/job_queue.h"
#include "models/platform.h"
#include "server/command.h"
#include "server/progress_bar.h"

namespace cairn::server {
namespace {

std::string KeyText(const item::KeySchema& schema) {
  std::string text;
  for (const auto* elements : {&schema.partition, &schema.sort}) {
    for (const item::KeyElement& element : *elements) {
      if (!text.empty()) text += ", ";
      text += element.name + " " + std::string(item::TypeName(element.type));
    }
  }
  return text;
}

void PrintTable(const store::TableDescription& table) {
  std::printf("%-40s %12lld items %14lld bytes   (%s)\n", table.definition.name.c_str(),
              static_cast<long long>(table.item_count), static_cast<long long>(table.size_bytes),
              KeyText(table.definition.key_schema).c_str());
  for (const store::IndexDescription& index : table.indexes) {
    std::printf("  %-38s %12lld items %14lld bytes   (%s)\n", index.definition.name.c_str(),
                static_cast<long long>(index.item_count), static_cast<long long>(index.size_bytes),
                KeyText(index.definition.key_schema).c_str());
  }
}

int Tables(const std::string& data) {
  auto engine = OpenExisting(data);
  if (!engine) return Complain(engine.error().message);
  store::ListTablesRequest request{.limit = SIZE_MAX};
  const auto names = SyncWait((*engine)->ListTables(request));
  if (!names) return Complain(names.error().message);
  for (const std::string& name : names->names) {
    const auto table = SyncWait((*engine)->DescribeTable(name));
    if (table) PrintTable(*table);
  }
  if (names->names.empty()) std::printf("no tables\n");
  return kExitOk;
}

struct VerifySettings {
  std::string data = "./data";
  bool apps = false;
};

// Reads only: what the applications lack is not made.
int VerifyReminders(engine::Engine& engine) {
  const SystemClock clock;
  SystemRandom random;
  model::Database platform(models::platform::LoadModel(), engine, clock, random);
  model::Database database(models::nexus::LoadModel(), engine, clock, random);
  for (const model::Database* one : {&platform, &database}) {
    if (const Status fits = SyncWait(one->CheckTables()); !fits) return Complain(fits.error().message);
    for (size_t table = 0; table < one->model().tables.size(); ++table) {
      const std::string& name = one->physical_name(table);
      if (!SyncWait(engine.DescribeTable(name)))
        return Complain("there is no table " + name + ": no applications were served from here", kExitUsage);
    }
  }
  jobs::JobQueue jobs(platform);
  nexus::Nexus nexus(database, jobs, clock, random);
  const auto inspection = RunHere(nexus::InspectReminders(nexus));
  if (!inspection) return Complain(inspection.error().message);
  for (const std::string& finding : inspection->findings) std::printf("finding: %s\n", finding.c_str());
  std::printf("%lld users with reminders or series, %lld reminders wait: ",
              static_cast<long long>(inspection->users), static_cast<long long>(inspection->waiting));
  if (inspection->findings.empty()) {
    std::printf("no findings\n");
    return kExitOk;
  }
  std::printf("%zu findings\n", inspection->findings.size());
  return kExitFailure;
}

int Verify(const VerifySettings& settings) {
  auto engine = OpenExisting(settings.data);
  if (!engine) return Complain(engine.error().message);
  Result<engine::VerifyReport> report = [&] {
    ProgressBar bar("verifying", 0);
    return (*engine)->Verify([&](uint64_t rows) { bar.Update(rows); });
  }();
  if (!report) return Complain(report.error().message);
  for (const std::string& finding : report->findings) std::printf("finding: %s\n", finding.c_str());
  std::printf("%llu tables, %llu items, %llu index rows, %llu stream records: %s\n",
              static_cast<unsigned long long>(report->tables), static_cast<unsigned long long>(report->items),
              static_cast<unsigned long long>(report->index_rows),
              static_cast<unsigned long long>(report->stream_records),
              report->findings.empty() ? "no findings" : "DAMAGED");
  if (!report->findings.empty()) return kExitFailure;
  return settings.apps ? VerifyReminders(**engine) : kExitOk;
}

}  // namespace

Command AddTables(CLI::App& program) {
  auto* command = program.add_subcommand("tables", "List the tables of a data directory with their sizes");
  auto data = std::make_shared<std::string>("./data");
  command->add_option("--data", *data, "Data directory")->capture_default_str();
  return [data] { return Tables(*data); };
}

Command AddVerify(CLI::App& program) {
  auto* command = program.add_subcommand(
      "verify",
      "Check a data directory: checksums, every index row against its item, counts, every stream record. "
      "Exit code 1 when something is wrong");
  auto settings = std::make_shared<VerifySettings>();
  command->add_option("--data", settings->data, "Data directory; no server may be using it")
      ->capture_default_str();
  command->add_flag("--apps", settings->apps,
                    "Also check what the applications keep: every reminder that waits has a job at its "
                    "moment, and what it reminds of exists, wants it and starts when the reminder says; "
                    "every series with reminders has its next one. After a crash let the server run for "
                    "two minutes first: it finishes what was interrupted");
  return [settings] { return Verify(*settings); };
}

}  // namespace cairn::server
