#include "engine/internal/jobs.h"

#include "base/task.h"
#include "engine/internal/client_tokens.h"

namespace cairn::engine::internal {
namespace {

// As many as come in twenty seconds at a thousand transactions a second.
TEST(Jobs, EveryExpiredTokenGoesInOneSweep) {
  EngineOptions options;
  options.durability = Durability::kMemory;
  options.background_jobs = BackgroundJobs::kOff;
  FakeClock clock{Time(std::chrono::seconds(1'800'000'000))};
  auto database = *Database::Open(options);
  auto catalog = *Catalog::Load(*database);
  Writer writer(*database, clock, 1, Writer::Sequences::kKept);
  Jobs jobs(options, *database, *catalog, writer, clock);
  auto save = [&](CommitGroup& group) -> Status {
    for (int i = 0; i < 20'000; ++i) SaveToken(group, "token" + std::to_string(i), "fingerprint");
    return {};
  };
  const auto submit = [&]() -> Task<Status> { co_return co_await writer.Submit(save); };
  ASSERT_TRUE(SyncWait(submit()));
  const auto count = [&] {
    const rocksdb::Slice low("", 0), high("\xff", 1);
    const auto rows = database->Iterate(Family::kCatalog, low, high);
    size_t tokens = 0;
    for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
      const char kind = rows->key()[0];
      tokens += kind == kTokenPrefix || kind == kTokenExpiryPrefix ? 1 : 0;
    }
    return tokens;
  };
  jobs.RunRound();
  EXPECT_EQ(count(), 40'000u);
  clock.Advance(kTokenLifetime + std::chrono::seconds(1));
  jobs.RunRound();
  EXPECT_EQ(count(), 0u);
}

}  // namespace
}  // namespace cairn::engine::internal
