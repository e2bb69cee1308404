// The rows of RFC 8725 (JSON Web Token best current practices) for tokens of other issuers.
#include "identity/external_token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "identity/jwks.h"
#include "identity/signer_for_test.h"
#include "rest/hmac.h"

namespace cairn::identity {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

const Time kNow{seconds(1'800'000'000)};
const ExternalIssuer kGoodIssuer{.issuer = "https://good.example/pool", .audience = "cairn-api"};
constexpr std::string_view kHeader = R"({"alg":"RS256","kid":"one","typ":"at+jwt"})";

// The members that a good payload has, each replaceable: {"aud", R"("other")"}; "" leaves it out.
std::string Payload(std::map<std::string, std::string> changes = {}) {
  std::map<std::string, std::string> members = {{"iss", R"("https://good.example/pool")"},
                                                {"aud", R"("cairn-api")"},
                                                {"sub", R"("u-1")"},
                                                {"exp", "1800000600"},
                                                {"iat", "1800000000"}};
  for (auto& [name, value] : changes) members[name] = std::move(value);
  std::string text = "{";
  for (const auto& [name, value] : members) {
    if (!value.empty()) text += (text.size() > 1 ? ",\"" : "\"") + name + "\":" + value;
  }
  return text + "}";
}

const SignerForTest& Rsa() { return SignerForTest::SharedRsa(); }
const SignerForTest& Ec() { return SignerForTest::SharedEc(); }

const KeySet& Keys() {
  static const KeySet kKeys =
      ParseKeySet(R"({"keys":[)" + Rsa().Jwk("one") + "," + Ec().Jwk("two") + "]}").value();
  return kKeys;
}

Result<Claims> Verify(std::string_view token, const ExternalIssuer& issuer = kGoodIssuer) {
  ASSIGN_OR_RETURN(const UnverifiedToken unverified, ReadExternalToken(token));
  const auto key = Keys().find(unverified.key_id);
  if (key == Keys().end()) return Fail(Code::kUnauthenticated, "its key is not known");
  return VerifyExternalToken(unverified, issuer, key->second, kNow);
}

TEST(ExternalToken, GoodTokenNamesItsSubject) {
  const auto claims = Verify(Rsa().Token(
      kHeader,
      Payload({{"jti", R"("t-1")"}, {"tenantId", R"("acme")"}, {"groups", R"(["a"])"}, {"sid", R"("x")"}})));
  ASSERT_TRUE(claims) << claims.error().message;
  EXPECT_EQ(claims->subject, "u-1");
  EXPECT_EQ(claims->expires, Time(seconds(1'800'000'600)));
  EXPECT_EQ(claims->id, "t-1");
  EXPECT_EQ(claims->others, (std::map<std::string, std::string, std::less<>>{{"tenantId", "acme"}}));
  EXPECT_EQ(claims->session_id, "") << "sessions of other issuers are none of ours";
}

TEST(ExternalToken, KindsOfAccessTokensThatIssuersMake) {
  const std::string cognito = Payload(
      {{"aud", ""}, {"client_id", R"("cairn-api")"}, {"token_use", R"("access")"}, {"scope", R"("x")"}});
  const std::pair<std::string_view, std::string> good[] = {
      {"at+jwt", Rsa().Token(kHeader, Payload())},
      {"with media type",
       Rsa().Token(R"({"alg":"RS256","kid":"one","typ":"application/AT+JWT"})", Payload())},
      {"JWT", Rsa().Token(R"({"alg":"RS256","kid":"one","typ":"JWT"})", Payload())},
      {"no type", Rsa().Token(R"({"alg":"RS256","kid":"one"})", Payload())},
      {"more header", Rsa().Token(R"({"alg":"RS256","kid":"one","x5t":"abc","nonce":"n"})", Payload())},
      {"Cognito", Rsa().Token(R"({"alg":"RS256","kid":"one"})", cognito)},
      {"Keycloak",
       Rsa().Token(R"({"alg":"RS256","kid":"one","typ":"JWT"})", Payload({{"typ", R"("Bearer")"}}))},
      {"ES256", Ec().Token(R"({"alg":"ES256","kid":"two"})", Payload())},
  };
  for (const auto& [name, token] : good) {
    const auto claims = Verify(token);
    EXPECT_TRUE(claims) << name << ": " << (claims ? "" : claims.error().message);
  }
}

struct BadToken {
  std::string name;
  std::string token;
  std::string_view why;
};

void ExpectAllRefused(const std::vector<BadToken>& tokens) {
  for (const BadToken& bad : tokens) {
    const auto claims = Verify(bad.token);
    ASSERT_FALSE(claims) << bad.name;
    EXPECT_EQ(claims.error().code, Code::kUnauthenticated) << bad.name;
    EXPECT_THAT(claims.error().message, HasSubstr(std::string(bad.why))) << bad.name;
  }
}

TEST(ExternalToken, NoAlgorithmIsRefused) {
  std::vector<BadToken> bad;
  for (const std::string algorithm : {"none", "None", "nONE", "NONE", ""}) {
    const std::string text =
        EncodeBase64Url(R"({"alg":")" + algorithm + R"(","kid":"one"})") + "." + EncodeBase64Url(Payload());
    bad.push_back({"empty signature, " + algorithm, text + ".", "algorithm"});
    bad.push_back(
        {"good signature, " + algorithm, text + "." + EncodeBase64Url(Rsa().Sign(text)), "algorithm"});
    bad.push_back({"no signature, " + algorithm, text, "three parts"});
  }
  bad.push_back({"no alg", Rsa().Token(R"({"kid":"one"})", Payload()), "alg and kid"});
  bad.push_back(
      {"alg is a list", Rsa().Token(R"({"alg":["RS256"],"kid":"one"})", Payload()), "alg must be a text"});
  ExpectAllRefused(bad);
}

// The public key is public: if the header could choose HMAC, anybody could sign with it.
TEST(ExternalToken, AlgorithmIsFixedByTheKey) {
  std::vector<BadToken> bad;
  for (const std::string& secret : {Rsa().PublicPem(), Ec().PublicPem(), Rsa().Jwk("one"), std::string()}) {
    const std::string text =
        EncodeBase64Url(R"({"alg":"HS256","kid":"one"})") + "." + EncodeBase64Url(Payload());
    bad.push_back(
        {"HS256 with " + secret, text + "." + EncodeBase64Url(rest::HmacSha256(secret, text)), "algorithm"});
  }
  bad.push_back({"RSA key as ES256", Rsa().Token(R"({"alg":"ES256","kid":"one"})", Payload()), "algorithm"});
  bad.push_back({"EC key as RS256", Ec().Token(R"({"alg":"RS256","kid":"two"})", Payload()), "algorithm"});
  bad.push_back({"PS256", Rsa().Token(R"({"alg":"PS256","kid":"one"})", Payload()), "algorithm"});
  bad.push_back({"other case", Rsa().Token(R"({"alg":"rs256","kid":"one"})", Payload()), "algorithm"});
  bad.push_back({"signed by the other key", Ec().Token(kHeader, Payload()), "signature is wrong"});
  ExpectAllRefused(bad);
}

TEST(ExternalToken, KeysAreFoundByExactNameOnly) {
  std::vector<BadToken> bad;
  for (const std::string kid :
       {"../../dev/null", "' OR 1=1", "unknown", "ONE", "one ", "on", "", "/etc/passwd"}) {
    bad.push_back(
        {kid, Rsa().Token(R"({"alg":"RS256","kid":")" + kid + R"("})", Payload()), "key is not known"});
  }
  bad.push_back({"another key's", Rsa().Token(R"({"alg":"RS256","kid":"two"})", Payload()), "algorithm"});
  bad.push_back({"none", Rsa().Token(R"({"alg":"RS256"})", Payload()), "alg and kid"});
  bad.push_back({"a number", Rsa().Token(R"({"alg":"RS256","kid":1})", Payload()), "kid must be a text"});
  bad.push_back({"64 KB",
                 Rsa().Token(R"({"alg":"RS256","kid":")" + std::string(65536, 'k') + R"("})", Payload()),
                 "too long"});
  ExpectAllRefused(bad);
}

TEST(ExternalToken, HeadersThatBringKeysAreRefused) {
  std::vector<BadToken> bad;
  const SignerForTest attacker = SignerForTest::Ec();
  for (const std::string& member :
       {std::string(R"("jku":"http://127.0.0.1:1/keys")"), std::string(R"("x5u":"http://127.0.0.1:1/keys")"),
        R"("jwk":)" + attacker.Jwk("one"), std::string(R"("x5c":["MIIB"])"), std::string(R"("crit":["exp"])"),
        std::string(R"("crit":[])"), std::string(R"("b64":false)"), std::string(R"("zip":"DEF")")}) {
    const std::string header = R"({"alg":"RS256","kid":"one",)" + member + "}";
    bad.push_back({"signed by the issuer: " + member, Rsa().Token(header, Payload()), "header may not have"});
    bad.push_back(
        {"signed by the attacker: " + member, attacker.Token(header, Payload()), "header may not have"});
  }
  ExpectAllRefused(bad);
}

struct TimeCase {
  std::string_view name;
  std::map<std::string, std::string> times;
  bool good;
};

TEST(ExternalToken, TimesMayBeOffByAMinute) {
  const TimeCase cases[] = {
      {"ended 59 s ago", {{"exp", "1799999941"}}, true},
      {"ended 60 s ago", {{"exp", "1799999940"}}, true},
      {"ended 61 s ago", {{"exp", "1799999939"}}, false},
      {"never ends", {{"exp", ""}}, false},
      {"ends at 1e400", {{"exp", "1e400"}}, false},
      {"end is a text", {{"exp", R"("1800000600")"}}, false},
      {"end is a fraction", {{"exp", "1800000600.5"}}, false},
      {"end is null", {{"exp", "null"}}, false},
      {"end is negative", {{"exp", "-1"}}, false},
      {"end is beyond 64 bits", {{"exp", "99999999999999999999"}}, false},
      {"begins in 59 s", {{"nbf", "1800000059"}}, true},
      {"begins in 60 s", {{"nbf", "1800000060"}}, true},
      {"begins in 61 s", {{"nbf", "1800000061"}}, false},
      {"begins in 10 min", {{"nbf", "1800000600"}}, false},
      {"begin is a text", {{"nbf", R"("0")"}}, false},
      {"issued in 59 s", {{"iat", "1800000059"}}, true},
      {"issued in 61 s", {{"iat", "1800000061"}}, false},
      {"issue is true", {{"iat", "true"}}, false},
      {"issue is not told", {{"iat", ""}}, true},
  };
  for (const TimeCase& c : cases) {
    EXPECT_EQ(Verify(Rsa().Token(kHeader, Payload(c.times))).has_value(), c.good) << c.name;
  }
}

TEST(ExternalToken, OtherAudiencesIssuersAndTypesAreRefused) {
  const auto with = [](std::map<std::string, std::string> changes) {
    return Rsa().Token(kHeader, Payload(std::move(changes)));
  };
  const auto typed = [](std::string_view type) {
    return Rsa().Token(R"({"alg":"RS256","kid":"one","typ":")" + std::string(type) + R"("})", Payload());
  };
  ExpectAllRefused({
      {"audience of another service", with({{"aud", R"("other-api")"}}), "meant for someone else"},
      {"audience array", with({{"aud", R"(["cairn-api"])"}}), "aud must be a text"},
      {"audience array of two", with({{"aud", R"(["other-api","cairn-api"])"}}), "aud must be a text"},
      {"longer audience", with({{"aud", R"("cairn-api.evil")"}}), "meant for someone else"},
      {"no audience", with({{"aud", ""}}), "meant for someone else"},
      {"client without use", with({{"aud", ""}, {"client_id", R"("cairn-api")"}}), "meant for someone else"},
      {"other client", with({{"aud", ""}, {"client_id", R"("x")"}, {"token_use", R"("access")"}}),
       "meant for someone else"},
      {"audience of another, client ours",
       with({{"aud", R"("x")"}, {"client_id", R"("cairn-api")"}, {"token_use", R"("access")"}}),
       "meant for someone else"},
      {"longer issuer", with({{"iss", R"("https://good.example/pool.evil")"}}), "issued by someone else"},
      {"shorter issuer", with({{"iss", R"("https://good.example/")"}}), "issued by someone else"},
      {"other case", with({{"iss", R"("https://GOOD.example/pool")"}}), "issued by someone else"},
      {"no issuer", with({{"iss", ""}}), "issued by someone else"},
      {"issuer array", with({{"iss", R"(["https://good.example/pool"])"}}), "iss must be a text"},
      {"our own issuer", with({{"iss", R"("cairn")"}}), "issued by someone else"},
      {"ID token by type", typed("id+jwt"), "no access token"},
      {"logout token by type", typed("logout+jwt"), "no access token"},
      {"JWE by type", typed("JWE"), "no access token"},
      {"ID token of Cognito", with({{"token_use", R"("id")"}}), "no access token"},
      {"ID token of Keycloak", with({{"typ", R"("ID")"}}), "no access token"},
      {"refresh token of Keycloak", with({{"typ", R"("Refresh")"}}), "no access token"},
      {"ID token by nonce", with({{"nonce", R"("n")"}}), "no access token"},
      {"ID token by at_hash", with({{"at_hash", R"("h")"}}), "no access token"},
  });
}

TEST(ExternalToken, SubjectsMustBeUserIds) {
  std::vector<BadToken> bad;
  for (const std::string subject : {R"("")", R"("a#b")", R"("*")", R"("u?")", R"("a b")", R"("u\u0000")",
                                    R"("u\n")", R"("é")", "7", "null", R"(["u-1"])", ""}) {
    bad.push_back({subject, Rsa().Token(kHeader, Payload({{"sub", subject}})), ""});
  }
  bad.push_back(
      {"257 bytes", Rsa().Token(kHeader, Payload({{"sub", '"' + std::string(257, 'u') + '"'}})), "user id"});
  ExpectAllRefused(bad);
}

TEST(ExternalToken, WhatCouldBeReadInTwoWaysIsRefused) {
  const std::string good = Rsa().Token(kHeader, Payload());
  const size_t first = good.find('.'), last = good.rfind('.');
  const std::string twice =
      R"({"iss":"https://good.example/pool","aud":"cairn-api","sub":"u-1","sub":"u-2","exp":1})";
  ASSERT_TRUE(Verify(good));
  ExpectAllRefused({
      {"payload member twice", Rsa().Token(kHeader, twice), "a member twice"},
      {"header member twice", Rsa().Token(R"({"alg":"RS256","alg":"none","kid":"one"})", Payload()),
       "a member twice"},
      {"kid twice", Rsa().Token(R"({"alg":"RS256","kid":"two","kid":"one"})", Payload()), "a member twice"},
      {"padding behind the signature", good + "=", "not base64url"},
      {"padding behind the header", good.substr(0, first) + "=" + good.substr(first), "not base64url"},
      {"padding behind the payload", good.substr(0, last) + "=" + good.substr(last), "not base64url"},
      {"space", good + " ", "not base64url"},
      {"line end", good + "\n", "not base64url"},
      {"standard alphabet", good.substr(0, good.size() - 2) + "+/", "not base64url"},
      {"four parts", good + ".x", "three parts"},
      {"payload is no object", Rsa().Token(kHeader, "[]"), "not a JSON object"},
      {"payload is no JSON", Rsa().Token(kHeader, "x"), "not a JSON object"},
      {"payload has something behind", Rsa().Token(kHeader, Payload() + "{}"), "not a JSON object"},
      {"payload is no UTF-8", Rsa().Token(kHeader, Payload({{"x", "\"\xff\""}})), "not a JSON object"},
  });
}

// The last character of a text of 43 or 342 characters has bits that no byte uses.
TEST(ExternalToken, BitsThatNoByteUsesAreRefused) {
  const std::string good = Rsa().Token(kHeader, Payload());
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  int others = 0;
  for (const char c : kAlphabet) {
    std::string changed = good;
    changed.back() = c;
    if (changed == good) continue;
    ++others;
    EXPECT_FALSE(Verify(changed)) << c;
  }
  EXPECT_EQ(others, 63);
}

TEST(ExternalToken, EveryChangedCharacterIsNoticed) {
  const std::string good = Ec().Token(R"({"alg":"ES256","kid":"two"})", Payload());
  for (size_t i = 0; i < good.size(); ++i) {
    std::string changed = good;
    changed[i] = good[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(Verify(changed)) << "position " << i;
  }
}

TEST(ExternalToken, LargeAndDeepTokensAreRefused) {
  const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
  const std::string less_deep = std::string(1'100, '[') + std::string(1'100, ']');
  ExpectAllRefused({
      {"1 MB", std::string(1 << 20, 'A'), "too long"},
      {"1 MB with dots", std::string(1 << 19, 'A') + "." + std::string(1 << 19, 'A') + ".A", "too long"},
      {"8 KB of claims", Rsa().Token(kHeader, Payload({{"x", '"' + std::string(8192, 'x') + '"'}})),
       "too long"},
      {"10,000 deep", Rsa().Token(kHeader, Payload({{"x", deep}})), "too long"},
      {"1,100 deep", Rsa().Token(kHeader, Payload({{"x", less_deep}})), "not a JSON object"},
  });
  EXPECT_TRUE(Verify(Rsa().Token(kHeader, Payload({{"x", '"' + std::string(4000, 'x') + '"'}}))));
}

}  // namespace
}  // namespace cairn::identity
