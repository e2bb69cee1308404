#include "http/cookies.h"

#include <gtest/gtest.h>

namespace cairn::http {
namespace {

using std::chrono::seconds;

TEST(FindCookie, NameIsExactAndValueIsAsSent) {
  const std::string_view header =
      "a=1; session=x=y==; Session=other; asession=no;b=2;\tc=3 ; quoted=\"q\"; empty=";
  EXPECT_EQ(FindCookie(header, "a"), "1");
  EXPECT_EQ(FindCookie(header, "session"), "x=y==");
  EXPECT_EQ(FindCookie(header, "Session"), "other");
  EXPECT_EQ(FindCookie(header, "b"), "2");
  EXPECT_EQ(FindCookie(header, "c"), "3");
  EXPECT_EQ(FindCookie(header, "quoted"), "\"q\"");
  EXPECT_EQ(FindCookie(header, "empty"), "");
}

TEST(FindCookie, AbsentOnesAreNothing) {
  for (const std::string_view header :
       {"", ";", ";;", "a", "session", "=session", "a=session", "session ", "session =1"}) {
    EXPECT_EQ(FindCookie(header, "session"), std::nullopt) << header;
  }
}

TEST(FindCookie, NameThatOccursTwiceIsNothing) {
  EXPECT_EQ(FindCookie("s=1; s=2", "s"), std::nullopt);
  EXPECT_EQ(FindCookie("s=1; a=0; s=1", "s"), std::nullopt);
  const Request request{
      .method = "GET", .target = "/", .headers = {{"Cookie", "s=1; t=3"}, {"cookie", "s=2"}}, .body = {}};
  EXPECT_EQ(FindCookie(request, "s"), std::nullopt);
  EXPECT_EQ(FindCookie(request, "t"), "3");
}

TEST(SetCookie, AttributesFollowTheCookie) {
  EXPECT_EQ(SetCookie({.name = "__Host-session", .value = "abc"}),
            "__Host-session=abc; Path=/; HttpOnly; Secure; SameSite=Lax");
  EXPECT_EQ(SetCookie({.name = "csrf",
                       .value = "t",
                       .max_age = seconds(3600),
                       .same_site = SameSite::kStrict,
                       .http_only = false,
                       .secure = false}),
            "csrf=t; Path=/; Max-Age=3600; SameSite=Strict");
  EXPECT_EQ(SetCookie({.name = "old", .value = "", .max_age = seconds(0)}),
            "old=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax");
}

TEST(SetCookieDeathTest, TextThatWouldEndTheValueIsABug) {
  for (const char* value : {"a;b", "a b", "a,b", "a\"b", "a\\b", "a\r\nb", "\xc3\xa9", "a\x7f"}) {
    EXPECT_DEATH(SetCookie({.name = "n", .value = value}), "cookie-octets") << value;
  }
  EXPECT_DEATH(SetCookie({.name = "n=", .value = ""}), "token");
  EXPECT_DEATH(SetCookie({.name = "__Host-n", .value = "", .secure = false}), "Secure");
}

}  // namespace
}  // namespace cairn::http
