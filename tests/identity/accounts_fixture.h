// Accounts on an engine in memory, and short ways to use them.
#pragma once

#include <gmock/gmock.h>

#include <thread>

#include "base/log.h"
#include "base/run_here.h"
#include "identity/accounts.h"
#include "identity/authenticator.h"
#include "session_fixture.h"

namespace cairn::identity {

using model::Item;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

inline const std::string kSigningKey(32, 'k');
inline const std::string kEmail = "ada@example.org";
inline const std::string kPassword = "correct horse";
inline constexpr PasswordCost kCheap{.operations = 1, .memory_bytes = 8192};
constexpr size_t kIdentityTable = 0, kReceiptsTable = 1, kJobsTable = 2;

class AccountsTest : public model::SessionTest {
 protected:
  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    Start(platform::LoadModel());
    Restart();
  }
  void TearDown() override {
    accounts_.reset();
    authenticator_.reset();
    model::SessionTest::TearDown();
    log::SetLevel(log::Level::kInfo);
  }
  // A new process on the same data: throttles forget, options change.
  void Restart(std::vector<Eraser> erasers = {}, PasswordPoolOptions pool = {.cost = kCheap},
               model::WriteFence* fence = nullptr) {
    accounts_.reset();
    pool_ = std::make_unique<PasswordPool>(pool);
    throttle_ = std::make_unique<LoginThrottle>(clock_);
    standing_ = std::make_unique<AccountStanding>(*database_, clock_);
    jobs_ = std::make_unique<jobs::JobQueue>(*database_);
    accounts_ = std::make_unique<Accounts>(
        *database_, *pool_, *throttle_, *standing_, *jobs_, clock_, random_,
        AccountsOptions{.signing_key = kSigningKey, .erasers = std::move(erasers), .fence = fence});
    authenticator_ = std::make_unique<Authenticator>(*database_, kSigningKey, nullptr, *standing_, clock_);
  }

  Answer<void> Register(std::string email = kEmail, std::string password = kPassword,
                        std::string address = "192.0.2.1") {
    return RunHere(accounts_->Register({.email = std::move(email),
                                        .password = std::move(password),
                                        .display_name = "Ada",
                                        .origin = {.address = std::move(address)}}));
  }
  Answer<Credentials> TryLogin(std::string email, std::string password,
                               platform::SessionKind kind = platform::SessionKind::kProgram,
                               std::string address = "192.0.2.1") {
    return RunHere(accounts_->Login({.email = std::move(email),
                                     .password = std::move(password),
                                     .kind = kind,
                                     .origin = {.address = std::move(address), .user_agent = "test/1"}}));
  }
  // Of an account that is there.
  Credentials Login(platform::SessionKind kind = platform::SessionKind::kProgram, std::string email = kEmail,
                    std::string password = kPassword) {
    return Value(TryLogin(std::move(email), std::move(password), kind));
  }
  Credentials Browser() { return Login(platform::SessionKind::kBrowser); }

  Answer<Credentials> Refresh(std::string token) {
    return RunHere(accounts_->Refresh(std::move(token), kOrigin));
  }
  Answer<Credentials> ChangePassword(std::string user_id, std::string current, std::string next) {
    return RunHere(accounts_->ChangePassword({.user_id = std::move(user_id),
                                              .current_password = std::move(current),
                                              .new_password = std::move(next),
                                              .origin = kOrigin}));
  }
  Answer<void> DeleteAccount(std::string user_id, std::string password = kPassword) {
    return RunHere(accounts_->DeleteAccount(
        {.user_id = std::move(user_id), .password = std::move(password), .origin = kOrigin}));
  }

  bool TokenIsGood(std::string token) {
    return RunHere(authenticator_->IdentifyToken(std::move(token))).has_value();
  }
  bool CookieIsGood(std::string cookie) {
    return RunHere(authenticator_->IdentifyCookie(std::move(cookie))).has_value();
  }
  std::vector<platform::Session> SessionsOf(std::string user_id) {
    return Value(RunHere(accounts_->ListSessions(std::move(user_id))));
  }
  // The newest first.
  std::vector<platform::AuditEvent> AuditOf(const std::string& user_id) {
    model::Session work(*database_, WorkingFor(user_id));
    const auto page = RunHere(platform::ReadAudit(work, {.limit = 100, .cursor = {}}));
    EXPECT_TRUE(page);
    std::vector<platform::AuditEvent> events;
    for (const auto& entry : page->items) events.push_back(entry.event);
    return events;
  }
  size_t CountOf(const std::string& user_id, platform::AuditEvent event) {
    return static_cast<size_t>(std::ranges::count(AuditOf(user_id), event));
  }
  platform::User UserOf(const std::string& user_id) {
    model::Session work(*database_, WorkingFor(user_id));
    return RunHere(platform::GetUser(work))->value();
  }

  // The value, or a failed test and an empty value.
  template <class T>
  static T Value(Answer<T> answer) {
    EXPECT_TRUE(answer) << (answer ? "" : answer.error().error.message);
    return answer ? *std::move(answer) : T();
  }
  template <class Work>
  static void InParallel(int threads, Work work) {
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i) running.emplace_back([&work, i] { work(i); });
    for (std::thread& thread : running) thread.join();
  }

  const Origin kOrigin{.address = "192.0.2.1"};
  std::unique_ptr<PasswordPool> pool_;
  std::unique_ptr<LoginThrottle> throttle_;
  std::unique_ptr<AccountStanding> standing_;
  std::unique_ptr<jobs::JobQueue> jobs_;
  std::unique_ptr<Accounts> accounts_;
  std::unique_ptr<Authenticator> authenticator_;
};

#define EXPECT_REFUSED(answer, expected_code, message_part)                       \
  do {                                                                            \
    const auto& answer_ = (answer);                                               \
    ASSERT_FALSE(answer_.has_value());                                            \
    EXPECT_EQ(CodeName(answer_.error().error.code), CodeName(expected_code));     \
    EXPECT_THAT(answer_.error().error.message, testing::HasSubstr(message_part)); \
  } while (false)

// "password must have at least 8 characters; ..."
inline std::string FieldsOf(const Refusal& refusal) {
  std::string text;
  for (const model::FieldError& field : refusal.fields) {
    text += (text.empty() ? "" : "; ") + field.attribute + " " + field.message;
  }
  return text;
}

}  // namespace cairn::identity
