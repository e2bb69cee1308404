#include "domains/nexus/delivery.h"

#include <sstream>

#include "base/json_writer.h"
#include "base/log.h"
#include "base/test_point.h"
#include "base/utf8.h"
#include "calendar/zone.h"
#include "domains/nexus/settings.h"
#include "domains/nexus/webhook_signature.h"

namespace cairn::nexus {
namespace {

using data::DeliveryOutcome;

constexpr std::string_view kWebhook = "webhook";
constexpr std::string_view kEmail = "email";
constexpr std::chrono::seconds kSlow{2};
constexpr std::chrono::minutes kLeftAlone{1};
constexpr size_t kReasonBytesMax = 500;
constexpr long kGone = 410;  // the receiver wants no more

// What a job says: "webhook rem_.. 2026-11-16T09:00:00Z 2026-11-16T09:00:01Z 0".
struct Message {
  std::string way, reminder_id, trigger_utc, fired_at;
  bool late = false;

  // The same whenever the same firing is told.
  std::string id() const { return reminder_id + ":" + trigger_utc; }
};

std::string TextOf(const Message& message) {
  return message.way + " " + message.reminder_id + " " + message.trigger_utc + " " + message.fired_at +
         (message.late ? " 1" : " 0");
}
Message MessageOf(const std::string& argument) {
  Message message;
  std::istringstream(argument) >> message.way >> message.reminder_id >> message.trigger_utc >>
      message.fired_at >> message.late;
  return message;
}

std::string BodyOf(const Message& message, const Reminder& reminder) {
  JsonWriter json;
  json.BeginObject().Member("type", "reminder_fired").Member("deliveryId", message.id());
  json.Member("reminderId", message.reminder_id).Member("title", reminder.title.value_or(""));
  if (reminder.notes) json.Member("notes", *reminder.notes);
  json.Member("triggerUtc", message.trigger_utc).Member("firedAt", message.fired_at);
  json.Member("late", message.late);
  if (reminder.event_id) json.Member("eventId", *reminder.event_id);
  if (reminder.instance_id) json.Member("instanceId", *reminder.instance_id);
  if (reminder.master_id) json.Member("masterId", *reminder.master_id);
  if (reminder.task_id) json.Member("taskId", *reminder.task_id);
  return json.EndObject().Take();
}

// How one attempt went.
struct Attempt {
  bool delivered = false;
  bool is_final = false;  // trying again makes no sense
  std::string reason = {};
};

Attempt PostOne(Nexus& nexus, const std::string& user_id, const Settings& settings, const Message& message,
                const Reminder& reminder) {
  const std::string secret =
      WebhookSecret(nexus.delivery().webhook_key, user_id, settings.webhook_salt.value_or(""));
  outbound::WebhookPost post{.url = *settings.webhook_url, .body = BodyOf(message, reminder), .headers = {}};
  post.headers = {"Content-Type: application/json", "User-Agent: Cairn", "Cairn-Delivery: " + message.id(),
                  "Cairn-Signature: " + WebhookSignature(secret, nexus.Now(), post.body)};
  const auto status = nexus.delivery().courier->Post(post);
  if (!status)
    return {.is_final = status.error().code == Code::kInvalidArgument, .reason = status.error().message};
  if (*status >= 200 && *status < 300) return {.delivered = true};
  return {.is_final = *status == kGone, .reason = "The answer was " + std::to_string(*status)};
}

// When it was due where the user is.
std::string WhenText(const Message& message, const Settings& settings) {
  const auto here = calendar::ToLocal(TimeOf(message.trigger_utc), *settings.timezone);
  if (!here) return message.trigger_utc;
  std::string text = calendar::FormatLocal(*here);
  text[10] = ' ';
  return text.substr(0, 16) + " (" + *settings.timezone + ")";
}

Attempt MailOne(Nexus& nexus, const std::string& to, const Settings& settings, const Message& message,
                const Reminder& reminder) {
  const std::string title = reminder.title.value_or("A reminder");
  outbound::Mail mail{.id = message.id(),
                      .to = to,
                      .subject = title,
                      .body = title + "\n\n" + WhenText(message, settings) + "\n",
                      .date = TimeOf(message.fired_at)};
  if (message.late) mail.body += "This comes late: the server was not running at that time.\n";
  if (reminder.notes) mail.body += "\n" + *reminder.notes + "\n";
  const Status sent = nexus.delivery().courier->Send(mail);
  if (sent) return {.delivered = true};
  return {.is_final = sent.error().code == Code::kInvalidArgument, .reason = sent.error().message};
}

// Notes for the user what became of it: nothing for one who is gone, or has switched it off. `done` is the
// job if it ends with that: in the same transaction, so what is noted as delivered is not delivered again.
Task<Status> Note(Nexus& nexus, const model::Caller& caller, const std::string& way,
                  const data::Delivery& delivery, std::optional<jobs::Job> done) {
  for (int attempt = 1;; ++attempt) {
    Work work(nexus, caller);
    auto settings = co_await ReadSettings(work);
    if (!settings) co_return StatusOf(settings.error());
    if (settings->version) {
      (way == kWebhook ? settings->last_webhook : settings->last_email) = delivery;
      auto staged = work.StageQuietly(*std::move(settings));
      if (!staged) co_return StatusOf(staged.error());
    }
    if (done) {
      if (auto removed = nexus.jobs().Remove(work.platform(), *done); !removed)
        co_return Fail(removed.error().error);
    }
    auto committed = co_await work.Commit();
    if (committed) co_return Status();
    // Erased with its account meanwhile.
    if (committed.error().code == Code::kResourceNotFound) co_return Status();
    if (attempt == kAttemptsMax || !IsWorthAnotherTry(committed.error(), {}))
      co_return StatusOf(committed.error());
  }
}

bool IsWanted(const Nexus& nexus, const Settings& settings, std::string_view way) {
  if (way == kWebhook) return nexus.HasWebhooks() && settings.webhook_url.has_value();
  return way == kEmail && nexus.HasMail() && settings.notify_email.value_or(false);
}

}  // namespace

Task<Decision<void>> StageDeliveries(Work& work, const Reminder& fired) {
  Nexus& nexus = work.nexus();
  if (!nexus.HasWebhooks() && !nexus.HasMail()) co_return Decision<void>();
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  for (const std::string_view way : {kWebhook, kEmail}) {
    if (!IsWanted(nexus, *settings, way)) continue;
    const Message message{.way = std::string(way),
                          .reminder_id = *fired.reminder_id,
                          .trigger_utc = *fired.trigger_utc,
                          .fired_at = *fired.fired_at,
                          .late = fired.late.value_or(false)};
    CO_RETURN_IF_ERROR(work.StageJob({.kind = std::string(kDeliverJob),
                                      .id = message.way + ":" + message.id(),
                                      .due = std::chrono::floor<std::chrono::milliseconds>(nexus.Now()),
                                      .user_id = work.user_id(),
                                      .argument = TextOf(message)}));
  }
  co_return Decision<void>();
}

void SlowReceivers::Add(const std::string& receiver, Time now) {
  std::lock_guard lock(mutex_);
  std::erase_if(until_, [now](const auto& entry) { return entry.second <= now; });
  until_[receiver] = now + kLeftAlone;
}

bool SlowReceivers::Has(const std::string& receiver, Time now) {
  std::lock_guard lock(mutex_);
  const auto found = until_.find(receiver);
  return found != until_.end() && found->second > now;
}

Task<Status> Deliver(Nexus& nexus, SlowReceivers& slow, jobs::Job job) {
  const Message message = MessageOf(job.argument);
  const model::Caller caller = model::Caller::User({{"sub", job.user_id}});
  CO_ASSIGN_OR_RETURN(const bool may_act, co_await nexus.MayAct(job.user_id));
  if (!may_act) co_return Status();  // nothing leaves the server in the name of a disabled account
  Work work(nexus, caller);
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return StatusOf(settings.error());
  const data::ReminderKey key{.reminder_id = message.reminder_id};
  auto reminder = co_await work.Find<Reminder>(key);
  if (!reminder) co_return StatusOf(reminder.error());
  // Deleted or switched off since: there is nothing to tell, or nobody to tell it to.
  if (!*reminder || !IsWanted(nexus, *settings, message.way)) co_return Status();

  co_await TestPoint("nexus.before-delivery");
  if (nexus.jobs().IsStopping()) co_return jobs::Stopping();
  const Time began = nexus.Now();
  const bool is_webhook = message.way == kWebhook;
  const std::string receiver = is_webhook ? job.user_id + " " + *settings->webhook_url : "mail";
  Attempt attempt;
  std::optional<std::string> to;
  if (!is_webhook) {
    auto address = co_await nexus.delivery().address_of(job.user_id);
    if (!address) co_return Fail(address.error());
    if (*address && (*address)->is_confirmed) to = std::move((*address)->email);
  }
  if (slow.Has(receiver, began)) {
    attempt.reason = "The receiver did not answer in time a moment ago";
  } else if (is_webhook) {
    attempt = PostOne(nexus, job.user_id, *settings, message, **reminder);
  } else if (to) {
    attempt = MailOne(nexus, *to, *settings, message, **reminder);
  } else {
    attempt = {.is_final = true, .reason = "There is no account with a confirmed e-mail address"};
  }
  co_await TestPoint("nexus.after-delivery");
  const Time now = nexus.Now();
  if (!attempt.delivered && now - began > kSlow) slow.Add(receiver, now);

  const bool given_up = !attempt.delivered && (attempt.is_final || now - TimeOf(message.fired_at) >=
                                                                       nexus.delivery().give_up_after);
  data::Delivery delivery;
  delivery.at = nexus.NowText();
  delivery.outcome = attempt.delivered ? DeliveryOutcome::kDelivered
                     : given_up        ? DeliveryOutcome::kGivenUp
                                       : DeliveryOutcome::kRetrying;
  if (!attempt.reason.empty()) delivery.reason = std::string(CutUtf8(attempt.reason, kReasonBytesMax));
  delivery.reminder_id = message.reminder_id;
  delivery.attempts = job.attempts + 1;
  const bool is_over = attempt.delivered || given_up;
  std::optional<jobs::Job> done;  // named: g++ 12 destroys a conditional argument of co_await twice
  if (is_over) done = job;
  const Status noted = co_await Note(nexus, caller, message.way, delivery, std::move(done));
  if (!noted) {
    // Its job ends all the same: failing here would send it again.
    log::Warning("what became of a reminder cannot be noted",
                 {{"deliveryId", message.id()}, {"reason", noted.error().message}});
  }
  if (given_up) {
    log::Warning("a reminder was not delivered and is given up", {{"way", message.way},
                                                                  {"userId", job.user_id},
                                                                  {"deliveryId", message.id()},
                                                                  {"attempts", job.attempts + 1},
                                                                  {"reason", attempt.reason}});
  }
  if (is_over) co_return Status();
  co_return Fail(Code::kUnavailable, attempt.reason);
}

}  // namespace cairn::nexus
