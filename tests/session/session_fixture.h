// A model on a real engine (in memory), with a clock that stands still, and short ways to use sessions from
// tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/run_here.h"
#include "engine/engine.h"
#include "model/load.h"
#include "model/session.h"

namespace cairn::model {

using item::AttributeValue;
using item::Item;
using item::Number;

inline ModelPtr LoadOrDie(std::string_view text) {
  auto model = ParseModel(text, "test.toml");
  std::string problems;
  if (!model) {
    for (const Diagnostic& diagnostic : model.error()) problems += ToString(diagnostic) + "\n";
  }
  CHECK(model.has_value(), problems.c_str());
  return *model;
}

class SessionTest : public testing::Test {
 protected:
  void Start(std::string_view model_text) { Start(LoadOrDie(model_text)); }
  void Start(ModelPtr model) {
    if (engine_ == nullptr) {
      directory_ = std::filesystem::temp_directory_path() / ("cairn_session_" + std::to_string(getpid()));
      engine::EngineOptions options;
      options.directory = directory_.string();
      options.durability = engine::Durability::kMemory;
      options.background_jobs = engine::BackgroundJobs::kOff;
      auto engine = engine::Engine::Open(options, clock_, random_);
      ASSERT_TRUE(engine) << engine.error().message;
      engine_ = *std::move(engine);
    }
    database_ = std::make_unique<Database>(std::move(model), *engine_, clock_, random_);
    const Status created = RunHere(database_->CreateTables());
    ASSERT_TRUE(created) << created.error().message;
  }
  void TearDown() override {
    if (engine_ != nullptr) {
      const auto report = engine_->Verify({});
      ASSERT_TRUE(report);
      EXPECT_EQ(report->findings, std::vector<std::string>());
    }
    database_.reset();
    engine_.reset();
    std::filesystem::remove_all(directory_);
  }

  const Entity& E(std::string_view name) const {
    const Entity* entity = database_->model().FindEntity(name);
    CHECK(entity != nullptr, "the test names an entity of its model");
    return *entity;
  }
  const Pattern& P(std::string_view name) const {
    const Pattern* pattern = database_->model().FindPattern(name);
    CHECK(pattern != nullptr, "the test names a pattern of its model");
    return *pattern;
  }
  static Caller As(std::string user) { return Caller::User({{"sub", std::move(user)}}); }

  Outcome<Item> Create(Caller caller, std::string_view entity, Item values) {
    Session session(*database_, std::move(caller));
    auto created = session.Create(E(entity), std::move(values));
    if (!created) return created;
    auto committed = SyncWait(session.Commit());
    if (!committed) return std::unexpected(std::move(committed).error());
    return *std::move(committed->values.front());
  }
  Outcome<Committed> Update(Caller caller, std::string_view entity, Item key, Changes changes,
                            ExpectedVersion expected = {}) {
    Session session(*database_, std::move(caller));
    if (auto staged = session.Update(E(entity), std::move(key), std::move(changes), std::move(expected));
        !staged) {
      return std::unexpected(std::move(staged).error());
    }
    return SyncWait(session.Commit());
  }
  Outcome<Committed> Delete(Caller caller, std::string_view entity, Item key, ExpectedVersion expected = {}) {
    Session session(*database_, std::move(caller));
    if (auto staged = session.Delete(E(entity), std::move(key), std::move(expected)); !staged) {
      return std::unexpected(std::move(staged).error());
    }
    return SyncWait(session.Commit());
  }
  std::optional<Item> Get(Caller caller, std::string_view entity, Item key) {
    Session session(*database_, std::move(caller));
    auto record = SyncWait(session.Get(E(entity), std::move(key)));
    EXPECT_TRUE(record) << (record ? "" : record.error().error.message);
    if (!record || !*record) return std::nullopt;
    return (**record).Values();
  }
  Outcome<Page> Read(Caller caller, std::string_view pattern, PageRequest request = {}) {
    Session session(*database_, std::move(caller));
    return SyncWait(session.Read(P(pattern), std::move(request)));
  }
  // The item as any DynamoDB client sees it.
  std::optional<Item> Raw(Item key, size_t table = 0) {
    store::GetItemRequest request{
        .table = database_->physical_name(table), .key = std::move(key), .projection = std::nullopt};
    auto response = SyncWait(engine_->GetItem(request));
    EXPECT_TRUE(response);
    if (!response || !response->item) return std::nullopt;
    return response->item->Unpack();
  }
  void RawPut(Item item, size_t table = 0) {
    store::PutItemRequest request{
        .table = database_->physical_name(table), .item = std::move(item), .condition = nullptr};
    EXPECT_TRUE(SyncWait(engine_->PutItem(request)));
  }
  size_t RawCount(size_t table = 0) {
    store::ScanRequest request;
    request.table = database_->physical_name(table);
    auto page = SyncWait(engine_->Scan(request));
    return page ? page->items.size() : 0;
  }

  FakeClock clock_{Time(std::chrono::seconds(1'800'000'000))};  // 2027-01-15T08:00:00Z
  SeededRandom random_{11};
  std::filesystem::path directory_;
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<Database> database_;
};

inline std::string Text(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  return value == nullptr || !value->is(item::Type::kString) ? "(none)" : value->string();
}

#define EXPECT_FAILS(outcome, expected_code, message_part)                          \
  do {                                                                              \
    const auto& outcome_ = (outcome);                                               \
    ASSERT_FALSE(outcome_.has_value());                                             \
    EXPECT_EQ(CodeName(outcome_.error().error.code), CodeName(expected_code));      \
    EXPECT_NE(outcome_.error().error.message.find(message_part), std::string::npos) \
        << outcome_.error().error.message;                                          \
  } while (false)

}  // namespace cairn::model
