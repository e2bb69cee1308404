#include "server/exposure.h"

#include <charconv>

#include "rest/origin.h"

namespace cairn::server {
namespace {

using http::HostName;
using http::IpAddress;

std::string WithoutBrackets(const std::string& host) {
  const bool has_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return has_brackets ? host.substr(1, host.size() - 2) : host;
}

std::string WithBrackets(const std::string& host) {
  return host.find(':') == host.npos || host.front() == '[' ? host : "[" + host + "]";
}

bool IsLoopback(const std::string& host) { return http::IsLoopbackHost(WithBrackets(host)); }

// "https://cairn.example" -> "cairn.example", "https://[2001:db8::1]:8000" -> "[2001:db8::1]"
std::string_view HostOfOrigin(std::string_view origin) {
  return HostName(origin.substr(origin.find("://") + 3));
}

Result<ListenAddress> ParseListenAddress(const std::string& text, const std::string& flag) {
  const size_t colon = text.rfind(':');
  ListenAddress address;
  if (colon != text.npos) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, address.port);
    address.host = WithoutBrackets(text.substr(0, colon));
    const bool is_ambiguous = address.host.find(':') != address.host.npos && text.front() != '[';
    if (error == std::errc() && stop == end && !address.host.empty() && !is_ambiguous) return address;
  }
  return Fail(Invalid(flag + " must be an address and a port, such as 127.0.0.1:9100 or [::1]:9100, not \"" +
                      text + "\""));
}

Result<http::TrustedProxies> ReadProxies(const ServeSettings& settings) {
  http::TrustedProxies proxies;
  for (const std::string& text : settings.trusted_proxies) {
    const auto range = http::AddressRange::Parse(text);
    if (!range)
      return Fail(
          Invalid("--trusted-proxy must be an address or a range such as 10.0.0.0/8, not \"" + text + "\""));
    proxies.ranges.push_back(*range);
  }
  if (settings.proxy_header == "forwarded") proxies.field = http::ForwardedField::kForwarded;
  return proxies;
}

// The names by which requests may call the server, besides those of loopback.
Result<http::HostPolicy> ReadHosts(const ServeSettings& settings, const Exposure& exposure) {
  std::vector<std::string> names;
  for (const std::string& name : settings.allowed_hosts) {
    if (!http::HostPolicy::Make({name}, http::HostPolicy::Missing::kRefused))
      return Fail(
          Invalid("--allowed-host must be the name or address of a host, without scheme and port, not \"" +
                  name + "\""));
    names.push_back(name);
  }
  if (!exposure.public_origin.empty()) names.emplace_back(HostOfOrigin(exposure.public_origin));
  const auto bound = IpAddress::Parse(settings.host);
  if (!bound || !bound->is_unspecified()) names.push_back(WithoutBrackets(settings.host));
  return http::HostPolicy::Make(
      names, exposure.is_public ? http::HostPolicy::Missing::kRefused : http::HostPolicy::Missing::kAllowed);
}

Status CheckTls(const ServeSettings& settings, const Exposure& exposure) {
  if (settings.tls_cert.empty() != settings.tls_key.empty())
    return Fail(Invalid("--tls-cert and --tls-key belong together: one of them is missing"));
  if (settings.http_redirect_port != 0 && !exposure.has_tls)
    return Fail(
        Invalid("--http-redirect-port needs --tls-cert and --tls-key: there is nothing to redirect to"));
  if (exposure.has_tls && exposure.public_origin.starts_with("http://"))
    return Fail(Invalid("--public-url must begin with https:// when --tls-cert is given"));
  return {};
}

}  // namespace

