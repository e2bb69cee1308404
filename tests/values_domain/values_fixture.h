// The values domain with its jobs on an engine in memory, and short ways to use them.
#pragma once

#include <gmock/gmock.h>

#include <set>

#include "base/log.h"
#include "base/time_text.h"
#include "domains/values/commit_plan.h"
#include "domains/values/commit_tree.h"
#include "domains/values/complete_action.h"
#include "domains/values/history/publication.h"
#include "domains/values/jobs.h"
#include "domains/values/plan_day.h"
#include "domains/values/settings.h"
#include "interrupted_store.h"
#include "jobs/job_runner.h"
#include "models/platform.h"
#include "session_fixture.h"

namespace cairn::values {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

inline const std::string kAda = "ada";

class ValuesTest : public model::SessionTest {
 protected:
  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    Start(models::platform::LoadModel());  // database_ stays: the platform's tables, past any interruption
    StartProcess();
  }
  void TearDown() override {
    StopProcess();
    model::SessionTest::TearDown();
    log::SetLevel(log::Level::kInfo);
  }

  void StopProcess() {
    runner_.reset();
    values_.reset();
    queue_.reset();
    data_.reset();
    platform_.reset();
    store_.reset();
  }
  // A new process on the same data: it knows only what is stored, and nothing interrupts it.
  void StartProcess() {
    StopProcess();
    store_ = std::make_unique<InterruptedStore>(*engine_);
    platform_ = std::make_unique<model::Database>(models::platform::LoadModel(), *store_, clock_, random_);
    data_ = std::make_unique<model::Database>(models::values::LoadModel(), *store_, clock_, random_);
    const Status created = RunHere(data_->CreateTables());
    ASSERT_TRUE(created) << created.error().message;
    queue_ = std::make_unique<jobs::JobQueue>(*platform_);
    values_ = std::make_unique<Values>(*data_, *queue_, clock_, random_);
    runner_ = std::make_unique<jobs::JobRunner>(*queue_, clock_, Workers(*values_));
  }
  size_t RunDue() { return RunHere(runner_->RunDue()); }
  std::string NowText() const { return FormatIsoMilliseconds(clock_.Now()); }

  // ---- the tree
  template <class... Operations>
  Decision<TreeCommitted> TryCommit(const std::string& user, Operations... operations) {
    CommitTree request;
    (request.operations.push_back(std::move(operations)), ...);
    return RunHere(Commit(*values_, As(user), std::move(request), NoWitness<TreeCommitted>()));
  }
  template <class... Operations>
  TreeCommitted Do(const std::string& user, Operations... operations) {
    return Value(TryCommit(user, std::move(operations)...));
  }
  // A driver "d" with a milestone "m" and the actions "a", "b", "c" below it.
  std::string Plant(const std::string& user = kAda) {
    return Do(user, Driver("d"), Below("m", NodeType::kMilestone, "d"), Below("a", NodeType::kAction, "m"),
              Below("b", NodeType::kAction, "m"), Below("c", NodeType::kAction, "m"))
        .revision.id;
  }
  static AddNode Driver(std::string id) { return {.node_id = id, .type = NodeType::kDriver, .title = id}; }
  static AddNode Below(std::string id, NodeType type, std::string parent) {
    return {.node_id = id, .type = type, .title = id, .parent_id = parent};
  }
  static EditNode Title(std::string id, std::string title) { return {.node_id = id, .title = title}; }

  Decision<TreeCommitted> TryRestore(Restore by, std::optional<std::string> to = {}) {
    RestoreTree request{.by = by, .to_rev_id = std::move(to)};
    return RunHere(RestoreRevision(*values_, As(kAda), std::move(request), NoWitness<TreeCommitted>()));
  }
  TreeRepository::State Tree(const std::string& user = kAda) {
    model::Session session(*data_, As(user));
    return Value(RunHere(values_->trees().Current(session, {})));
  }
  std::string TitleOf(const std::string& node) { return Tree().content->nodes.at(node).title; }
  std::vector<TreeRepository::Rev> Log(const std::string& user = kAda) {
    model::Session session(*data_, As(user));
    PageOf page{.limit = 100, .cursor = {}};
    return Value(RunHere(TreeKind::ReadHistory(session, {}, page))).revisions;
  }

