// What the model layer costs beside the bare store: CPU time of the whole process per operation, both sides
// in turn in the same run, so that a noisy machine disturbs both alike. Prints a table; exit code 1 when a
// target is missed.
//
// usage: bench_model_cost MODELS_DIRECTORY [ROUNDS]
#include <ctime>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/run_here.h"
#include "base/task.h"
#include "engine/engine.h"
#include "model/commit.h"
#include "model/conditions.h"
#include "model/entity_codec.h"
#include "model/session.h"

namespace cairn::bench {
namespace {

using item::Item;
using item::Number;

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// CPU microseconds per call of `work(i)`.
template <class Work>
double Cost(int count, Work work) {
  const double start = CpuSeconds();
  for (int i = 0; i < count; ++i) work(i);
  return (CpuSeconds() - start) * 1e6 / count;
}

// The least disturbed round: on a machine with other work the rest measures that work.
double Best(const std::vector<double>& rounds) { return *std::min_element(rounds.begin(), rounds.end()); }

struct Bench {
  SystemClock clock;
  SystemRandom random;
  std::unique_ptr<engine::Engine> engine;
  std::unique_ptr<model::Database> database;
  const model::Entity* task = nullptr;

  explicit Bench(const std::string& models) {
    engine::EngineOptions options;
    options.directory =
        (std::filesystem::temp_directory_path() / ("cairn_bench_" + std::to_string(getpid()))).string();
    options.durability = engine::Durability::kMemory;
    auto opened = engine::Engine::Open(options, clock, random);
    CHECK(opened.has_value(), "the engine opens");
    engine = *std::move(opened);
    auto loaded = model::LoadModel(models + "/personal-os.toml");
    CHECK(loaded.has_value(), "the model loads");
    database = std::make_unique<model::Database>(*loaded, *engine, clock, random);
    CHECK(RunHere(database->CreateTables()).has_value(), "the tables are there");
    task = database->model().FindEntity("Task");
  }

  Item TaskValues(int i) const {
    return Item{{"id", "task-" + std::to_string(i)},
                {"title", "Review the quarterly figures"},
                {"description", "Compare the spending of the quarter with the plan and note what differs."},
                {"area", "Wealth"},
                {"subCategory", "Income"},
                {"priority", "P2"},
                {"status", "InProgress"},
                {"size", Number(60)},
                {"dueDate", "2026-01-15"},
                {"scheduledDate", "2026-01-14"},
                {"pointValue", Number(120)}};
  }
  static model::Caller User(int i) { return model::Caller::User({{"sub", "user-" + std::to_string(i)}}); }

  // Both sides start from ready attributes and set what differs.
  void ModelWrite(const Item& pattern, int i, int user) {
    model::Session session(*database, User(user));
    Item values = pattern;
    values.Set("id", "task-" + std::to_string(i));
    CHECK(session.Create(*task, std::move(values)).has_value(), "the task is valid");
    CHECK(SyncWait(session.Commit()).has_value(), "the task is written");
  }
  // The same item and the same condition, as a caller without a model would send them, keys ready made.
  void BareWrite(const Item& pattern, int i, int user) {
    store::PutItemRequest request;
    request.table = database->physical_name(0);
    request.item = pattern;
    request.item.Set("pk", "USER#user-" + std::to_string(user));
    request.item.Set("sk", "TASK#task-" + std::to_string(i));
    request.item.Set("id", "task-" + std::to_string(i));
    request.condition = model::NotExists("pk");
    CHECK(SyncWait(engine->PutItem(std::move(request))).has_value(), "the item is written");
  }
  void ModelUpdate(int i, int user) {
    model::Session session(*database, User(user));
    const char* status = i % 2 == 0 ? "Done" : "Blocked";
    CHECK(session.Update(*task, Item{{"id", "task-" + std::to_string(i)}}, {.set = Item{{"status", status}}})
              .has_value(),
          "the change is valid");
    CHECK(SyncWait(session.Commit()).has_value(), "the change is written");
  }
  // What a careful caller does by hand: read, then write the status and the index key, conditional on what
  // was read.
  void BareUpdate(int i, int user) {
    store::GetItemRequest get{
        .table = database->physical_name(0),
        .key = Item{{"pk", "USER#user-" + std::to_string(user)}, {"sk", "TASK#task-" + std::to_string(i)}},
        .consistency = store::Consistency::kStrong,
        .projection = std::nullopt};
    auto got = SyncWait(engine->GetItem(get));
    CHECK(got && got->item, "the item is there");
    const Item old = got->item->Unpack();
    const std::string status = i % 2 == 0 ? "Done" : "Blocked";
    store::UpdateItemRequest request{.table = get.table, .key = get.key, .update = {}, .condition = nullptr};
    const auto set = [&](std::string name, item::AttributeValue value) {
      request.update.sets.push_back(
          {{std::move(name), {}}, std::make_shared<const expr::SetValue>(expr::SetValue{std::move(value)})});
    };
    set("status", status);
    set("gsi1pk", "TASK");
    set("gsi1sk", status + "#" + old.Find("createdAt")->string());
    set("updatedAt", model::TimeValue(model::Kind::kInstantMs, clock.Now()));
    request.condition =
        model::AllOf({model::Exists("pk"), model::Equals("createdAt", *old.Find("createdAt"))});
    CHECK(SyncWait(engine->UpdateItem(std::move(request))).has_value(), "the change is written");
  }
  size_t ModelRead(const model::Pattern& pattern, int user) {
    model::Session session(*database, User(user));
    model::PageRequest request;
    request.limit = 20;
    auto page = SyncWait(session.Read(pattern, std::move(request)));
    CHECK(page.has_value(), "the pattern reads");
    return page->items.size();
  }
  size_t BareRead(int user) {
    store::QueryRequest request;
    request.table = database->physical_name(0);
    request.key_condition.comparisons = {
        {"pk", expr::KeyOperator::kEqual, "USER#user-" + std::to_string(user), item::AttributeValue()},
        {"sk", expr::KeyOperator::kBeginsWith, "TASK#", item::AttributeValue()}};
    request.limit = 21;  // the model reads one ahead to know whether there is a next page
    auto page = SyncWait(engine->Query(std::move(request)));
    CHECK(page.has_value(), "the query reads");
    return page->items.size();
  }
};

bool Row(const char* what, double bare, double with_model, double target) {
  const double ratio = with_model / bare;
  std::printf("%-28s %10.2f %10.2f %8.2f   at most %.1f  %s\n", what, bare, with_model, ratio, target,
              ratio <= target ? "met" : "MISSED");
  return ratio <= target;
}

bool Single(const char* what, double value, const char* unit, double target) {
  std::printf("%-28s %10s %10.2f %8s   under %.0f %s  %s\n", what, "", value, unit, target, unit,
              value < target ? "met" : "MISSED");
  return value < target;
}

double LoadMilliseconds(const std::string& models) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(models)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  }
  std::vector<double> rounds;
  for (int round = 0; round < 9; ++round) {
    const double start = CpuSeconds();
    for (const std::string& file : files) CHECK(model::LoadModel(file).has_value(), "every model loads");
    rounds.push_back((CpuSeconds() - start) * 1e3);
  }
  return Best(rounds);
}

