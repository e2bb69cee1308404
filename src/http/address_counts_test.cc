#include "http/address_counts.h"

#include <gtest/gtest.h>

#include <vector>

namespace cairn::http {
namespace {

IpAddress Address(std::string_view text) { return *IpAddress::Parse(text); }

TEST(AddressCounts, EachAddressHasItsOwnPlaces) {
  AddressCounts counts;
  auto first = counts.Take(Address("192.0.2.7"), 2);
  auto second = counts.Take(Address("192.0.2.7"), 2);
  EXPECT_TRUE(first && second);
  EXPECT_FALSE(counts.Take(Address("192.0.2.7"), 2));
  auto other = counts.Take(Address("192.0.2.8"), 2);
  EXPECT_TRUE(other);
  first.reset();
  EXPECT_TRUE(counts.Take(Address("192.0.2.7"), 2));
}

TEST(AddressCounts, AClientWithANetworkOfItsOwnIsOneClient) {
  AddressCounts counts;
  const auto place = counts.Take(Address("2001:db8:1:2::1"), 1);
  EXPECT_TRUE(place);
  EXPECT_FALSE(counts.Take(Address("2001:db8:1:2:ffff::9"), 1));
  EXPECT_TRUE(counts.Take(Address("2001:db8:1:3::1"), 1));
}

TEST(AddressCounts, ForgetsAddressesThatHaveNone) {
  AddressCounts counts;
  {
    std::vector<AddressCounts::Place> places;
    for (int i = 0; i < 100; ++i) places.push_back(*counts.Take(Address("192.0.2." + std::to_string(i)), 1));
    AddressCounts::Place moved = std::move(places.back());
    moved = std::move(places.front());
    EXPECT_EQ(counts.addresses(), 100u);
    EXPECT_FALSE(counts.Take(Address("192.0.2.0"), 1));
  }
  EXPECT_FALSE(counts.Take(Address("192.0.2.7"), 0));
  EXPECT_EQ(counts.addresses(), 0u);
}

}  // namespace
}  // namespace cairn::http
