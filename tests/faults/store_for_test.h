// A store on a CrashFs, filled by one writer: for tests that damage it.
#pragma once

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "crash_fs.h"
#include "judge.h"
#include "rounds.h"
#include "workload.h"

namespace cairn::faults {

class StoreTest : public testing::Test {
 protected:
  static constexpr uint64_t kSeed = 20;

  void SetUp() override { QuietLog(); }
  void TearDown() override { log::SetLevel(log::Level::kInfo); }

  engine::EngineOptions Options() {
    engine::EngineOptions options;
    options.directory = "/data";
    options.durability = durability_;
    options.cache_bytes = 4 << 20;
    options.write_buffer_bytes = write_buffer_bytes_;
    options.background_jobs = engine::BackgroundJobs::kOff;
    options.env = fs_.env();
    return options;
  }

  Status Open() {
    engine_.reset();
    ASSIGN_OR_RETURN(engine_, engine::Engine::Open(Options(), clock_, random_));
    return {};
  }

  // Opens the store and writes `steps` times.
  void Fill(int steps) {
    const auto opened = Open();
    ASSERT_TRUE(opened) << opened.error().message;
    ASSERT_TRUE(CreateTables(*engine_));
    engine_->RunJobs();
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(writer_.Step(*engine_));
  }

  // Writes until it succeeds.
  bool WritesAgainWithin(std::chrono::seconds limit) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (!writer_.Step(*engine_)) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      fs_.AwaitIo(std::chrono::milliseconds(50));
    }
    return true;
  }

  CrashFs fs_{kSeed};
  FakeClock clock_{Time(std::chrono::seconds(1'800'000'000))};
  SeededRandom random_{kSeed};
  Ledger ledger_;
  Writer writer_{0, kSeed, ledger_, clock_};
  engine::Durability durability_ = engine::Durability::kSync;
  size_t write_buffer_bytes_ = 64 << 10;
  std::unique_ptr<engine::Engine> engine_;
};

}  // namespace cairn::faults
