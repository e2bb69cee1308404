#include "model/record.h"

#include <gtest/gtest.h>

#include "model/model_for_test.h"

namespace cairn::model {
namespace {

using item::AttributeValue;
using item::Item;
using item::Number;

class KeyReaderTest : public testing::Test {
 protected:
  Record RecordOf(std::string_view entity_name, const Item& stored) const {
    return {*model_, *model_->FindEntity(entity_name), item::PackedItem::Pack(stored)};
  }
  Record Setting(std::string_view key) const {
    const Entity& entity = *model_->FindEntity("Setting");
    Item stored;
    stored.Set(model_->TableOf(entity).pk_attribute, "SETTING#" + std::string(key));
    return RecordOf("Setting", stored);
  }
  Record Revision(std::string_view user, std::string_view order) const {
    Item stored;
    stored.Set("PK", "U#" + std::string(user) + "#D#20260102");
    stored.Set("SK", "REV#2026-01-02T03:04:05.678Z#" + std::string(order) + "#x");
    return RecordOf("Revision", stored);
  }
  // As the record itself tells it, which remembers nothing.
  void ExpectTold(const Record& record, std::string_view name, const AttributeValue& expected) {
    const AttributeValue* told = keys_.Find(record, name);
    ASSERT_NE(told, nullptr);
    EXPECT_TRUE(*told == expected);
    EXPECT_TRUE(record.Find(name) == expected);
  }

  const ModelPtr model_ = ModelOf(kCompleteModel);
  KeyReader keys_;
};

// One reader serves a page that may hold items of several owners: none may get what another's key tells.
TEST_F(KeyReaderTest, TellsEachRecordItsOwnPartition) {
  ExpectTold(Setting("theme"), "key", "theme");
  ExpectTold(Setting("theme"), "key", "theme");
  ExpectTold(Setting("sound"), "key", "sound");
  ExpectTold(Setting("theme"), "key", "theme");
}

TEST_F(KeyReaderTest, TellsWhatTheSortKeySaysOfEach) {
  ExpectTold(Revision("ann", "000001"), "order", Number(1));
  ExpectTold(Revision("ann", "000002"), "order", Number(2));
  ExpectTold(Setting("theme"), "key", "theme");
  ExpectTold(Revision("bob", "000003"), "order", Number(3));
}

TEST_F(KeyReaderTest, SaysNothingOfWhatNoKeyTells) {
  EXPECT_EQ(keys_.Find(Setting("theme"), "phase"), nullptr);
  EXPECT_EQ(keys_.Find(RecordOf("Setting", {}), "key"), nullptr);
  EXPECT_EQ(keys_.Find(RecordOf("Revision", Item{{"PK", "U#ann#D#20260102"}}), "order"), nullptr);
}

}  // namespace
}  // namespace cairn::model
