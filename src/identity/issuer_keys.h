// IssuerKeys: the keys of one other issuer, kept fresh. They are read on a thread of their own: the first
// time somebody asks, when a token names a kid that is not known (at most once a minute), and every hour.
// When reading fails the old keys stay. Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/task.h"
#include "base/worker_pool.h"
#include "identity/jwks.h"

namespace cairn::identity {

class IssuerKeys {
 public:
  // The text of the key set. May block; is never called twice at the same time.
  using Source = std::function<Result<std::string>()>;

  // `issuer` names it in the log.
  IssuerKeys(std::string issuer, Source source, const Clock& clock);

  // The key with exactly this kid. Waits for a key set that is being read or due to be; nothing when there is
  // none even then, and when too many wait already.
  Task<std::optional<PublicKey>> Find(std::string kid);

 private:
  std::optional<PublicKey> FindKnown(const std::string& kid);  // needs mutex_
  bool IsDue(Time now) const;                                  // needs mutex_
  void ReadAgainIfDue();

  const std::string issuer_;
  const Source source_;
  const Clock& clock_;
  std::mutex mutex_;  // guards what follows
  std::shared_ptr<const KeySet> keys_;
  std::optional<Time> last_try_;
  bool hourly_posted_ = false;
  int waiting_ = 0;    // who has asked the reader for another look
  WorkerPool reader_;  // last: its thread uses the others until it is done
};

}  // namespace cairn::identity