Result<Exposure> DecideExposure(const ServeSettings& settings) {
  Exposure exposure;
  exposure.public_origin = rest::OriginOf(settings.public_url);
  if (!settings.public_url.empty() && exposure.public_origin.empty())
    return Fail(Invalid("--public-url must begin with http:// or https://"));
  if (!settings.public_url.empty() && HostOfOrigin(exposure.public_origin).empty())
    return Fail(Invalid("--public-url must name a host, such as https://cairn.example"));
  exposure.is_public = !settings.public_url.empty() || !IsLoopback(settings.host);
  exposure.has_tls = !settings.tls_cert.empty() && !settings.tls_key.empty();
  RETURN_IF_ERROR(CheckTls(settings, exposure));
  exposure.scheme = exposure.has_tls ? http::PublicScheme::kHttps : http::SchemeOf(exposure.public_origin);
  exposure.protocol = !settings.credentials.empty() ? Protocol::kSigned
                      : exposure.is_public          ? Protocol::kOff
                                                    : Protocol::kOpen;
  if (!settings.metrics_listen.empty()) {
    ASSIGN_OR_RETURN(exposure.metrics_listener,
                     ParseListenAddress(settings.metrics_listen, "--metrics-listen"));
  }
  exposure.metrics_need_token = !settings.metrics_token.empty();
  const bool is_everybody_here = !exposure.is_public && !exposure.metrics_listener;
  exposure.metrics = exposure.metrics_need_token ? Metrics::kWithToken
                     : is_everybody_here         ? Metrics::kOpen
                                                 : Metrics::kHidden;
  if (settings.http_redirect_port != 0) exposure.redirect_port = settings.http_redirect_port;
  ASSIGN_OR_RETURN(exposure.hosts, ReadHosts(settings, exposure));
  ASSIGN_OR_RETURN(exposure.proxies, ReadProxies(settings));
  return exposure;
}

std::string ListeningAddress(const Exposure& exposure, const ServeSettings& settings, uint16_t port) {
  return std::string(exposure.has_tls ? "https" : "http") + "://" + WithBrackets(settings.host) + ":" +
         std::to_string(port);
}

std::vector<std::string> Describe(const Exposure& exposure, const ServeSettings& settings, uint16_t port,
                                  uint16_t metrics_port) {
  const std::string listening = ListeningAddress(exposure, settings, port);
  const std::string address = exposure.public_origin.empty() ? listening : exposure.public_origin;
  std::vector<std::string> lines;

  if (!settings.no_apps || !settings.models.empty()) {
    std::string line = (settings.no_apps ? "models:            " : "pages and API:     ") + address;
    if (!exposure.is_public) {
      line += ", for this machine only";
    } else if (IsLoopback(settings.host)) {
      line += ", for everyone whom a proxy on this machine lets in";
    } else {
      line += ", for everyone who can reach " + WithBrackets(settings.host);
    }
    lines.push_back(std::move(line));
  }

  std::string protocol = "DynamoDB protocol: ";
  if (exposure.protocol == Protocol::kOff)
    protocol +=
        "off, because others can reach this server; give --credentials FILE to serve it to signed requests";
  if (exposure.protocol == Protocol::kOpen) protocol += "open to every program on this machine, all tables";
  if (exposure.protocol == Protocol::kSigned)
    protocol += "for requests signed with a key of " + settings.credentials;
  lines.push_back(std::move(protocol));

  const std::string token =
      exposure.metrics_need_token ? ", with the token of " + settings.metrics_token : "";
  std::string metrics;
  if (exposure.metrics != Metrics::kHidden) metrics = listening + "/metrics" + token;
  if (exposure.metrics_listener) {
    if (!metrics.empty()) metrics += "; ";
    metrics += "http://" + WithBrackets(exposure.metrics_listener->host) + ":" +
               std::to_string(metrics_port) + "/metrics" + token;
  }
  if (metrics.empty()) metrics = "off; give --metrics-listen 127.0.0.1:9100 or --metrics-token FILE";
  lines.push_back("metrics:           " + metrics);

  if (exposure.redirect_port)
    lines.push_back("plain HTTP:        port " + std::to_string(*exposure.redirect_port) +
                    ", only leads to https");
  return lines;
}

std::string RedirectTarget(const Exposure& exposure, uint16_t tls_port, std::string_view host_field,
                           std::string_view target) {
  std::string address = exposure.public_origin;
  if (address.empty()) {
    address = "https://" + std::string(HostName(host_field));
    if (tls_port != 443) address += ":" + std::to_string(tls_port);
  }
  return address + (target.starts_with('/') ? std::string(target) : "/");
}

}  // namespace cairn::server
