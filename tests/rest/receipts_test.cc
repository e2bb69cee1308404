// Receipts of requests with an Idempotency-Key, whatever their handlers do with what they staged.
#include "models/platform.h"
#include "rest/frame.h"
#include "session_fixture.h"

namespace cairn::rest {
namespace {

class Anyone final : public Authenticator {
 public:
  Task<Result<Identified>> Identify(const http::Request&) override { return IdentifyToken(""); }
  Task<Result<Identified>> IdentifyToken(std::string) override {
    Identified identified;
    identified.claims = {{"sub", "ada"}};
    identified.user_id = "ada";
    co_return identified;
  }
  Task<bool> IsStillValid(const Identified&) override { co_return true; }
};

struct NoFields {};
template <class Fields>
void Describe(Fields&, NoFields&) {}
struct Count {
  int64_t count = 0;
  std::string text = {};
};
template <class Fields>
void Describe(Fields& fields, Count& count) {
  fields.Body("count", count.count);
  fields.Body("text", count.text);
}

enum class Staging { kCommitted, kGivenUp, kNone };

class ReceiptsTest : public model::SessionTest {
 protected:
  void SetUp() override {
    Start(models::platform::LoadModel());
    receipts_.emplace(*database_);
    frame_.emplace(FrameOptions{}, anyone_, *receipts_);
    std::vector<Endpoint> endpoints;
    endpoints.push_back(MakeEndpoint<NoFields, Count>(
        {.method = "POST", .path = "/count", .id = "count", .summary = "Counts"},
        [this](Call& call, NoFields) { return Handle(call); }));
    frame_->Add(std::move(endpoints));
    router_.emplace(frame_->Routes());
  }
  void TearDown() override {
    router_.reset();
    frame_.reset();
    receipts_.reset();
    model::SessionTest::TearDown();
  }

  Task<Reply<Count>> Handle(Call& call) {
    Answered<Count> answer{.body = {.count = ++calls_, .text = text_}};
    model::Session platform(*database_, model::Caller::SystemFor({{"sub", "ada"}}));
    if (staging_ != Staging::kNone) {
      EXPECT_TRUE(StageAnswer(call, platform, answer));
    }
    if (staging_ == Staging::kCommitted) {
      auto committed = co_await platform.Commit();
      EXPECT_TRUE(committed);
    }
    co_return answer;
  }

  std::string Send(std::string_view key) {
    http::Request request;
    request.method = "POST";
    request.target = "/count";
    request.headers = {{"Idempotency-Key", key}};
    return SyncWait(router_->Handle(request)).body;
  }

  Anyone anyone_;
  std::optional<Receipts> receipts_;
  std::optional<Frame> frame_;
  std::optional<http::Router> router_;
  Staging staging_ = Staging::kNone;
  int64_t calls_ = 0;
  std::string text_;
};

TEST_F(ReceiptsTest, TheSameKeyIsAnsweredAndNotDoneAgain) {
  for (const Staging staging : {Staging::kCommitted, Staging::kGivenUp, Staging::kNone}) {
    staging_ = staging;
    const std::string key = "key" + std::to_string(static_cast<int>(staging));
    const int64_t before = calls_;
    const std::string first = Send(key);
    EXPECT_EQ(Send(key), first) << key;
    EXPECT_EQ(calls_, before + 1) << key;
  }
}

TEST_F(ReceiptsTest, ALongAnswerIsRepeatedAsItWas) {
  // Characters of three bytes, so that parts do not end between them by themselves.
  for (int i = 0; i < 300'001; ++i) text_ += "\u20ac";
  for (const Staging staging : {Staging::kCommitted, Staging::kNone}) {
    staging_ = staging;
    const std::string key = "long" + std::to_string(static_cast<int>(staging));
    const int64_t before = calls_;
    const std::string first = Send(key);
    ASSERT_GT(first.size(), 900'000u);
    EXPECT_TRUE(Send(key) == first) << key;
    EXPECT_EQ(calls_, before + 1) << key;
  }
}

TEST_F(ReceiptsTest, AnAnswerThatIsTooLongToKeepIsToldSo) {
  text_.assign(5'000'000, 'x');
  staging_ = Staging::kCommitted;
  ASSERT_GT(Send("huge").size(), 5'000'000u);
  const std::string again = Send("huge");
  EXPECT_NE(again.find("answer-not-kept"), std::string::npos) << again.substr(0, 300);
  EXPECT_EQ(calls_, 1);
}

}  // namespace
}  // namespace cairn::rest
