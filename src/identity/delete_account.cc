// Accounts::DeleteAccount and ResumeErasure. Deleting happens in two steps: one transaction after which
// nobody gets in and the erasure is planned, then the erasure itself, which may take long and be interrupted.
//
// Nobody gets in, but requests and jobs that were let in before may go on for minutes. So the erasure begins
// by closing the fence (model/write_fence.h): after that nothing can be added, whoever tries, and one pass
// finds everything. A crash ends all that was under way; the next process closes its own fence.
#include "base/log.h"
#include "base/test_point.h"
#include "identity/accounts.h"

namespace cairn::identity {
namespace {

// Deletes all items that pages of `read` show, page by page.
template <class Read, class Delete>
Task<Status> EraseAll(Read read, Delete erase) {
  model::typed::PageOptions options{.limit = 100, .cursor = {}};
  do {
    co_await TestPoint("erasure.step");
    auto page = co_await read(options);
    if (!page) co_return Fail(std::move(page).error().error);
    using Key = decltype(platform::KeyOf(page->items.front()));
    std::vector<Key> keys;
    for (const auto& item : page->items) keys.push_back(platform::KeyOf(item));
    auto erased = co_await erase(keys);
    if (!erased) co_return Fail(std::move(erased).error().error);
    options.cursor = page->next_cursor;
  } while (!options.cursor.empty());
  co_return Status();
}

Task<Status> EraseRecords(model::Session& work) {
  const auto read_sessions = [&](const auto& options) { return platform::ReadSessions(work, options); };
  const auto erase_sessions = [&](const auto& keys) { return platform::DeleteManySession(work, keys); };
  CO_RETURN_IF_ERROR(co_await EraseAll(read_sessions, erase_sessions));
  const auto read_audit = [&](const auto& options) { return platform::ReadAudit(work, options); };
  const auto erase_audit = [&](const auto& keys) { return platform::DeleteManyAuditEntry(work, keys); };
  CO_RETURN_IF_ERROR(co_await EraseAll(read_audit, erase_audit));
  const auto read_receipts = [&](const auto& options) { return platform::ReadReceipts(work, options); };
  const auto erase_receipts = [&](const auto& keys) { return platform::DeleteManyReceipt(work, keys); };
  co_return co_await EraseAll(read_receipts, erase_receipts);
}

}  // namespace

Task<Answer<void>> Accounts::DeleteAccount(DeleteAccountRequest request) {
  const std::string field = "password";
  const SessionName session_name{.user_id = request.user_id, .session_id = request.session_id};
  CO_ASSIGN_OR_RETURN(const platform::User verified,
                      co_await ConfirmPassword(session_name, std::move(request.password), field));
  // Nobody's job: those of the user go, too.
  const jobs::Job erasure{.kind = std::string(kErasureJob),
                          .id = request.user_id,
                          .due = std::chrono::floor<std::chrono::milliseconds>(clock_.Now()),
                          .user_id = {},
                          .argument = request.user_id};
  for (int i = 0; i < kAttemptsMax; ++i) {
    model::Session work(platform_, WorkingFor(request.user_id));
    CO_ASSIGN_OR_RETURN(const auto user, co_await platform::GetUser(work));
    if (!user || user->state != platform::AccountState::kActive ||
        user->password_hash != verified.password_hash) {
      co_return RefuseField(field, "is no longer right: it was changed a moment ago");
    }
    CO_ASSIGN_OR_RETURN(const auto sessions, co_await ReadAllSessions(work));
    platform::UserChanges changes;
    changes.SetState(platform::AccountState::kDeleting);
    CO_RETURN_IF_ERROR(platform::UpdateUser(work, changes, user->version));
    CO_RETURN_IF_ERROR(StageEnd(work, sessions));
    CO_RETURN_IF_ERROR(StageAudit(work, platform::AuditEvent::kDeleted, request.origin));
    CO_RETURN_IF_ERROR(jobs_.Schedule(work, erasure));
    const auto written = co_await CommitUnlessChanged(work);
    standing_.Forget(request.user_id);
    if (!written) co_return std::unexpected(written.error());
    if (*written == Written::kYes) co_return Answer<void>();
  }
  co_return TooMuchAtOnce();
}

Task<Status> Accounts::ResumeErasure(std::string user_id) {
  model::Session work(platform_, WorkingFor(user_id));
  auto user = co_await platform::GetUser(work);
  if (!user) co_return Fail(std::move(user).error().error);
  if (!*user) co_return Status();  // done before
  if ((*user)->state != platform::AccountState::kDeleting) {
    co_return Fail(Code::kConditionFailed, "the account " + user_id + " is not to be deleted");
  }
  if (options_.fence != nullptr) CO_RETURN_IF_ERROR(co_await options_.fence->CloseAround(user_id));
  for (const Eraser& erase : options_.erasers) CO_RETURN_IF_ERROR(co_await erase(user_id));
  const std::string old_kind(kOldErasureJob);
  CO_RETURN_IF_ERROR(co_await jobs_.EraseUser(user_id, old_kind));
  CO_RETURN_IF_ERROR(co_await EraseRecords(work));
  co_await TestPoint("erasure.step");

  // The account goes last: while it is there, an interrupted erasure can be taken up again.
  const platform::LoginKey key{.email = (*user)->email};
  auto login = co_await platform::GetLogin(work, key);
  if (!login) co_return Fail(std::move(login).error().error);
  if (*login && (*login)->user_id == user_id) {
    if (auto gone = platform::DeleteLogin(work, key); !gone) co_return Fail(std::move(gone).error().error);
  }
  if (auto gone = platform::DeleteUser(work); !gone) co_return Fail(std::move(gone).error().error);
  const auto written = co_await CommitUnlessChanged(work);
  standing_.Forget(user_id);
  if (!written) co_return Fail(written.error().error);
  if (*written == Written::kLostRace) {
    // The request and the job may both be at it.
    const auto left = co_await platform::GetUser(work);
    if (left && !*left) co_return Status();
    co_return Fail(Code::kUnavailable, "the account was changed while it was erased");
  }
  log::Info("account erased", {{"userId", user_id}});
  co_return Status();
}

}  // namespace cairn::identity
