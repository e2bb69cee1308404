#include "base/time_text.h"

#include "base/random.h"

namespace cairn {
namespace {

TEST(TimeText, PrintsMillisecondsInUtc) {
  const Time time{std::chrono::microseconds(1'700'000'000'123'999)};
  EXPECT_EQ(FormatIsoMilliseconds(time), "2023-11-14T22:13:20.123Z");
  EXPECT_EQ(FormatStreamLabel(time), "2023-11-14T22:13:20.123");
}

TEST(Clock, FakeClockMovesOnlyWhenTold) {
  FakeClock clock(Time(std::chrono::seconds(10)));
  EXPECT_EQ(EpochSeconds(clock.Now()), 10);
  clock.Advance(std::chrono::milliseconds(1500));
  EXPECT_EQ(EpochMilliseconds(clock.Now()), 11'500);
}

TEST(Random, SameSeedSameNumbers) {
  SeededRandom a(7), b(7);
  EXPECT_EQ(NewUuid(a), NewUuid(b));
  EXPECT_NE(NewUuid(a), NewUuid(a));
}

TEST(Random, UuidIsVersionFour) {
  SystemRandom random;
  const std::string uuid = NewUuid(random);
  ASSERT_EQ(uuid.size(), 36u);
  EXPECT_EQ(uuid[14], '4');
  EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos);
}

}  // namespace
}  // namespace cairn
