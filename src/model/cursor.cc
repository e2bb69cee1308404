#include "model/cursor.h"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <algorithm>
#include <memory>

#include "base/base64url.h"
#include "base/check.h"

namespace cairn::model {
namespace {

constexpr size_t kNonceBytes = 12;
constexpr size_t kTagBytes = 16;
constexpr size_t kCursorBytesMax = 16 * 1024;

using Context = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

Context NewContext() { return {EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free}; }
const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* Bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
int Length(std::string_view text) { return static_cast<int>(text.size()); }

}  // namespace

CursorSealer::CursorSealer(std::string_view secret, Random& random)
    : key_(SHA256_DIGEST_LENGTH, '\0'), random_(random) {
  const std::string labelled = "cairn cursor key 1:" + std::string(secret);
  SHA256(Bytes(labelled), labelled.size(), Bytes(key_));
}

std::string CursorSealer::Seal(std::string_view payload, std::string_view bound_to) const {
  std::string sealed;
  while (sealed.size() < kNonceBytes) {
    const uint64_t word = random_.Next();
    sealed.append(reinterpret_cast<const char*>(&word), std::min(sizeof(word), kNonceBytes - sealed.size()));
  }
  sealed.resize(kNonceBytes + payload.size() + kTagBytes);
  const Context context = NewContext();
  int written = 0;
  const bool done =
      EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, Bytes(std::string_view(key_)),
                         Bytes(std::string_view(sealed))) == 1 &&
      EVP_EncryptUpdate(context.get(), nullptr, &written, Bytes(bound_to), Length(bound_to)) == 1 &&
      EVP_EncryptUpdate(context.get(), Bytes(sealed) + kNonceBytes, &written, Bytes(payload),
                        Length(payload)) == 1 &&
      EVP_EncryptFinal_ex(context.get(), Bytes(sealed) + kNonceBytes + payload.size(), &written) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, kTagBytes,
                          Bytes(sealed) + kNonceBytes + payload.size()) == 1;
  CHECK(done, "AES-GCM encrypts");
  return EncodeBase64Url(sealed);
}

Result<std::string> CursorSealer::Open(std::string_view cursor, std::string_view bound_to) const {
  const Error refused = Invalid("the cursor is not one that this list gave to this caller");
  if (cursor.size() > kCursorBytesMax) return Fail(refused);
  auto sealed = DecodeBase64Url(cursor);
  if (!sealed || sealed->size() < kNonceBytes + kTagBytes) return Fail(refused);
  std::string payload(sealed->size() - kNonceBytes - kTagBytes, '\0');
  const std::string_view body = std::string_view(*sealed).substr(kNonceBytes, payload.size());
  const Context context = NewContext();
  int written = 0;
  const bool right =
      EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, Bytes(std::string_view(key_)),
                         Bytes(std::string_view(*sealed))) == 1 &&
      EVP_DecryptUpdate(context.get(), nullptr, &written, Bytes(bound_to), Length(bound_to)) == 1 &&
      EVP_DecryptUpdate(context.get(), Bytes(payload), &written, Bytes(body), Length(body)) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, kTagBytes,
                          Bytes(*sealed) + kNonceBytes + payload.size()) == 1 &&
      EVP_DecryptFinal_ex(context.get(), Bytes(payload) + payload.size(), &written) == 1;
  if (!right) return Fail(refused);
  return payload;
}

}  // namespace cairn::model
