#include "server/exposure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::server {
namespace {

using testing::HasSubstr;

Exposure Decide(const ServeSettings& settings) {
  auto exposure = DecideExposure(settings);
  EXPECT_TRUE(exposure) << exposure.error().message;
  return exposure ? *exposure : Exposure();
}

std::string Lines(const ServeSettings& settings) {
  std::string text;
  for (const std::string& line : Describe(Decide(settings), settings, 8000, 9100)) text += line + "\n";
  return text;
}

bool Allows(const Exposure& exposure, std::string_view host) {
  return exposure.hosts.Allows(host, [] { return *http::IpAddress::Parse("192.0.2.7"); });
}

TEST(Exposure, ByDefaultEverythingIsForThisMachine) {
  for (const char* host : {"127.0.0.1", "127.9.9.9", "localhost", "::1", "[::1]"}) {
    ServeSettings settings;
    settings.host = host;
    const Exposure exposure = Decide(settings);
    EXPECT_FALSE(exposure.is_public) << host;
    EXPECT_EQ(exposure.protocol, Protocol::kOpen);
    EXPECT_EQ(exposure.metrics, Metrics::kOpen);
    EXPECT_TRUE(exposure.hosts.allows_missing());
  }
}

TEST(Exposure, APublicServerServesTheProtocolToKeysOnly) {
  std::vector<ServeSettings> all(5);
  all[0].public_url = "https://cairn.example";
  all[1].host = "0.0.0.0";
  all[2].host = "192.0.2.7";
  all[3].host = "127.evil.example";  // looks like loopback
  all[4].public_url = "http://localhost:8000";
  for (ServeSettings& settings : all) {
    EXPECT_TRUE(Decide(settings).is_public) << settings.host;
    EXPECT_EQ(Decide(settings).protocol, Protocol::kOff) << settings.host;
    EXPECT_EQ(Decide(settings).metrics, Metrics::kHidden) << settings.host;
    EXPECT_FALSE(Decide(settings).hosts.allows_missing());
    settings.credentials = "keys.json";
    EXPECT_EQ(Decide(settings).protocol, Protocol::kSigned) << settings.host;
    EXPECT_EQ(Decide(settings).metrics, Metrics::kHidden) << settings.host;
  }
}

TEST(Exposure, MetricsHaveAListenerOrAToken) {
  ServeSettings settings;
  settings.metrics_listen = "127.0.0.1:9100";
  EXPECT_EQ(Decide(settings).metrics, Metrics::kHidden);
  EXPECT_EQ(Decide(settings).metrics_listener->host, "127.0.0.1");
  EXPECT_EQ(Decide(settings).metrics_listener->port, 9100);
  settings.metrics_listen = "[::1]:9100";
  EXPECT_EQ(Decide(settings).metrics_listener->host, "::1");
  settings.public_url = "https://cairn.example";
  settings.metrics_token = "token";
  EXPECT_EQ(Decide(settings).metrics, Metrics::kWithToken);
  for (const char* wrong :
       {"9100", "127.0.0.1", "127.0.0.1:", ":9100", "::1:9100", "127.0.0.1:99999", "a:b"}) {
    settings.metrics_listen = wrong;
    EXPECT_FALSE(DecideExposure(settings)) << wrong;
  }
}

TEST(Exposure, HostsAreThePublicOneTheBoundOneAndThoseListed) {
  ServeSettings settings;
  settings.host = "0.0.0.0";
  settings.public_url = "https://cairn.example:8443/app";
  settings.allowed_hosts = {"intern.example", "198.51.100.9"};
  const Exposure exposure = Decide(settings);
  for (const char* host :
       {"cairn.example", "cairn.example:8443", "intern.example", "198.51.100.9", "localhost", "192.0.2.7"}) {
    EXPECT_TRUE(Allows(exposure, host)) << host;
  }
  for (const char* host : {"evil.example", "0.0.0.0", "198.51.100.8"})
    EXPECT_FALSE(Allows(exposure, host)) << host;
  settings.allowed_hosts = {"https://intern.example"};
  EXPECT_THAT(DecideExposure(settings).error().message, HasSubstr("--allowed-host"));
}

TEST(Exposure, TlsMakesHttps) {
  ServeSettings settings;
  settings.tls_cert = "cert.pem";
  EXPECT_THAT(DecideExposure(settings).error().message, HasSubstr("belong together"));
  settings.tls_key = "key.pem";
  EXPECT_EQ(Decide(settings).scheme, http::PublicScheme::kHttps);
  EXPECT_EQ(ListeningAddress(Decide(settings), settings, 443), "https://127.0.0.1:443");
  settings.public_url = "http://cairn.example";
  EXPECT_FALSE(DecideExposure(settings));
  ServeSettings plain;
  EXPECT_EQ(Decide(plain).scheme, http::PublicScheme::kHttp);
  plain.http_redirect_port = 80;
  EXPECT_THAT(DecideExposure(plain).error().message, HasSubstr("--http-redirect-port"));
  plain = {};
  plain.public_url = "https://cairn.example";
  EXPECT_EQ(Decide(plain).scheme, http::PublicScheme::kHttps);
}

TEST(Exposure, ProxiesAreAddresses) {
  ServeSettings settings;
  settings.trusted_proxies = {"127.0.0.1", "10.0.0.0/8"};
  EXPECT_TRUE(Decide(settings).proxies.Trust(*http::IpAddress::Parse("10.1.2.3")));
  EXPECT_FALSE(Decide(settings).proxies.Trust(*http::IpAddress::Parse("11.1.2.3")));
  settings.trusted_proxies = {"proxy.example"};
  EXPECT_THAT(DecideExposure(settings).error().message, HasSubstr("--trusted-proxy"));
}

TEST(Exposure, SaysWhatIsServedToWhom) {
  EXPECT_EQ(Lines({}),
            "pages and API:     http://127.0.0.1:8000, for this machine only\n"
            "DynamoDB protocol: open to every program on this machine, all tables\n"
            "metrics:           http://127.0.0.1:8000/metrics\n");
  ServeSettings settings;
  settings.public_url = "https://cairn.example";
  EXPECT_EQ(
      Lines(settings),
      "pages and API:     https://cairn.example, for everyone whom a proxy on this machine lets in\n"
      "DynamoDB protocol: off, because others can reach this server; give --credentials FILE to serve it to "
      "signed requests\n"
      "metrics:           off; give --metrics-listen 127.0.0.1:9100 or --metrics-token FILE\n");
  settings.host = "::";
  settings.credentials = "keys.json";
  settings.metrics_listen = "127.0.0.1:0";
  settings.tls_cert = settings.tls_key = "pem";
  settings.http_redirect_port = 80;
  EXPECT_EQ(Lines(settings),
            "pages and API:     https://cairn.example, for everyone who can reach [::]\n"
            "DynamoDB protocol: for requests signed with a key of keys.json\n"
            "metrics:           http://127.0.0.1:9100/metrics\n"
            "plain HTTP:        port 80, only leads to https\n");
}

TEST(Exposure, RedirectsToThePublicAddressOrTheSameHost) {
  ServeSettings settings;
  settings.tls_cert = settings.tls_key = "pem";
  EXPECT_EQ(RedirectTarget(Decide(settings), 8443, "localhost:8080", "/a?b=c"),
            "https://localhost:8443/a?b=c");
  EXPECT_EQ(RedirectTarget(Decide(settings), 443, "[::1]", "/"), "https://[::1]/");
  EXPECT_EQ(RedirectTarget(Decide(settings), 443, "localhost", "http://evil.example/"), "https://localhost/");
  settings.public_url = "https://cairn.example/app";
  EXPECT_EQ(RedirectTarget(Decide(settings), 8443, "localhost:8080", "/a"), "https://cairn.example/a");
}

}  // namespace
}  // namespace cairn::server
