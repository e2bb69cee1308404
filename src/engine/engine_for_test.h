// An engine in a directory of its own, with a clock that stands still, and short ways to call it from tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "base/clock.h"
#include "base/random.h"
#include "base/task.h"
#include "engine/engine.h"

namespace cairn::engine {

using item::AttributeValue;
using item::Item;
using item::Number;

class EngineTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    directory_ =
        std::filesystem::temp_directory_path() / (std::string("cairn_") + info->test_suite_name() + "_" +
                                                  info->name() + "_" + std::to_string(getpid()));
    std::filesystem::remove_all(directory_);
    Open();
  }
  void TearDown() override {
    if (engine_) ExpectSound();
    engine_.reset();
    std::filesystem::remove_all(directory_);
  }

  void Open() {
    options_.directory = directory_.string();
    options_.background_jobs = BackgroundJobs::kOff;
    auto engine = Engine::Open(options_, clock_, random_);
    ASSERT_TRUE(engine) << engine.error().message;
    engine_ = *std::move(engine);
  }
  void Reopen() {
    engine_.reset();
    Open();
  }

  // Every test leaves a store that its own scrub finds nothing wrong with.
  void ExpectSound() {
    const auto report = engine_->Verify({});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->findings, std::vector<std::string>());
  }

  static store::IndexDefinition GlobalIndex(std::string name, std::string partition, std::string sort = "") {
    store::IndexDefinition index{.name = std::move(name)};
    index.key_schema.partition = {{std::move(partition), item::Type::kString}};
    if (!sort.empty()) index.key_schema.sort = {{std::move(sort), item::Type::kString}};
    return index;
  }

  // A table with string keys pk and sk.
  store::TableDescription CreateTable(std::string name, std::vector<store::IndexDefinition> indexes = {},
                                      std::optional<store::StreamSettings> stream = std::nullopt) {
    store::TableDefinition definition;
    definition.name = std::move(name);
    definition.key_schema = {{{"pk", item::Type::kString}}, {{"sk", item::Type::kString}}};
    definition.attribute_definitions = {{"pk", item::Type::kString}, {"sk", item::Type::kString}};
    definition.indexes = std::move(indexes);
    definition.stream = stream;
    auto created = SyncWait(engine_->CreateTable(definition));
    EXPECT_TRUE(created) << (created ? "" : created.error().message);
    return created.value_or(store::TableDescription());
  }

  Result<store::WriteResponse, store::WriteFailure> Put(Item item, expr::ConditionPtr condition = nullptr) {
    store::PutItemRequest request{.table = "T", .item = std::move(item), .condition = std::move(condition)};
    request.return_values = store::ReturnValues::kAllOld;
    return SyncWait(engine_->PutItem(request));
  }
  Result<store::WriteResponse, store::WriteFailure> Remove(std::string pk, std::string sk) {
    store::DeleteItemRequest request{.table = "T", .key = Key(pk, sk), .condition = nullptr};
    return SyncWait(engine_->DeleteItem(request));
  }
  std::optional<Item> Get(std::string pk, std::string sk, std::string table = "T") {
    store::GetItemRequest request{.table = std::move(table), .key = Key(pk, sk), .projection = std::nullopt};
    const auto response = SyncWait(engine_->GetItem(request));
    EXPECT_TRUE(response);
    if (!response || !response->item) return std::nullopt;
    return response->item->Unpack();
  }
  static Item Key(std::string pk, std::string sk) { return Item{{"pk", pk}, {"sk", sk}}; }

  Result<store::PageResponse> QueryIndex(std::string index, std::string partition_name, std::string value) {
    store::QueryRequest request;
    request.table = "T";
    request.index = std::move(index);
    request.key_condition.comparisons = {
        {std::move(partition_name), expr::KeyOperator::kEqual, AttributeValue(value), AttributeValue()}};
    return SyncWait(engine_->Query(request));
  }

  static expr::ConditionPtr NotExists(std::string attribute) {
    return std::make_shared<const expr::Condition>(
        expr::Condition{expr::AttributeNotExists{expr::DocumentPath{std::move(attribute), {}}}});
  }

  std::filesystem::path directory_;
  EngineOptions options_;
  FakeClock clock_{Time(std::chrono::seconds(1'800'000'000))};
  SeededRandom random_{7};
  std::unique_ptr<Engine> engine_;
};

}  // namespace cairn::engine
