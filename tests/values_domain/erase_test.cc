// Erasing a user leaves nothing of that user and everything of others, also after interruptions.
#include "domains/values/tags.h"
#include "values_fixture.h"

namespace cairn::values {
namespace {

class Erase : public ValuesTest {
 protected:
  void Live(const std::string& user) {
    const std::string rev = Plant(user);
    for (int i = 0; i < 3; ++i) Do(user, Title("m", "title " + std::to_string(i)));
    for (const auto day : {"2027-01-15", "2027-01-16", "0001-06-01", "9999-06-01"})
      AddTodos(day, {"a", "b"}, user);
    for (const auto name : {"first", "with#sign", "~"}) {
      PutTag put{.name = name, .rev_id = rev};
      ASSERT_TRUE(RunHere(Put(*values_, As(user), std::move(put), NoWitness<Tag>())));
    }
    Set({.timezone = "Asia/Tokyo", .day_start_hour = {}, .auto_rollover = true}, user);
  }
  std::vector<item::Item> ItemsOf(const std::string& user) {
    std::vector<item::Item> items = Stored("App");
    std::erase_if(items, [&](const item::Item& item) {
      const std::string& key = item.Find("PK")->string();
      return key != "U#" + user && !key.starts_with("U#" + user + "#");
    });
    return items;
  }
};

TEST_F(Erase, LeavesNothingOfTheUserAndAllOfOthers) {
  Live("1");
  Live("12");
  const std::vector<item::Item> others = ItemsOf("12");
  ASSERT_THAT(ItemsOf("1"), Not(IsEmpty()));
  ASSERT_TRUE(RunHere(EraseUser(*values_, "1")));
  EXPECT_THAT(ItemsOf("1"), IsEmpty());
  EXPECT_EQ(ItemsOf("12"), others);
  EXPECT_EQ(Stored("App").size(), others.size());
  // Its jobs find nothing to do, and make nothing new.
  clock_.Advance(hours(50));
  RunDue();
  RunDue();
  EXPECT_THAT(ItemsOf("1"), IsEmpty());
  ASSERT_TRUE(RunHere(EraseUser(*values_, "1"))) << "twice is once";
  ASSERT_TRUE(RunHere(EraseUser(*values_, "nobody")));
}

TEST_F(Erase, LongHistoriesGoWhole) {
  Plant();
  for (int i = 0; i < 130; ++i) Do(kAda, Title("m", std::to_string(i)));
  for (int i = 1; i <= 120; ++i) {
    AddTodos("2027-" + std::string(i % 12 < 9 ? "0" : "") + std::to_string(i % 12 + 1) + "-" +
                 std::string(i / 12 < 9 ? "0" : "") + std::to_string(i / 12 + 1),
             {"a"});
  }
  ASSERT_TRUE(RunHere(EraseUser(*values_, kAda)));
  EXPECT_THAT(ItemsOf(kAda), IsEmpty());
}

TEST_F(Erase, PowerCutAnywhereAndRepeatedLeavesNothing) {
  Live("1");
  for (int writes = 0;; ++writes) {
    ASSERT_LT(writes, 300);
    store_->FailAfter(writes);
    const Status erased = RunHere(EraseUser(*values_, "1"));
    StartProcess();
    if (erased) break;
  }
  EXPECT_THAT(ItemsOf("1"), IsEmpty());
}

TEST_F(Erase, UnpublishedSnapshotsGoWithTheirJobs) {
  Live("1");
  model::Session session(*data_, As("1"));
  const TreeRepository::State current = Tree("1");
  TreeRepository::Draft draft{.content = *current.content, .label = RevSource::kDailyUpdate, .touched = {}};
  ASSERT_TRUE(RunHere(values_->trees().Prepare(session, {}, current.head, std::move(draft))));
  ASSERT_TRUE(RunHere(EraseUser(*values_, "1")));
  clock_.Advance(minutes(60));
  RunDue();
  EXPECT_THAT(ItemsOf("1"), IsEmpty());
}

}  // namespace
}  // namespace cairn::values
