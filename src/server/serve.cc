// cairn serve: the store on a port.
#include <csignal>
#include <cstdio>
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
#include "server/command.h"
#include "server/control_socket.h"
#include "server/front_door.h"
#include "server/model_service.h"
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
  ModelService model_service(
      {.models = *models, .stage = settings.stage, .signing_key = *std::move(signing_key)}, **engine, clock,
      random);
  if (auto created = model_service.CreateTables(); !created) return Complain(created.error().message);
  dynamodb::Dispatch dispatch(**engine, clock, random, *std::move(credentials));
  FrontDoor front_door(**engine, dispatch, model_service,
                       IsLoopback(settings.host) ? Metrics::kOpen : Metrics::kHidden);
  http::Server server({.host = settings.host, .port = settings.port, .threads = settings.threads},
                      [&](const http::Request& request) { return front_door.Handle(request); });
  std::optional<ControlSocket> control;
  if (!settings.memory) control.emplace(settings.data, **engine);
  auto port = server.Start();
  if (!port) return Complain(port.error().message);
  std::printf("%s\n", ListeningLine(settings, *port, *models).c_str());
  std::fflush(stdout);

  int signal = 0;
  sigwait(&signals, &signal);
  log::Info("stopping", {{"signal", signal}});
  control.reset();
  server.Stop(kDrainTime);
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
