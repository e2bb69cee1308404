// Mails about accounts. A use case plans them as jobs in its own transaction; the job's worker
// (Accounts::SendMail) makes and sends them. A job holds no secret: the link is made when the mail is.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/random.h"
#include "jobs/job_queue.h"
#include "outbound/mail_text.h"

namespace cairn::identity {

inline constexpr std::string_view kMailJob = "account-mail";

enum class MailKind {
  kVerify,   // to the account's address: is this yours?
  kChange,   // to the address it is to have: is this yours?
  kNotice,   // to the address it has: somebody wants to change it
  kRecover,  // to an address that somebody typed, if an account has it: choose a new password
};

// For how long the link of a mail is good. A notice is sent for as long.
std::chrono::seconds LifetimeOf(MailKind kind);

struct PlannedMail {
  MailKind kind = MailKind::kVerify;
  std::string to;
  std::string
      user_id;   // "" for kRecover: who has the address is looked up later, so that asking tells nobody
  Time expires;  // of the link; the mail is not sent later than this
};

// Due at once.
jobs::Job JobOf(const PlannedMail& mail, Time now, Random& random);
// Nothing for an argument that JobOf did not make.
std::optional<PlannedMail> PlannedMailOf(const jobs::Job& job);

// What is sent. `link` is "" for a notice; `new_email` is for a notice alone.
struct MailContent {
  std::string link, new_email;
};
outbound::Mail ComposeMail(const PlannedMail& mail, const std::string& job_id, const MailContent& content,
                           Time now);

}  // namespace cairn::identity
