// cairn serve: the store on a port.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <CLI/CLI.hpp>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/log.h"
#include "base/random.h"
#include "base/test_point.h"
#include "dynamodb/dispatch.h"
#include "engine/engine.h"
#include "http/problem.h"
#include "http/server.h"
#include "http/tls.h"
#include "identity/signing_key.h"
#include "outbound/courier.h"
#include "pages/pages.h"
#include "server/application.h"
#include "server/backup.h"
#include "server/command.h"
#include "server/control_socket.h"
#include "server/exposure.h"
#include "server/front_door.h"
#include "server/metered_store.h"
#include "server/model_service.h"
#include "server/operator_request.h"
#include "server/process_metrics.h"
#include "server/serve_settings.h"

namespace cairn::server {
namespace {

constexpr std::chrono::seconds kDrainTime{5};  // of requests; a stop takes some seconds in all
constexpr size_t kTokenBytesMin = 16;
constexpr timespec kTlsFilesPeriod{.tv_sec = 1, .tv_nsec = 0};

Result<dynamodb::Credentials> ReadCredentials(const ServeSettings& settings) {
  if (settings.credentials.empty()) return dynamodb::Credentials();
  std::ifstream file(settings.credentials, std::ios::binary);
  if (!file) return Fail(Invalid("cannot read credentials file " + settings.credentials));
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return dynamodb::LoadCredentials(text, settings.credentials);
}

Result<std::string> ReadMetricsToken(const std::string& path) {
  std::string token;
  if (path.empty()) return token;
  std::ifstream file(path);
  std::getline(file, token);
  if (token.ends_with('\r')) token.pop_back();
  if (token.size() < kTokenBytesMin || token.find_first_of(" \t") != token.npos)
    return Fail(Invalid("cannot read a token of at least 16 characters, without spaces, from " + path));
  return token;
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
  if (settings.memory && settings.key_directory.empty()) return identity::NewSigningKey(random);
  if (settings.memory) {
    std::error_code error;
    std::filesystem::create_directories(settings.key_directory, error);
    return identity::LoadOrCreateSigningKey(settings.key_directory, random);
  }
  return identity::LoadOrCreateSigningKey(settings.data, random);
}

// A data directory from before, or made by hand, that others may look into. What lies in it was made under
// their eyes, so it is said; from now on it is the owner's.
void TightenDirectory(const std::string& directory) {
  namespace fs = std::filesystem;
  constexpr fs::perms kOthers = fs::perms::group_all | fs::perms::others_all;
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (error || !fs::is_directory(status) || (status.permissions() & kOthers) == fs::perms::none) return;
  fs::permissions(directory, kOthers, fs::perm_options::remove, error);
  if (error) {
    log::Warning("others may look into the data directory, and that cannot be changed",
                 {{"directory", directory}, {"reason", error.message()}});
  } else {
    log::Warning("others could look into the data directory; now only its owner can",
                 {{"directory", directory}});
  }
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

model::AdoptOptions Adopting(const ServeSettings& settings, Time started) {
  return {.on_misfit = settings.accept_model_change ? model::OnMisfit::kAccept : model::OnMisfit::kRefuse,
          .on_unknown = model::OnUnknown::kRefuse,
          .started = started};
}

Result<ApplicationOptions> ApplicationSettings(const ServeSettings& settings, const Exposure& exposure,
                                               std::string signing_key, Time started) {
  ApplicationOptions options{
      .version = CAIRN_VERSION,
      .stage = settings.stage,
      .signing_key = std::move(signing_key),
      .adopt = Adopting(settings, started),
      .public_origin = exposure.public_origin,
      .public_scheme = exposure.scheme,
      .issuers = {},
      .delivery_pause = std::chrono::milliseconds(settings.delivery_pause_ms),
      .delivery_for = std::chrono::seconds(settings.delivery_give_up_seconds),
      .limits = {.requests_per_second = settings.user_requests_per_second,
                 .address_requests_per_second = settings.address_requests_per_second,
                 .bytes = settings.user_storage_mb << 20,
                 .items = settings.user_items,
                 .written_bytes_per_hour = settings.user_writes_mb_per_hour << 20},
      .user_background_per_minute = std::chrono::seconds(settings.user_background_seconds)};
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

// Whoever starts servers waits for the first line; the others tell what is served to whom.
void PrintStart(const Exposure& exposure, const ServeSettings& settings, uint16_t port, uint16_t metrics_port,
                const std::vector<model::ModelPtr>& models) {
  std::string text = "cairn listening on " + ListeningAddress(exposure, settings, port);
  for (size_t i = 0; i < models.size(); ++i) text += (i == 0 ? " with models: " : ", ") + models[i]->name;
  text += '\n';
  for (const std::string& line : Describe(exposure, settings, port, metrics_port)) text += "  " + line + "\n";
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

// Signals are taken by the main thread only; every thread started later inherits the block. SIGHUP makes a
// server with TLS read its certificate; others end, as a program does whose terminal is gone.
sigset_t BlockSignals(const Exposure& exposure) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  if (exposure.has_tls) sigaddset(&signals, SIGHUP);
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

// Returns the signal that ends the server. Meanwhile a certificate that was renewed is taken.
int AwaitEnd(const sigset_t& signals, http::TlsServer* tls) {
  for (;;) {
    const int signal =
        tls ? sigtimedwait(&signals, nullptr, &kTlsFilesPeriod) : sigwaitinfo(&signals, nullptr);
    if (signal == SIGINT || signal == SIGTERM) return signal;
    if (!tls || (signal != SIGHUP && !tls->FilesHaveChanged())) continue;
    if (const Status reloaded = tls->Reload(); reloaded) {
      log::Info("the TLS certificate was read again");
    } else {
      log::Failure("the new TLS certificate is not usable; the old one stays",
                   {{"reason", reloaded.error().message}});
    }
  }
}

// A listener beside the main one: few clients, small requests, one thread.
http::ServerOptions SmallListener(const Exposure& exposure, ListenAddress address) {
  http::ServerOptions options;
  options.host = std::move(address.host);
  options.port = address.port;
  options.threads = 1;
  options.hosts = exposure.hosts;
  options.proxies = exposure.proxies;
  options.connections_max = 500;
  options.body_bytes_max = 64 * 1024;
  return options;
}

Task<http::Response> AnswerWithMetrics(const http::Request& request, const std::string& token,
                                       const std::function<std::string()>& text) {
  if (request.path() == "/metrics" && (request.method == "GET" || request.method == "HEAD"))
    co_return AnswerMetrics(request, token, text);
  co_return http::ProblemResponse({Code::kResourceNotFound, "Only GET /metrics is served here."});
}

Task<http::Response> RedirectToHttps(const http::Request& request, const Exposure& exposure, uint16_t port) {
  http::Response response;
  response.status = 308;
  response.content_type = "text/plain; charset=utf-8";
  response.headers.emplace_back("Location",
                                RedirectTarget(exposure, port, request.Header("Host"), request.target));
  co_return response;
}

std::string Environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

// What only tests ask for, and not by a flag, so that nobody meets it by accident.
Status PrepareForTests(const Exposure& exposure) {
  const std::string plan = Environment("CAIRN_TEST_POINTS");
  const std::string offset = Environment("CAIRN_CLOCK_OFFSET_SECONDS");
  if (plan.empty() && (offset.empty() || offset == "0")) return {};
  if (exposure.is_public && !plan.empty())
    return Fail(Invalid("CAIRN_TEST_POINTS is set, which is for tests: a public server does not take it"));
  if (!plan.empty()) RETURN_IF_ERROR(SwitchOnTestPoints(plan, Environment("CAIRN_TEST_POINTS_FOLDER")));
  if (!offset.empty() && offset != "0")
    log::Warning("the clock is moved on purpose: this server is for tests only", {{"seconds", offset}});
  return {};
}

int Serve(CLI::App& command, ServeSettings& settings) {
  if (!settings.config.empty()) {
    if (auto applied = ApplyConfig(command, settings.config); !applied) {
      return Complain(applied.error().message, kExitUsage);
    }
  }
  log::SetLevel(*log::ParseLevel(settings.log_level));
  const auto exposure = DecideExposure(settings);
  if (!exposure) return Complain(exposure.error().message, kExitUsage);
  const auto metrics_token = ReadMetricsToken(settings.metrics_token);
  if (!metrics_token) return Complain(metrics_token.error().message, kExitUsage);
  std::unique_ptr<http::TlsServer> tls;
  if (exposure->has_tls) {
    auto loaded = http::TlsServer::Load({.certificate = settings.tls_cert, .key = settings.tls_key});
    if (!loaded) return Complain(loaded.error().message, kExitUsage);
    tls = *std::move(loaded);
  }
  auto credentials = ReadCredentials(settings);
  if (!credentials) return Complain(credentials.error().message, kExitUsage);
  const auto models = LoadModels(settings.models);
  if (!models) return kExitUsage;
  if (!settings.memory && !settings.key_directory.empty())
    return Complain("--key-directory goes with --memory: a data directory has its own key", kExitUsage);

  if (auto ready = PrepareForTests(*exposure); !ready) return Complain(ready.error().message, kExitUsage);
  const sigset_t signals = BlockSignals(*exposure);
  const SystemClock clock;
  const Time start_time = clock.Now();
  SystemRandom random;
  if (!settings.memory) TightenDirectory(settings.data);
  auto engine = engine::Engine::Open(EngineSettings(settings), clock, random);
  if (!engine) return Complain(engine.error().message);
  auto signing_key = SigningKey(settings, random);
  if (!signing_key) return Complain(signing_key.error().message);
  auto app_options = ApplicationSettings(settings, *exposure, *signing_key, start_time);
  if (!app_options) return Complain(app_options.error().message, kExitUsage);
  auto cors = http::MakeCorsPolicy(settings.cors_origins);
  if (!cors) return Complain(cors.error().message, kExitUsage);
  app_options->cors = *cors;
  const auto courier = MakeCourier(settings);
  if (!courier) return Complain(courier.error().message, kExitUsage);
  app_options->courier = courier->get();
  if ((*courier)->HasMail() && exposure->is_public && exposure->public_origin.empty()) {
    return Complain("--smtp-url needs --public-url where others reach the server: links in mails lead there",
                    kExitUsage);
  }
  std::atomic<uint16_t> listening_port = 0;
  app_options->link_origin = [&]() -> std::string {
    if (!exposure->public_origin.empty()) return exposure->public_origin;
    const uint16_t port = listening_port;
    return port == 0 ? "" : ListeningAddress(*exposure, settings, port);
  };

  MeteredStore metered(**engine);
  auto application = Application::Create(metered, **engine, clock, random, *std::move(app_options));
  if (!application) return Complain(application.error().message, kExitUsage);
  ModelService model_service({.models = *models,
                              .stage = settings.stage,
                              .signing_key = *std::move(signing_key),
                              .adopt = Adopting(settings, start_time),
                              .upkeep = engine->get(),
                              .fence = &(*application)->fence(),
                              .admission = &(*application)->admission()},
                             metered, clock, random, (*application)->authenticator());
  Status created = model_service.CreateTables();
  // Without the applications, tokens that operators make are all that a model's interface takes.
  if (created && !settings.no_apps) created = (*application)->CreateTables();
  if (!created) return Complain(created.error().message);
  std::vector<http::Route> routes = model_service.Routes();
  if (!settings.no_apps) {
    for (http::Route& route : (*application)->Routes()) routes.push_back(std::move(route));
  }
  dynamodb::Dispatch dispatch(**engine, clock, random, *std::move(credentials), (*application)->OwnTables(),
                              settings.region);
  const http::Server* transport = nullptr;  // asked once it serves
  const std::function<std::string()> metrics_text = [&] {
    return transport->MetricsText() + dispatch.MetricsText() + (*engine)->MetricsText() +
           metered.MetricsText() + model_service.MetricsText() +
           (settings.no_apps ? "" : (*application)->MetricsText()) + ProcessMetricsText();
  };
  const pages::Pages pages(pages::EmbeddedFiles(), exposure->scheme);
  FrontDoor front_door(**engine, dispatch, metrics_text, std::move(routes),
                       {.protocol = exposure->protocol,
                        .metrics = exposure->metrics,
                        .metrics_token = *metrics_token,
                        .public_origin = exposure->public_origin,
                        .public_scheme = exposure->scheme,
                        .cors = *std::move(cors),
                        .pages = settings.no_apps ? nullptr : &pages});
  http::ServerOptions server_options;
  server_options.host = settings.host;
  server_options.port = settings.port;
  server_options.threads = settings.threads;
  server_options.tls = tls.get();
  server_options.hosts = exposure->hosts;
  server_options.proxies = exposure->proxies;
  server_options.connections_per_address_max = settings.connections_per_address;
  server_options.websockets_per_address_max = settings.websockets_per_address;
  server_options.loop_hold_logged = std::chrono::milliseconds(settings.loop_hold_logged_ms);
  http::Server server(
      std::move(server_options), [&](const http::Request& request) { return front_door.Handle(request); },
      [&](const http::Request& head) { return front_door.AdmitBody(head); });
  transport = &server;
  std::optional<ControlSocket> control;
  if (!settings.memory) {
    control.emplace(settings.data, [&](const std::vector<std::string>& words) -> Result<std::string> {
      if (words[0] == "backup" && words.size() == 3) {
        return MakeBackup(**engine, settings.data, words[1],
                          words[2] == "with-key" ? KeyInBackup::kYes : KeyInBackup::kNo);
      }
      if (!settings.no_apps && IsOperatorRequest(words[0]))
        return RunOperatorRequest(**application, random, words);
      return Fail(Code::kUnknownOperation, "this server does not do that");
    });
  }
  model_service.Start();
  if (!settings.no_apps) (*application)->Start();
  auto port = server.Start();
  if (!port) return Complain(port.error().message);
  std::optional<http::Server> metrics_server;
  uint16_t metrics_port = 0;
  if (exposure->metrics_listener) {
    metrics_server.emplace(SmallListener(*exposure, *exposure->metrics_listener),
                           [&](const http::Request& request) {
                             return AnswerWithMetrics(request, *metrics_token, metrics_text);
                           });
    const auto started = metrics_server->Start();
    if (!started) return Complain(started.error().message);
    metrics_port = *started;
  }
  std::optional<http::Server> redirect_server;
  if (exposure->redirect_port) {
    redirect_server.emplace(
        SmallListener(*exposure, {settings.host, *exposure->redirect_port}),
        [&](const http::Request& request) { return RedirectToHttps(request, *exposure, *port); });
    if (const auto started = redirect_server->Start(); !started) return Complain(started.error().message);
  }
  listening_port = *port;
  PrintStart(*exposure, settings, *port, metrics_port, *models);

  const int signal = AwaitEnd(signals, tls.get());
  log::Info("stopping", {{"signal", signal}});
  redirect_server.reset();
  metrics_server.reset();
  control.reset();
  (*application)->BeginStop();
  server.Stop(kDrainTime);
  (*courier)->BeginStop();
  (*application)->Stop();
  model_service.Stop();
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
