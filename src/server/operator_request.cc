#include "server/operator_request.h"

#include "base/run_here.h"
#include "domains/nexus/demo.h"
#include "domains/values/demo.h"
#include "identity/email.h"
#include "identity/signing_key.h"
#include "models/platform.h"
#include "server/command.h"
#include "server/control_socket.h"

namespace cairn::server {
namespace {

namespace platform = models::platform;

template <class T>
Result<T> Plain(identity::Answer<T> answer) {
  if (answer) {
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return *std::move(answer);
    }
  }
  std::string message = answer.error().error.message;
  for (const model::FieldError& field : answer.error().fields)
    message += " (" + field.attribute + " " + field.message + ")";
  return Fail(answer.error().error.code, std::move(message));
}

// Page by page.
Task<Result<std::vector<platform::User>>> AllUsers(identity::Accounts& accounts) {
  std::vector<platform::User> users;
  model::typed::PageOptions page{.limit = 100, .cursor = {}};
  for (;;) {
    auto read = Plain(co_await accounts.List(page));
    if (!read) co_return Fail(read.error());
    for (platform::User& user : read->items) users.push_back(std::move(user));
    if (read->next_cursor.empty()) co_return users;
    page.cursor = read->next_cursor;
  }
}

Task<Result<platform::User>> FindUser(identity::Accounts& accounts, std::string email) {
  const auto wanted = identity::NormalizedEmail(email);
  auto users = co_await AllUsers(accounts);
  if (!users) co_return Fail(users.error());
  for (platform::User& user : *users) {
    if (wanted && user.email == *wanted) co_return std::move(user);
  }
  co_return Fail(Code::kResourceNotFound, "there is no account with the address " + email);
}

Task<Result<std::string>> AddUser(identity::Accounts& accounts, std::string email, std::string password) {
  auto known = co_await FindUser(accounts, email);
  if (known)
    co_return Fail(Code::kDuplicateItem, "there is an account with the address " + email + " already");
  identity::RegisterRequest request{.email = email,
                                    .password = password,
                                    .display_name = "",
                                    .origin = {.address = "operator", .user_agent = "cairn user"},
                                    .by = identity::Registrant::kOperator};
  auto registered = Plain(co_await accounts.Register(std::move(request)));
  if (!registered) co_return Fail(registered.error());
  auto user = co_await FindUser(accounts, email);
  if (!user) co_return Fail(user.error());
  co_return user->user_id.value_or("") + "\n";
}

Task<Result<std::string>> ListUsers(identity::Accounts& accounts) {
  auto users = co_await AllUsers(accounts);
  if (!users) co_return Fail(users.error());
  std::string text;
  for (const platform::User& user : *users) {
    text += user.user_id.value_or("") + "  " + user.email + "  " +
            std::string(platform::ToText(user.state.value_or(platform::AccountState::kActive))) +
            "  created " + user.created_at.value_or("") + "  last login " +
            user.last_login_at.value_or("never") + "\n";
  }
  co_return text.empty() ? "There are no accounts yet: cairn user add EMAIL makes one\n" : text;
}

Task<Result<std::string>> ResetPassword(identity::Accounts& accounts, std::string email,
                                        std::string password) {
  std::optional<std::string> wanted;
  if (!password.empty()) wanted = password;
  auto reset = Plain(co_await accounts.ResetPassword(email, wanted));
  if (!reset) co_return Fail(reset.error());
  co_return wanted ? "The password is changed, and all sessions have ended\n" : *reset + "\n";
}

Task<Result<std::string>> FillDemo(Application& application, Random& random, std::string email) {
  auto user = co_await FindUser(application.accounts(), email);
  if (!user) co_return Fail(user.error());
  const model::Caller caller = model::Caller::User({{"sub", user->user_id.value_or("")}});
  auto filled = co_await values::FillDemo(application.values(), caller, random, nullptr);
  if (!filled) co_return Fail(filled.error().code, filled.error().message);
  std::string said = "Made " + std::to_string(filled->revisions) + " revisions of the tree and plans for " +
                     std::to_string(filled->days) + " days\n";
  // Somebody may have begun with a calendar; then it stays as it is.
  auto nexus = co_await nexus::FillDemo(application.nexus(), caller, nullptr);
  if (!nexus && nexus.error().reason != "not-empty")
    co_return Fail(nexus.error().code, nexus.error().message);
  if (nexus) {
    said += "Made " + std::to_string(nexus->events) + " events, " + std::to_string(nexus->tasks) +
            " tasks and " + std::to_string(nexus->notes) + " notes\n";
  }
  co_return said;
}

Task<Result<std::string>> Run(Application& application, Random& random, std::vector<std::string> words) {
  const std::string verb = words.size() > 1 ? words[1] : "";
  const std::string email = words.size() > 2 ? words[2] : "";
  const std::string password = words.size() > 3 ? words[3] : "";
  identity::Accounts& accounts = application.accounts();
  if (words[0] == "demo") co_return co_await FillDemo(application, random, verb);
  if (verb == "add") co_return co_await AddUser(accounts, email, password);
  if (verb == "list") co_return co_await ListUsers(accounts);
  if (verb == "reset-password") co_return co_await ResetPassword(accounts, email, password);
  if (verb == "disable" || verb == "enable") {
    identity::Answer<void> answer;
    if (verb == "disable") {
      answer = co_await accounts.Disable(email);
    } else {
      answer = co_await accounts.Enable(email);
    }
    auto done = Plain(std::move(answer));
    if (!done) co_return Fail(done.error());
    co_return std::string("Done\n");
  }
  co_return Fail(Code::kUnknownOperation, "unknown request");
}

}  // namespace

bool IsOperatorRequest(const std::string& word) { return word == "user" || word == "demo"; }

Result<std::string> RunOperatorRequest(Application& application, Random& random,
                                       const std::vector<std::string>& words) {
  return RunHere(Run(application, random, words));
}

Result<std::string> AskOrRun(const std::string& data, const std::vector<std::string>& words) {
  auto answer = AskServer(data, words);
  if (answer || answer.error().code != Code::kUnavailable) return answer;
  ASSIGN_OR_RETURN(const auto engine, OpenExisting(data));
  const SystemClock clock;
  SystemRandom random;
  ASSIGN_OR_RETURN(std::string key, identity::LoadOrCreateSigningKey(data, random));
  ApplicationOptions options;
  options.signing_key = std::move(key);
  ASSIGN_OR_RETURN(const auto application,
                   Application::Create(*engine, *engine, clock, random, std::move(options)));
  RETURN_IF_ERROR(application->CreateTables());
  return RunOperatorRequest(*application, random, words);
}

}  // namespace cairn::server
