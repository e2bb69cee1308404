// Application: the applications of a server on its store: accounts, the values domain, jobs, and what they
// share. Wiring only. Also used without a server, by commands that work on a data directory.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "data_api/data_api.h"
#include "domains/nexus/nexus.h"
#include "domains/values/api/api.h"
#include "domains/values/live_events.h"
#include "domains/values/values.h"
#include "http/cors.h"
#include "http/router.h"
#include "http/security_headers.h"
#include "identity/account_standing.h"
#include "identity/accounts.h"
#include "identity/api.h"
#include "identity/authenticator.h"
#include "identity/external_issuers.h"
#include "identity/login_throttle.h"
#include "identity/password_pool.h"
#include "jobs/job_queue.h"
#include "jobs/job_runner.h"
#include "live/change_feed.h"
#include "live/hub.h"
#include "live/socket_api.h"
#include "model/adopt_model.h"
#include "model/cursor.h"
#include "model/database.h"
#include "model/write_fence.h"
#include "outbound/courier.h"
#include "quotas/quotas.h"
#include "quotas/usage_meter.h"
#include "rest/frame.h"
#include "rest/receipts.h"
#include "store/store.h"

namespace cairn::server {

struct ApplicationOptions {
  std::string version = {};
  std::string stage = "dev";  // stands for {env} and {stage} in table names
  std::string signing_key;
  model::AdoptOptions adopt = {};
  std::string public_origin;  // "https://cairn.example"; "": whatever host a request names
  http::PublicScheme public_scheme = http::PublicScheme::kHttp;
  http::CorsPolicy cors = {};  // other pages that may use the API
  std::vector<identity::ExternalIssuer> issuers = {};
  const outbound::Courier* courier = nullptr;  // takes reminders outside; none: they stay here
  // What links in mails begin with; "" while the server does not know where it listens.
  std::function<std::string()> link_origin = {};
  std::chrono::milliseconds delivery_pause = std::chrono::seconds(10);  // before the second attempt
  std::chrono::seconds delivery_for = std::chrono::days(1);             // then it is given up
  quotas::Limits limits = {};
  // How long the jobs of one user may run in a minute; zero: as long as they like.
  std::chrono::seconds user_background_per_minute = std::chrono::seconds(0);
};

class Application {
 public:
  // Fails when the issuers' configuration is wrong. Everything passed in outlives the application. Events are
  // read from `streams`: the same store, unless calls to it are counted.
  static Result<std::unique_ptr<Application>> Create(store::Store& store, store::Store& streams,
                                                     const Clock& clock, Random& random,
                                                     ApplicationOptions options);

  // Tables and indexes that are missing. Fails with a sentence that names the model, also when stored items
  // do not fit it (model/adopt_model.h). Where only index keys are missing they are filled before it returns.
  Status CreateTables();
  // All routes of all applications, /openapi.json and /ws. Valid as long as this; once.
  std::vector<http::Route> Routes();
  // Jobs run and events flow between these. Start after the tables are there and before requests come, Stop
  // when none come any more. BeginStop before that lets long work end early: it is done after the next start.
  void Start();
  void BeginStop();
  void Stop();
  // Of requests by route, sockets and rooms, as Prometheus reads it.
  std::string MetricsText() const;

  // The tables of the server itself, by the names they have in the store.
  std::set<std::string, std::less<>> OwnTables() const;

  rest::Authenticator& authenticator() { return request_authenticator_; }
  rest::Admission& admission() { return quotas_; }
  identity::Accounts& accounts() { return accounts_; }
  model::WriteFence& fence() { return fence_; }
  values::Values& values() { return values_; }
  nexus::Nexus& nexus() { return nexus_; }

 private:
  Application(store::Store& store, store::Store& streams, const Clock& clock, Random& random,
              ApplicationOptions options, std::unique_ptr<identity::ExternalIssuers> issuers);

  const model::AdoptOptions adopt_;
  model::WriteFence fence_;
  model::Database platform_database_;
  model::Database values_database_;
  model::Database nexus_database_;
  jobs::JobQueue jobs_;
  values::Values values_;
  nexus::Nexus nexus_;

  std::unique_ptr<identity::ExternalIssuers> issuers_;
  identity::PasswordPool passwords_;
  identity::LoginThrottle throttle_;
  identity::AccountStanding standing_;
  identity::Accounts accounts_;
  identity::Authenticator authenticator_;
  identity::RequestAuthenticator request_authenticator_;

  quotas::Quotas quotas_;
  quotas::UsageMeter usage_meter_;
  rest::Receipts receipts_;
  rest::Frame frame_;
  identity::IdentityApi identity_api_;
  values::ValuesApi values_api_;
  data_api::DataApi data_api_;
  jobs::JobRunner job_runner_;
  jobs::JobRunner patient_runner_;  // of jobs that take long or wait for others

  values::HeadChanges head_changes_;
  model::CursorSealer cursor_sealer_;
  live::Hub hub_;
  live::ChangeFeed change_feed_;
  std::unique_ptr<live::SocketApi> socket_api_;
  bool is_started_ = false;
};

}  // namespace cairn::server
