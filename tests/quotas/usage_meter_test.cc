#include "quotas/usage_meter.h"

#include <gmock/gmock.h>

#include "base/log.h"
#include "models/nexus.h"
#include "models/platform.h"
#include "models/values.h"
#include "session_fixture.h"

namespace cairn::quotas {
namespace {

namespace nexus = models::nexus;
namespace values = models::values;
using testing::ElementsAre;
using testing::IsEmpty;

class UsageMeterTest : public model::SessionTest {
 protected:
  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    Start(models::platform::LoadModel());
    nexus_.emplace(nexus::LoadModel(), *engine_, clock_, random_);
    values_.emplace(values::LoadModel(), *engine_, clock_, random_);
    ASSERT_TRUE(RunHere(nexus_->CreateTables()));
    ASSERT_TRUE(RunHere(values_->CreateTables()));
    Restart();
  }
  void TearDown() override {
    feed_.reset();
    meter_.reset();
    hub_.reset();
    values_.reset();
    nexus_.reset();
    model::SessionTest::TearDown();
    log::SetLevel(log::Level::kInfo);
  }

  // A new process on the same data; what the one before has not kept is gone.
  void Restart() {
    feed_.reset();
    written_.clear();
    meter_.emplace(*database_, *engine_, clock_,
                   std::vector<Product>{{"values", &*values_}, {"nexus", &*nexus_}},
                   [this](std::string_view user, int64_t bytes) { written_[std::string(user)] += bytes; });
    const Status opened = RunHere(meter_->Open());
    ASSERT_TRUE(opened) << opened.error().message;
    hub_.emplace(sealer_);
    hub_->AddFeed("values", {"values"});
    hub_->AddFeed("nexus", {"nexus"});
    const auto nothing = [](const store::StreamRecord&) { return std::vector<live::Event>(); };
    feed_.emplace(*engine_, *hub_,
                  std::vector<live::Source>{{"values", values_->physical_name(0), nothing},
                                            {"nexus", nexus_->physical_name(0), nothing}},
                  &*meter_);
    Pump();
  }
  void Pump() { RunHere(feed_->PumpOnce()); }

  std::string AddNote(const std::string& user, size_t bytes) {
    model::Session session(*nexus_, As(user));
    nexus::Note note;
    note.title = "a note";
    note.body = std::string(bytes, 'x');
    auto created = nexus::CreateNote(session, note);
    EXPECT_TRUE(created);
    EXPECT_TRUE(RunHere(session.Commit()));
    return created->note_id.value_or("");
  }
  void DeleteNote(const std::string& user, const std::string& id) {
    model::Session session(*nexus_, As(user));
    const nexus::NoteKey key{.note_id = id};
    ASSERT_TRUE(nexus::DeleteNote(session, key));
    ASSERT_TRUE(RunHere(session.Commit()));
  }
  void AddTag(const std::string& user, const std::string& name) {
    model::Session session(*values_, As(user));
    values::ValuesTag tag;
    tag.name = name;
    tag.rev_id = "01JCZZZZZZZZZZZZZZZZZZZZZZ";
    tag.rev_ts = "2026-11-16T09:00:00.000Z";
    ASSERT_TRUE(values::CreateValuesTag(session, tag));
    ASSERT_TRUE(RunHere(session.Commit()));
  }

  std::vector<Usage> Of(const std::string& user) {
    auto usage = RunHere(meter_->Read(user));
    return usage ? *usage : std::vector<Usage>();
  }
  // What the tables say.
  std::vector<Usage> Stored(const std::string& user) {
    return {In(values_->physical_name(0), "U#" + user), In(nexus_->physical_name(0), "USER#" + user)};
  }
  Usage In(const std::string& table, const std::string& leading) {
    Usage usage;
    store::ScanRequest request;
    request.table = table;
    const auto page = RunHere(engine_->Scan(request));
    for (const item::PackedItem& item : page->items) {
      const std::string pk = item.Find("PK")->string();
      if (pk != leading && !pk.starts_with(leading + "#")) continue;
      usage.bytes += static_cast<int64_t>(item.ItemBytes());
      ++usage.items;
    }
    return usage;
  }
  std::vector<std::string> KeptOf(const std::string& user) {
    model::Session session(*database_, model::Caller::SystemFor({{"sub", user}}));
    const model::typed::PageOptions options;
    const auto page = RunHere(models::platform::ReadUsage(session, options));
    std::vector<std::string> kept;
    for (const auto& usage : page->items) kept.push_back(usage.product);
    return kept;
  }

