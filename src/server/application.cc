#include "server/application.h"

#include "base/log.h"
#include "base/run_here.h"
#include "calendar/zone_data.h"
#include "domains/nexus/api/endpoints.h"
#include "domains/nexus/jobs.h"
#include "domains/nexus/live_events.h"
#include "domains/nexus/zone_update.h"
#include "domains/values/data_partitions.h"
#include "domains/values/jobs.h"
#include "identity/account_mail.h"
#include "live/metrics.h"
#include "models/nexus.h"
#include "models/platform.h"
#include "models/values.h"
#include "quotas/usage_api.h"
#include "rest/hmac.h"
#include "server/cursor_secret.h"
#include "server/model_service.h"

namespace cairn::server {
namespace {

model::DatabaseOptions DatabaseSettings(const ApplicationOptions& options, store::Store& upkeep,
                                        model::WriteFence& fence) {
  model::DatabaseOptions settings;
  settings.upkeep = &upkeep;
  settings.variables = {{"env", options.stage}, {"stage", options.stage}};
  settings.cursor_secret = CursorSecret(options.signing_key);
  settings.fence = &fence;
  return settings;
}

identity::CookieSafety SafetyOf(const ApplicationOptions& options) {
  return options.public_scheme == http::PublicScheme::kHttps ? identity::CookieSafety::kSecure
                                                             : identity::CookieSafety::kPlain;
}

std::map<std::string, jobs::Worker> Workers(values::Values& values, nexus::Nexus& nexus,
                                            identity::Accounts& accounts) {
  std::map<std::string, jobs::Worker> workers = values::Workers(values);
  workers.merge(nexus::Workers(nexus));
  workers.emplace(identity::kErasureJob,
                  [&accounts](const jobs::Job& job) { return accounts.ResumeErasure(job.argument); });
  workers.emplace(identity::kOldErasureJob,
                  [&accounts](const jobs::Job& job) { return accounts.ResumeErasure(job.user_id); });
  workers.emplace(identity::kMailJob, [&accounts](const jobs::Job& job) { return accounts.SendMail(job); });
  return workers;
}

// What may take long, or asks others: not before reminders.
std::set<std::string, std::less<>> PatientKinds() {
  std::set<std::string, std::less<>> kinds = nexus::PatientKinds();
  kinds.emplace(values::kSweepJob);
  kinds.emplace(identity::kErasureJob);
  kinds.emplace(identity::kMailJob);
  return kinds;
}

// Where mails for a user go: to the address of their account, while it is in use.
Task<Result<std::optional<nexus::AccountAddress>>> AddressOf(identity::Accounts& accounts,
                                                             std::string user_id) {
  const auto user = co_await accounts.Profile(std::move(user_id));
  if (!user && user.error().error.code != Code::kResourceNotFound) co_return Fail(user.error().error);
  if (!user || user->state != models::platform::AccountState::kActive) co_return std::nullopt;
  nexus::AccountAddress address{.email = user->email, .is_confirmed = user->email_verified_at.has_value()};
  co_return std::optional(std::move(address));
}

constexpr std::string_view kValuesFeed = "values";
constexpr std::string_view kNexusFeed = "nexus";
constexpr std::string_view kEventCursorLabel = "cairn event cursors";
constexpr std::string_view kWebhookLabel = "cairn webhook secrets";
constexpr size_t kPatientAtOnce = 8;

// A revision that was published, as an event of its room.
live::Source ValuesSource(model::Database& database, const values::HeadChanges& changes) {
  return {
      .feed = std::string(kValuesFeed),
      .table = database.physical_name(0),
      .translate = [&changes](const store::StreamRecord& record) -> std::vector<live::Event> {
        if (record.event != store::StreamEvent::kInsert) return {};
        const auto change = changes.Find(record.keys);
        if (!change) return {};
        return {{values::RoomOf(*change), std::string(values::kHeadChangedEvent), values::DataOf(*change)}};
      }};
}

live::Source NexusSource(model::Database& database) {
  return {.feed = std::string(kNexusFeed),
          .table = database.physical_name(0),
          .translate = [](const store::StreamRecord& record) -> std::vector<live::Event> {
            std::vector<live::Event> events;
            for (nexus::LiveEvent& event : nexus::LiveEventsOf(record))
              events.push_back({std::move(event.room), std::move(event.name), std::move(event.data)});
            return events;
          }};
}

}  // namespace

Result<std::unique_ptr<Application>> Application::Create(store::Store& store, store::Store& streams,
                                                         const Clock& clock, Random& random,
                                                         ApplicationOptions options) {
  std::unique_ptr<identity::ExternalIssuers> issuers;
  if (!options.issuers.empty()) {
    ASSIGN_OR_RETURN(issuers, identity::ExternalIssuers::Create(options.issuers, clock));
  }
  return std::unique_ptr<Application>(
      new Application(store, streams, clock, random, std::move(options), std::move(issuers)));
}

Application::Application(store::Store& store, store::Store& streams, const Clock& clock, Random& random,
                         ApplicationOptions options, std::unique_ptr<identity::ExternalIssuers> issuers)
    : adopt_(options.adopt),
      fence_(clock),
      platform_database_(models::platform::LoadModel(), store, clock, random,
                         DatabaseSettings(options, streams, fence_)),
      values_database_(models::values::LoadModel(), store, clock, random,
                       DatabaseSettings(options, streams, fence_)),
      nexus_database_(models::nexus::LoadModel(), store, clock, random,
                      DatabaseSettings(options, streams, fence_)),
      jobs_(platform_database_, PatientKinds()),
      values_(values_database_, jobs_, clock, random),
      nexus_(nexus_database_, jobs_, clock, random,
             {.courier = options.courier,
              .webhook_key = rest::HmacSha256(options.signing_key, kWebhookLabel),
              .address_of = [this](std::string user) { return AddressOf(accounts_, std::move(user)); },
              .give_up_after = options.delivery_for},
             [this](std::string user) { return standing_.MayAct(std::move(user)); }),
      issuers_(std::move(issuers)),
      throttle_(clock),
      standing_(platform_database_, clock),
      accounts_(platform_database_, passwords_, throttle_, standing_, jobs_, clock, random,
                {.signing_key = options.signing_key,
                 .erasers = {[this](std::string user) { return values::EraseUser(values_, std::move(user)); },
                             [this](std::string user) { return nexus::EraseUser(nexus_, std::move(user)); },
                             [this](std::string user) { return usage_meter_.Forget(std::move(user)); }},
                 .courier = options.courier,
                 .link_origin = options.link_origin,
                 .fence = &fence_}),
      authenticator_(platform_database_, options.signing_key, issuers_.get(), standing_, clock),
      request_authenticator_(authenticator_, SafetyOf(options)),
      quotas_(clock, options.limits),
      usage_meter_(
          platform_database_, streams, clock,
          {{std::string(kValuesFeed), &values_database_}, {std::string(kNexusFeed), &nexus_database_}},
          [this](std::string_view user_id, int64_t bytes) { quotas_.Charge(user_id, bytes); }),
      receipts_(platform_database_),
      frame_({.title = "Cairn",
              .version = options.version,
              .public_origin = options.public_origin,
              .listed_origins = options.cors.origins,
              .cookie_name = identity::CookieName(SafetyOf(options)),
              .admission = &quotas_},
             request_authenticator_, receipts_),
      identity_api_(accounts_, SafetyOf(options)),
      values_api_(values_, random),
      // Whose items the Data page shows: one line for each domain.
      data_api_({{&platform_database_, data_api::OwnPartitions({{"Identity", "Account and sessions"},
                                                                {"Receipts", "Receipts of requests"}})},
                 {&values_database_,
                  [this](model::Session& session) { return values::StartingPartitions(values_, session); }},
                 {&nexus_database_,
                  data_api::OwnPartitions({{"ProductivityData", "Calendar, tasks, reminders, notes"}})}}),
      job_runner_(jobs_, clock, Workers(values_, nexus_, accounts_),
                  {.user_time_per_minute = options.user_background_per_minute}),
      patient_runner_(jobs_, clock, Workers(values_, nexus_, accounts_),
                      {.lane = jobs::Lane::kPatient,
                       .at_once = kPatientAtOnce,
                       .first_pause = options.delivery_pause,
                       .user_time_per_minute = options.user_background_per_minute}),
      head_changes_(values_database_.model()),
      cursor_sealer_(rest::HmacSha256(options.signing_key, kEventCursorLabel), random),
      hub_(cursor_sealer_),
      change_feed_(streams, hub_,
                   {ValuesSource(values_database_, head_changes_), NexusSource(nexus_database_)},
                   &usage_meter_) {
  quotas_.SetMeter(usage_meter_);
  nexus_.SetRoomCheck([this](const std::string& user_id) -> Status {
    const auto room = quotas_.CheckRoom(user_id);
    if (!room) return Fail(Code::kLimitExceeded, room.error().detail);
    return {};
  });
  hub_.AddFeed(std::string(kValuesFeed), {"values", "plan"});
  hub_.AddFeed(std::string(kNexusFeed), {std::string(nexus::kRoomKind)});
  socket_api_ = std::make_unique<live::SocketApi>(
      live::SocketApiOptions{.public_origin = options.public_origin,
                             .other_pages = options.cors,
                             .cookie_name = identity::CookieName(SafetyOf(options))},
      request_authenticator_, hub_, clock,
      std::map<std::string, live::MayEnter, std::less<>>{{"values", values::MayEnterTreeRoom},
                                                         {"plan", values::MayEnterPlanRoom},
                                                         {"nexus", nexus::MayEnterRoom}});
  std::vector<rest::Endpoint> identity_endpoints = identity_api_.Endpoints();
  for (rest::Endpoint& endpoint : identity_endpoints) endpoint.info.stores = false;
  frame_.Add(std::move(identity_endpoints));
  frame_.Add(quotas::UsageEndpoints(quotas_, usage_meter_));
  frame_.Add(values_api_.Endpoints());
  frame_.Add(nexus::Endpoints(nexus_));
  frame_.Add(data_api_.Endpoints());
}

std::vector<http::Route> Application::Routes() {
  std::vector<http::Route> routes = frame_.Routes();
  for (http::Route& route : socket_api_->Routes()) routes.push_back(std::move(route));
  return routes;
}

void Application::Start() {
  const auto zones = calendar::ZoneDataVersion();
  const Status planned = zones ? RunHere(nexus::PlanZoneUpdate(nexus_, *zones)) : Fail(zones.error());
  if (!planned) log::Warning("the rules of time zones cannot be told", {{"reason", planned.error().message}});
  const Status counted = RunHere(usage_meter_.Open());
  if (!counted) log::Warning("what users keep cannot be counted", {{"reason", counted.error().message}});
  is_started_ = true;
  change_feed_.Start();
  job_runner_.Start();
  patient_runner_.Start();
}

void Application::BeginStop() { jobs_.BeginStop(); }

void Application::Stop() {
  BeginStop();
  patient_runner_.Stop();
  job_runner_.Stop();
  change_feed_.Stop();
  if (!is_started_) return;
  // What nobody has looked at yet. A crash leaves that to the next start.
  RunHere(change_feed_.PumpOnce());
  const Status kept = RunHere(usage_meter_.Close());
  if (!kept) log::Warning("what users keep is counted again later", {{"reason", kept.error().message}});
}

std::set<std::string, std::less<>> Application::OwnTables() const {
  std::set<std::string, std::less<>> names;
  for (size_t i = 0; i < platform_database_.model().tables.size(); ++i) {
    names.insert(platform_database_.physical_name(i));
  }
  names.insert(std::string(model::ModelMemory::kTable));
  return names;
}

std::string Application::MetricsText() const {
  return frame_.MetricsText() + live::MetricsText(hub_.Numbers()) + quotas_.MetricsText();
}

Status Application::CreateTables() {
  // What was stored before models were remembered was written by the applications themselves: a stray item is
  // no reason not to start.
  model::AdoptOptions options = adopt_;
  options.on_unknown = model::OnUnknown::kWarn;
  for (model::Database* database : {&platform_database_, &values_database_, &nexus_database_}) {
    // Waits for indexes to be built, which must not happen on the engine's own threads.
    auto adoption = RunHere(model::AdoptModel(*database, options));
    const auto name = [&](const Error& error) {
      return Fail(error.code, "model " + database->model().name + ": " + error.message);
    };
    if (!adoption) return name(adoption.error());
    if (!adoption->misfits.empty()) return Refusal(database->model(), adoption->misfits);
    const std::atomic<bool> never = false;
    for (const auto& fill : adoption->fills) {
      if (const Status filled = RunHere(fill->Run(never)); !filled) return name(filled.error());
    }
  }
  return {};
}

}  // namespace cairn::server
