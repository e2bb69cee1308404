#include "identity/account_standing.h"

#include <functional>

#include "identity/account_writes.h"

namespace cairn::identity {
namespace {

// For items that somebody writes past the accounts.
constexpr std::chrono::seconds kKeptFor{10};

}  // namespace

AccountStanding::Shard& AccountStanding::ShardOf(const std::string& user_id) {
  return shards_[std::hash<std::string>()(user_id) % shards_.size()];
}

// Precondition: the caller holds the shard's mutex.
std::optional<bool> AccountStanding::KeptIn(Shard& shard, const std::string& user_id, Time now) {
  const Kept* kept = shard.kept.Find(user_id);
  // Both ends, for a clock that was set back.
  const bool is_fresh = kept != nullptr && now < kept->until && now >= kept->until - kKeptFor;
  return is_fresh ? std::optional(kept->may_act) : std::nullopt;
}

std::optional<bool> AccountStanding::Known(const std::string& user_id) {
  Shard& shard = ShardOf(user_id);
  const Time now = clock_.Now();
  std::lock_guard lock(shard.mutex);
  return KeptIn(shard, user_id, now);
}

Task<Result<bool>> AccountStanding::MayAct(std::string user_id) {
  const Time now = clock_.Now();
  Shard& shard = ShardOf(user_id);
  uint64_t forgotten = 0;
  {
    std::lock_guard lock(shard.mutex);
    if (const auto known = KeptIn(shard, user_id, now)) co_return *known;
    forgotten = shard.forgotten;
  }
  CO_ASSIGN_OR_RETURN(const bool may_act, co_await Read(user_id));
  std::lock_guard lock(shard.mutex);
  if (forgotten == shard.forgotten) shard.kept.At(user_id) = {may_act, now + kKeptFor};
  co_return may_act;
}

Task<Result<bool>> AccountStanding::Read(const std::string& user_id) {
  model::Session work(platform_, WorkingFor(user_id));
  const auto user = co_await platform::GetUser(work);
  if (user) co_return !*user || (*user)->state == platform::AccountState::kActive;
  // A subject that cannot be in a key has no account; a server without the applications has no table of them.
  const Code code = user.error().error.code;
  if (code == Code::kInvalidArgument || code == Code::kResourceNotFound) co_return true;
  co_return Fail(user.error().error);
}

void AccountStanding::Forget(const std::string& user_id) {
  Shard& shard = ShardOf(user_id);
  std::lock_guard lock(shard.mutex);
  ++shard.forgotten;
  shard.kept.Forget(user_id);
}

}  // namespace cairn::identity
