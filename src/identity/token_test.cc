#include "identity/token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64url.h"
#include "rest/hmac.h"

namespace cairn::identity {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

const std::string kKey(32, 'k');
constexpr int64_t kNowSeconds = 1'800'000'000;
const Time kNow{seconds(kNowSeconds)};

// Any header and payload, correctly signed: what only a broken or hostile issuer with the key could make.
std::string Signed(std::string_view header, std::string_view payload, std::string_view key = kKey) {
  const std::string text = EncodeBase64Url(header) + "." + EncodeBase64Url(payload);
  return text + "." + EncodeBase64Url(rest::HmacSha256(key, text));
}

constexpr std::string_view kGoodHeader = R"({"alg":"HS256","typ":"JWT"})";
constexpr std::string_view kGoodPayload = R"({"iss":"cairn","sub":"alice","exp":1800000600})";

std::string WithPayload(std::string_view payload) { return Signed(kGoodHeader, payload); }
std::string WithHeader(std::string_view header) { return Signed(header, kGoodPayload); }

TEST(Token, IssuedTokenIsVerified) {
  const Claims claims{.subject = "alice \"quoted\" \xc3\xa9",
                      .others = {{"tenantId", "acme"}, {"role", "admin"}},
                      .expires = kNow + seconds(3600),
                      .id = "t1",
                      .session_id = "01JCRZ6P4V8Q3W5X7Y9Z2A4B6C"};
  const auto verified = VerifyToken(kKey, IssueToken(kKey, claims, kNow), kNow);
  ASSERT_TRUE(verified) << verified.error().message;
  EXPECT_EQ(verified->subject, claims.subject);
  EXPECT_EQ(verified->others, claims.others);
  EXPECT_EQ(verified->expires, claims.expires);
  EXPECT_EQ(verified->id, claims.id);
  EXPECT_EQ(verified->session_id, claims.session_id);
}

TEST(Token, TokenOfNoSessionNamesNone) {
  const Claims claims{
      .subject = "alice", .others = {}, .expires = kNow + seconds(3600), .id = "", .session_id = ""};
  const auto verified = VerifyToken(kKey, IssueToken(kKey, claims, kNow), kNow);
  ASSERT_TRUE(verified) << verified.error().message;
  EXPECT_EQ(verified->session_id, "");
  EXPECT_TRUE(verified->others.empty());
  EXPECT_TRUE(IsReservedClaim("sid")) << "nobody gives a session as a claim of their own";
}

// The JWT of RFC 7515, appendix A.1, has issuer "joe": the signature is right, the issuer is not.
TEST(Token, KnownSignatureIsUnderstood) {
  const auto key = DecodeBase64Url(
      "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow");
  ASSERT_TRUE(key);
  const auto verified = VerifyToken(
      *key,
      "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9."
      "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
      "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
      Time(seconds(1'300'819'000)));
  ASSERT_FALSE(verified);
  EXPECT_THAT(verified.error().message, HasSubstr("issued by someone else"));
}

TEST(Token, ClaimsThatAreNoTextsAreLeftOut) {
  const auto verified = VerifyToken(
      kKey, WithPayload(R"({"iss":"cairn","sub":"a","exp":1800000600,"n":1,"list":["x"],"t":"y"})"), kNow);
  ASSERT_TRUE(verified) << verified.error().message;
  EXPECT_EQ(verified->others, (std::map<std::string, std::string, std::less<>>{{"t", "y"}}));
}

struct TimeCase {
  std::string_view name, times;
  bool good;
};

TEST(Token, TimesMayBeOffByAMinute) {
  const TimeCase cases[] = {
      {"ended 59 s ago", R"("exp":1799999941)", true},
      {"ended 60 s ago", R"("exp":1799999940)", true},
      {"ended 61 s ago", R"("exp":1799999939)", false},
      {"begins in 59 s", R"("exp":1800000600,"nbf":1800000059)", true},
      {"begins in 61 s", R"("exp":1800000600,"nbf":1800000061)", false},
      {"issued in 59 s", R"("exp":1800000600,"iat":1800000059)", true},
      {"issued in 10 min", R"("exp":1800000600,"iat":1800000600)", false},
      {"ends with the year 9999", R"("exp":253402300799)", true},
      {"ends later", R"("exp":253402300800)", false},
      {"ends in 1969", R"("exp":-1)", false},
  };
  for (const TimeCase& c : cases) {
    const std::string payload = R"({"iss":"cairn","sub":"a",)" + std::string(c.times) + "}";
    EXPECT_EQ(VerifyToken(kKey, WithPayload(payload), kNow).has_value(), c.good) << c.name;
  }
}

struct BadToken {
  std::string name;
  std::string token;
  std::string_view why;
};

std::vector<BadToken> BadTokens() {
  const std::string good = WithPayload(kGoodPayload);
  const size_t first_dot = good.find('.');
  const size_t last_dot = good.rfind('.');
  const std::string unsigned_text = good.substr(0, last_dot);
  std::string deep = R"({"iss":"cairn","sub":"a","exp":1800000600,"x":)" + std::string(1100, '[') +
                     std::string(1100, ']') + "}";

  std::vector<BadToken> bad = {
      {"empty", "", "three parts"},
      {"one part", "abc", "three parts"},
      {"two parts", unsigned_text, "three parts"},
      {"four parts", good + ".x", "three parts"},
      {"only dots", "..", "signature"},
      {"no signature", unsigned_text + ".", "signature is wrong"},
      {"signature with padding", good + "=", "not base64url"},
      {"signature with a space", good + " ", "not base64url"},
      {"signature in standard base64", unsigned_text + "." + std::string(42, '+') + "A", "not base64url"},
      {"signature cut", good.substr(0, good.size() - 3), "signature"},
      {"signature longer", good + "AAAA", "signature is wrong"},
      {"other key", Signed(kGoodHeader, kGoodPayload, std::string(32, 'x')), "signature is wrong"},
      {"empty key", Signed(kGoodHeader, kGoodPayload, ""), "signature is wrong"},
      {"payload swapped",
       good.substr(0, first_dot) + "." + EncodeBase64Url(R"({"sub":"bob","exp":1800000600})") +
           good.substr(last_dot),
       "signature is wrong"},
      {"too long",
       WithPayload(R"({"iss":"cairn","sub":")" + std::string(kTokenBytesMax, 'a') + R"(","exp":1800000600})"),
       "too long"},
      {"payload is no JSON", WithPayload("sub=alice"), "not a JSON object"},
      {"payload is an array", WithPayload("[]"), "not a JSON object"},
      {"payload nests deep", WithPayload(deep), "not a JSON object"},
      {"header is no JSON", WithHeader("HS256"), "not a JSON object"},
  };
  const std::pair<std::string_view, std::string_view> headers[] = {
      {R"({"alg":"none"})", "not HS256"},
      {R"({"alg":"None"})", "not HS256"},
      {R"({"alg":"nONE"})", "not HS256"},
      {R"({"alg":""})", "not HS256"},
      {R"({"typ":"JWT"})", "not HS256"},
      {R"({"alg":"hs256"})", "not HS256"},
      {R"({"alg":"HS384"})", "not HS256"},
      {R"({"alg":"HS512"})", "not HS256"},
      {R"({"alg":"RS256"})", "not HS256"},
      {R"({"alg":"ES256"})", "not HS256"},
      {R"({"alg":["HS256"]})", "alg must be a text"},
      {R"({"alg":"HS256","alg":"none"})", "a member twice"},
      {R"({"alg":"HS256","typ":"JWE"})", "type is not JWT"},
      {R"({"alg":"HS256","typ":"id+jwt"})", "type is not JWT"},
      {R"({"alg":"HS256","typ":"at+jwt"})", "type is not JWT"},
      {R"({"alg":"HS256","typ":1})", "typ must be a text"},
      {R"({"alg":"HS256","crit":["exp"]})", "other than alg and typ"},
      {R"({"alg":"HS256","b64":false})", "other than alg and typ"},
      {R"({"alg":"HS256","kid":"../../dev/null"})", "other than alg and typ"},
      {R"({"alg":"HS256","kid":"' OR 1=1"})", "other than alg and typ"},
      {R"({"alg":"HS256","jku":"http://127.0.0.1/keys"})", "other than alg and typ"},
      {R"({"alg":"HS256","x5u":"http://127.0.0.1/keys"})", "other than alg and typ"},
      {R"({"alg":"HS256","jwk":{"kty":"oct","k":"AA"}})", "other than alg and typ"},
  };
  for (const auto& [header, why] : headers) bad.push_back({std::string(header), WithHeader(header), why});
  const std::pair<std::string_view, std::string_view> payloads[] = {
      {R"({"iss":"cairn","sub":"a"})", "when it ends"},
      {R"({"iss":"cairn","sub":"a","exp":"1800000600"})", "exp must be a whole number"},
      {R"({"iss":"cairn","sub":"a","exp":1800000600.5})", "exp must be a whole number"},
      {R"({"iss":"cairn","sub":"a","exp":null})", "exp must be a whole number"},
      {R"({"iss":"cairn","sub":"a","exp":[1800000600]})", "exp must be a whole number"},
      {R"({"iss":"cairn","sub":"a","exp":1e400})", "not a JSON object"},
      {R"({"iss":"cairn","sub":"a","exp":1e15})", "exp must be a whole number"},
      {R"({"iss":"cairn","sub":"a","exp":99999999999999999999})", "not a JSON object"},
      {R"({"iss":"cairn","sub":"a","exp":1,"exp":1800000600})", "a member twice"},
      {R"({"iss":"cairn","sub":"a","exp":1800000600,"nbf":"0"})", "nbf must be a whole number"},
      {R"({"iss":"cairn","sub":"a","exp":1800000600,"iat":true})", "iat must be a whole number"},
      {R"({"iss":"cairn","exp":1800000600})", "no subject"},
      {R"({"iss":"cairn","sub":"","exp":1800000600})", "no subject"},
      {R"({"iss":"cairn","sub":7,"exp":1800000600})", "sub must be a text"},
      {R"({"iss":"cairn","sub":["a"],"exp":1800000600})", "sub must be a text"},
      {R"({"iss":"cairn","sub":"a","sub":"b","exp":1800000600})", "a member twice"},
      {R"({"iss":"cairn","sub":"a","exp":1800000600,"jti":1})", "jti must be a text"},
      {R"({"iss":"cairn","sub":"a","exp":1800000600,"sid":1})", "sid must be a text"},
      {R"({"iss":"cairn","sub":"a","exp":1800000600,"sid":""})", "session has no name"},
      {R"({"sub":"a","exp":1800000600})", "issued by someone else"},
      {R"({"iss":"cairn.evil","sub":"a","exp":1800000600})", "issued by someone else"},
      {R"({"iss":["cairn"],"sub":"a","exp":1800000600})", "iss must be a text"},
      {R"({"iss":"cairn","sub":"a","aud":"other","exp":1800000600})", "meant for someone else"},
      {R"({"iss":"cairn","sub":"a","aud":["cairn"],"exp":1800000600})", "aud must be a text"},
  };
  for (const auto& [payload, why] : payloads)
    bad.push_back({std::string(payload), WithPayload(payload), why});
  return bad;
}

TEST(Token, BadTokensAreRefused) {
  ASSERT_TRUE(VerifyToken(kKey, WithPayload(kGoodPayload), kNow));
  for (const BadToken& bad : BadTokens()) {
    const auto verified = VerifyToken(kKey, bad.token, kNow);
    ASSERT_FALSE(verified) << bad.name;
    EXPECT_EQ(verified.error().code, Code::kUnauthenticated) << bad.name;
    EXPECT_THAT(verified.error().message, HasSubstr(std::string(bad.why))) << bad.name;
  }
}

TEST(Token, EveryChangedCharacterIsNoticed) {
  const std::string good = WithPayload(kGoodPayload);
  for (size_t i = 0; i < good.size(); ++i) {
    for (const char other : {'A', 'b', '7', '-', '.', '=', '\0', '\x80'}) {
      if (good[i] == other) continue;
      std::string changed = good;
      changed[i] = other;
      EXPECT_FALSE(VerifyToken(kKey, changed, kNow)) << "position " << i;
    }
  }
}

TEST(BearerToken, SchemeIsReadInAnyCase) {
  for (const std::string_view field : {"Bearer a.b.c", "bearer a.b.c", "BEARER   a.b.c"}) {
    const auto token = BearerToken(field);
    ASSERT_TRUE(token) << field;
    EXPECT_EQ(*token, "a.b.c");
  }
}

TEST(BearerToken, OtherFieldsAreRefused) {
  for (const std::string_view field : {"", "Bearer", "Bearer ", "Basic YTpi", "Bearer:a.b.c", "a.b.c"}) {
    const auto token = BearerToken(field);
    ASSERT_FALSE(token) << field;
    EXPECT_EQ(token.error().code, Code::kUnauthenticated);
  }
}

}  // namespace
}  // namespace cairn::identity
