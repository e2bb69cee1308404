#include "identity/issuer_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>

#include "base/log.h"
#include "base/run_here.h"
#include "identity/signer_for_test.h"

namespace cairn::identity {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

std::string KeySetOf(std::initializer_list<std::string_view> kids) {
  std::string text = R"({"keys":[)";
  for (const std::string_view kid : kids) {
    text += (text.back() == '[' ? "" : ",") + SignerForTest::SharedEc().Jwk(kid);
  }
  return text + "]}";
}

class IssuerKeysTest : public testing::Test {
 protected:
  void SetUp() override { log::SetLevel(log::Level::kOff); }
  void TearDown() override { log::SetLevel(log::Level::kInfo); }

  // The document that the source gives from now on; nothing: it fails.
  void Publish(std::optional<std::string> document) {
    std::lock_guard lock(mutex_);
    document_ = std::move(document);
  }
  Result<std::string> Read() {
    std::lock_guard lock(mutex_);
    ++reads_;
    if (!document_) return Fail(Code::kUnavailable, "nobody there");
    return *document_;
  }
  int reads() {
    std::lock_guard lock(mutex_);
    return reads_;
  }
  bool Has(IssuerKeys& keys, std::string kid) { return RunHere(keys.Find(std::move(kid))).has_value(); }

  FakeClock clock_{Time(seconds(1'800'000'000))};
  std::mutex mutex_;  // guards what follows
  std::optional<std::string> document_ = KeySetOf({"one"});
  int reads_ = 0;
};

TEST_F(IssuerKeysTest, ReadsWhenFirstAsked) {
  IssuerKeys keys(
      "issuer", [this] { return Read(); }, clock_);
  EXPECT_EQ(reads(), 0);
  EXPECT_TRUE(Has(keys, "one"));
  EXPECT_TRUE(Has(keys, "one"));
  EXPECT_EQ(reads(), 1);
}

TEST_F(IssuerKeysTest, UnknownKidsReadAgainAtMostOnceAMinute) {
  IssuerKeys keys(
      "issuer", [this] { return Read(); }, clock_);
  EXPECT_TRUE(Has(keys, "one"));
  Publish(KeySetOf({"one", "two"}));
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(Has(keys, "two"));
  EXPECT_EQ(reads(), 1);
  clock_.Advance(seconds(59));
  EXPECT_FALSE(Has(keys, "two"));
  clock_.Advance(seconds(1));
  EXPECT_TRUE(Has(keys, "two"));
  EXPECT_TRUE(Has(keys, "one"));
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(Has(keys, "three"));
  EXPECT_EQ(reads(), 2);
}

TEST_F(IssuerKeysTest, KeysThatAreNoLongerPublishedEnd) {
  IssuerKeys keys(
      "issuer", [this] { return Read(); }, clock_);
  EXPECT_TRUE(Has(keys, "one"));
  Publish(KeySetOf({"two"}));
  clock_.Advance(minutes(1));
  EXPECT_TRUE(Has(keys, "two"));
  EXPECT_FALSE(Has(keys, "one"));
}

TEST_F(IssuerKeysTest, EveryHourWithoutAnybodyWaiting) {
  IssuerKeys keys(
      "issuer", [this] { return Read(); }, clock_);
  EXPECT_TRUE(Has(keys, "one"));
  Publish(KeySetOf({"two"}));
  clock_.Advance(minutes(59));
  EXPECT_TRUE(Has(keys, "one"));
  EXPECT_EQ(reads(), 1);
  clock_.Advance(minutes(1));
  EXPECT_TRUE(Has(keys, "one")) << "the old key, at once";
  while (Has(keys, "one")) std::this_thread::yield();
  EXPECT_EQ(reads(), 2);
  EXPECT_TRUE(Has(keys, "two"));
}

TEST_F(IssuerKeysTest, OldKeysStayWhenReadingFails) {
  IssuerKeys keys(
      "issuer", [this] { return Read(); }, clock_);
  EXPECT_TRUE(Has(keys, "one"));
  for (const auto& broken : {std::optional<std::string>(), std::optional<std::string>("<html>"),
                             std::optional<std::string>(R"({"keys":[]})")}) {
    Publish(broken);
    clock_.Advance(minutes(2));
    EXPECT_FALSE(Has(keys, "two"));
    EXPECT_TRUE(Has(keys, "one"));
  }
  EXPECT_EQ(reads(), 4);
  Publish(KeySetOf({"one", "two"}));
  clock_.Advance(minutes(2));
  EXPECT_TRUE(Has(keys, "two")) << "and it recovers";
}

TEST_F(IssuerKeysTest, ManyAtOnceShareOneReading) {
  std::latch open(1);
  auto slow = [&] {
    open.wait();
    return Read();
  };
  IssuerKeys keys("issuer", slow, clock_);
  LoopExecutor loop;
  const Executor::Scope here(&loop);
  int found = 0, given_up = 0;
  for (int i = 0; i < 200; ++i) {
    Spawn(keys.Find("one"), [&](std::optional<PublicKey> key) { ++(key ? found : given_up); });
  }
  EXPECT_EQ(given_up, 200 - 65) << "the queue is bounded; the rest is not known for now";
  open.count_down();
  while (found + given_up < 200) loop.RunOne();
  EXPECT_EQ(found, 65);
  EXPECT_EQ(reads(), 1);
}

}  // namespace
}  // namespace cairn::identity
