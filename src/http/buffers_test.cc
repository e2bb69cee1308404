#include <gtest/gtest.h>

#include <algorithm>

#include "http/body_buffer.h"
#include "http/input_buffer.h"

namespace cairn::http {
namespace {

void Put(InputBuffer& buffer, std::string_view text) {
  std::ranges::copy(text, buffer.Room().begin());
  buffer.Commit(text.size());
}

TEST(InputBuffer, GrowKeepsWhatIsUnused) {
  InputBuffer buffer(8);
  Put(buffer, "abcdefgh");
  buffer.Consume(3);
  buffer.Grow(7);  // moves
  EXPECT_EQ(buffer.view(), "defgh");
  EXPECT_EQ(buffer.Room().size(), 3u);
  buffer.Grow(100);  // allocates
  EXPECT_EQ(buffer.view(), "defgh");
  EXPECT_EQ(buffer.Room().size(), 95u);
  buffer.Consume(5);
  buffer.Shrink();
  EXPECT_EQ(buffer.Room().size(), 8u);
}

TEST(InputBuffer, EraseKeepsBothSides) {
  InputBuffer buffer(16);
  Put(buffer, "headXXXtail");
  buffer.Erase(4, 3);
  EXPECT_EQ(buffer.view(), "headtail");
}

TEST(InputBuffer, PaddingIsReadableBehindAFullBuffer) {
  InputBuffer buffer(4);
  Put(buffer, "full");
  buffer.Pad();
  const char* const end = buffer.view().data() + 4;
  EXPECT_TRUE(std::all_of(end, end + kBodyPaddingBytes, [](char c) { return c == 0; }));
}

TEST(BodyBuffer, GrowsWithArrivalNotWithAnnouncement) {
  SharedBudget memory(100 * 1024 * 1024, 100 * 1024 * 1024);
  BodyBuffer body(memory);
  constexpr size_t kAnnounced = 16 * 1024 * 1024;
  size_t steps = 0;
  while (body.size() < kAnnounced) {
    ASSERT_TRUE(body.MakeRoom(kAnnounced));
    EXPECT_LE(body.Room().size(), std::max<size_t>(64 * 1024, body.size()));
    body.Commit(body.Room().size());
    ++steps;
  }
  EXPECT_EQ(body.size(), kAnnounced);
  EXPECT_LT(steps, 12u);
}

TEST(BodyBuffer, BudgetIsSharedAndGivenBack) {
  SharedBudget memory(10'000, 10'000);
  BodyBuffer first(memory);
  BodyBuffer second(memory);
  EXPECT_TRUE(first.Append(std::string(8'000, 'x')));
  EXPECT_FALSE(second.Append("y"));
  EXPECT_FALSE(second.Charge(5'000));
  first.Release();
  EXPECT_TRUE(second.Append("y"));
  EXPECT_TRUE(second.Charge(5'000));
  second.Release();
  EXPECT_TRUE(memory.TryTake(Account(), 10'000));
}

}  // namespace
}  // namespace cairn::http
