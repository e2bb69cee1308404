// cairn serve: the store on a port.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <CLI/CLI.hpp>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/log.h"
#include "base/random.h"
#include "dynamodb/dispatch.h"
#include "engine/engine.h"
#include "http/server.h"
#include "identity/signing_key.h"
#include "outbound/courier.h"
#include "pages/pages.h"
#include "rest/origin.h"
#include "server/application.h"
#include "server/command.h"
#include "server/control_socket.h"
#include "server/front_door.h"
#include "server/metered_store.h"
#include "server/model_service.h"
#include "server/operator_request.h"
#include "server/process_metrics.h"
#include "server/serve_settings.h"

namespace cairn::server {
namespace {

constexpr std::chrono::seconds kDrainTime{10};

bool IsLoopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host == "[::1]" || host.starts_with("127.");
}

Result<dynamodb::Credentials> ReadCredentials(const ServeSettings& settings) {
  if (settings.credentials.empty()) {
    if (IsLoopback(settings.host)) return dynamodb::Credentials();
    return Fail(Invalid("refusing to listen on " + settings.host +
                        " without --credentials: anyone who reaches it could read and write everything"));
  }
  std::ifstream file(settings.credentials, std::ios::binary);
  if (!file) return Fail(Invalid("cannot read credentials file " + settings.credentials));
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return dynamodb::LoadCredentials(text, settings.credentials);
}

engine::EngineOptions EngineSettings(const ServeSettings& settings) {
  engine::EngineOptions options;
  options.directory = settings.data;
  options.durability = settings.memory                    ? engine::Durability::kMemory
                       : settings.durability == "relaxed" ? engine::Durability::kRelaxed
                                                          : engine::Durability::kSync;
  options.cache_bytes = static_cast<size_t>(settings.cache_mb) << 20;
  options.ttl_sweep_interval = std::chrono::seconds(settings.ttl_sweep_seconds);
  return options;
}

Result<std::string> SigningKey(const ServeSettings& settings, Random& random) {
  if (settings.memory) return identity::NewSigningKey(random);
  return identity::LoadOrCreateSigningKey(settings.data, random);
}

// Name and password, each on a line of its own.
Result<std::pair<std::string, std::string>> ReadMailCredentials(const std::string& path) {
  std::pair<std::string, std::string> credentials;
  if (path.empty()) return credentials;
  std::ifstream file(path);
  std::getline(file, credentials.first);
  std::getline(file, credentials.second);
  if (!file || credentials.first.empty() || credentials.second.empty())
    return Fail(Invalid("cannot read a user's name and a password, in two lines, from " + path));
  return credentials;
}

Result<std::unique_ptr<outbound::NetworkCourier>> MakeCourier(const ServeSettings& settings) {
  ASSIGN_OR_RETURN(auto credentials, ReadMailCredentials(settings.smtp_credentials));
  outbound::CourierOptions options{.webhooks = {},
                                   .smtp_url = settings.smtp_url,
                                   .smtp_from = settings.smtp_from,
                                   .smtp_user = std::move(credentials.first),
                                   .smtp_password = std::move(credentials.second)};
  if (settings.webhooks != "off") {
    options.webhooks = settings.webhooks == "private" ? outbound::Reach::kPrivate : outbound::Reach::kPublic;
  }
  return outbound::NetworkCourier::Create(std::move(options));
}

Result<ApplicationOptions> ApplicationSettings(const ServeSettings& settings, std::string signing_key) {
  ApplicationOptions options{.version = CAIRN_VERSION,
                             .stage = settings.stage,
                             .signing_key = std::move(signing_key),
                             .public_origin = rest::OriginOf(settings.public_url),
                             .issuers = {},
                             .delivery_pause = std::chrono::milliseconds(settings.delivery_pause_ms),
                             .delivery_for = std::chrono::seconds(settings.delivery_give_up_seconds)};
  if (!settings.public_url.empty() && options.public_origin.empty())
    return Fail(Invalid("--public-url must begin with http:// or https://"));
  const bool names_keys = !settings.jwks_file.empty() || !settings.jwks_url.empty();
  if (!settings.issuer.empty()) {
    options.issuers.push_back({.issuer = settings.issuer,
                               .audience = settings.audience,
                               .jwks_file = settings.jwks_file,
                               .jwks_url = settings.jwks_url});
  } else if (names_keys || !settings.audience.empty()) {
    return Fail(Invalid("--audience, --jwks-file and --jwks-url need --issuer"));
  }
  return options;
}

std::string ListeningLine(const ServeSettings& settings, uint16_t port,
                          const std::vector<model::ModelPtr>& models) {
  const bool ipv6 = settings.host.find(':') != std::string::npos && settings.host.front() != '[';
  const std::string host = ipv6 ? "[" + settings.host + "]" : settings.host;
  std::string line = "cairn listening on http://" + host + ":" + std::to_string(port);
  for (size_t i = 0; i < models.size(); ++i) line += (i == 0 ? " with models: " : ", ") + models[i]->name;
  return line;
}

// Signals are taken by the main thread only; every thread started later inherits the block.
sigset_t BlockSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return signals;
}

