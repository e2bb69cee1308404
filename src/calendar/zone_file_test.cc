#include "calendar/internal/zone_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/zone_folder.h"
#include "calendar/zone_data.h"

namespace cairn::calendar {
namespace {

std::string BytesOf(const std::string& zone) {
  std::ifstream file(ZoneFolder() + zone, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(ZoneFile, HasChangesAndTheRuleAfterThem) {
  const auto zone = ParseZoneFile(BytesOf("Europe/Berlin"));
  ASSERT_TRUE(zone);
  EXPECT_EQ(zone->first_offset, std::chrono::seconds(3208));  // the sun's time: 53 minutes and 28 seconds
  EXPECT_EQ(zone->tail, "CET-1CEST,M3.5.0,M10.5.0/3");
  EXPECT_GT(zone->changes.size(), 50u);
  const auto utc = ParseZoneFile(BytesOf("UTC"));
  ASSERT_TRUE(utc);
  EXPECT_TRUE(utc->changes.empty());
}

TEST(ZoneFile, WhatIsCutOrNoZoneIsRefused) {
  const std::string whole = BytesOf("Europe/Berlin");
  ASSERT_GT(whole.size(), 100u);
  for (size_t size = 0; size < whole.size(); ++size) {
    const auto cut = ParseZoneFile(whole.substr(0, size));
    ASSERT_FALSE(cut) << size;
    EXPECT_EQ(cut.error().code, Code::kDamaged);
  }
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0xFF);
    (void)ParseZoneFile(damaged);  // whatever comes of it, no byte outside is read
  }
}

TEST(ZoneData, VersionIsTheSameUntilAFileDiffers) {
  const auto version = ZoneDataVersion();
  ASSERT_TRUE(version);
  EXPECT_EQ(version->size(), 16u);
  EXPECT_EQ(*ZoneDataVersion(), *version);
}

}  // namespace
}  // namespace cairn::calendar
