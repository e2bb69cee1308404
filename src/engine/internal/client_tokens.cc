#include "engine/internal/client_tokens.h"

namespace cairn::engine::internal {

TokensInFlight::Hold::~Hold() {
  if (!owner_) return;
  std::lock_guard lock(owner_->mutex_);
  owner_->tokens_.erase(token_);
}

Result<TokensInFlight::Hold> TokensInFlight::Begin(const std::string& token) {
  std::lock_guard lock(mutex_);
  if (!tokens_.insert(token).second) {
    return Fail(Code::kTransactionInProgress,
                "The transaction with the given request token is already in progress.");
  }
  return Hold(*this, token);
}

Result<TokenState> CheckToken(const Database& database, Time now, std::string_view token,
                              std::string_view fingerprint) {
  ASSIGN_OR_RETURN(const std::optional<std::string> record, database.Get(Family::kCatalog, TokenKey(token)));
  if (!record || record->size() < 8) return TokenState::kNew;
  const auto expires_seconds = static_cast<int64_t>(ReadBigEndian(std::string_view(*record).substr(0, 8)));
  if (EpochSeconds(now) >= expires_seconds) return TokenState::kNew;
  if (std::string_view(*record).substr(8) != fingerprint) {
    return Fail(
        Code::kIdempotencyMismatch,
        "The request uses the same client token as a previous, but non-identical request. Do not reuse a "
        "client token with different requests, unless the requests are identical");
  }
  return TokenState::kApplied;
}

void SaveToken(CommitGroup& group, std::string_view token, std::string_view fingerprint) {
  const int64_t expires_seconds = EpochSeconds(group.now() + kTokenLifetime);
  std::string record;
  AppendBigEndian(record, static_cast<uint64_t>(expires_seconds), 8);
  record += fingerprint;
  group.Put(Family::kCatalog, TokenKey(token), record);
  group.Put(Family::kCatalog, TokenExpiryKey(expires_seconds, token), "");
}

}  // namespace cairn::engine::internal
