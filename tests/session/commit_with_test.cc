// Sessions of two models that commit together: both or neither.
#include "session_fixture.h"

namespace cairn::model {
namespace {

constexpr std::string_view kNotes = R"(
format = "cairn-model/1"
name   = "notes"
[table.t]
name = "Notes"
pk   = "PK"
sk   = "SK"
discriminate = "key"
tenant = { param = "userId", leading = "U#{userId}", claim = "sub" }
[entity.Note]
pk   = "U#{userId}"
sk   = "NOTE#{noteId}"
lock = { version = "version" }
[entity.Note.attr]
userId  = { type = "id", required = true, stored = false }
noteId  = "id!"
text    = "string"
version = "int"
)";

constexpr std::string_view kReceipts = R"(
format = "cairn-model/1"
name   = "receipts"
[table.r]
name = "Receipts"
pk   = "PK"
sk   = "SK"
discriminate = "key"
tenant = { param = "userId", leading = "U#{userId}", claim = "sub" }
[entity.Receipt]
pk    = "U#{userId}"
sk    = "R#{key}"
write = "once"
[entity.Receipt.attr]
userId = { type = "id", required = true, stored = false }
key    = "id!"
)";

class CommitWithTest : public SessionTest {
 protected:
  void SetUp() override {
    Start(kNotes);
    receipts_ = std::make_unique<Database>(LoadOrDie(kReceipts), *engine_, clock_, random_);
    const Status created = RunHere(receipts_->CreateTables());
    ASSERT_TRUE(created) << created.error().message;
  }
  void TearDown() override {
    receipts_.reset();
    SessionTest::TearDown();
  }

  const Entity& Receipt() const { return *receipts_->model().FindEntity("Receipt"); }
  // A note and a receipt in one transaction.
  Outcome<Committed> Write(const std::string& note, const std::string& receipt) {
    Session session(*database_, As("u"));
    Session along(*receipts_, As("u"));
    EXPECT_TRUE(session.Create(E("Note"), {{"noteId", note}}));
    EXPECT_TRUE(along.Create(Receipt(), {{"key", receipt}}));
    return SyncWait(session.CommitWith(along));
  }
  bool HasReceipt(const std::string& key) {
    Session session(*receipts_, As("u"));
    return SyncWait(session.Get(Receipt(), {{"key", key}}))->has_value();
  }
  bool HasNote(const std::string& id) { return Get(As("u"), "Note", {{"noteId", id}}).has_value(); }

  std::unique_ptr<Database> receipts_;
};

TEST_F(CommitWithTest, BothAreWritten) {
  const auto committed = Write("n1", "r1");
  ASSERT_TRUE(committed);
  EXPECT_EQ(committed->values.size(), 1u);
  EXPECT_TRUE(HasNote("n1"));
  EXPECT_TRUE(HasReceipt("r1"));
}

TEST_F(CommitWithTest, RefusalOfTheOtherWritesNothingAndNamesItsEntity) {
  ASSERT_TRUE(Write("n1", "r1"));
  const auto again = Write("n2", "r1");
  ASSERT_FALSE(again);
  ASSERT_EQ(again.error().conflicts.size(), 1u);
  EXPECT_EQ(again.error().conflicts.front().entity, &Receipt());
  EXPECT_EQ(again.error().conflicts.front().kind, ConflictKind::kAlreadyExists);
  EXPECT_FALSE(HasNote("n2"));
}

TEST_F(CommitWithTest, OwnRefusalWritesNothingOfTheOther) {
  ASSERT_TRUE(Write("n1", "r1"));
  const auto again = Write("n1", "r2");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().conflicts.front().entity, &E("Note"));
  EXPECT_FALSE(HasReceipt("r2"));
}

TEST_F(CommitWithTest, NothingStagedHereStillWritesTheOther) {
  Session session(*database_, As("u"));
  Session along(*receipts_, As("u"));
  ASSERT_TRUE(along.Create(Receipt(), {{"key", "r1"}}));
  ASSERT_TRUE(SyncWait(session.CommitWith(along)));
  EXPECT_TRUE(HasReceipt("r1"));
}

TEST_F(CommitWithTest, LosingARaceStartsOverWithBoth) {
  ASSERT_TRUE(Create(As("u"), "Note", {{"noteId", "n1"}}));
  Session session(*database_, As("u"));
  Session along(*receipts_, As("u"));
  ASSERT_TRUE(
      session.Update(E("Note"), {{"noteId", "n1"}}, {.set = {{"text", "mine"}}, .remove = {}, .add = {}}));
  ASSERT_TRUE(along.Create(Receipt(), {{"key", "r1"}}));
  ASSERT_TRUE(
      Update(As("u"), "Note", {{"noteId", "n1"}}, {.set = {{"text", "theirs"}}, .remove = {}, .add = {}}));
  ASSERT_TRUE(SyncWait(session.CommitWith(along)));
  EXPECT_EQ(Text(*Get(As("u"), "Note", {{"noteId", "n1"}}), "text"), "mine");
  EXPECT_TRUE(HasReceipt("r1"));
}

}  // namespace
}  // namespace cairn::model
