#include "power_loss.h"

#include <thread>

namespace cairn::faults {
namespace {

using engine::Engine;

constexpr int kStepsMax = 5000;  // of one writer, should the cut never come

}  // namespace

PowerLoss::PowerLoss(const PowerLossOptions& options)
    : options_(options),
      random_(options.seed),
      fs_(options.seed + 1),
      engine_random_(options.seed + 2),
      caretaker_(options.seed + 3) {
  ledger_.CountAnswersWhile([this] { return fs_.power_is_on(); });
  for (int i = 0; i < options.writers; ++i) {
    writers_.push_back(std::make_unique<Writer>(i, random_(), ledger_, clock_));
  }
}

PowerLoss::~PowerLoss() = default;

engine::EngineOptions PowerLoss::StoreOptions() {
  engine::EngineOptions options;
  options.directory = "/data";
  options.durability = options_.durability;
  options.cache_bytes = 4 << 20;
  options.write_buffer_bytes = 64 << 10;  // the least RocksDB takes: many flushes, logs and compactions
  options.relaxed_sync_interval = options_.relaxed_sync_interval;
  options.background_jobs = engine::BackgroundJobs::kOff;
  options.env = fs_.env();
  return options;
}

Status PowerLoss::Start() {
  ASSIGN_OR_RETURN(engine_, Engine::Open(StoreOptions(), clock_, engine_random_));
  return CreateTables(*engine_);
}

void PowerLoss::WriteUntilTheCut() {
  std::vector<std::thread> threads;
  for (const auto& writer : writers_) {
    threads.emplace_back([&] {
      if (!writer->SendOpenTokensAgain(*engine_)) return;
      for (int i = 0; i < kStepsMax && writer->Step(*engine_); ++i) {
      }
    });
  }
  for (int i = 0; i < kStepsMax && fs_.power_is_on() && caretaker_.Step(*engine_); ++i) {
    clock_.Advance(std::chrono::milliseconds(10));
  }
  for (std::thread& thread : threads) thread.join();
  fs_.CutPower();
}

std::vector<std::string> PowerLoss::Round() {
  // Some losses come while the store is still recovering from the one before.
  const bool early = Below(random_, 5) == 0;
  const uint64_t cut_at = 1 + Below(random_, early ? 60 : options_.cut_within_io);
  if (engine_ && early) engine_.reset();
  if (early) fs_.CutPowerAt(cut_at);
  const Status started = engine_ ? Status() : Start();
  if (!started) return {"does not start: " + started.error().message};
  if (!early) fs_.CutPowerAt(cut_at);
  if (fs_.power_is_on()) WriteUntilTheCut();
  return Restart();
}

std::vector<std::string> PowerLoss::Restart() {
  const RelaxedLoss loss{.log_synced = fs_.last_log_sync_begun(),
                         .power_cut = fs_.power_was_cut_at(),
                         .window = options_.loss_window};
  engine_.reset();
  fs_.RestorePower(options_.tail);
  if (before_restart) before_restart();
  if (auto started = Start(); !started)
    return {"does not start after a power loss: " + started.error().message};
  const bool relaxed = options_.promised == engine::Durability::kRelaxed;
  Verdict verdict = Judge(*engine_, ledger_, clock_, relaxed ? std::optional(loss) : std::nullopt);
  longest_loss_ = std::max(longest_loss_, verdict.longest_loss);
  for (const auto& writer : writers_) {
    writer->Learn(verdict.items);
    writer->ForgetLost();
  }
  if (!verdict.problems.empty()) return std::move(verdict.problems);
  return AfterRestart();
}

std::vector<std::string> PowerLoss::AfterRestart() {
  for (const auto& writer : writers_) writer->RepeatAnsweredTokens(*engine_);
  engine_->RunJobs();
  Verdict verdict = Judge(*engine_, ledger_, clock_);
  for (const auto& [place, item] : verdict.items) {
    const int64_t expires = NumberIn(item, "expires");
    if (expires != 0 && expires <= EpochSeconds(clock_.Now())) {
      verdict.problems.push_back(place.ToString() + ": should have expired");
    }
  }
  return std::move(verdict.problems);
}

}  // namespace cairn::faults
