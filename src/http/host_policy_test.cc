#include "http/host_policy.h"

#include <gtest/gtest.h>

namespace cairn::http {
namespace {

bool Allows(const HostPolicy& policy, std::string_view host, std::string_view arrived_at = "127.0.0.1") {
  return policy.Allows(host, [&] { return *IpAddress::Parse(arrived_at); });
}

HostPolicy PolicyFor(std::vector<std::string> names) {
  auto policy = HostPolicy::Make(names, HostPolicy::Missing::kRefused);
  EXPECT_TRUE(policy) << policy.error().message;
  return policy ? *policy : HostPolicy();
}

TEST(HostPolicy, LoopbackNamesAreAlwaysOurs) {
  const HostPolicy policy = PolicyFor({});
  for (const char* host :
       {"localhost", "localhost:8000", "LocalHost", "localhost.", "cairn.localhost:1", "127.0.0.1",
        "127.0.0.1:8000", "127.9.8.7", "[::1]", "[::1]:8000", "[0:0:0:0:0:0:0:1]:80"}) {
    EXPECT_TRUE(Allows(policy, host)) << host;
  }
}

TEST(HostPolicy, NamesThatOnlyLookLikeItAreNot) {
  const HostPolicy policy = PolicyFor({"cairn.example"});
  for (const char* host : {"evil.example",
                           "127.0.0.1.evil.example",
                           "127.evil.example",
                           "evil-localhost",
                           "evillocalhost",
                           "localhost.evil",
                           "localhost:8000:9",
                           "localhost:x",
                           "[::1",
                           "[::1]x",
                           "::1",
                           "",
                           ":8000",
                           ".",
                           "cairn.example.evil.org",
                           "xcairn.example",
                           "cairn.example:80@evil.org",
                           "127.0.0.1/evil",
                           "localhost:123456",
                           "0x7f.0.0.1",
                           "127.1"}) {
    EXPECT_FALSE(Allows(policy, host)) << host;
  }
}

TEST(HostPolicy, ListedNamesAndAddresses) {
  const HostPolicy policy = PolicyFor({"Cairn.example", "192.0.2.7", "2001:db8::1"});
  for (const char* host :
       {"cairn.example", "cairn.example:443", "CAIRN.EXAMPLE.", "192.0.2.7:8000", "[2001:DB8:0::1]"}) {
    EXPECT_TRUE(Allows(policy, host)) << host;
  }
  EXPECT_FALSE(Allows(policy, "192.0.2.8"));
  EXPECT_FALSE(Allows(policy, "other.example"));
}

TEST(HostPolicy, TheAddressThatTheConnectionArrivedAtIsOurs) {
  const HostPolicy policy = PolicyFor({});
  EXPECT_TRUE(Allows(policy, "192.0.2.7:8000", "192.0.2.7"));
  EXPECT_TRUE(Allows(policy, "[2001:db8::1]:8000", "2001:db8::1"));
  EXPECT_FALSE(Allows(policy, "192.0.2.8:8000", "192.0.2.7"));
  EXPECT_FALSE(Allows(policy, "evil.example", "192.0.2.7"));
}

TEST(HostPolicy, RefusesWhatIsNotAHost) {
  for (const char* name : {"https://cairn.example", "cairn.example:443", "", "cairn example", "*.example"}) {
    EXPECT_FALSE(HostPolicy::Make({name}, HostPolicy::Missing::kRefused)) << name;
  }
}

}  // namespace
}  // namespace cairn::http
