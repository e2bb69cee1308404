#include "http/websocket_outbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "http/websocket_client_for_tests.h"

namespace cairn::http {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Counts what is posted, and runs it when told to.
class CountingExecutor final : public Executor {
 public:
  void Post(std::move_only_function<void()> work) override { work_.push_back(std::move(work)); }
  size_t posted() const { return work_.size(); }
  void RunAll() {
    while (!work_.empty()) {
      auto work = std::move(work_.front());
      work_.pop_front();
      work();
    }
  }

 private:
  std::deque<std::move_only_function<void()>> work_;
};

struct CountingReader final : OutboxReader {
  void OnOutput() override { ++wakeups; }
  int wakeups = 0;
};

class OutboxTest : public testing::Test {
 protected:
  ~OutboxTest() override { wakeups_->Detach(); }

  std::shared_ptr<WebSocketOutbox> Make(size_t bytes_max = 10'000) {
    auto outbox = std::make_shared<WebSocketOutbox>(wakeups_, bytes_max, budget_);
    outbox->Attach(reader_);
    return outbox;
  }

  MemoryBudget budget_{100'000'000};
  CountingExecutor loop_;
  int released_ = 0;
  std::shared_ptr<WebSocketWakeups> wakeups_ =
      std::make_shared<WebSocketWakeups>(loop_, [this] { ++released_; });
  CountingReader reader_;
};

std::string Encoded(std::string text) { return EncodeFrame(Opcode::kText, std::move(text)); }

TEST_F(OutboxTest, BroadcastIsOnePieceOfWorkForTheLoop) {
  std::vector<std::shared_ptr<WebSocketOutbox>> outboxes;
  for (int i = 0; i < 100; ++i) outboxes.push_back(Make());
  for (int round = 0; round < 3; ++round) {
    for (const auto& outbox : outboxes) EXPECT_TRUE(outbox->Send("news"));
  }
  EXPECT_EQ(loop_.posted(), 1u);
  loop_.RunAll();
  EXPECT_EQ(reader_.wakeups, 100);
  EXPECT_THAT(outboxes[7]->TakeBatch().frames, SizeIs(3));
  outboxes[7]->Send("more");
  EXPECT_EQ(loop_.posted(), 1u);
}

TEST_F(OutboxTest, ControlFramesGoFirstAndTheCloseFrameLast) {
  const auto outbox = Make();
  outbox->Send("one");
  outbox->Send("two");
  outbox->Close(1000, "bye");
  outbox->Pong("p");
  const auto batch = outbox->TakeBatch();
  EXPECT_THAT(batch.frames, ElementsAre(EncodeFrame(Opcode::kPong, "p"), Encoded("one"), Encoded("two"),
                                        EncodeClose(1000, "bye")));
  EXPECT_TRUE(batch.ends_with_close);
}

TEST_F(OutboxTest, NothingFollowsTheCloseFrame) {
  const auto outbox = Make();
  outbox->Close(1000, "");
  EXPECT_FALSE(outbox->is_open());
  EXPECT_FALSE(outbox->Send("late"));
  EXPECT_THAT(outbox->TakeBatch().frames, SizeIs(1));
  outbox->Pong("late");
  outbox->Ping();
  outbox->Close(1001, "again");
  outbox->Abandon(1002, "again");
  EXPECT_THAT(outbox->TakeBatch().frames, IsEmpty());
}

TEST_F(OutboxTest, OnlyTheNewestPongIsKept) {
  const auto outbox = Make();
  for (int i = 0; i < 1000; ++i) outbox->Pong(std::to_string(i));
  EXPECT_THAT(outbox->TakeBatch().frames, ElementsAre(EncodeFrame(Opcode::kPong, "999")));
}

TEST_F(OutboxTest, FullQueueDropsMessagesAndClosesWith1013) {
  const auto outbox = Make(10'000);
  int queued = 0;
  while (outbox->Send(std::string(936, 'x'))) ++queued;  // with its header and overhead about 1,000 bytes
  EXPECT_EQ(queued, 9);
  EXPECT_FALSE(outbox->is_open());
  const auto batch = outbox->TakeBatch();
  ASSERT_THAT(batch.frames, SizeIs(1));
  EXPECT_EQ(batch.frames[0].substr(2, 2), CloseCode(close_code::kTryAgainLater));
}

TEST_F(OutboxTest, BatchBeingWrittenCountsUntilTheNextIsTaken) {
  const auto outbox = Make(200);
  EXPECT_TRUE(outbox->Send(std::string(100, 'x')));
  EXPECT_THAT(outbox->TakeBatch().frames, SizeIs(1));
  EXPECT_THAT(outbox->TakeBatch().frames, IsEmpty());  // written
  EXPECT_TRUE(outbox->Send(std::string(100, 'x')));
  EXPECT_THAT(outbox->TakeBatch().frames, SizeIs(1));
  EXPECT_FALSE(outbox->Send(std::string(100, 'x')));  // the other one is still being written
}

TEST_F(OutboxTest, MessageAboveTheLimitIsNeverQueued) {
  const auto outbox = Make(1'000);
  EXPECT_FALSE(outbox->Send(std::string(1'001, 'x')));
  EXPECT_FALSE(outbox->is_open());
}

TEST_F(OutboxTest, SpentBudgetClosesThoseWhoHaveSomethingQueued) {
  MemoryBudget scarce(1'000);
  const auto make = [&] { return std::make_shared<WebSocketOutbox>(wakeups_, 10'000, scarce); };
  const auto slow = make();
  EXPECT_TRUE(slow->Send(std::string(800, 'x')));
  const auto quick = make();
  EXPECT_TRUE(quick->Send(std::string(800, 'x')));  // has nothing queued
  EXPECT_FALSE(slow->Send(std::string(800, 'x')));
  EXPECT_FALSE(slow->is_open());
  EXPECT_THAT(quick->TakeBatch().frames, SizeIs(1));
  EXPECT_THAT(quick->TakeBatch().frames, IsEmpty());
  // All that was taken has come back, also from the one that was dropped.
  slow->Detach();
  EXPECT_TRUE(scarce.TryTake(1'000));
}

TEST_F(OutboxTest, DetachedOutboxGivesBackWhatWasBeingWritten) {
  MemoryBudget scarce(1'000);
  const auto outbox = std::make_shared<WebSocketOutbox>(wakeups_, 10'000, scarce);
  outbox->Send("written");
  outbox->TakeBatch();
  outbox->Send("queued");
  outbox->Detach();
  EXPECT_TRUE(scarce.TryTake(1'000));
}

TEST_F(OutboxTest, BatchesAreBoundedInFramesAndBytes) {
  const auto outbox = Make(10'000'000);
  for (int i = 0; i < 200; ++i) outbox->Send("s");
  EXPECT_THAT(outbox->TakeBatch().frames, SizeIs(WebSocketOutbox::kFramesPerBatch));
  const auto large = Make(10'000'000);
  for (int i = 0; i < 20; ++i) large->Send(std::string(40'000, 'l'));
  EXPECT_THAT(large->TakeBatch().frames, SizeIs(2));
}

TEST_F(OutboxTest, AbandonedSocketDropsItsMessages) {
  const auto outbox = Make();
  outbox->Send("dropped");
  outbox->Abandon(1002, "why");
  EXPECT_THAT(outbox->TakeBatch().frames, ElementsAre(EncodeClose(1002, "why")));
  const auto closing = Make();
  closing->Send("dropped");
  closing->Close(1000, "first");
  closing->Abandon(1002, "second");
  EXPECT_THAT(closing->TakeBatch().frames, ElementsAre(EncodeClose(1000, "first")));
}

TEST_F(OutboxTest, HandleOutlivesConnectionAndLoop) {
  const auto outbox = Make();
  outbox->Send("queued");
  outbox->Detach();
  EXPECT_FALSE(outbox->Send("x"));
  loop_.RunAll();
  EXPECT_EQ(reader_.wakeups, 0);
  const auto other = Make();
  wakeups_->Detach();
  other->Send("x");
  other->Close(1000, "");
  EXPECT_EQ(loop_.posted(), 0u);
  EXPECT_EQ(other->HoldLoop(), nullptr);
}

TEST_F(OutboxTest, LoopIsHeldUntilTheLastHolderIsGone) {
  const auto outbox = Make();
  auto first = outbox->HoldLoop();
  auto second = outbox->HoldLoop();
  EXPECT_TRUE(wakeups_->is_held());
  first.reset();
  loop_.RunAll();
  EXPECT_EQ(released_, 0);
  second.reset();
  EXPECT_FALSE(wakeups_->is_held());
  loop_.RunAll();
  EXPECT_EQ(released_, 1);
}

}  // namespace
}  // namespace cairn::http
