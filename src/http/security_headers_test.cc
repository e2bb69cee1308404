#include "http/security_headers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::http {
namespace {

using testing::Contains;
using testing::IsSupersetOf;
using testing::Key;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(SecureApiResponse, AnswersAreNotSniffedStoredOrEmbedded) {
  Response response;
  SecureApiResponse(response, PublicScheme::kHttp);
  EXPECT_THAT(response.headers, UnorderedElementsAre(Pair("X-Content-Type-Options", "nosniff"),
                                                     Pair("Cache-Control", "no-store"),
                                                     Pair("Cross-Origin-Resource-Policy", "same-origin"),
                                                     Pair("Referrer-Policy", "no-referrer")));
}

TEST(SecureApiResponse, FieldsOfTheHandlerStay) {
  Response response;
  response.headers = {{"cache-control", "max-age=60"}};
  SecureApiResponse(response, PublicScheme::kHttp);
  EXPECT_THAT(response.headers, Contains(Pair("cache-control", "max-age=60")));
  EXPECT_THAT(response.headers, Not(Contains(Key("Cache-Control"))));
}

TEST(SecureApiResponse, HttpsIsAskedForOnlyWhereItIsServed) {
  Response plain;
  SecureApiResponse(plain, SchemeOf("http://localhost:8000"));
  EXPECT_THAT(plain.headers, Not(Contains(Key("Strict-Transport-Security"))));
  Response encrypted;
  SecureApiResponse(encrypted, SchemeOf("HTTPS://cairn.example"));
  EXPECT_THAT(encrypted.headers, Contains(Pair("Strict-Transport-Security", "max-age=31536000")));
}

TEST(SecurePageResponse, PagesRunOnlyTheirOwnScriptsAndAreNotFramed) {
  Response response;
  SecurePageResponse(response, PublicScheme::kHttps);
  SecurePageResponse(response, PublicScheme::kHttps);  // twice adds nothing
  EXPECT_EQ(response.headers.size(), 7u);
  EXPECT_THAT(
      response.headers,
      IsSupersetOf({Pair("X-Frame-Options", "DENY"), Pair("X-Content-Type-Options", "nosniff"),
                    Pair("Content-Security-Policy",
                         "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                         "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
                         "form-action 'self'")}));
}

}  // namespace
}  // namespace cairn::http
