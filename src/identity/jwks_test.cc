#include "identity/jwks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "identity/signer_for_test.h"

namespace cairn::identity {
namespace {

using testing::HasSubstr;

const SignerForTest& Rsa() { return SignerForTest::SharedRsa(); }
const SignerForTest& Ec() { return SignerForTest::SharedEc(); }

std::string KeySetOf(std::initializer_list<std::string> keys) {
  std::string text = R"({"keys":[)";
  for (const std::string& key : keys) text += (text.back() == '[' ? "" : ",") + key;
  return text + "]}";
}

TEST(KeySet, KeysVerifyWhatTheirOwnersSigned) {
  const auto keys =
      ParseKeySet(KeySetOf({Rsa().Jwk("one", R"(,"use":"sig","alg":"RS256","x5t":"x")"), Ec().Jwk("two")}));
  ASSERT_TRUE(keys) << keys.error().message;
  ASSERT_EQ(keys->size(), 2u);
  const PublicKey& one = keys->at("one");
  const PublicKey& two = keys->at("two");
  EXPECT_EQ(one.algorithm(), "RS256");
  EXPECT_EQ(two.algorithm(), "ES256");
  EXPECT_TRUE(one.Verifies("text", Rsa().Sign("text")));
  EXPECT_TRUE(two.Verifies("text", Ec().Sign("text")));
  EXPECT_FALSE(one.Verifies("texts", Rsa().Sign("text")));
  EXPECT_FALSE(two.Verifies("texts", Ec().Sign("text")));
  EXPECT_FALSE(one.Verifies("text", Ec().Sign("text")));
  EXPECT_FALSE(two.Verifies("text", Rsa().Sign("text")));
}

TEST(KeySet, EveryChangedByteOfASignatureIsNoticed) {
  const auto keys = ParseKeySet(KeySetOf({Rsa().Jwk("one"), Ec().Jwk("two")}));
  ASSERT_TRUE(keys);
  for (const auto& [kid, signer] : {std::pair("one", &Rsa()), std::pair("two", &Ec())}) {
    const std::string good = signer->Sign("text");
    for (size_t i = 0; i < good.size(); ++i) {
      std::string changed = good;
      changed[i] = static_cast<char>(changed[i] ^ 1);
      EXPECT_FALSE(keys->at(kid).Verifies("text", changed)) << kid << " byte " << i;
    }
    for (const std::string& other : {std::string(), good.substr(1), good + '\0', std::string(64, '\0')}) {
      EXPECT_FALSE(keys->at(kid).Verifies("text", other));
    }
  }
}

TEST(KeySet, UnusableKeysArePassedOver) {
  const std::string good = Ec().Jwk("good");
  const SignerForTest small = SignerForTest::Rsa(1024);
  const std::string n = Rsa().Part(OSSL_PKEY_PARAM_RSA_N);
  const std::string x = Ec().Part(OSSL_PKEY_PARAM_EC_PUB_X, 32);
  const std::pair<std::string_view, std::string> unusable[] = {
      {"no kid", R"({"kty":"RSA","n":")" + n + R"(","e":"AQAB"})"},
      {"empty kid", Rsa().Jwk("")},
      {"kid of 64 KB", Rsa().Jwk(std::string(65536, 'k'))},
      {"1024 bits", small.Jwk("bad")},
      {"exponent 1", R"({"kid":"bad","kty":"RSA","n":")" + n + R"(","e":"AQ"})"},
      {"exponent 3", R"({"kid":"bad","kty":"RSA","n":")" + n + R"(","e":"Aw"})"},
      {"even exponent", R"({"kid":"bad","kty":"RSA","n":")" + n + R"(","e":"AQAC"})"},
      {"long exponent", R"({"kid":"bad","kty":"RSA","n":")" + n + R"(","e":"AQAAAAAB"})"},
      {"huge modulus",
       R"({"kid":"bad","kty":"RSA","n":")" + std::string(16384 / 6 + 2, 'x') + R"(","e":"AQAB"})"},
      {"modulus with padding", R"({"kid":"bad","kty":"RSA","n":")" + n + R"(=","e":"AQAB"})"},
      {"modulus missing", R"({"kid":"bad","kty":"RSA","e":"AQAB"})"},
      {"RSA for another algorithm", Rsa().Jwk("bad", R"(,"alg":"PS256")")},
      {"RSA for HMAC", Rsa().Jwk("bad", R"(,"alg":"HS256")")},
      {"algorithm is no text", Rsa().Jwk("bad", R"(,"alg":1)")},
      {"RSA for encryption", Rsa().Jwk("bad", R"(,"use":"enc")")},
      {"use is no text", Rsa().Jwk("bad", R"(,"use":["sig"])")},
      {"operations without verify", Rsa().Jwk("bad", R"(,"key_ops":["sign"])")},
      {"for encryption by its operations",
       Rsa().Jwk("bad", R"(,"use":"sig","key_ops":["encrypt","wrapKey"])")},
      {"no operation at all", Ec().Jwk("bad", R"(,"key_ops":[])")},
      {"operations as a text", Ec().Jwk("bad", R"(,"key_ops":"verify")")},
      {"an operation that is no text", Ec().Jwk("bad", R"(,"key_ops":["verify",1])")},
      {"an operation twice", Ec().Jwk("bad", R"(,"key_ops":["verify","verify"])")},
      {"operations null", Ec().Jwk("bad", R"(,"key_ops":null)")},
      {"for encryption, although it verifies", Ec().Jwk("bad", R"(,"use":"enc","key_ops":["verify"])")},
      {"private", Rsa().Jwk("bad", R"(,"d":"AQAB")")},
      {"symmetric", R"({"kid":"bad","kty":"oct","k":"c2VjcmV0"})"},
      {"RSA with a symmetric secret", Rsa().Jwk("bad", R"(,"k":"c2VjcmV0")")},
      {"other curve", R"({"kid":"bad","kty":"EC","crv":"P-384","x":")" + x + R"(","y":")" + x + R"("})"},
      {"no point of the curve",
       R"({"kid":"bad","kty":"EC","crv":"P-256","x":")" + x + R"(","y":")" + x + R"("})"},
      {"point at infinity", R"({"kid":"bad","kty":"EC","crv":"P-256","x":"","y":""})"},
      {"EC for RSA", Ec().Jwk("bad", R"(,"alg":"RS256")")},
      {"EdDSA", R"({"kid":"bad","kty":"OKP","crv":"Ed25519","x":")" + x + R"("})"},
      {"no type", R"({"kid":"bad"})"},
  };
  for (const auto& [name, key] : unusable) {
    const auto keys = ParseKeySet(KeySetOf({key, good}));
    ASSERT_TRUE(keys) << name << ": " << keys.error().message;
    EXPECT_EQ(keys->size(), 1u) << name;
    EXPECT_TRUE(keys->contains("good")) << name;
    const auto alone = ParseKeySet(KeySetOf({key}));
    ASSERT_FALSE(alone) << name;
    EXPECT_THAT(alone.error().message, HasSubstr("no key that can be used"));
  }
}

TEST(KeySet, OperationsThatVerifyAreUsable) {
  for (const std::string more : {R"(,"key_ops":["verify"])", R"(,"use":"sig","key_ops":["verify"])",
                                 R"(,"key_ops":["verify","something-new"])"}) {
    EXPECT_TRUE(ParseKeySet(KeySetOf({Ec().Jwk("good", more)}))) << more;
  }
}

TEST(KeySet, DocumentsThatAreNoneAreRefused) {
  const std::string good = Ec().Jwk("good");
  std::string many = R"({"keys":[)";
  for (int i = 0; i < 101; ++i) many += (i == 0 ? "" : ",") + std::string("{}");
  const std::pair<std::string, std::string_view> documents[] = {
      {"", "must be a JSON object"},
      {"<html>", "must be a JSON object"},
      {"[" + good + "]", "must be a JSON object"},
      {"{}", "must be a JSON object"},
      {R"({"keys":{}})", "must be a JSON object"},
      {R"({"keys":["x"]})", "must be a JSON object"},
      {R"({"keys":[]})", "no key"},
      {R"({"keys":[)" + good + R"(],"keys":[]})", "a member twice"},
      {KeySetOf({good, Rsa().Jwk("good")}), "one kid"},
      {KeySetOf({Ec().Jwk("good", R"(,"kty":"RSA")")}), "a member twice"},
      {many + "]}", "more than 100"},
  };
  for (const auto& [document, why] : documents) {
    const auto keys = ParseKeySet(document);
    ASSERT_FALSE(keys) << document;
    EXPECT_THAT(keys.error().message, HasSubstr(std::string(why))) << document;
  }
}

}  // namespace
}  // namespace cairn::identity
