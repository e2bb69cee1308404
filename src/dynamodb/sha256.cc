#include "dynamodb/sha256.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

#include "base/check.h"

namespace cairn::dynamodb {

std::string Sha256(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  CHECK(EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1,
        "SHA-256 works");
  return std::string(reinterpret_cast<const char*>(digest.data()), size);
}

std::string HmacSha256(std::string_view key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  const unsigned char* result =
      HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &size);
  CHECK(result != nullptr, "HMAC-SHA-256 works");
  return std::string(reinterpret_cast<const char*>(digest.data()), size);
}

}  // namespace cairn::dynamodb
