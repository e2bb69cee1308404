#include "identity/public_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/freed.h"

namespace cairn::identity {
namespace {

constexpr std::string_view kRs256 = "RS256";
constexpr std::string_view kEs256 = "ES256";
constexpr int kModulusBitsMin = 2048;
constexpr int kModulusBitsMax = 8192;  // beyond it, verifying takes long enough to be an attack
constexpr size_t kExponentBytesMax = 4;
constexpr size_t kCoordinateBytes = 32;

using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using EcSignature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;
using Key = std::shared_ptr<EVP_PKEY>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Number NumberOf(std::string_view bytes) {
  return Number(BN_bin2bn(Bytes(bytes), static_cast<int>(bytes.size()), nullptr));
}

// Null when OpenSSL takes it for no key.
Key KeyOf(const char* type, OSSL_PARAM_BLD* builder) {
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder));
  const KeyContext making(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  CHECK(parameters != nullptr && making != nullptr, "OpenSSL knows RSA and EC");
  EVP_PKEY* made = nullptr;
  if (EVP_PKEY_fromdata_init(making.get()) != 1 ||
      EVP_PKEY_fromdata(making.get(), &made, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1) {
    return nullptr;
  }
  Key key(made, EVP_PKEY_free);
  const KeyContext checking(EVP_PKEY_CTX_new_from_pkey(nullptr, made, nullptr));
  return checking != nullptr && EVP_PKEY_public_check(checking.get()) == 1 ? key : nullptr;
}

// r and s as OpenSSL wants them: a DER sequence of two numbers. Empty when they are not 64 bytes.
std::vector<unsigned char> DerSignature(std::string_view signature) {
  if (signature.size() != 2 * kCoordinateBytes) return {};
  const EcSignature pair(ECDSA_SIG_new());
  Number r = NumberOf(signature.substr(0, kCoordinateBytes));
  Number s = NumberOf(signature.substr(kCoordinateBytes));
  if (pair == nullptr || r == nullptr || s == nullptr) return {};
  if (ECDSA_SIG_set0(pair.get(), r.get(), s.get()) != 1) return {};
  r.release();  // the pair owns them now
  s.release();
  const int size = i2d_ECDSA_SIG(pair.get(), nullptr);
  if (size <= 0) return {};
  std::vector<unsigned char> der(static_cast<size_t>(size));
  unsigned char* end = der.data();
  i2d_ECDSA_SIG(pair.get(), &end);
  return der;
}

}  // namespace

Result<PublicKey> PublicKey::Rsa(std::string_view modulus, std::string_view exponent) {
  if (modulus.size() > kModulusBitsMax / 8) return Fail(Invalid("the RSA key is too large"));
  const Number n = NumberOf(modulus);
  const Number e = NumberOf(exponent.substr(0, kExponentBytesMax));
  const Builder builder(OSSL_PARAM_BLD_new());
  CHECK(n != nullptr && e != nullptr && builder != nullptr, "there is memory for a key");
  if (BN_num_bits(n.get()) < kModulusBitsMin) return Fail(Invalid("the RSA key has less than 2048 bits"));
  if (exponent.size() > kExponentBytesMax || BN_get_word(e.get()) < 65537 || BN_is_odd(e.get()) == 0) {
    return Fail(Invalid("the RSA key has an unusual exponent"));
  }
  CHECK(OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) == 1 &&
            OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) == 1,
        "there is memory for a key");
  Key key = KeyOf("RSA", builder.get());
  if (key == nullptr) return Fail(Invalid("the RSA key is no key"));
  return PublicKey(std::move(key), kRs256);
}

Result<PublicKey> PublicKey::P256(std::string_view x, std::string_view y) {
  if (x.size() != kCoordinateBytes || y.size() != kCoordinateBytes) {
    return Fail(Invalid("the coordinates of a P-256 key have 32 bytes each"));
  }
  const std::string point = '\x04' + std::string(x) + std::string(y);  // uncompressed, SEC 1
  const Builder builder(OSSL_PARAM_BLD_new());
  CHECK(
      builder != nullptr &&
          OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1 &&
          OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                           point.size()) == 1,
      "there is memory for a key");
  Key key = KeyOf("EC", builder.get());
  if (key == nullptr) return Fail(Invalid("the P-256 key is no point of the curve"));
  return PublicKey(std::move(key), kEs256);
}

bool PublicKey::Verifies(std::string_view text, std::string_view signature) const {
  std::vector<unsigned char> der;
  if (algorithm_ == kEs256) {
    der = DerSignature(signature);
    if (der.empty()) return false;
    signature = {reinterpret_cast<const char*>(der.data()), der.size()};
  }
  const DigestContext context(EVP_MD_CTX_new());
  CHECK(context != nullptr, "there is memory for a digest");
  return EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
         EVP_DigestVerify(context.get(), Bytes(signature), signature.size(), Bytes(text), text.size()) == 1;
}

}  // namespace cairn::identity
