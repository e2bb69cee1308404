#include "outbound/address_rules.h"

#include <gtest/gtest.h>

namespace cairn::outbound {
namespace {

TEST(AddressRules, TheInternetMayBeReached) {
  for (const char* address :
       {"8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.15.255.255", "172.32.0.1",
        "192.167.255.255", "192.169.0.1", "169.253.0.1", "223.255.255.255", "2606:4700::1111",
        "2a00:1450:4001::200e", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"}) {
    EXPECT_TRUE(MayReachText(address, Reach::kPublic)) << address;
  }
}

TEST(AddressRules, PrivateNetworksOnlyWhenTheOperatorAllowsThem) {
  for (const char* address : {"127.0.0.1", "127.8.9.1", "10.0.0.1", "10.255.255.255", "172.16.0.1",
                              "172.31.255.255", "192.168.1.1", "100.64.0.1", "::1", "fc00::1", "fd12:3456::1",
                              "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1"}) {
    EXPECT_FALSE(MayReachText(address, Reach::kPublic)) << address;
    EXPECT_TRUE(MayReachText(address, Reach::kPrivate)) << address;
  }
}

TEST(AddressRules, NobodyIsSentToLinkLocalMulticastOrNowhere) {
  for (const char* address : {"0.0.0.0",
                              "0.1.2.3",
                              "169.254.169.254",
                              "169.254.0.1",
                              "224.0.0.1",
                              "239.255.255.255",
                              "240.0.0.1",
                              "255.255.255.255",
                              "192.0.2.1",
                              "198.18.0.1",
                              "::",
                              "fe80::1",
                              "ff02::1",
                              "fec0::1",
                              "2001:db8::1",
                              "2001::1",
                              "::ffff:169.254.169.254",
                              "64:ff9b::a9fe:a9fe",
                              "2002:a9fe:a9fe::1",
                              "::7f00:1"}) {
    EXPECT_FALSE(MayReachText(address, Reach::kPublic)) << address;
    EXPECT_FALSE(MayReachText(address, Reach::kPrivate)) << address;
    EXPECT_TRUE(MayReachText(address, Reach::kAny)) << address;
  }
}

TEST(AddressRules, OtherFamiliesAreRefused) {
  sockaddr local{};
  local.sa_family = AF_UNIX;
  EXPECT_FALSE(MayReach(local, Reach::kPrivate));
}

}  // namespace
}  // namespace cairn::outbound
