// Client tokens: the same token applies a transaction once within ten minutes, also across a restart.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/internal/commit_group.h"
#include "engine/internal/database.h"

namespace cairn::engine::internal {

inline constexpr std::chrono::minutes kTokenLifetime{10};

// Tokens of transactions on their way: a twin that arrives meanwhile is refused.
class TokensInFlight {
 public:
  // Holds the token until destroyed.
  class Hold {
   public:
    Hold(TokensInFlight& owner, std::string token) : owner_(&owner), token_(std::move(token)) {}
    Hold(Hold&& other) noexcept
        : owner_(std::exchange(other.owner_, nullptr)), token_(std::move(other.token_)) {}
    Hold& operator=(Hold&&) = delete;
    ~Hold();

   private:
    TokensInFlight* owner_;
    std::string token_;
  };

  // kTransactionInProgress when another one holds it.
  Result<Hold> Begin(const std::string& token);

 private:
  std::mutex mutex_;  // guards tokens_
  std::set<std::string> tokens_;
};

enum class TokenState { kNew, kApplied };

// Whether the token was applied already; kIdempotencyMismatch when it was with another request.
Result<TokenState> CheckToken(const Database& database, Time now, std::string_view token,
                              std::string_view fingerprint);
// Records it in the same batch as the transaction.
void SaveToken(CommitGroup& group, std::string_view token, std::string_view fingerprint);

}  // namespace cairn::engine::internal
