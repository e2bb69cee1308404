// Ids of revisions: ULIDs, each greater than its parent's, whose time is the revision's own. So commits sort
// by their order whatever the clock does, and a commit is found by its id alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/random.h"
#include "base/ulid.h"

namespace cairn::values {

class RevisionIds {
 public:
  RevisionIds(const Clock& clock, Random& random) : clock_(clock), random_(random), ulids_(random) {}
  // Thread-safe.
  std::string Next(const std::optional<std::string>& parent_id);

 private:
  const Clock& clock_;
  Random& random_;
  UlidSource ulids_;
};

// The moment in an id. Precondition: a ULID.
Time MomentOf(std::string_view rev_id);
// The same as stored: "2026-11-15T19:42:30.123Z".
std::string TimestampOf(std::string_view rev_id);

}  // namespace cairn::values
