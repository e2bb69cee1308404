#include "rest/origin.h"

#include <gtest/gtest.h>

namespace cairn::rest {
namespace {

Sender From(std::vector<http::HeaderField> fields, std::string_view public_origin = "") {
  http::Request request;
  request.method = "POST";
  request.target = "/";
  request.headers = std::move(fields);
  return SenderOf(request, public_origin);
}

TEST(Origin, OfAnAddress) {
  EXPECT_EQ(OriginOf("https://cairn.example/app?x"), "https://cairn.example");
  EXPECT_EQ(OriginOf("http://127.0.0.1:8000"), "http://127.0.0.1:8000");
  for (const char* other : {"", "cairn.example", "ftp://cairn.example", "https://", "https:///x"}) {
    EXPECT_EQ(OriginOf(other), "") << other;
  }
}

TEST(Origin, WithoutAPublicAddressTheHostCounts) {
  EXPECT_EQ(From({{"Host", "a:1"}, {"Origin", "http://a:1"}}), Sender::kOwnPage);
  EXPECT_EQ(From({{"Host", "a:1"}, {"Origin", "https://a:1"}}), Sender::kOwnPage);
  EXPECT_EQ(From({{"Host", "a:1"}, {"Origin", "http://a:2"}}), Sender::kOtherPage);
  EXPECT_EQ(From({{"Host", "a"}, {"Origin", "http://a.evil"}}), Sender::kOtherPage);
  EXPECT_EQ(From({{"Host", "a"}, {"Origin", "null"}}), Sender::kOtherPage);
  EXPECT_EQ(From({{"Host", ""}, {"Origin", "http://"}}), Sender::kOtherPage);
  EXPECT_EQ(From({{"Host", "a"}}), Sender::kNoBrowser);
}

TEST(Origin, APublicAddressIsTheOnlyOne) {
  EXPECT_EQ(From({{"Host", "a"}, {"Origin", "https://p"}}, "https://p"), Sender::kOwnPage);
  EXPECT_EQ(From({{"Host", "a"}, {"Origin", "http://a"}}, "https://p"), Sender::kOtherPage);
  EXPECT_EQ(From({{"Host", "a"}, {"Origin", "https://p.evil"}}, "https://p"), Sender::kOtherPage);
}

TEST(Origin, BrowsersThatSendNoneSayItOtherwise) {
  EXPECT_EQ(From({{"Sec-Fetch-Site", "same-origin"}}), Sender::kOwnPage);
  EXPECT_EQ(From({{"Sec-Fetch-Site", "cross-site"}}), Sender::kOtherPage);
  EXPECT_EQ(From({{"Sec-Fetch-Site", "same-site"}}), Sender::kOtherPage);
}

}  // namespace
}  // namespace cairn::rest
