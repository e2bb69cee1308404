#include "http/gzip.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace cairn::http {
namespace {

TEST(Gunzip, RestoresWhatGzipMade) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (const size_t size : {0u, 1u, 100u, 16'384u, 16'385u, 300'000u}) {
    std::string text(size, '\0');
    for (char& c : text) c = static_cast<char>('a' + random() % 20);
    const Result<std::string> restored = Gunzip(Gzip(text), size);
    ASSERT_TRUE(restored.has_value()) << size;
    EXPECT_EQ(*restored, text);
  }
}

TEST(Gunzip, SeveralMembersAreOneBody) {
  EXPECT_EQ(*Gunzip(Gzip("one, ") + Gzip("") + Gzip("two"), 100), "one, two");
}

TEST(Gunzip, DamageIsMalformed) {
  const std::string good = Gzip("some text that is long enough to be compressed, compressed, compressed");
  std::string flipped = good;
  flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 0x10);
  std::string wrong_sum = good;
  wrong_sum[good.size() - 8] = static_cast<char>(wrong_sum[good.size() - 8] + 1);
  for (const std::string& bad : {std::string(), std::string("plain text"), flipped, wrong_sum, good + "junk",
                                 good + std::string(1, '\0'), good + good.substr(0, 12)}) {
    const Result<std::string> result = Gunzip(bad, 1'000'000);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, Code::kMalformed);
  }
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(Gunzip(good.substr(0, size), 1000).has_value());
}

TEST(Gunzip, MoreThanTheLimitIsTooLarge) {
  const std::string bomb = Gzip(std::string(50'000'000, 'x'));
  EXPECT_EQ(Gunzip(bomb, 1'000'000).error().code, Code::kTooLarge);
  EXPECT_EQ(Gunzip(Gzip("12345"), 4).error().code, Code::kTooLarge);
  EXPECT_TRUE(Gunzip(Gzip("12345"), 5).has_value());
}

TEST(AcceptsGzip, FollowsQualityValues) {
  for (const char* yes : {"gzip", "GZIP", "deflate, gzip;q=1.0, *;q=0.5", "gzip;q=0.001", "*", "br, x-gzip",
                          "identity;q=0.5, gzip", "identity;q=0, *", "gzip ; q=0.8", "gzip,identity"}) {
    EXPECT_TRUE(AcceptsGzip(yes)) << yes;
  }
  for (const char* no : {"", "identity", "br", "gzip;q=0", "gzip;q=0.000", "*;q=0", "gzip;q=0, *", "gzipx",
                         "gzip;q=0.5, identity", "gzip;q=x", "gzip;q="}) {
    EXPECT_FALSE(AcceptsGzip(no)) << no;
  }
}

TEST(IsCompressible, TextIsAndPicturesAreNot) {
  EXPECT_TRUE(IsCompressible("application/x-amz-json-1.0"));
  EXPECT_TRUE(IsCompressible("text/html; charset=utf-8"));
  EXPECT_TRUE(IsCompressible("image/svg+xml"));
  EXPECT_FALSE(IsCompressible("image/png"));
  EXPECT_FALSE(IsCompressible(""));
}

TEST(Crc32, MatchesTheStandardCheckValue) { EXPECT_EQ(Crc32("123456789"), 0xCBF43926u); }

}  // namespace
}  // namespace cairn::http
