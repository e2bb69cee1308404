#include "live/client_message.h"

#include <gtest/gtest.h>

namespace cairn::live {
namespace {

TEST(ClientMessage, EveryTypeIsRead) {
  const auto auth = ParseClientMessage(R"({"type":"auth","token":"t"})");
  ASSERT_TRUE(auth);
  EXPECT_EQ(std::get<Authenticate>(*auth).token, "t");
  const auto subscribe =
      ParseClientMessage(R"({"cursor":"c","room":"plan:a:2026-11-16","type":"subscribe"})");
  ASSERT_TRUE(subscribe);
  EXPECT_EQ(std::get<Subscribe>(*subscribe).room, "plan:a:2026-11-16");
  EXPECT_EQ(std::get<Subscribe>(*subscribe).cursor, "c");
  const auto unsubscribe = ParseClientMessage(R"({"type":"unsubscribe","room":"r"})");
  ASSERT_TRUE(unsubscribe);
  EXPECT_EQ(std::get<Unsubscribe>(*unsubscribe).room, "r");
  const auto ping = ParseClientMessage(R"({"type":"ping"})");
  ASSERT_TRUE(ping);
  EXPECT_TRUE(std::holds_alternative<Ping>(*ping));
}

TEST(ClientMessage, CursorMayBeAbsentOrNull) {
  for (const char* text :
       {R"({"type":"subscribe","room":"r"})", R"({"type":"subscribe","room":"r","cursor":null})"}) {
    const auto message = ParseClientMessage(text);
    ASSERT_TRUE(message) << text;
    EXPECT_FALSE(std::get<Subscribe>(*message).cursor);
  }
}

TEST(ClientMessage, MalformedOnesAreRefused) {
  for (const char* text : {
           "",
           "ping",
           "[]",
           "\"ping\"",
           R"({"type":"ping"} {})",
           R"({"type":"ping","type":"ping"})",
           R"({"room":"r"})",
           R"({"type":7})",
           R"({"type":"ping","room":"r"})",
           R"({"type":"auth"})",
           R"({"type":"auth","token":7})",
           R"({"type":"subscribe"})",
           R"({"type":"subscribe","room":null})",
           R"({"type":"subscribe","room":"r","cursor":7})",
           R"({"type":"subscribe","room":"r","cusor":"c"})",
           R"({"type":"unsubscribe","room":["r"]})",
       }) {
    const auto message = ParseClientMessage(text);
    ASSERT_FALSE(message) << text;
    EXPECT_EQ(message.error().code, "malformed") << text;
    EXPECT_FALSE(message.error().detail.empty());
  }
}

TEST(ClientMessage, UnknownTypeIsNamedButNotAtLength) {
  const auto message = ParseClientMessage(R"({"type":")" + std::string(50'000, 'x') + R"("})");
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().code, "unknown-type");
  EXPECT_LT(message.error().detail.size(), 300u);
}

}  // namespace
}  // namespace cairn::live
