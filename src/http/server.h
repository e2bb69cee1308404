// Server: one listener, HTTP/1.1 with keep-alive and pipelining, one event loop per core.
//
// Transport only: knows no data and no routes. Every limit is in ServerOptions. What breaks the protocol or a
// limit is answered by the server itself with {"message":"..."} and the connection is closed; the handler
// never sees it. Before more than kSmallBodyBytes of a body are read, a BodyAdmitter is asked.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "http/forwarded.h"
#include "http/host_policy.h"
#include "http/http.h"

namespace cairn::http {

class TlsServer;  // tls.h

// What a response that is made while it is sent counts as: the part on its way, and what its source keeps.
inline constexpr size_t kStreamBytes = 1 << 20;

struct ServerOptions {
  std::string host = "127.0.0.1";  // address or name; IPv6 with or without brackets
  uint16_t port = 8000;            // 0: any free port
  int threads = 0;                 // 0: one per core
  const TlsServer* tls = nullptr;  // null: plain; outlives the server
  HostPolicy hosts;                // requests by other names: 421
  TrustedProxies proxies;          // whom to believe where a request comes from
  size_t header_bytes_max = 16 * 1024;
  size_t body_bytes_max = 16 * 1024 * 1024;  // also after gzip decoding
  size_t connections_max = 10'000;
  // Of one address, or of one network (/64) with IPv6; above: 429. 0: 1,000, but a quarter of all at most.
  // This machine and trusted proxies have as many as they like.
  size_t connections_per_address_max = 0;
  bool counts_loopback = false;                      // for tests: this machine is an address like any other
  size_t body_memory_bytes_max = 512 * 1024 * 1024;  // all request bodies in flight; above: 503
  size_t body_memory_share_bytes_max = 128 * 1024 * 1024;  // those of one account (account.h)
  // All answers that clients have not taken yet, and those of one account. Above: the connection is reset.
  size_t response_memory_bytes_max = 256 * 1024 * 1024;
  size_t response_memory_share_bytes_max = 32 * 1024 * 1024;
  // Each bounds a whole phase, so a peer that trickles bytes gains nothing. A timeout is noticed up to a
  // second late. Of a body that is made while it is sent, write_timeout bounds each part.
  std::chrono::milliseconds header_timeout{10'000};
  std::chrono::milliseconds body_timeout{60'000};
  std::chrono::milliseconds write_timeout{60'000};
  std::chrono::milliseconds idle_timeout{120'000};
  // A body that comes more slowly is given up after the grace, long before body_timeout.
  std::chrono::milliseconds body_grace{10'000};
  size_t body_bytes_per_second_min = 8 * 1024;
  std::chrono::milliseconds write_stall_timeout{15'000};  // a client that takes nothing for so long is reset
  size_t websockets_max = 5'000;                          // they count as connections, too; above: 503
  size_t websockets_per_address_max = 0;           // the same for clients; 0: 500, a quarter of all at most
  size_t websocket_message_bytes_max = 64 * 1024;  // from a client; above: closed with 1009
  size_t websocket_queue_bytes_max = 1024 * 1024;  // to a client, per socket; above: closed with 1013
  // All queues together; above: a socket that has something queued already is closed with 1013.
  size_t websocket_memory_bytes_max = 256 * 1024 * 1024;
  // A socket that has been silent for the first is pinged, for the second closed.
  std::chrono::milliseconds websocket_ping_interval{30'000};
  std::chrono::milliseconds websocket_idle_timeout{75'000};
  // For tests: a turn of an event loop that takes this much CPU time or more is logged; 0: none is.
  std::chrono::milliseconds loop_hold_logged{0};
};

class Server {
 public:
  // Without `admit` every body of up to body_bytes_max is read.
  Server(ServerOptions options, Handler handler, BodyAdmitter admit = nullptr);
  ~Server();  // stops if still running

  // Binds and serves; returns the port. Fails with a sentence that names address and reason.
  Result<uint16_t> Start();
  // Takes no new connections, lets running requests finish (up to `grace`), then returns. A handler that is
  // still suspended then never resumes: its event loop is left in memory, so that completing it late stays
  // harmless.
  void Stop(std::chrono::seconds grace);
  // Of clients, and of how long event loops are held, as Prometheus reads it.
  std::string MetricsText() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::http
