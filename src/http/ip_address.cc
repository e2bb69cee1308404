#include "http/ip_address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace cairn::http {
namespace {

constexpr std::array<uint8_t, 12> kV4Prefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr int kV4PrefixBits = 96;

// The number of leading bits that two addresses share is at least `bits`.
bool ShareBits(const std::array<uint8_t, 16>& a, const std::array<uint8_t, 16>& b, int bits) {
  const auto whole = static_cast<size_t>(bits / 8);
  if (!std::equal(a.begin(), a.begin() + whole, b.begin())) return false;
  const int rest = bits % 8;
  return rest == 0 || ((a[whole] ^ b[whole]) >> (8 - rest)) == 0;
}

}  // namespace

std::optional<IpAddress> IpAddress::Parse(std::string_view text) {
  const bool has_brackets = text.size() > 2 && text.front() == '[' && text.back() == ']';
  if (has_brackets) text = text.substr(1, text.size() - 2);
  std::array<char, INET6_ADDRSTRLEN + 1> terminated;
  if (text.empty() || text.size() >= terminated.size() || text.find('\0') != text.npos) return std::nullopt;
  std::memcpy(terminated.data(), text.data(), text.size());
  terminated[text.size()] = '\0';
  if (text.find(':') == text.npos) {
    std::array<uint8_t, 4> v4;
    if (has_brackets || ::inet_pton(AF_INET, terminated.data(), v4.data()) != 1) return std::nullopt;
    return FromV4(v4);
  }
  std::array<uint8_t, 16> v6;
  if (::inet_pton(AF_INET6, terminated.data(), v6.data()) != 1) return std::nullopt;
  return FromV6(v6);
}

IpAddress IpAddress::FromV4(const std::array<uint8_t, 4>& bytes) {
  IpAddress address;
  std::ranges::copy(kV4Prefix, address.bytes_.begin());
  std::ranges::copy(bytes, address.bytes_.begin() + kV4Prefix.size());
  return address;
}

IpAddress IpAddress::FromV6(const std::array<uint8_t, 16>& bytes) {
  IpAddress address;
  address.bytes_ = bytes;
  return address;
}

bool IpAddress::is_v4() const { return std::equal(kV4Prefix.begin(), kV4Prefix.end(), bytes_.begin()); }

bool IpAddress::is_loopback() const {
  if (is_v4()) return bytes_[kV4Prefix.size()] == 127;
  return bytes_.back() == 1 &&
         std::all_of(bytes_.begin(), bytes_.end() - 1, [](uint8_t b) { return b == 0; });
}

bool IpAddress::is_unspecified() const {
  const auto first = is_v4() ? bytes_.begin() + kV4Prefix.size() : bytes_.begin();
  return std::all_of(first, bytes_.end(), [](uint8_t b) { return b == 0; });
}

IpAddress IpAddress::Network() const {
  if (is_v4()) return *this;
  IpAddress network = *this;
  std::fill(network.bytes_.begin() + 8, network.bytes_.end(), uint8_t{0});
  return network;
}

std::string IpAddress::Text() const {
  std::array<char, INET6_ADDRSTRLEN> text;
  const bool v4 = is_v4();
  ::inet_ntop(v4 ? AF_INET : AF_INET6, bytes_.data() + (v4 ? kV4Prefix.size() : 0), text.data(), text.size());
  return text.data();
}

std::optional<AddressRange> AddressRange::Parse(std::string_view text) {
  const size_t slash = text.find('/');
  const auto address = IpAddress::Parse(text.substr(0, slash));
  if (!address) return std::nullopt;
  AddressRange range;
  range.first_ = *address;
  if (slash == text.npos) return range;
  const std::string_view number = text.substr(slash + 1);
  const int bits_max = text.find(':') == text.npos ? 32 : 128;
  int bits = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), bits);
  if (error != std::errc() || end != number.data() + number.size() || bits < 0 || bits > bits_max)
    return std::nullopt;
  range.bits_ = bits_max == 32 ? kV4PrefixBits + bits : bits;
  for (int bit = range.bits_; bit < 128; ++bit) {
    if ((address->bytes()[static_cast<size_t>(bit / 8)] >> (7 - bit % 8)) & 1) return std::nullopt;
  }
  return range;
}

bool AddressRange::Contains(const IpAddress& address) const {
  return ShareBits(first_.bytes(), address.bytes(), bits_);
}

}  // namespace cairn::http
