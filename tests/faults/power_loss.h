// Power losses, one after the other, on one store: concurrent writers, a cut at a random I/O, what the disk
// kept, the judge.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "crash_fs.h"
#include "engine/engine.h"
#include "judge.h"
#include "workload.h"

namespace cairn::faults {

struct PowerLossOptions {
  uint64_t seed = 1;
  engine::Durability durability = engine::Durability::kSync;  // how the store is opened
  engine::Durability promised = engine::Durability::kSync;    // what it is judged by
  Tail tail = Tail::kLost;
  int writers = 4;
  uint64_t cut_within_io = 400;  // the power goes at one of so many I/Os
  std::chrono::milliseconds relaxed_sync_interval{20};
  // What relaxed durability may lose: its interval, and as much more as a busy machine may take.
  std::chrono::milliseconds loss_window{1020};
};

class PowerLoss {
 public:
  explicit PowerLoss(const PowerLossOptions& options);
  ~PowerLoss();

  // Runs until the power goes, starts again, judges. What went wrong, or nothing.
  std::vector<std::string> Round();

  CrashFs& fs() { return fs_; }
  const Ledger& ledger() const { return ledger_; }
  std::chrono::milliseconds longest_loss() const { return longest_loss_; }
  engine::EngineOptions StoreOptions();
  // Called between power loss and restart: for faults that are planted.
  std::function<void()> before_restart;

 private:
  Status Start();
  void WriteUntilTheCut();
  std::vector<std::string> Restart();
  std::vector<std::string> AfterRestart();

  const PowerLossOptions options_;
  RandomEngine random_;
  CrashFs fs_;
  FakeClock clock_{Time(std::chrono::seconds(1'800'000'000))};
  SeededRandom engine_random_;
  Ledger ledger_;
  std::vector<std::unique_ptr<Writer>> writers_;
  Caretaker caretaker_;
  std::unique_ptr<engine::Engine> engine_;
  std::chrono::milliseconds longest_loss_{0};
};

}  // namespace cairn::faults
