#include "outbound/courier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbound/listener_for_test.h"

namespace cairn::outbound {
namespace {

using testing::HasSubstr;

std::unique_ptr<NetworkCourier> With(std::optional<Reach> webhooks) {
  return *NetworkCourier::Create(
      {.webhooks = webhooks, .smtp_url = {}, .smtp_from = {}, .smtp_user = {}, .smtp_password = {}});
}

std::string Complaint(const Status& status) { return status ? "(none)" : status.error().message; }

TEST(Courier, NothingLeavesUnlessTheOperatorAllowsIt) {
  const auto courier = With({});
  EXPECT_FALSE(courier->HasWebhooks());
  EXPECT_FALSE(courier->HasMail());
  EXPECT_THAT(Complaint(courier->CheckWebhookUrl("https://good.example/")), HasSubstr("operator"));
  EXPECT_FALSE(courier->Post({.url = "https://good.example/", .body = "{}", .headers = {}}));
  EXPECT_FALSE(courier->Send({.id = "1", .to = "a@b.c", .subject = "x", .body = "x", .date = {}}));
}

TEST(Courier, AddressesThatMayBeNamed) {
  const auto strict = With(Reach::kPublic), home = With(Reach::kPrivate);
  for (const char* url :
       {"https://good.example/hook", "https://good.example:8443/a?b=c", "https://8.8.8.8/"}) {
    EXPECT_EQ(Complaint(strict->CheckWebhookUrl(url)), "(none)") << url;
    EXPECT_EQ(Complaint(home->CheckWebhookUrl(url)), "(none)") << url;
  }
  for (const char* url : {"http://127.0.0.1:9/", "http://localhost:9/", "http://[::1]/", "https://10.0.0.1/",
                          "https://localhost/", "https://[fd00::1]/", "https://127.1/", "https://2130706433/",
                          "https://0x7f.1/"}) {
    EXPECT_NE(Complaint(strict->CheckWebhookUrl(url)), "(none)") << url;
    EXPECT_EQ(Complaint(home->CheckWebhookUrl(url)), "(none)") << url;
  }
  for (const char* url : {"", "good.example", "http://good.example/", "http://10.0.0.1/",
                          "ftp://good.example/", "file:///etc/passwd", "https://user@good.example/",
                          "https://user:secret@good.example/", "https://169.254.169.254/", "https://0.0.0.0/",
                          "https://[fe80::1]/", "https://[::ffff:169.254.169.254]/", "https://224.0.0.1/"}) {
    EXPECT_NE(Complaint(strict->CheckWebhookUrl(url)), "(none)") << url;
    EXPECT_NE(Complaint(home->CheckWebhookUrl(url)), "(none)") << url;
  }
}

// A name that leads to this machine, with an address that says nothing of it.
TEST(Courier, TheAddressCountsNotTheName) {
  ListenerForTest server;
  const std::string port = server.url().substr(server.url().rfind(':') + 1);
  const auto posted =
      With(Reach::kPublic)->Post({.url = "https://hooks.localhost:" + port, .body = "{}", .headers = {}});
  ASSERT_FALSE(posted);
  EXPECT_THAT(posted.error().message, HasSubstr("network"));
  EXPECT_FALSE(server.WasContacted());
}

TEST(Courier, PostsAndTellsTheStatus) {
  ListenerForTest server;
  std::string answer = ListenerForTest::Ok("fine");
  server.Answer([&] { return answer; });
  const auto courier = With(Reach::kPrivate);
  const WebhookPost post{.url = server.url(), .body = "{}", .headers = {"Cairn-Delivery: 1"}};
  EXPECT_EQ(courier->Post(post).value_or(0), 200);
  answer = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n";
  EXPECT_EQ(courier->Post(post).value_or(0), 302);
  answer = ListenerForTest::Ok(std::string(1 << 20, 'x'));
  EXPECT_FALSE(courier->Post(post));
}

// Given up, it would be posted again by the next process.
TEST(Courier, APostThatHasArrivedGetsItsAnswerAlthoughTheServerStops) {
  ListenerForTest server;
  const auto courier = With(Reach::kPrivate);
  server.Answer([&] {
    courier->BeginStop();
    return ListenerForTest::Ok("");
  });
  const WebhookPost post{.url = server.url(), .body = "{}", .headers = {}};
  const auto status = courier->Post(post);
  EXPECT_EQ(status.value_or(0), 200) << (status ? "" : status.error().message);
}

TEST(Courier, NothingIsSentAnyMoreOnceTheServerStops) {
  ListenerForTest server;
  const auto courier = With(Reach::kPrivate);
  courier->BeginStop();
  EXPECT_FALSE(courier->Post({.url = server.url(), .body = "{}", .headers = {}}));
  EXPECT_FALSE(server.WasContacted());
}

TEST(Courier, SettingsOfMailAreChecked) {
  CourierOptions options{.webhooks = {},
                         .smtp_url = "smtp://127.0.0.1:25",
                         .smtp_from = "a@b.c",
                         .smtp_user = {},
                         .smtp_password = {}};
  EXPECT_TRUE(NetworkCourier::Create(options));
  for (const char* url : {"http://127.0.0.1:25", "127.0.0.1", "smtp://me:secret@host", "file:///x"}) {
    options.smtp_url = url;
    EXPECT_FALSE(NetworkCourier::Create(options)) << url;
  }
  options.smtp_url = "smtps://mail.example";
  options.smtp_from = "";
  EXPECT_FALSE(NetworkCourier::Create(options));
  options.smtp_url = "";
  options.smtp_from = "a@b.c";
  EXPECT_FALSE(NetworkCourier::Create(options));
}

}  // namespace
}  // namespace cairn::outbound
