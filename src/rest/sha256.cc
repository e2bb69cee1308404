#include "rest/sha256.h"

#include <openssl/sha.h>

#include "base/base64url.h"

namespace cairn::rest {

std::string Sha256Text(std::string_view bytes) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest);
  return EncodeBase64Url(std::string_view(reinterpret_cast<const char*>(digest), sizeof digest));
}

}  // namespace cairn::rest
