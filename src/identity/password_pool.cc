#include "identity/password_pool.h"

#include "base/test_point.h"

namespace cairn::identity {

PasswordPool::PasswordPool(PasswordPoolOptions options) : cost_(options.cost), workers_(options.workers) {}

Task<Result<std::string>> PasswordPool::Hash(std::string password) {
  auto work = [this, password = std::move(password)]() mutable {
    PassTestPoint("identity.hash");
    Result<std::string> hash = HashPassword(password, cost_);
    Wipe(password);
    ++done_;
    return hash;
  };
  auto hashed = co_await workers_.Run(std::move(work));
  if (!hashed) co_return Fail(std::move(hashed).error());
  co_return *std::move(hashed);
}

Task<Result<bool>> PasswordPool::Verify(std::string password, std::string hash) {
  auto work = [this, password = std::move(password), hash = std::move(hash)]() mutable {
    PassTestPoint("identity.hash");
    const bool matches = PasswordMatches(password, hash);
    Wipe(password);
    ++done_;
    return matches;
  };
  return workers_.Run(std::move(work));
}

Task<Result<bool>> PasswordPool::VerifyNobody(std::string password) {
  return Verify(std::move(password), HashOfNobody(cost_));
}

}  // namespace cairn::identity
