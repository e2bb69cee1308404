#include "model/name_suggestion.h"

#include <gtest/gtest.h>

namespace cairn::model {
namespace {

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(EditDistance("status", "status"), 0u);
  EXPECT_EQ(EditDistance("status", "STATUS"), 0u);
  EXPECT_EQ(EditDistance("statsu", "status"), 1u);
  EXPECT_EQ(EditDistance("sttus", "status"), 1u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
}

TEST(NearestName, OnlyWhatIsNear) {
  EXPECT_EQ(NearestName("statsu", {"title", "status", "state"}), "status");
  EXPECT_EQ(NearestName("GSI9", {"GSI1", "GSI2"}), "GSI1");
  EXPECT_EQ(NearestName("banana", {"title", "status"}), "");
  EXPECT_EQ(NearestName("x", {"y"}), "");
  EXPECT_EQ(NearestName(std::string(1000, 'a'), {"a"}), "");
  EXPECT_EQ(NearestName("a", {}), "");
}

TEST(DidYouMean, IsASentence) {
  EXPECT_EQ(DidYouMean("pagse", {"pages"}), "; did you mean 'pages'?");
  EXPECT_EQ(DidYouMean("zebra", {"pages"}), "");
}

}  // namespace
}  // namespace cairn::model
