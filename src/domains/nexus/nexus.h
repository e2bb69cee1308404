// Nexus: what every use case of this domain works with. A use case is a function in a file of its own: load,
// decide, commit (work.h).
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/random.h"
#include "base/task.h"
#include "domains/nexus/refusal.h"
#include "jobs/job_queue.h"
#include "model/database.h"
#include "models/nexus.h"
#include "outbound/courier.h"

namespace cairn::nexus {

namespace data = models::nexus;

// Mail goes to addresses that are confirmed: somebody has shown that they read what is sent there.
struct AccountAddress {
  std::string email;
  bool is_confirmed = false;
};

// How reminders leave the server: not at all without a courier (delivery.h).
struct DeliveryOptions {
  const outbound::Courier* courier = nullptr;
  std::string webhook_key = {};  // makes the secrets that webhooks are signed with
  // The address of a user's account; nothing when there is none that is in use.
  std::function<Task<Result<std::optional<AccountAddress>>>(std::string user_id)> address_of = {};
  std::chrono::seconds give_up_after = std::chrono::days(1);
};

// Whether somebody's account may act: not while it is disabled. Without the function everybody may.
using MayAct = std::function<Task<Result<bool>>(std::string user_id)>;

class Nexus {
 public:
  // The database is of models/nexus.toml; both live on the same store.
  Nexus(model::Database& database, jobs::JobQueue& jobs, const Clock& clock, Random& random,
        DeliveryOptions delivery = {}, nexus::MayAct may_act = {})
      : database_(database),
        jobs_(jobs),
        clock_(clock),
        random_(random),
        delivery_(std::move(delivery)),
        may_act_(std::move(may_act)) {}

  model::Database& database() { return database_; }
  jobs::JobQueue& jobs() { return jobs_; }
  const jobs::JobQueue& jobs() const { return jobs_; }
  Random& random() { return random_; }
  const DeliveryOptions& delivery() const { return delivery_; }
  bool HasWebhooks() const { return delivery_.courier != nullptr && delivery_.courier->HasWebhooks(); }
  bool HasMail() const { return delivery_.courier != nullptr && delivery_.courier->HasMail(); }

  // For what is done in somebody's name although they are not asking.
  Task<Result<bool>> MayAct(std::string user_id) const;

  Time Now() const { return clock_.Now(); }
  std::string NowText() const;

  // Whether a user may keep more, for work that writes for long. Fails with the reason.
  using RoomCheck = std::function<Status(const std::string& user_id)>;
  void SetRoomCheck(RoomCheck check) { check_room_ = std::move(check); }
  Status CheckRoom(const std::string& user_id) const { return check_room_ ? check_room_(user_id) : Status(); }

 private:
  model::Database& database_;
  jobs::JobQueue& jobs_;
  const Clock& clock_;
  Random& random_;
  const DeliveryOptions delivery_;
  const nexus::MayAct may_act_;
  RoomCheck check_room_;
};

// ---- Moments as this domain stores them: 2026-11-16T09:00:00Z.
std::string TextOf(Time time);
// Precondition: what the model calls an instant, that is, what was stored or checked.
Time TimeOf(std::string_view instant);

// An id that is always the same for the same thing: a UUID made of a hash, behind its prefix. "Of what" keeps
// different uses apart.
std::string PrefixedId(std::string_view prefix, std::string_view of_what, std::string_view use);

// Puts what a use case is about to answer into its transaction, for a repetition of the same request.
template <class T>
using Witness = std::function<model::Outcome<void>(model::Session& platform, const T& answer)>;

// The version that a client has seen and insists on; none: whatever is there.
using SeenVersion = std::optional<int64_t>;

}  // namespace cairn::nexus