  std::optional<model::Database> nexus_, values_;
  model::CursorSealer sealer_{"a secret of thirty-two bytes ....", random_};
  std::optional<live::Hub> hub_;
  std::optional<UsageMeter> meter_;
  std::optional<live::ChangeFeed> feed_;
  std::map<std::string, int64_t> written_;
};

TEST_F(UsageMeterTest, AgreesWithTheTables) {
  const std::string id = AddNote("ada", 5'000);
  AddNote("ada", 100);
  AddNote("bob", 10);
  AddTag("ada", "first");
  AddTag("ada", "second");
  Pump();
  EXPECT_EQ(Of("ada"), Stored("ada"));
  EXPECT_EQ(Of("bob"), Stored("bob"));
  EXPECT_EQ(Of("ada")[0].items, 2) << "of a table whose stream has no images";
  EXPECT_GT(Of("ada")[0].bytes, 0);
  DeleteNote("ada", id);
  Pump();
  EXPECT_EQ(Of("ada"), Stored("ada"));
  EXPECT_EQ(Of("nobody"), std::vector<Usage>(2));
  EXPECT_GT(written_["ada"], 5'100) << "also what is not kept any more";
}

TEST_F(UsageMeterTest, CrashLosesNothingAndCountsNothingTwice) {
  AddNote("ada", 1'000);
  Pump();
  clock_.Advance(std::chrono::seconds(11));
  AddNote("ada", 2'000);
  Pump();  // which keeps it
  EXPECT_THAT(KeptOf("ada"), ElementsAre("nexus"));
  AddNote("ada", 3'000);
  AddNote("bob", 10);
  Pump();
  AddNote("bob", 20);  // nobody has seen it
  Restart();
  EXPECT_EQ(Of("ada"), Stored("ada"));
  EXPECT_EQ(Of("bob"), Stored("bob"));
  Restart();
  EXPECT_EQ(Of("ada"), Stored("ada"));
}

TEST_F(UsageMeterTest, CleanStopKeepsAllOfIt) {
  AddNote("ada", 1'000);
  AddTag("ada", "first");
  Pump();
  ASSERT_TRUE(RunHere(meter_->Close()));
  EXPECT_THAT(KeptOf("ada"), ElementsAre("nexus", "values"));
  Restart();
  EXPECT_EQ(Of("ada"), Stored("ada"));
}

TEST_F(UsageMeterTest, StoreOfAnOlderVersionIsCountedOnce) {
  AddNote("ada", 1'000);
  AddTag("bob", "first");
  // Of a server that counted nothing.
  model::Session session(*database_, model::Caller::System());
  for (const char* name : {"usage-values", "usage-nexus"}) {
    const models::platform::ProgressKey key{.name = name};
    ASSERT_TRUE(models::platform::DeleteProgress(session, key));
  }
  ASSERT_TRUE(RunHere(session.Commit()));
  Restart();
  EXPECT_EQ(Of("ada"), Stored("ada"));
  EXPECT_EQ(Of("bob"), Stored("bob"));
  EXPECT_THAT(KeptOf("bob"), ElementsAre("values"));
  AddNote("ada", 10);
  Pump();
  EXPECT_EQ(Of("ada"), Stored("ada"));
}

TEST_F(UsageMeterTest, WhoKeepsNothingHasNoItem) {
  const std::string id = AddNote("ada", 1'000);
  Pump();
  ASSERT_TRUE(RunHere(meter_->Close()));
  DeleteNote("ada", id);
  Pump();
  ASSERT_TRUE(RunHere(meter_->Close()));
  EXPECT_THAT(KeptOf("ada"), IsEmpty());
}

TEST_F(UsageMeterTest, OfAnErasedAccountNothingIsKept) {
  const std::string id = AddNote("ada", 1'000);
  Pump();
  ASSERT_TRUE(RunHere(meter_->Close()));
  ASSERT_TRUE(RunHere(meter_->Forget("ada")));
  EXPECT_THAT(KeptOf("ada"), IsEmpty());
  AddNote("ada", 10);  // somebody was late
  Pump();
  ASSERT_TRUE(RunHere(meter_->Close()));
  EXPECT_THAT(KeptOf("ada"), IsEmpty());
}

}  // namespace
}  // namespace cairn::quotas
