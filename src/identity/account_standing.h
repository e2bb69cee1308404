// AccountStanding: whether an account may act, asked by every way to act as one: cookies, tokens of sessions,
// of operators and of other issuers, open WebSockets, secret feed addresses, deliveries. The one place that
// knows.
//
// An account that is disabled or being deleted may not. Somebody without an account here may: users of other
// issuers and of an operator's tokens have none.
//
// Answers are kept for some seconds, so that asking costs no read. That is exact, because there is one
// process for each data directory, and Accounts says of every change (Forget): the kept answer goes, and an
// answer that was read before the change is not kept. Thread-safe.
#pragma once

#include <array>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/task.h"
#include "identity/recent_table.h"
#include "model/database.h"

namespace cairn::identity {

class AccountStanding {
 public:
  AccountStanding(model::Database& platform, const Clock& clock) : platform_(platform), clock_(clock) {}

  // Fails when the store does not answer.
  Task<Result<bool>> MayAct(std::string user_id);
  // The same without waiting; nothing when the store must be asked.
  std::optional<bool> Known(const std::string& user_id);
  // After every change of an account's state, whether or not it came through.
  void Forget(const std::string& user_id);

 private:
  struct Kept {
    bool may_act = false;
    Time until{};
  };
  // Event loops seldom meet at the same one.
  struct alignas(64) Shard {
    std::mutex mutex;  // guards what follows
    RecentTable<Kept> kept{1024};
    uint64_t forgotten = 0;
  };

  static std::optional<bool> KeptIn(Shard& shard, const std::string& user_id, Time now);
  Task<Result<bool>> Read(const std::string& user_id);
  Shard& ShardOf(const std::string& user_id);

  model::Database& platform_;
  const Clock& clock_;
  std::array<Shard, 64> shards_;
};

}  // namespace cairn::identity
