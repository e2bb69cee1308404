#include "identity/account_mail.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "rest/sha256.h"

namespace cairn::identity {
namespace {

struct KindFacts {
  MailKind kind;
  std::string_view name;  // stored
  std::chrono::seconds lifetime;
  std::string_view subject;
};
constexpr auto kKinds = std::to_array<KindFacts>({
    {MailKind::kVerify, "verify", std::chrono::days(3), "Confirm your e-mail address"},
    {MailKind::kChange, "change", std::chrono::days(1), "Confirm your new e-mail address"},
    {MailKind::kNotice, "notice", std::chrono::days(1), "Your e-mail address is about to change"},
    {MailKind::kRecover, "recover", std::chrono::minutes(30), "Choose a new password"},
});

const KindFacts& FactsOf(MailKind kind) { return kKinds[static_cast<size_t>(kind)]; }

std::string BodyOf(const PlannedMail& mail, const MailContent& content) {
  const std::string not_you = "\n\nIf this was not you, ";
  switch (mail.kind) {
    case MailKind::kVerify:
      return "Somebody made an account at Cairn with this address. Open this link within three days to "
             "confirm that "
             "it is yours:\n\n" +
             content.link + not_you + "do nothing: without it no further mails are sent here.\n";
    case MailKind::kChange:
      return "This is to become the address of an account at Cairn. Open this link within a day to confirm "
             "that it is "
             "yours:\n\n" +
             content.link + not_you + "do nothing: the account then keeps the address it has.\n";
    case MailKind::kNotice:
      return "Somebody who knows your password asked to change the e-mail address of your account at Cairn "
             "to:\n\n" +
             content.new_email +
             "\n\nUntil a mail to that address is answered, your account keeps this one." + not_you +
             "sign in and change your password at once: that ends the request, and all other sessions.\n";
    case MailKind::kRecover:
      return "Somebody asked for a new password for your account at Cairn. Open this link within half an "
             "hour to choose "
             "one:\n\n" +
             content.link + not_you + "do nothing: your password stays as it is.\n";
  }
  return "";
}

}  // namespace

std::chrono::seconds LifetimeOf(MailKind kind) { return FactsOf(kind).lifetime; }

jobs::Job JobOf(const PlannedMail& mail, Time now, Random& random) {
  const auto expires = std::chrono::floor<std::chrono::seconds>(mail.expires.time_since_epoch()).count();
  // Mails to different addresses are nobody's queue in common: jobs of one user go one after another.
  const std::string owner = mail.user_id.empty() ? "mail-" + rest::Sha256Text(mail.to) : mail.user_id;
  return {.kind = std::string(kMailJob),
          .id = NewUuid(random),
          .due = std::chrono::floor<std::chrono::milliseconds>(now),
          .user_id = owner,
          .argument = std::string(FactsOf(mail.kind).name) + " " + std::to_string(expires) + " " + mail.to};
}

std::optional<PlannedMail> PlannedMailOf(const jobs::Job& job) {
  const std::string_view text = job.argument;
  const size_t first = text.find(' '), second = first == text.npos ? text.npos : text.find(' ', first + 1);
  if (second == text.npos) return std::nullopt;
  const auto facts = std::ranges::find(kKinds, text.substr(0, first), &KindFacts::name);
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data() + first + 1, text.data() + second, seconds);
  if (facts == kKinds.end() || error != std::errc() || end != text.data() + second) return std::nullopt;
  return PlannedMail{.kind = facts->kind,
                     .to = std::string(text.substr(second + 1)),
                     .user_id = facts->kind == MailKind::kRecover ? "" : job.user_id,
                     .expires = Time(std::chrono::seconds(seconds))};
}

outbound::Mail ComposeMail(const PlannedMail& mail, const std::string& job_id, const MailContent& content,
                           Time now) {
  return {.id = job_id,
          .to = mail.to,
          .subject = std::string(FactsOf(mail.kind).subject),
          .body = BodyOf(mail, content),
          .date = now};
}

}  // namespace cairn::identity
