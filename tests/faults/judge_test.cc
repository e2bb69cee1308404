// The judge itself: which operation is what was found in the store?
#include "judge.h"

#include "base/task.h"
#include "store_for_test.h"

namespace cairn::faults {
namespace {

class JudgeTest : public StoreTest {
 protected:
  item::Item Key() const {
    item::Item key;
    key.Set("pk", item::AttributeValue(place_.pk));
    key.Set("sk", item::AttributeValue(place_.sk));
    return key;
  }
  // Puts an item, and says so.
  int64_t Put() {
    const int64_t number = ledger_.NewNumber();
    item::Item item = Key();
    item.Set("w", item::AttributeValue(*item::Number::Parse(std::to_string(number))));
    const int64_t id = ledger_.Begin({.writes = {{place_, number}}});
    store::PutItemRequest request{.table = place_.table, .item = item, .condition = nullptr};
    EXPECT_TRUE(SyncWait(engine_->PutItem(request)));
    ledger_.Acknowledge(id);
    return number;
  }
  int64_t BeginDelete(int64_t number) { return ledger_.Begin({.writes = {{place_, 0, number}}}); }
  void Delete() {
    store::DeleteItemRequest request{.table = place_.table, .key = Key(), .condition = nullptr};
    EXPECT_TRUE(SyncWait(engine_->DeleteItem(request)));
  }
  std::vector<std::string> Problems() { return Judge(*engine_, ledger_, clock_).problems; }

  const Place place_{kSide, "w9", "k0"};
};

TEST_F(JudgeTest, RemovalThatWasLostAndSentAgainIsTheLaterOne) {
  Fill(0);
  const int64_t number = Put(), lost = BeginDelete(number);
  EXPECT_EQ(Problems(), std::vector<std::string>());
  EXPECT_EQ(ledger_.operations().at(lost).fate, Fate::kLost);
  const int64_t again = BeginDelete(number);
  Delete();  // not answered
  EXPECT_EQ(Problems(), std::vector<std::string>());
  EXPECT_EQ(ledger_.operations().at(again).fate, Fate::kApplied);
}

TEST_F(JudgeTest, RemovalThatWasLostAndIsBackIsNoticed) {
  Fill(0);
  const int64_t number = Put();
  BeginDelete(number);
  EXPECT_EQ(Problems(), std::vector<std::string>());
  Delete();
  EXPECT_EQ(Problems().size(), 1u);
}

}  // namespace
}  // namespace cairn::faults