// What was acknowledged is on the disk, and more cannot be brought there: closing could only fail, or wait
// for a disk that does not answer.
[[noreturn]] void LeaveAsItIs(const engine::EngineHealth& health) {
  log::Failure("stopped while the store took no writes", {{"reason", health.reason}});
  std::fflush(nullptr);
  std::_Exit(kExitNoWrites);
}

int Serve(CLI::App& command, ServeSettings& settings) {
  if (!settings.config.empty()) {
    if (auto applied = ApplyConfig(command, settings.config); !applied) {
      return Complain(applied.error().message, kExitUsage);
    }
  }
  log::SetLevel(*log::ParseLevel(settings.log_level));
  auto credentials = ReadCredentials(settings);
  if (!credentials) return Complain(credentials.error().message, kExitUsage);
  const auto models = LoadModels(settings.models);
  if (!models) return kExitUsage;

  const sigset_t signals = BlockSignals();
  const SystemClock clock;
  SystemRandom random;
  auto engine = engine::Engine::Open(EngineSettings(settings), clock, random);
  if (!engine) return Complain(engine.error().message);
  auto signing_key = SigningKey(settings, random);
  if (!signing_key) return Complain(signing_key.error().message);
  auto app_options = ApplicationSettings(settings, *signing_key);
  if (!app_options) return Complain(app_options.error().message, kExitUsage);
  auto cors = http::MakeCorsPolicy(settings.cors_origins);
  if (!cors) return Complain(cors.error().message, kExitUsage);
  app_options->cors = *cors;
  const auto courier = MakeCourier(settings);
  if (!courier) return Complain(courier.error().message, kExitUsage);
  app_options->courier = courier->get();

  MeteredStore metered(**engine);
  auto application = Application::Create(metered, **engine, clock, random, *std::move(app_options));
  if (!application) return Complain(application.error().message, kExitUsage);
  ModelService model_service(
      {.models = *models, .stage = settings.stage, .signing_key = *std::move(signing_key)}, metered, clock,
      random, (*application)->authenticator());
  Status created = model_service.CreateTables();
  // Without the applications, tokens that operators make are all that a model's interface takes.
  if (created && !settings.no_apps) created = (*application)->CreateTables();
  if (!created) return Complain(created.error().message);
  std::vector<http::Route> routes = model_service.Routes();
  if (!settings.no_apps) {
    for (http::Route& route : (*application)->Routes()) routes.push_back(std::move(route));
  }
  dynamodb::Dispatch dispatch(**engine, clock, random, *std::move(credentials));
  const auto metrics_text = [&] {
    return dispatch.MetricsText() + (*engine)->MetricsText() + metered.MetricsText() +
           (settings.no_apps ? "" : (*application)->MetricsText()) + ProcessMetricsText();
  };
  const http::PublicScheme scheme = http::SchemeOf(settings.public_url);
  const pages::Pages pages(pages::EmbeddedFiles(), scheme);
  FrontDoor front_door(**engine, dispatch, metrics_text, std::move(routes),
                       {.metrics = IsLoopback(settings.host) ? Metrics::kOpen : Metrics::kHidden,
                        .public_scheme = scheme,
                        .cors = *std::move(cors),
                        .pages = settings.no_apps ? nullptr : &pages});
  http::Server server({.host = settings.host, .port = settings.port, .threads = settings.threads},
                      [&](const http::Request& request) { return front_door.Handle(request); });
  std::optional<ControlSocket> control;
  if (!settings.memory) {
    control.emplace(settings.data, [&](const std::vector<std::string>& words) -> Result<std::string> {
      if (words[0] == "checkpoint" && words.size() == 2) {
        RETURN_IF_ERROR((*engine)->Checkpoint(words[1]));
        return std::string();
      }
      if (!settings.no_apps && IsOperatorRequest(words[0]))
        return RunOperatorRequest(**application, random, words);
      return Fail(Code::kUnknownOperation, "this server does not do that");
    });
  }
  if (!settings.no_apps) (*application)->Start();
  auto port = server.Start();
  if (!port) return Complain(port.error().message);
  std::printf("%s\n", ListeningLine(settings, *port, *models).c_str());
  std::fflush(stdout);

  int signal = 0;
  sigwait(&signals, &signal);
  log::Info("stopping", {{"signal", signal}});
  control.reset();
  server.Stop(kDrainTime);
  (*application)->Stop();
  (*engine)->Flush();
  if (const engine::EngineHealth health = (*engine)->Health(); !health.writable) LeaveAsItIs(health);
  return kExitOk;
}

}  // namespace

Command AddServe(CLI::App& program) {
  auto* command = program.add_subcommand("serve", "Serve the DynamoDB protocol, and models as REST");
  auto settings = std::make_shared<ServeSettings>();
  AddFlags(*command, *settings);
  return [command, settings] { return Serve(*command, *settings); };
}

}  // namespace cairn::server
