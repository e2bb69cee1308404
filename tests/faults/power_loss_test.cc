// What was acknowledged survives power losses; and the kit notices a store of which that is not true.
#include "power_loss.h"

#include <gtest/gtest.h>

#include "raw_database.h"
#include "rounds.h"

namespace cairn::faults {
namespace {

using engine::Durability;

constexpr uint64_t kRoundsPerStore = 8;  // then a new store, so that judging stays quick

class PowerLosses : public testing::Test {
 protected:
  void SetUp() override { QuietLog(); }

  void ExpectNothingLost(PowerLossOptions options) {
    const uint64_t seed = Seed(), rounds = Rounds(24);
    uint64_t acknowledged = 0, done = 0;
    std::chrono::milliseconds longest_loss{0};
    while (done < rounds) {
      options.seed = seed + done;
      PowerLoss run(options);
      for (uint64_t i = 0; i < kRoundsPerStore && done < rounds; ++i, ++done) {
        const auto problems = run.Round();
        ASSERT_EQ(problems, std::vector<std::string>())
            << "round " << i << " of the store with CAIRN_TEST_SEED=" << options.seed;
      }
      acknowledged += run.ledger().Count(Fate::kAcknowledged);
      longest_loss = std::max(longest_loss, run.longest_loss());
    }
    std::printf("%llu power losses, %llu operations acknowledged, oldest loss %lld ms\n",
                static_cast<unsigned long long>(done), static_cast<unsigned long long>(acknowledged),
                static_cast<long long>(longest_loss.count()));
  }
};

TEST_F(PowerLosses, NothingAcknowledgedIsLost) { ExpectNothingLost({}); }

TEST_F(PowerLosses, NothingAcknowledgedIsLostWhenTheTailIsTorn) { ExpectNothingLost({.tail = Tail::kTorn}); }

TEST_F(PowerLosses, RelaxedLosesASuffixWithinItsWindow) {
  ExpectNothingLost({.durability = Durability::kRelaxed, .promised = Durability::kRelaxed});
}

TEST_F(PowerLosses, RelaxedLosesASuffixWithinItsWindowWhenTheTailIsTorn) {
  ExpectNothingLost(
      {.durability = Durability::kRelaxed, .promised = Durability::kRelaxed, .tail = Tail::kTorn});
}

// The kit on stores that break their promises: each has to be noticed, or passing means nothing.
class Mutants : public testing::Test {
 protected:
  void SetUp() override { QuietLog(); }

  static std::vector<std::string> FirstProblems(PowerLoss& run, int rounds_max) {
    std::vector<std::string> problems;
    for (int i = 0; i < rounds_max && problems.empty(); ++i) problems = run.Round();
    return problems;
  }

  // Rounds until a fault could be planted between power loss and restart, and a few more.
  static std::vector<std::string> AfterPlanting(const std::function<bool(RawDatabase&)>& plant) {
    PowerLoss run({.seed = Seed()});
    bool planted = false;
    run.before_restart = [&] {
      if (planted || !RawDatabase::IsThere(run.fs())) return;
      RawDatabase raw(run.fs());
      planted = plant(raw);
    };
    while (!planted) {
      std::vector<std::string> problems = run.Round();
      if (!problems.empty()) return planted ? problems : std::vector<std::string>();
    }
    return FirstProblems(run, 3);
  }
  static bool DeleteFirst(RawDatabase& raw, RawDatabase::Family family, const std::string& prefix = "") {
    const Rows rows = raw.Read(family);
    const auto found = rows.lower_bound(prefix);
    if (found == rows.end() || !found->first.starts_with(prefix)) return false;
    raw.Delete(family, found->first);
    return true;
  }
};

TEST_F(Mutants, DiskThatLiesAboutSyncsIsNoticed) {
  PowerLoss run({.seed = Seed()});
  run.fs().LieAboutSyncs();
  EXPECT_FALSE(FirstProblems(run, 10).empty());
}

TEST_F(Mutants, StoreThatDoesNotSyncIsNoticed) {
  PowerLoss run({.seed = Seed(),
                 .durability = Durability::kRelaxed,
                 .promised = Durability::kSync,
                 .relaxed_sync_interval = std::chrono::milliseconds(3'600'000)});
  EXPECT_FALSE(FirstProblems(run, 10).empty());
}

TEST_F(Mutants, RelaxedStoreThatSyncsTooSeldomIsNoticed) {
  PowerLoss run({.seed = Seed(),
                 .durability = Durability::kRelaxed,
                 .promised = Durability::kRelaxed,
                 .relaxed_sync_interval = std::chrono::milliseconds(3'600'000),
                 .loss_window = std::chrono::milliseconds(1)});
  EXPECT_FALSE(FirstProblems(run, 10).empty());
}

TEST_F(Mutants, LostIndexRowIsNoticed) {
  EXPECT_FALSE(
      AfterPlanting([](RawDatabase& raw) { return DeleteFirst(raw, RawDatabase::kIndexes); }).empty());
}

TEST_F(Mutants, LostItemIsNoticed) {
  EXPECT_FALSE(AfterPlanting([](RawDatabase& raw) { return DeleteFirst(raw, RawDatabase::kItems); }).empty());
}

TEST_F(Mutants, LostStreamRecordIsNoticed) {
  EXPECT_FALSE(
      AfterPlanting([](RawDatabase& raw) { return DeleteFirst(raw, RawDatabase::kStreams); }).empty());
}

TEST_F(Mutants, LostClientTokensAreNoticed) {
  EXPECT_FALSE(AfterPlanting([](RawDatabase& raw) {
                 bool any = false;
                 while (DeleteFirst(raw, RawDatabase::kCatalog, "K")) any = true;
                 while (DeleteFirst(raw, RawDatabase::kCatalog, "X")) any = true;
                 return any;
               }).empty());
}

}  // namespace
}  // namespace cairn::faults
