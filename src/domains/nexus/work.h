// Work: one unit of work for one caller: what is read, decided and written together, with jobs and the
// receipt of the request in the same transaction.
//
//   Work work(nexus, caller);
//   auto task = co_await work.Load<data::Task>(key, seen);  // refused: not there, or another version
//   task->title = "...";
//   auto changed = work.StageChange(*task);                 // as it will be
//   co_return co_await work.Publish(changed, witness);      // committed, with the receipt of the answer
#pragma once

#include <string>
#include <utility>

#include "domains/nexus/nexus.h"

namespace cairn::nexus {

// What a deletion answers.
struct Gone {};

// Whether an item is what a client has seen, except for what was changed quietly since.
template <class T>
bool IsAsSeen(const T& value, SeenVersion seen) {
  const int64_t version = value.version.value_or(0);
  if (!seen || *seen == version) return true;
  if constexpr (requires { value.quiet_since; })
    return value.quiet_since && *value.quiet_since <= *seen && *seen < version;
  return false;
}

class Work {
 public:
  Work(Nexus& nexus, const model::Caller& caller)
      : nexus_(nexus),
        session_(nexus.database(), caller),
        platform_(nexus.jobs().NewSession(*caller.Claim("sub"))) {}

  Nexus& nexus() { return nexus_; }
  model::Session& session() { return session_; }
  // For jobs and receipts.
  model::Session& platform() { return platform_; }
  const std::string& user_id() const { return *session_.caller().Claim("sub"); }

  // Nothing when there is no such item of the caller's.
  template <class T, class Key>
  Task<Decision<std::optional<T>>> Find(Key key) {
    auto found = co_await model::typed::Get<T>(session_, data::kModelIdentity, key.ToItem());
    // What cannot be an id is nobody's.
    if (!found && found.error().error.code == Code::kInvalidArgument) co_return std::optional<T>();
    if (!found) co_return std::unexpected(Refusal(std::move(found).error()));
    co_return *std::move(found);
  }
  // Refuses with kNotFound, or kVersionMismatch when it is not the version that was seen.
  template <class T, class Key>
  Task<Decision<T>> Load(Key key, SeenVersion seen = {}) {
    auto found = co_await Find<T>(std::move(key));
    if (!found) co_return std::unexpected(std::move(found).error());
    if (!*found) co_return RefuseUnknown("There is no such " + std::string(T::kEntity.name));
    if (!IsAsSeen(**found, seen)) co_return RefuseConflict(std::string(kVersionMismatch), kChanged);
    co_return **std::move(found);
  }

  // They return what will be there, and apply only while it is the version that was read.
  template <class T>
  Decision<T> StageNew(const T& value) {
    auto created = model::typed::Create(session_, data::kModelIdentity, value);
    if (!created) return std::unexpected(Refusal(std::move(created).error()));
    return *std::move(created);
  }
  template <class T>
  Decision<T> StageChange(T value) {
    if constexpr (requires { value.quiet_since; }) value.quiet_since.reset();
    return StageAsIs(std::move(value));
  }
  // A change that is not its user's to know: whoever has seen the version before may still change the item.
  template <class T>
  Decision<T> StageQuietly(T value) {
    const int64_t version = value.version.value_or(0);
    if (value.quiet_since.value_or(version) >= version) value.quiet_since = version;
    return StageAsIs(std::move(value));
  }
  template <class T>
  Decision<void> StageDelete(const T& value) {
    auto staged = model::typed::Delete(session_, data::kModelIdentity, T::kEntity, KeyOf(value).ToItem(),
                                       model::typed::Expected(value.version));
    if (!staged) return std::unexpected(Refusal(std::move(staged).error()));
    return {};
  }
  Decision<void> StageJob(const jobs::Job& job);

  // Everything that was staged, or nothing. At most 100 items.
  Task<Decision<void>> Commit();
  // The same, with the receipt of the answer.
  template <class T>
  Task<Decision<T>> Publish(Decision<T> answer, const Witness<T>& witness) {
    if (!answer) co_return answer;
    if (auto kept = witness(platform_, *answer); !kept)
      co_return std::unexpected(Refusal(std::move(kept).error()));
    auto committed = co_await Commit();
    if (!committed) co_return std::unexpected(std::move(committed).error());
    co_return answer;
  }
  // Of what leaves nothing to show.
  Task<Decision<void>> Publish(const Witness<Gone>& witness) {
    auto published = co_await Publish(Decision<Gone>(Gone()), witness);
    if (!published) co_return std::unexpected(std::move(published).error());
    co_return Decision<void>();
  }

 private:
  template <class T>
  Decision<T> StageAsIs(T value) {
    auto staged = model::typed::Replace(session_, data::kModelIdentity, T::kEntity, value.ToItem(),
                                        model::typed::Expected(value.version));
    if (!staged) return std::unexpected(Refusal(std::move(staged).error()));
    value.version = value.version.value_or(0) + 1;
    value.updated_at = nexus_.NowText();
    return value;
  }

  static constexpr const char* kChanged = "It was changed by someone else: read it again";

  Nexus& nexus_;
  model::Session session_;
  model::Session platform_;
};

// Changes that insist on no version are tried again when someone else was faster.
inline constexpr int kAttemptsMax = 10;
inline bool IsWorthAnotherTry(const Refusal& refusal, SeenVersion seen) {
  const bool lost_race = refusal.reason == kVersionMismatch || refusal.code == Code::kTransactionConflict;
  return lost_race && !seen;
}

}  // namespace cairn::nexus
