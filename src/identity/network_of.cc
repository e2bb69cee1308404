#include "identity/network_of.h"

#include <arpa/inet.h>

namespace cairn::identity {
namespace {

constexpr size_t kNameBytesMax = 254;

}  // namespace

std::string NetworkOf(std::string_view address) {
  const std::string text(address.substr(0, kNameBytesMax));
  in6_addr six{};
  if (::inet_pton(AF_INET6, text.c_str(), &six) != 1) return text;
  if (IN6_IS_ADDR_V4MAPPED(&six)) {
    char four[INET_ADDRSTRLEN];
    if (::inet_ntop(AF_INET, &six.s6_addr[12], four, sizeof four) != nullptr) return four;
  }
  return "6:" + std::string(reinterpret_cast<const char*>(six.s6_addr), 8);
}

}  // namespace cairn::identity
