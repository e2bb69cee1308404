// PasswordPool: hashes and tries passwords off the event loops, at most a few at a time and a few more
// waiting. A flood of logins is refused with kOverloaded instead of taking all memory and all cores.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/task.h"
#include "base/worker_pool.h"
#include "identity/password.h"

namespace cairn::identity {

struct PasswordPoolOptions {
  WorkerPool::Options workers = {.threads = 2, .queue_max = 32};
  PasswordCost cost = {};
};

class PasswordPool {
 public:
  explicit PasswordPool(PasswordPoolOptions options = {});

  Task<Result<std::string>> Hash(std::string password);
  // Whether the password has this hash.
  Task<Result<bool>> Verify(std::string password, std::string hash);
  // False, after as long as Verify takes: for accounts that are not there.
  Task<Result<bool>> VerifyNobody(std::string password);

  bool NeedsRehash(const std::string& hash) const { return identity::NeedsRehash(hash, cost_); }
  // How many passwords were hashed or tried so far.
  uint64_t done() const { return done_; }

 private:
  const PasswordCost cost_;
  std::atomic<uint64_t> done_ = 0;
  WorkerPool workers_;  // last: its threads use the others until they are done
};

}  // namespace cairn::identity
