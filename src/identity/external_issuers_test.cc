#include "identity/external_issuers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/log.h"
#include "base/run_here.h"
#include "identity/signer_for_test.h"
#include "outbound/listener_for_test.h"

namespace cairn::identity {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

constexpr std::string_view kPayload =
    R"({"iss":"https://good.example","aud":"cairn-api","sub":"u-1","exp":1800000600})";

class ExternalIssuersTest : public testing::Test {
 protected:
  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    file_ = testing::TempDir() + "cairn-jwks-" + std::to_string(getpid());
    std::ofstream(file_) << R"({"keys":[)" << SignerForTest::SharedEc().Jwk("one") << "]}";
  }
  void TearDown() override {
    std::filesystem::remove(file_);
    log::SetLevel(log::Level::kInfo);
  }

  ExternalIssuer FromFile() const {
    return {.issuer = "https://good.example", .audience = "cairn-api", .jwks_file = file_};
  }
  std::unique_ptr<ExternalIssuers> Create(const std::vector<ExternalIssuer>& issuers) {
    auto created = ExternalIssuers::Create(issuers, clock_);
    EXPECT_TRUE(created) << (created ? "" : created.error().message);
    return *std::move(created);
  }
  std::string Token(std::string_view payload, std::string_view more_header = "") {
    return SignerForTest::SharedEc().Token(R"({"alg":"ES256","kid":"one")" + std::string(more_header) + "}",
                                           payload);
  }

  FakeClock clock_{Time(seconds(1'800'000'000))};
  std::string file_;
};

TEST_F(ExternalIssuersTest, KeysComeFromAFile) {
  const auto issuers = Create({FromFile()});
  const auto claims = RunHere(issuers->Verify(Token(kPayload)));
  ASSERT_TRUE(claims) << claims.error().message;
  ASSERT_TRUE(*claims);
  EXPECT_EQ((*claims)->subject, "u-1");
}

TEST_F(ExternalIssuersTest, KeysComeFromAnAddress) {
  outbound::ListenerForTest server;
  server.Answer([] {
    return outbound::ListenerForTest::Ok(R"({"keys":[)" + SignerForTest::SharedEc().Jwk("one") + "]}");
  });
  const auto issuers =
      Create({{.issuer = "https://good.example", .audience = "cairn-api", .jwks_url = server.url()}});
  const auto claims = RunHere(issuers->Verify(Token(kPayload)));
  ASSERT_TRUE(claims) << claims.error().message;
  EXPECT_TRUE(*claims);
}

TEST_F(ExternalIssuersTest, TokensOfOthersAreNobodys) {
  const std::string foreign =
      Token(R"({"iss":"https://evil.example","aud":"cairn-api","sub":"u-1","exp":1800000600})");
  const auto claims = RunHere(Create({FromFile()})->Verify(foreign));
  ASSERT_TRUE(claims);
  EXPECT_FALSE(*claims);
  EXPECT_FALSE(*RunHere(Create({})->Verify(Token(kPayload))));
}

// Each issuer has its own keys: a kid of one is unknown to the other.
TEST_F(ExternalIssuersTest, KeysOfOneIssuerDoNotVerifyForAnother) {
  const std::string other_file = file_ + "-other";
  std::ofstream(other_file) << R"({"keys":[)" << SignerForTest::SharedRsa().Jwk("two") << "]}";
  const auto issuers = Create(
      {FromFile(), {.issuer = "https://other.example", .audience = "cairn-api", .jwks_file = other_file}});
  const auto claims = RunHere(issuers->Verify(
      Token(R"({"iss":"https://other.example","aud":"cairn-api","sub":"u-1","exp":1800000600})")));
  ASSERT_FALSE(claims);
  EXPECT_THAT(claims.error().message, HasSubstr("key is not known"));
  std::filesystem::remove(other_file);
}

TEST_F(ExternalIssuersTest, NothingInATokenIsEverFollowed) {
  outbound::ListenerForTest attacker;
  const SignerForTest key = SignerForTest::Ec();
  const auto issuers = Create({FromFile()});
  for (const std::string& member : {R"("jku":")" + attacker.url() + '"', R"("x5u":")" + attacker.url() + '"',
                                    R"("jwk":)" + key.Jwk("one"), R"("kid2":")" + attacker.url() + '"'}) {
    const std::string header = R"({"alg":"ES256","kid":"one",)" + member + "}";
    EXPECT_FALSE(RunHere(issuers->Verify(key.Token(header, kPayload)))) << member;
  }
  for (const std::string& kid : {attacker.url(), "file://" + file_, file_, std::string("../../dev/null")}) {
    const std::string header = R"({"alg":"ES256","kid":")" + kid + R"("})";
    EXPECT_FALSE(RunHere(issuers->Verify(key.Token(header, kPayload)))) << kid;
  }
  const std::string issuer =
      R"({"iss":")" + attacker.url() + R"(","aud":"cairn-api","sub":"u-1","exp":1800000600})";
  EXPECT_FALSE(RunHere(issuers->Verify(Token(issuer))).value());
  EXPECT_FALSE(attacker.WasContacted());
}

TEST_F(ExternalIssuersTest, IncompleteConfigurationsAreRefused) {
  const std::pair<ExternalIssuer, std::string_view> bad[] = {
      {{.issuer = "", .audience = "a", .jwks_file = file_}, "needs a name"},
      {{.issuer = "cairn", .audience = "a", .jwks_file = file_}, "cannot be cairn"},
      {{.issuer = "i", .audience = "", .jwks_file = file_}, "needs an audience"},
      {{.issuer = "i", .audience = "a"}, "from a file or from an address"},
      {{.issuer = "i", .audience = "a", .jwks_file = file_, .jwks_url = "https://good.example/"}, "not both"},
      {{.issuer = "i", .audience = "a", .jwks_url = "http://good.example/"}, "must begin with https"},
  };
  for (const auto& [issuer, why] : bad) {
    const auto created = ExternalIssuers::Create({issuer}, clock_);
    ASSERT_FALSE(created) << why;
    EXPECT_THAT(created.error().message, HasSubstr(std::string(why)));
  }
  EXPECT_FALSE(ExternalIssuers::Create({FromFile(), FromFile()}, clock_));
}

}  // namespace
}  // namespace cairn::identity
