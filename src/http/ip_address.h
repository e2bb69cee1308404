// IpAddress and AddressRange: addresses as numbers, for whoever compares, counts or trusts them. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::http {

// IPv4 is kept inside IPv6 (::ffff:0:0/96), so that the same address is equal however it was written.
class IpAddress {
 public:
  // "192.0.2.7", "2001:db8::1"; with or without brackets around IPv6. No port, no scope, no leading zeros of
  // IPv4. Nothing for anything else, names included.
  static std::optional<IpAddress> Parse(std::string_view text);
  // In the order of the network, 4 or 16 bytes.
  static IpAddress FromV4(const std::array<uint8_t, 4>& bytes);
  static IpAddress FromV6(const std::array<uint8_t, 16>& bytes);

  bool is_v4() const;
  bool is_loopback() const;     // 127.0.0.0/8 or ::1
  bool is_unspecified() const;  // 0.0.0.0 or ::
  // What one client cannot change at will: IPv4 whole, of IPv6 the network (/64) that a household gets.
  IpAddress Network() const;
  // One spelling for each; IPv4 as IPv4.
  std::string Text() const;

  const std::array<uint8_t, 16>& bytes() const { return bytes_; }
  friend bool operator==(const IpAddress&, const IpAddress&) = default;

 private:
  std::array<uint8_t, 16> bytes_{};
};

// The addresses that begin with the same bits: "10.0.0.0/8", "2001:db8::/32", or one address alone.
class AddressRange {
 public:
  // Nothing unless it is an address, or an address and a number of bits with nothing but zeros after them.
  static std::optional<AddressRange> Parse(std::string_view text);
  bool Contains(const IpAddress& address) const;

 private:
  IpAddress first_;
  int bits_ = 128;
};

}  // namespace cairn::http