double KeyNanoseconds(const Bench& bench) {
  const model::EntityIndex& index = bench.task->indexes.front();
  Item values = bench.TaskValues(1);
  values.Set("createdAt", "2026-01-10T10:00:00.000Z");
  std::string key;
  std::vector<double> rounds;
  for (int round = 0; round < 9; ++round) {
    rounds.push_back(1e3 * Cost(200'000, [&](int) {
                       key.clear();
                       CHECK(index.sk.AppendTo(key, values).has_value(), "the key is built");
                     }));
  }
  return Best(rounds);
}

int Run(const std::string& models, int rounds) {
  Bench bench(models);
  constexpr int kWrites = 2'000, kUpdates = 1'000, kReads = 5'000;
  std::vector<double> bare_write, model_write, bare_update, model_update, bare_read, model_read;
  const model::Pattern& tasks = *bench.database->model().FindPattern("tasks");
  int user = 0;
  const Item values = bench.TaskValues(0);
  model::Session session(*bench.database, Bench::User(0));
  const Item stored =
      *model::StoredItem(bench.database->model(), *bench.task, {}, *session.Create(*bench.task, values));
  for (int round = 0; round < rounds; ++round) {
    // Twenty tasks for every user, by turns from either side.
    bare_write.push_back(Cost(kWrites, [&](int i) { bench.BareWrite(stored, i, user + i / 20); }));
    bare_update.push_back(Cost(kUpdates, [&](int i) { bench.BareUpdate(i, user + i / 20); }));
    user += kWrites / 20;
    model_write.push_back(Cost(kWrites, [&](int i) { bench.ModelWrite(values, i, user + i / 20); }));
    model_update.push_back(Cost(kUpdates, [&](int i) { bench.ModelUpdate(i, user + i / 20); }));
    user += kWrites / 20;
    size_t found = 0;
    bare_read.push_back(Cost(kReads, [&](int i) { found += bench.BareRead(i % user); }));
    model_read.push_back(Cost(kReads, [&](int i) { found -= bench.ModelRead(tasks, i % user); }));
    CHECK(found == 0, "both sides read the same");
  }
  std::printf("%-28s %10s %10s %8s\n", "CPU us per operation", "bare store", "model", "ratio");
  bool met = Row("create a task, two indexes", Best(bare_write), Best(model_write), 1.5);
  met &= Row("read 20 tasks by a pattern", Best(bare_read), Best(model_read), 1.5);
  met &= Row("change a task's status", Best(bare_update), Best(model_update), 1.5);
  met &= Single("build a key", KeyNanoseconds(bench), "ns", 200);
  met &= Single("load the five models", LoadMilliseconds(models), "ms", 20);
  return met ? 0 : 1;
}

}  // namespace
}  // namespace cairn::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s MODELS_DIRECTORY [ROUNDS]\n", argv[0]);
    return 2;
  }
  return cairn::bench::Run(argv[1], argc > 2 ? std::atoi(argv[2]) : 7);
}
