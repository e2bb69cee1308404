#include "data_api/own_partition.h"

#include <gtest/gtest.h>

#include "data_api/model_for_test.h"

namespace cairn::data_api {
namespace {

class OwnPartitionTest : public testing::Test {
 protected:
  bool Owns(const std::string& user, std::string_view partition, std::string_view table = "t") {
    return IsOwn(*model_->FindTable(table), model::Caller::User({{"sub", user}}), partition);
  }
  model::ModelPtr model_ = LoadTestModel();
};

TEST_F(OwnPartitionTest, IsTheWholeKeyOrGoesOnBehindTheDelimiter) {
  EXPECT_TRUE(Owns("ada", "U#ada"));
  EXPECT_TRUE(Owns("ada", "U#ada#LIST#1"));
  EXPECT_TRUE(Owns("ada", "U#ada#"));
  for (const std::string_view other : {"U#adam", "U#adam#LIST#1", "U#ad", "U#eve", "U#eve#U#ada", "u#ada",
                                       "U#", "", " U#ada", "U#ada ", "X#U#ada", "U##ada"}) {
    EXPECT_FALSE(Owns("ada", other)) << other;
  }
}

TEST_F(OwnPartitionTest, NobodyOwnsWhatHasNoOwnerRule) {
  EXPECT_FALSE(Owns("ada", "JOB", "shared"));
  EXPECT_FALSE(Owns("ada", "U#ada", "shared"));
}

TEST_F(OwnPartitionTest, AnIdThatCannotStandInAKeyOwnsNothing) {
  EXPECT_FALSE(Owns("ada#LIST", "U#ada#LIST"));
  EXPECT_FALSE(Owns("", "U#"));
  EXPECT_FALSE(IsOwn(*model_->FindTable("t"), model::Caller::User({{"other", "ada"}}), "U#ada"));
  EXPECT_FALSE(IsOwn(*model_->FindTable("t"), model::Caller::System(), "U#ada"));
}

}  // namespace
}  // namespace cairn::data_api
