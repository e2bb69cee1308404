#include "http/forwarded.h"

#include <gtest/gtest.h>

namespace cairn::http {
namespace {

struct Case {
  std::vector<std::string_view> values;  // of the field, in order
  std::string_view client;
};

std::string ClientOf(std::string_view name, const Case& each, ForwardedField field) {
  TrustedProxies proxies;
  proxies.field = field;
  for (const char* range : {"10.0.0.0/8", "2001:db8:f::/48", "127.0.0.1"}) {
    proxies.ranges.push_back(*AddressRange::Parse(range));
  }
  Request request;
  request.headers.push_back({"Host", "cairn.example"});
  for (const std::string_view value : each.values) request.headers.push_back({name, value});
  return ClientBehind(proxies, *IpAddress::Parse("10.0.0.1"), request).Text();
}

TEST(ClientBehind, XForwardedFor) {
  const Case cases[] = {
      {{}, "10.0.0.1"},
      {{"192.0.2.7"}, "192.0.2.7"},
      {{" 192.0.2.7 "}, "192.0.2.7"},
      {{"192.0.2.7:4711"}, "192.0.2.7"},
      {{"2001:db8::7"}, "2001:db8::7"},
      {{"[2001:DB8::7]"}, "2001:db8::7"},
      {{"[2001:db8::7]:4711"}, "2001:db8::7"},
      {{"::ffff:192.0.2.7"}, "192.0.2.7"},
      // Several proxies: the last one that is not ours.
      {{"192.0.2.7, 10.0.0.9"}, "192.0.2.7"},
      {{"192.0.2.7,10.0.0.9,2001:db8:f::1"}, "192.0.2.7"},
      {{"192.0.2.7", "10.0.0.9"}, "192.0.2.7"},
      // What a client invents stands before what our proxy appends.
      {{"203.0.113.1, 192.0.2.7"}, "192.0.2.7"},
      {{"203.0.113.1", "192.0.2.7"}, "192.0.2.7"},
      {{"10.0.0.5, 192.0.2.7"}, "192.0.2.7"},
      {{"nonsense, 192.0.2.7"}, "192.0.2.7"},
      {{"\", 192.0.2.7"}, "192.0.2.7"},
      // All of them ours: a client inside.
      {{"10.0.0.7, 10.0.0.9"}, "10.0.0.7"},
      // Not readable up to the client: whoever speaks to us.
      {{"nonsense"}, "10.0.0.1"},
      {{"192.0.2.7, nonsense"}, "10.0.0.1"},
      {{"192.0.2.7,"}, "10.0.0.1"},
      {{","}, "10.0.0.1"},
      {{"unknown, 10.0.0.9"}, "10.0.0.1"},
      {{"192.0.2.7:port"}, "10.0.0.1"},
      {{"[2001:db8::7"}, "10.0.0.1"},
      {{"[2001:db8::7]x"}, "10.0.0.1"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(ClientOf("x-forwarded-for", each, ForwardedField::kXForwardedFor), each.client)
        << (each.values.empty() ? "" : each.values.front());
  }
}

TEST(ClientBehind, Forwarded) {
  const Case cases[] = {
      {{"for=192.0.2.7"}, "192.0.2.7"},
      {{"For=192.0.2.7;proto=https;by=10.0.0.1"}, "192.0.2.7"},
      {{"proto=https; for=\"192.0.2.7:4711\""}, "192.0.2.7"},
      {{"for=\"[2001:db8::7]:4711\""}, "2001:db8::7"},
      {{"for=\"[2001:db8::7]\", for=10.0.0.9"}, "2001:db8::7"},
      {{"for=203.0.113.1", "for=192.0.2.7, for=10.0.0.9"}, "192.0.2.7"},
      {{"for=203.0.113.1;x=\"a,b;for=1.2.3.4\", for=10.0.0.9"}, "203.0.113.1"},
      {{"for=unknown"}, "10.0.0.1"},
      {{"for=_hidden, for=10.0.0.9"}, "10.0.0.1"},
      {{"proto=https"}, "10.0.0.1"},
      {{"for=192.0.2.7;for=192.0.2.8"}, "10.0.0.1"},
      {{"192.0.2.7"}, "10.0.0.1"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(ClientOf("Forwarded", each, ForwardedField::kForwarded), each.client) << each.values.front();
  }
}

TEST(ClientBehind, TheOtherFieldIsTheClientsOwn) {
  EXPECT_EQ(ClientOf("Forwarded", {{"for=192.0.2.7"}, ""}, ForwardedField::kXForwardedFor), "10.0.0.1");
  EXPECT_EQ(ClientOf("X-Forwarded-For", {{"192.0.2.7"}, ""}, ForwardedField::kForwarded), "10.0.0.1");
}

}  // namespace
}  // namespace cairn::http
