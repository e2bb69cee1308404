// Another issuer's private key: signs tokens as such an issuer would, and publishes its public half.
#pragma once

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/base64url.h"
#include "base/check.h"

namespace cairn::identity {

class SignerForTest {
 public:
  static SignerForTest Rsa(size_t bits = 2048) {
    return {EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", bits), "RSA"};
  }
  static SignerForTest Ec(const char* curve = "P-256") {
    return {EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", curve), "EC"};
  }
  // One of each for all tests: making RSA keys takes long.
  static const SignerForTest& SharedRsa() {
    static const SignerForTest kSigner = Rsa();
    return kSigner;
  }
  static const SignerForTest& SharedEc() {
    static const SignerForTest kSigner = Ec();
    return kSigner;
  }

  std::string_view algorithm() const { return type_ == "RSA" ? "RS256" : "ES256"; }

  // A member of a key set; `more` goes into the object, such as R"(,"use":"sig")".
  std::string Jwk(std::string_view kid, std::string_view more = "") const {
    const std::string name = R"({"kid":")" + std::string(kid) + R"(","kty":")" + type_ + '"';
    const std::string numbers =
        type_ == "RSA"
            ? R"(,"n":")" + Part(OSSL_PKEY_PARAM_RSA_N) + R"(","e":")" + Part(OSSL_PKEY_PARAM_RSA_E)
            : R"(,"crv":"P-256","x":")" + Part(OSSL_PKEY_PARAM_EC_PUB_X, 32) + R"(","y":")" +
                  Part(OSSL_PKEY_PARAM_EC_PUB_Y, 32);
    return name + numbers + '"' + std::string(more) + "}";
  }

  // One of its numbers, base64url; filled up with zeros to `bytes`.
  std::string Part(const char* name, size_t bytes = 0) const {
    BIGNUM* number = nullptr;
    CHECK(EVP_PKEY_get_bn_param(key_.get(), name, &number) == 1, "the key has this number");
    std::string text(std::max(bytes, static_cast<size_t>(BN_num_bytes(number))), '\0');
    BN_bn2binpad(number, reinterpret_cast<unsigned char*>(text.data()), static_cast<int>(text.size()));
    BN_free(number);
    return EncodeBase64Url(text);
  }

  std::string PublicPem() const {
    BIO* out = BIO_new(BIO_s_mem());
    CHECK(PEM_write_bio_PUBKEY(out, key_.get()) == 1, "the key can be printed");
    char* text = nullptr;
    const long size = BIO_get_mem_data(out, &text);
    std::string pem(text, static_cast<size_t>(size));
    BIO_free(out);
    return pem;
  }

  // As a token carries it, not encoded yet.
  std::string Sign(std::string_view text) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    CHECK(EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1,
          "the key signs");
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    size_t size = 0;
    CHECK(EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size()) == 1, "the key signs");
    std::string signature(size, '\0');
    auto* out = reinterpret_cast<unsigned char*>(signature.data());
    CHECK(EVP_DigestSign(context.get(), out, &size, bytes, text.size()) == 1, "the key signs");
    signature.resize(size);
    return type_ == "RSA" ? signature : RawSignature(signature);
  }

  // A whole token of any header and payload.
  std::string Token(std::string_view header, std::string_view payload) const {
    const std::string text = EncodeBase64Url(header) + "." + EncodeBase64Url(payload);
    return text + "." + EncodeBase64Url(Sign(text));
  }

 private:
  SignerForTest(EVP_PKEY* key, std::string type) : key_(key, EVP_PKEY_free), type_(std::move(type)) {
    CHECK(key != nullptr, "OpenSSL makes keys");
  }

  static std::string RawSignature(const std::string& der) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(der.data());
    ECDSA_SIG* pair = d2i_ECDSA_SIG(nullptr, &bytes, static_cast<long>(der.size()));
    CHECK(pair != nullptr, "OpenSSL signs in DER");
    std::string raw(64, '\0');
    auto* out = reinterpret_cast<unsigned char*>(raw.data());
    BN_bn2binpad(ECDSA_SIG_get0_r(pair), out, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(pair), out + 32, 32);
    ECDSA_SIG_free(pair);
    return raw;
  }

  std::shared_ptr<EVP_PKEY> key_;
  std::string type_;
};

}  // namespace cairn::identity
