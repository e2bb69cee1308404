// What `cairn serve` is told: flags, and the same names in a TOML file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace cairn::server {

struct ServeSettings {
  std::string host = "127.0.0.1";
  uint16_t port = 8000;
  std::string data = "./data";
  bool memory = false;
  std::string durability = "sync";
  std::string config;
  std::string credentials;
  std::string region;               // "": any
  std::vector<std::string> models;  // files
  std::string stage = "dev";
  bool no_apps = false;
  bool accept_model_change = false;
  std::string key_directory;
  std::string public_url;
  std::vector<std::string> allowed_hosts;
  std::vector<std::string> trusted_proxies;
  std::string proxy_header = "x-forwarded-for";
  std::string tls_cert, tls_key;
  uint16_t http_redirect_port = 0;  // 0: none
  std::string metrics_listen, metrics_token;
  size_t connections_per_address = 0;  // 0: the transport's own choice
  size_t websockets_per_address = 0;
  std::vector<std::string> cors_origins;
  std::string issuer, audience, jwks_file, jwks_url;
  std::string webhooks = "off";
  std::string smtp_url, smtp_from, smtp_credentials;
  int64_t user_requests_per_second = 200;
  int64_t address_requests_per_second = 100;
  int64_t user_storage_mb = 512;
  int64_t user_items = 500'000;
  int64_t user_writes_mb_per_hour = 256;
  int user_background_seconds = 30;
  int delivery_pause_ms = 10'000;
  int delivery_give_up_seconds = 86'400;
  int loop_hold_logged_ms = 0;
  int threads = 0;
  int cache_mb = 256;
  int ttl_sweep_seconds = 20;
  std::string log_level = "info";
};

// Binds the settings to flags of `serve`.
void AddFlags(CLI::App& serve, ServeSettings& settings);

// Reads the TOML file named by --config; a flag given on the command line wins. Errors name file, line and
// column.
Status ApplyConfig(CLI::App& serve, const std::string& file);

}  // namespace cairn::server
