// Exposure: what `cairn serve` serves to whom, decided once from its settings. Pure.
//
// The same decision routes requests (front_door.h, serve.cc) and is printed at the start, so that the two
// cannot differ. A server is public when people elsewhere can reach it: with --public-url, or when it listens
// on an address that is not loopback.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "http/forwarded.h"
#include "http/host_policy.h"
#include "http/security_headers.h"
#include "server/serve_settings.h"

namespace cairn::server {

// The DynamoDB protocol, POST /.
enum class Protocol {
  kOff,     // public, and no credentials
  kOpen,    // any signature, all tables: whoever uses this machine
  kSigned,  // keys of --credentials; tables of the server itself only where a credential names them
};

// GET /metrics, on the listener of everything else.
enum class Metrics {
  kHidden,
  kOpen,
  kWithToken,
};

struct ListenAddress {
  std::string host;  // without brackets
  uint16_t port = 0;
};

struct Exposure {
  bool is_public = false;
  bool has_tls = false;
  Protocol protocol = Protocol::kOff;
  Metrics metrics = Metrics::kHidden;
  std::optional<ListenAddress> metrics_listener;  // asks for the token, too, if there is one
  bool metrics_need_token = false;
  std::optional<uint16_t> redirect_port;  // plain HTTP that only leads to https
  http::PublicScheme scheme = http::PublicScheme::kHttp;
  std::string public_origin;  // "https://cairn.example"; "": whatever host a request names
  http::HostPolicy hosts;
  http::TrustedProxies proxies;
};

// Fails with kInvalidArgument and a sentence that names the flag.
Result<Exposure> DecideExposure(const ServeSettings& settings);

// "https://[::1]:8000": what the server itself listens on.
std::string ListeningAddress(const Exposure& exposure, const ServeSettings& settings, uint16_t port);

// What is served to whom: a few lines for people. The ports are those that were bound.
std::vector<std::string> Describe(const Exposure& exposure, const ServeSettings& settings, uint16_t port,
                                  uint16_t metrics_port);

// Where a request that came over plain HTTP is sent: the public address, else the host it named, at the port
// that speaks TLS. Precondition: the host is one of ours (http::HostPolicy).
std::string RedirectTarget(const Exposure& exposure, uint16_t tls_port, std::string_view host_field,
                           std::string_view target);

}  // namespace cairn::server
