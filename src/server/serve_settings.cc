#include "server/serve_settings.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iterator>

#include "model/document.h"

namespace cairn::server {
namespace {

using model::Node;

std::string At(const std::string& file, const model::Location& where) {
  return file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": ";
}

Result<std::string> AsText(const Node& value, const std::string& file) {
  switch (value.kind) {
    case Node::Kind::kString:
      return value.text;
    case Node::Kind::kInteger:
      return std::to_string(value.integer);
    case Node::Kind::kBoolean:
      return std::string(value.truth ? "true" : "false");
    default:
      return Fail(Invalid(At(file, value.where) + "expected a string, a whole number or a boolean"));
  }
}

// A list stands for a flag that is repeated.
Result<std::vector<std::string>> AsTexts(const Node& value, const std::string& file) {
  std::vector<std::string> texts;
  if (!value.is(Node::Kind::kArray)) {
    ASSIGN_OR_RETURN(std::string text, AsText(value, file));
    texts.push_back(std::move(text));
  }
  for (const Node& element : value.elements) {
    ASSIGN_OR_RETURN(std::string text, AsText(element, file));
    texts.push_back(std::move(text));
  }
  return texts;
}

Status Apply(CLI::App& serve, const model::Member& setting, const std::string& file) {
  const std::string place = At(file, setting.value.where);
  CLI::Option* option = serve.get_option_no_throw("--" + setting.name);
  if (!option || setting.name == "config" || setting.name == "help") {
    return Fail(Invalid(At(file, setting.where) + "unknown setting '" + setting.name +
                        "'; cairn serve --help lists them"));
  }
  if (option->count() > 0) return {};  // the command line wins
  const bool repeatable = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  if (setting.value.is(Node::Kind::kArray) && !repeatable) {
    return Fail(Invalid(place + "this setting has one value"));
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> texts, AsTexts(setting.value, file));
  try {
    for (const std::string& text : texts) option->add_result(text);
    option->run_callback();
  } catch (const CLI::Error& error) {
    return Fail(Invalid(place + error.what()));
  }
  return {};
}

}  // namespace

void AddFlags(CLI::App& serve, ServeSettings& settings) {
  serve.add_option("--host", settings.host, "Address to listen on")->capture_default_str();
  serve.add_option("--port", settings.port, "Port to listen on; 0 takes a free one")->capture_default_str();
  auto* data =
      serve.add_option("--data", settings.data, "Data directory, created if missing")->capture_default_str();
  serve.add_flag("--memory", settings.memory, "Keep everything in memory; nothing survives the process")
      ->excludes(data);
  serve
      .add_option("--durability", settings.durability,
                  "sync: a write is on disk before it is acknowledged; relaxed: up to 100 ms later")
      ->check(CLI::IsMember({"sync", "relaxed"}))
      ->capture_default_str();
  serve.add_option("--config", settings.config, "TOML file with any of these settings, e.g. port = 8000");
  serve.add_option(
      "--credentials", settings.credentials,
      "JSON file with access keys; requests must then be signed with one of them. Needed for the "
      "DynamoDB protocol on a server that others can reach");
  serve
      .add_option(
          "--model", settings.models,
          "Model file to serve as REST under /api/m/NAME; its tables are made if missing; may be repeated")
      ->type_name("FILE")
      ->take_all()
      ->allow_extra_args(false);
  serve.add_option("--stage", settings.stage, "Stands for {env} and {stage} in the models' table names")
      ->capture_default_str();
  serve.add_flag("--accept-model-change", settings.accept_model_change,
                 "Serve a changed model although stored items do not fit it: some may not be found");
  serve.add_option("--key-directory", settings.key_directory,
                   "With --memory: directory whose signing.key makes tokens (cairn token --data DIR); made "
                   "if missing");
  serve.add_flag("--no-apps", settings.no_apps,
                 "Serve the store and --model only: no accounts, no applications, none of their tables");
  serve.add_option(
      "--public-url", settings.public_url,
      "Address that browsers use, e.g. https://cairn.example; with https cookies are secure. Makes "
      "the server public: no DynamoDB protocol without --credentials, no open /metrics");
  serve
      .add_option(
          "--allowed-host", settings.allowed_hosts,
          "Further name by which requests may call the server, besides localhost, --host and the host of "
          "--public-url; may be repeated")
      ->type_name("NAME")
      ->take_all()
      ->allow_extra_args(false);
  serve
      .add_option(
          "--trusted-proxy", settings.trusted_proxies,
          "Address or range, e.g. 10.0.0.0/8, of a proxy that is believed where a request comes from; may "
          "be repeated")
      ->type_name("ADDRESS")
      ->take_all()
      ->allow_extra_args(false);
  serve
      .add_option("--proxy-header", settings.proxy_header,
                  "The field in which trusted proxies say it; the other one is never read")
      ->check(CLI::IsMember({"x-forwarded-for", "forwarded"}))
      ->capture_default_str();
  serve.add_option(
      "--tls-cert", settings.tls_cert,
      "Serve https: PEM file with the certificate and those that lead to its authority; read again "
      "when it changes");
  serve.add_option("--tls-key", settings.tls_key,
                   "PEM file with the certificate's key, not readable by others");
  serve.add_option("--http-redirect-port", settings.http_redirect_port,
                   "With --tls-cert: port whose plain HTTP only leads to https, e.g. 80");
  serve.add_option("--metrics-listen", settings.metrics_listen,
                   "Serve /metrics on a listener of its own, e.g. 127.0.0.1:9100, and not where the rest is");
  serve.add_option("--metrics-token", settings.metrics_token,
                   "File with a token (16 characters or more) without which /metrics is not served");
  serve.add_option("--connections-per-address", settings.connections_per_address,
                   "Connections of one address at once; 0: 1,000, a quarter of all at most. This machine and "
                   "trusted proxies are not limited");
  serve.add_option("--websockets-per-address", settings.websockets_per_address,
                   "WebSockets of one address at once; 0: 500, a quarter of all at most");
  serve.add_option("--region", settings.region,
                   "Serve the DynamoDB protocol for this region only, e.g. us-east-1; without it requests "
                   "for any region see the same tables");
  serve
      .add_option("--cors-origin", settings.cors_origins,
                  "Origin whose pages may use the API, e.g. https://app.example; may be repeated")
      ->type_name("ORIGIN")
      ->take_all()
      ->allow_extra_args(false);
  serve.add_option(
      "--issuer", settings.issuer,
      "Take tokens of this issuer as well, e.g. of a Cognito user pool; needs --audience and keys");
  serve.add_option("--audience", settings.audience, "Audience (or client id) that such tokens must name");
  serve.add_option("--jwks-file", settings.jwks_file, "File with the issuer's keys (JWKS)");
  serve.add_option("--jwks-url", settings.jwks_url, "Or the address they are fetched from");
  serve
      .add_option(
          "--webhooks", settings.webhooks,
          "Where users may have reminders posted to. public: https addresses of the internet; private: "
          "also of this machine and its network")
      ->check(CLI::IsMember({"off", "public", "private"}))
      ->capture_default_str();
  serve.add_option(
      "--smtp-url", settings.smtp_url,
      "Mail server for reminders, for links that confirm addresses and for forgotten passwords, e.g. "
      "smtps://mail.example; links lead to --public-url");
  serve.add_option("--smtp-from", settings.smtp_from, "Address that such mails come from");
  serve.add_option(
      "--smtp-credentials", settings.smtp_credentials,
      "File with the user's name at the mail server in its first line and the password in the second");
  // For tests: what cannot be delivered is tried again sooner, and given up sooner.
  serve.add_option("--delivery-pause-ms", settings.delivery_pause_ms)
      ->check(CLI::Range(1, 3'600'000))
      ->group("");
  serve.add_option("--delivery-give-up-seconds", settings.delivery_give_up_seconds)
      ->check(CLI::Range(0, 86'400))
      ->group("");
  // For tests: work that holds an event loop for as much CPU time is logged.
  serve.add_option("--loop-hold-logged-ms", settings.loop_hold_logged_ms)
      ->check(CLI::Range(0, 60'000))
      ->group("");
  serve
      .add_option("--user-requests-per-second", settings.user_requests_per_second,
                  "Requests of one user in a second, a change counting as two; twenty times as many at once; "
                  "0: no limit, and so of the next ones")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  serve
      .add_option("--address-requests-per-second", settings.address_requests_per_second,
                  "The same from one address, of requests that need no account")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  serve.add_option("--user-storage-mb", settings.user_storage_mb, "What one user may keep")
      ->check(CLI::Range(0, 1 << 30))
      ->capture_default_str();
  serve.add_option("--user-items", settings.user_items, "How many items one user may keep")
      ->check(CLI::Range(0, 2'000'000'000))
      ->capture_default_str();
  serve
      .add_option("--user-writes-mb-per-hour", settings.user_writes_mb_per_hour,
                  "What one user may write in an hour, and at once")
      ->check(CLI::Range(0, 1 << 30))
      ->capture_default_str();
  serve
      .add_option("--user-background-seconds", settings.user_background_seconds,
                  "Seconds in a minute that the jobs of one user may run: reminders, series; 0: no limit")
      ->check(CLI::Range(0, 600))
      ->capture_default_str();
  serve.add_option("--threads", settings.threads, "Threads that serve requests; 0: one per core")
      ->check(CLI::Range(0, 256))
      ->capture_default_str();
  serve.add_option("--cache-mb", settings.cache_mb, "Memory for what is kept of the data")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  serve.add_option("--ttl-sweep-seconds", settings.ttl_sweep_seconds, "How often expired items are removed")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  serve.add_option("--log-level", settings.log_level, "Least severe events to log")
      ->check(CLI::IsMember({"debug", "info", "warning", "error", "off"}))
      ->capture_default_str();
}

Status ApplyConfig(CLI::App& serve, const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return Fail(Invalid("cannot read configuration file " + file));
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const auto config = model::ReadToml(text, file);
  if (!config) {
    const model::Diagnostic& first = config.error().front();
    return Fail(Invalid(At(file, first.where) + first.message));
  }
  for (const model::Member& setting : config->members) RETURN_IF_ERROR(Apply(serve, setting, file));
  return {};
}

}  // namespace cairn::server