  // ---- plans
  template <class... Operations>
  Decision<PlanCommitted> TryPlan(const std::string& user, const std::string& day, Operations... operations) {
    CommitPlan request{.day = day, .operations = {}};
    (request.operations.push_back(std::move(operations)), ...);
    return RunHere(Commit(*values_, As(user), std::move(request), NoWitness<PlanCommitted>()));
  }
  void AddTodos(const std::string& day, std::vector<std::string> actions, const std::string& user = kAda) {
    for (std::string& action : actions) Value(TryPlan(user, day, AddTodo{.action_id = action}));
  }
  PlanRepository::State PlanOf(const std::string& day, const std::string& user = kAda) {
    model::Session session(*data_, As(user));
    const PlanKind::Where where{.day = day};
    return Value(RunHere(values_->plans().Current(session, where)));
  }
  std::vector<std::string> TodosOf(const std::string& day, const std::string& user = kAda) {
    const PlanRepository::State plan = PlanOf(day, user);
    std::vector<std::string> actions;
    for (const Todo& todo : plan.content->todos) actions.push_back(todo.action_id);
    return actions;
  }
  Settings Set(ChangeSettings changes, const std::string& user = kAda) {
    return Value(RunHere(ApplySettings(*values_, As(user), std::move(changes), NoWitness<Settings>())));
  }
  Settings SettingsOf(const std::string& user = kAda) {
    model::Session session(*data_, As(user));
    return Value(RunHere(ReadSettings(session)));
  }

  // ---- what is stored, seen past any interruption
  std::vector<item::Item> Stored(const std::string& table) {
    std::vector<item::Item> items;
    store::ScanRequest request;
    request.table = table;
    for (;;) {
      auto page = RunHere(engine_->Scan(request));
      EXPECT_TRUE(page);
      if (!page) return items;
      for (const item::PackedItem& packed : page->items) items.push_back(packed.Unpack());
      if (!page->last_evaluated_key) return items;
      request.exclusive_start_key = page->last_evaluated_key;
    }
  }
  std::set<std::string> Partitions() {
    std::set<std::string> found;
    for (const item::Item& item : Stored("App")) found.insert(item.Find("PK")->string());
    return found;
  }
  size_t JobCount() { return Stored("CairnJobs").size(); }
  // Partitions of snapshots, of trees and plans, whose revision is in no log.
  std::set<std::string> Unpublished() {
    std::set<std::string> snapshots, published;
    for (const item::Item& item : Stored("App")) {
      const std::string& key = item.Find("PK")->string();
      const std::string& sort_key = item.Find("SK")->string();
      if (sort_key.starts_with("NODE#") || sort_key.starts_with("EDGE#") || sort_key.starts_with("TODO#") ||
          sort_key.starts_with("BLOCK#")) {
        snapshots.insert(key);
      } else if (sort_key.starts_with("REV#")) {
        const bool of_tree = sort_key.starts_with("REV#VALUES#");
        published.insert(key + (of_tree ? "#VALUES#" : "#") + item.Find("revId")->string());
      }
    }
    std::erase_if(snapshots, [&](const std::string& key) { return published.contains(key); });
    return snapshots;
  }

  template <class T>
  static Witness<T> NoWitness() {
    return [](model::Session&, const T&) { return model::Outcome<void>(); };
  }
  // The value, or a failed test and an empty value.
  template <class T>
  static T Value(Decision<T> decision) {
    EXPECT_TRUE(decision) << (decision ? "" : decision.error().reason + ": " + decision.error().message);
    return decision ? *std::move(decision) : T();
  }

  std::unique_ptr<InterruptedStore> store_;
  std::unique_ptr<model::Database> platform_, data_;
  std::unique_ptr<jobs::JobQueue> queue_;
  std::unique_ptr<Values> values_;
  std::unique_ptr<jobs::JobRunner> runner_;
};

}  // namespace cairn::values
