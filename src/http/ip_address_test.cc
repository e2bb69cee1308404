#include "http/ip_address.h"

#include <gtest/gtest.h>

namespace cairn::http {
namespace {

IpAddress Address(std::string_view text) {
  const auto address = IpAddress::Parse(text);
  EXPECT_TRUE(address) << text;
  return address.value_or(IpAddress());
}

TEST(IpAddress, OneSpellingForEach) {
  EXPECT_EQ(Address("192.0.2.7").Text(), "192.0.2.7");
  EXPECT_EQ(Address("::ffff:192.0.2.7").Text(), "192.0.2.7");
  EXPECT_EQ(Address("2001:DB8:0:0:0:0:0:1").Text(), "2001:db8::1");
  EXPECT_EQ(Address("[2001:db8::1]").Text(), "2001:db8::1");
  EXPECT_EQ(Address("::ffff:192.0.2.7"), Address("192.0.2.7"));
}

TEST(IpAddress, NamesAndAlmostAddressesAreNone) {
  for (const char* text : {"", "localhost", "127.0.0.1.evil.example", "127.1", "1.2.3.4.5", "01.2.3.4",
                           "256.1.1.1", "1.2.3.4:80", "[1.2.3.4]", "[::1", "::1]", "fe80::1%eth0", "[]",
                           "2001:db8:::1", "1.2.3.4 ", "1234567890123456789012345678901234567890123456789"}) {
    EXPECT_FALSE(IpAddress::Parse(text)) << text;
  }
  EXPECT_FALSE(IpAddress::Parse(std::string_view("1.2.3.4\0", 8)));
}

TEST(IpAddress, Loopback) {
  for (const char* text : {"127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(Address(text).is_loopback()) << text;
  }
  for (const char* text : {"128.0.0.1", "0.0.0.0", "::", "::2", "1::1"}) {
    EXPECT_FALSE(Address(text).is_loopback()) << text;
  }
  EXPECT_TRUE(Address("0.0.0.0").is_unspecified());
  EXPECT_TRUE(Address("::").is_unspecified());
  EXPECT_FALSE(Address("::1").is_unspecified());
}

TEST(IpAddress, NetworkOfOneClient) {
  EXPECT_EQ(Address("2001:db8:1:2:3:4:5:6").Network(), Address("2001:db8:1:2::"));
  EXPECT_EQ(Address("192.0.2.7").Network(), Address("192.0.2.7"));
}

TEST(AddressRange, Contains) {
  const auto contains = [](std::string_view range, std::string_view address) {
    const auto parsed = AddressRange::Parse(range);
    EXPECT_TRUE(parsed) << range;
    return parsed && parsed->Contains(Address(address));
  };
  EXPECT_TRUE(contains("10.0.0.0/8", "10.255.1.2"));
  EXPECT_FALSE(contains("10.0.0.0/8", "11.0.0.0"));
  EXPECT_TRUE(contains("10.0.0.0/8", "::ffff:10.1.1.1"));
  EXPECT_TRUE(contains("192.0.2.128/25", "192.0.2.129"));
  EXPECT_FALSE(contains("192.0.2.128/25", "192.0.2.127"));
  EXPECT_TRUE(contains("192.0.2.7", "192.0.2.7"));
  EXPECT_FALSE(contains("192.0.2.7", "192.0.2.8"));
  EXPECT_TRUE(contains("2001:db8::/33", "2001:db8:7fff::1"));
  EXPECT_FALSE(contains("2001:db8::/33", "2001:db8:8000::1"));
  EXPECT_TRUE(contains("0.0.0.0/0", "203.0.113.9"));
  EXPECT_FALSE(contains("0.0.0.0/0", "2001:db8::1"));
  EXPECT_TRUE(contains("::/0", "2001:db8::1"));
}

TEST(AddressRange, RefusesWhatCouldMeanSomethingElse) {
  for (const char* text : {"10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x", "/8",
                           "proxy.example", "2001:db8::/129", "2001:db8::1/64"}) {
    EXPECT_FALSE(AddressRange::Parse(text)) << text;
  }
}

}  // namespace
}  // namespace cairn::http
