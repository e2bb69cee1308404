#include "outbound/address_rules.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

namespace cairn::outbound {
namespace {

enum class Place { kInternet, kPrivate, kNowhere };

struct Block4 {
  uint32_t network;
  int bits;
  Place place;
};
// The special blocks of IPv4 (IANA, RFC 6890 and its successors).
constexpr Block4 kBlocks4[] = {
    {0x00000000, 8, Place::kNowhere},   // "this network"; connecting to it reaches this machine
    {0x0A000000, 8, Place::kPrivate},   // 10/8
    {0x64400000, 10, Place::kPrivate},  // 100.64/10, carriers
    {0x7F000000, 8, Place::kPrivate},   // 127/8
    {0xA9FE0000, 16, Place::kNowhere},  // 169.254/16, link-local, with the clouds' metadata
    {0xAC100000, 12, Place::kPrivate},  // 172.16/12
    {0xC0000000, 24, Place::kNowhere},  // 192.0.0/24
    {0xC0000200, 24, Place::kNowhere},  // documentation
    {0xC0586300, 24, Place::kNowhere},  // 6to4 relays
    {0xC0A80000, 16, Place::kPrivate},  // 192.168/16
    {0xC6120000, 15, Place::kNowhere},  // measurements
    {0xC6336400, 24, Place::kNowhere},  // documentation
    {0xCB007100, 24, Place::kNowhere},  // documentation
    {0xE0000000, 3, Place::kNowhere},   // multicast, reserved, broadcast
};

Place PlaceOf4(uint32_t address) {
  for (const Block4& block : kBlocks4) {
    if ((address ^ block.network) >> (32 - block.bits) == 0) return block.place;
  }
  return Place::kInternet;
}

using Bytes6 = std::array<uint8_t, 16>;

bool HasPrefix(const Bytes6& address, std::span<const uint8_t> prefix) {
  return std::equal(prefix.begin(), prefix.end(), address.begin());
}

uint32_t Embedded4(const Bytes6& address, size_t at) {
  return uint32_t{address[at]} << 24 | uint32_t{address[at + 1]} << 16 | uint32_t{address[at + 2]} << 8 |
         address[at + 3];
}

Place PlaceOf6(const Bytes6& address) {
  static constexpr uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  static constexpr uint8_t kTranslated[12] = {0, 0x64, 0xFF, 0x9B};
  static constexpr uint8_t k6to4[2] = {0x20, 0x02};
  static constexpr uint8_t kTeredo[4] = {0x20, 0x01, 0, 0};
  static constexpr uint8_t kDocumentation[4] = {0x20, 0x01, 0x0D, 0xB8};
  Bytes6 loopback{};
  loopback[15] = 1;
  if (address == loopback) return Place::kPrivate;
  // Those that carry one of IPv4 lead to it.
  if (HasPrefix(address, kMapped) || HasPrefix(address, kTranslated)) return PlaceOf4(Embedded4(address, 12));
  if (HasPrefix(address, k6to4)) return PlaceOf4(Embedded4(address, 2));
  if (HasPrefix(address, kTeredo) || HasPrefix(address, kDocumentation)) return Place::kNowhere;
  if ((address[0] & 0xFE) == 0xFC) return Place::kPrivate;   // fc00::/7, unique local
  if ((address[0] & 0xE0) == 0x20) return Place::kInternet;  // 2000::/3 is all that is given out
  return Place::kNowhere;
}

bool IsWithin(Place place, Reach reach) {
  return place == Place::kInternet || (place == Place::kPrivate && reach == Reach::kPrivate);
}

}  // namespace

bool MayReach(const sockaddr& address, Reach reach) {
  if (reach == Reach::kAny) return true;
  if (address.sa_family == AF_INET) {
    sockaddr_in four;
    std::memcpy(&four, &address, sizeof four);
    return IsWithin(PlaceOf4(ntohl(four.sin_addr.s_addr)), reach);
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 six;
    std::memcpy(&six, &address, sizeof six);
    Bytes6 bytes;
    std::memcpy(bytes.data(), six.sin6_addr.s6_addr, bytes.size());
    return IsWithin(PlaceOf6(bytes), reach);
  }
  return false;
}

bool MayReachText(const std::string& host, Reach reach) {
  sockaddr_in four{};
  sockaddr_in6 six{};
  if (::inet_pton(AF_INET, host.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    return MayReach(reinterpret_cast<const sockaddr&>(four), reach);
  }
  const bool has_brackets = host.starts_with("[") && host.ends_with("]");
  const std::string bare = has_brackets ? host.substr(1, host.size() - 2) : host;
  if (::inet_pton(AF_INET6, bare.c_str(), &six.sin6_addr) == 1) {
    six.sin6_family = AF_INET6;
    return MayReach(reinterpret_cast<const sockaddr&>(six), reach);
  }
  return true;
}

}  // namespace cairn::outbound
