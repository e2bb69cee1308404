// Random edits of random series against a plain list of occurrences (README.md).
#include <gmock/gmock.h>

#include <iostream>

#include "base/log.h"
#include "journey.h"
#include "models/platform.h"
#include "session_fixture.h"

namespace cairn::nexus {
namespace {

constexpr uint64_t kSeedDefault = 20'261'118;
constexpr int64_t kEditsDefault = 600;

class SeriesEditsTest : public model::SessionTest {
 protected:
  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    Start(models::platform::LoadModel());
    data_ = std::make_unique<model::Database>(models::nexus::LoadModel(), *engine_, clock_, random_,
                                              model::DatabaseOptions{.cursor_secret = "secret"});
    ASSERT_TRUE(RunHere(data_->CreateTables()));
    queue_ = std::make_unique<jobs::JobQueue>(*database_);
    nexus_ = std::make_unique<Nexus>(*data_, *queue_, clock_, random_);
  }
  void TearDown() override {
    nexus_.reset();
    queue_.reset();
    data_.reset();
    model::SessionTest::TearDown();
    log::SetLevel(log::Level::kInfo);
  }

  std::unique_ptr<model::Database> data_;
  std::unique_ptr<jobs::JobQueue> queue_;
  std::unique_ptr<Nexus> nexus_;
};

TEST_F(SeriesEditsTest, EveryEditIsAsAPersonExpects) {
  const auto seed = static_cast<uint64_t>(Setting("CAIRN_SEED", static_cast<int64_t>(kSeedDefault)));
  const int64_t wanted = Setting("CAIRN_EDITS", kEditsDefault);
  std::map<std::string, int64_t> done;
  int64_t edits = 0;
  uint64_t runs = 0;
  for (; edits < wanted && !HasFailure(); ++runs) {
    SCOPED_TRACE("CAIRN_SEED=" + std::to_string(seed + runs));
    Journey run(*nexus_, clock_, seed + runs);
    edits += run.Go();
    for (const auto& [name, count] : run.done()) done[name] += count;
  }
  std::cout << edits << " edits in " << runs << " runs from CAIRN_SEED=" << seed << "\n";
  for (const auto& [name, count] : done) std::cout << "  " << count << " " << name << "\n";
}

}  // namespace
}  // namespace cairn::nexus
