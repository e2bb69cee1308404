#include "dynamodb/arn.h"

namespace cairn::dynamodb {
namespace {

TEST(ArnSpace, BuildsWhatParsingTakesApart) {
  const ArnSpace arns{.region = "eu-west-1"};
  EXPECT_EQ(arns.Table("Orders"), "arn:aws:dynamodb:eu-west-1:000000000000:table/Orders");
  EXPECT_EQ(arns.Index("Orders", "by-date"),
            "arn:aws:dynamodb:eu-west-1:000000000000:table/Orders/index/by-date");
  EXPECT_EQ(TableOfArn(arns.Table("Orders")), "Orders");
  const store::StreamId stream{"Orders", "2026-11-15T19:42:30.123"};
  EXPECT_EQ(StreamOfArn(arns.Stream(stream)), stream);
  const auto backup = BackupOfArn(arns.Backup({"Orders", "0179-1a2b"}));
  ASSERT_TRUE(backup);
  EXPECT_EQ(backup->table, "Orders");
  EXPECT_EQ(backup->id, "0179-1a2b");
}

TEST(TableOfArn, AcceptsAnyRegionAndAccount) {
  EXPECT_EQ(TableOfArn("arn:aws-cn:dynamodb:cn-north-1:123456789012:table/abc"), "abc");
  EXPECT_EQ(TableOfArn("arn:aws:dynamodb:ddblocal:000000000000:table/abc"), "abc");
}

TEST(TableOfArn, RefusesEverythingElse) {
  for (const char* text :
       {"", "abc", "arn:", "arn:aws:dynamodb:r:a:table/", "arn:aws:dynamodb:r:a:table/ab",
        "arn:aws:s3:r:a:table/abc", "arn:aws:dynamodb::a:table/abc", "arn:aws:dynamodb:r:a:tables/abc",
        "arn:aws:dynamodb:r:a:table/a b c", "arn:aws:dynamodb:r:a:table/abc/",
        "arn:aws:dynamodb:r:a:table/abc/index/i", "arn:aws:dynamodb:r:a", "brn:aws:dynamodb:r:a:table/abc"}) {
    EXPECT_FALSE(TableOfArn(text)) << text;
  }
}

TEST(StreamOfArn, RefusesOtherKindsAndDeeperPaths) {
  EXPECT_FALSE(StreamOfArn("arn:aws:dynamodb:r:a:table/abc"));
  EXPECT_FALSE(StreamOfArn("arn:aws:dynamodb:r:a:table/abc/backup/x"));
  EXPECT_FALSE(StreamOfArn("arn:aws:dynamodb:r:a:table/abc/stream/"));
  EXPECT_FALSE(StreamOfArn("arn:aws:dynamodb:r:a:table/abc/stream/x/y"));
}

}  // namespace
}  // namespace cairn::dynamodb
