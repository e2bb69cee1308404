#include "domains/values/history/revision_id.h"

#include "base/check.h"
#include "model/value_type.h"

namespace cairn::values {
namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr size_t kTimeDigits = 10;

}  // namespace

std::string RevisionIds::Next(const std::optional<std::string>& parent_id) {
  std::string id = ulids_.Next(clock_.Now());
  if (parent_id && id <= *parent_id) {
    // The clock was set back since the parent was made, perhaps by another server. Of a source of its own:
    // what one user's history says about the time must not move that of others.
    UlidSource behind_parent(random_);
    id = behind_parent.Next(MomentOf(*parent_id) + std::chrono::milliseconds(1));
  }
  return id;
}

Time MomentOf(std::string_view rev_id) {
  CHECK(IsUlid(rev_id), "revisions have ULIDs");
  int64_t milliseconds = 0;
  for (const char c : rev_id.substr(0, kTimeDigits)) {
    milliseconds = milliseconds * 32 + static_cast<int64_t>(kAlphabet.find(c));
  }
  return Time(std::chrono::milliseconds(milliseconds));
}

std::string TimestampOf(std::string_view rev_id) {
  return model::TimeValue(model::Kind::kInstantMs, MomentOf(rev_id)).string();
}

}  // namespace cairn::values
