#include "modelgen/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::modelgen {
namespace {

using testing::ElementsAre;

TEST(Words, CaseAndSeparatorsEndWords) {
  EXPECT_THAT(Words("dueDate"), ElementsAre("due", "date"));
  EXPECT_THAT(Words("DueDate"), ElementsAre("due", "date"));
  EXPECT_THAT(Words("due_date"), ElementsAre("due", "date"));
  EXPECT_THAT(Words("DUE-DATE"), ElementsAre("due", "date"));
  EXPECT_THAT(Words("Quick Treat"), ElementsAre("quick", "treat"));
  EXPECT_THAT(Words("__a__"), ElementsAre("a"));
}

TEST(Words, AbbreviationsStayTogether) {
  EXPECT_THAT(Words("URLPath"), ElementsAre("url", "path"));
  EXPECT_THAT(Words("startUTC"), ElementsAre("start", "utc"));
  EXPECT_THAT(Words("TTL"), ElementsAre("ttl"));
}

TEST(Words, DigitsBelongToTheWordBefore) {
  EXPECT_THAT(Words("s3Path"), ElementsAre("s3", "path"));
  EXPECT_THAT(Words("model3d"), ElementsAre("model3d"));
  EXPECT_THAT(Words("GSI1PK"), ElementsAre("gsi1", "pk"));
}

TEST(SnakeCase, KeywordsGetAnUnderscore) {
  EXPECT_EQ(SnakeCase("startTimeIso"), "start_time_iso");
  EXPECT_EQ(SnakeCase("distanceM"), "distance_m");
  EXPECT_EQ(SnakeCase("default"), "default_");
  EXPECT_EQ(SnakeCase("Delete"), "delete_");
  EXPECT_EQ(SnakeCase("coAwait"), "co_await_");
  EXPECT_EQ(SnakeCase("defaultArea"), "default_area");
}

TEST(PascalCase, WhatIsInFormStays) {
  EXPECT_EQ(PascalCase("UserProfile"), "UserProfile");
  EXPECT_EQ(PascalCase("DataURL"), "DataURL");
  EXPECT_EQ(PascalCase("tasksByStatus"), "TasksByStatus");
  EXPECT_EQ(PascalCase("WALLET_TXN"), "WalletTxn");
  EXPECT_EQ(PascalCase("TTL"), "Ttl");
  EXPECT_EQ(PascalCase("s3Path"), "S3Path");
}

TEST(EnumeratorName, AnyTextBecomesAName) {
  EXPECT_EQ(EnumeratorName("NotStarted", 0), "kNotStarted");
  EXPECT_EQ(EnumeratorName("IN_PROGRESS", 0), "kInProgress");
  EXPECT_EQ(EnumeratorName("target_reached", 0), "kTargetReached");
  EXPECT_EQ(EnumeratorName("Quick Treat", 0), "kQuickTreat");
  EXPECT_EQ(EnumeratorName("P1", 0), "kP1");
  EXPECT_EQ(EnumeratorName("default", 0), "kDefault");
  EXPECT_EQ(EnumeratorName("3d", 0), "k3d");
  EXPECT_EQ(EnumeratorName("+", 1), "kValue2");
}

TEST(EnumeratorName, DigitsDoNotRunTogether) {
  EXPECT_EQ(EnumeratorName("1.5", 0), "k1_5");
  EXPECT_EQ(EnumeratorName("15", 0), "k15");
}

TEST(EnumeratorName, ConstantsOfTheHeaderAreNotHidden) {
  EXPECT_EQ(EnumeratorName("modelName", 0), "kModelName_");
  EXPECT_EQ(EnumeratorName("model", 0), "kModel");
}

TEST(NamespaceName, DashesBecomeUnderscores) { EXPECT_EQ(NamespaceName("personal-os"), "personal_os"); }

}  // namespace
}  // namespace cairn::modelgen
