// Refusal: why a change of a tree or plan was not made, with what a person needs to mend it. Decisions return
// it; api/api.cc makes problem replies of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace cairn::values {

// One field that both sides of a merge changed. Values are JSON texts ("null" where there is none).
struct MergeConflict {
  std::string id;     // of the node, todo (its action) or block
  std::string field;  // "title"; "parent" and "order" for places; "" for the thing as a whole
  std::string base, theirs, mine;
  friend bool operator==(const MergeConflict&, const MergeConflict&) = default;
};

struct FieldFault {
  std::string field;  // as a client spells it: "operations[2].title"
  std::string message;
};

struct Refusal {
  Code code = Code::kInvalidArgument;  // kInvalidArgument, kResourceNotFound, kConditionFailed,
                                       // kLimitExceeded, or what the store said
  std::string reason;                  // stable, for programs: "cycle", "unknown-parent", "stale-base"
  std::string message;                 // for people
  std::vector<FieldFault> fields = {};
  std::vector<MergeConflict> conflicts = {};
  std::string head_rev_id = {};  // of a base that is not current: what is

  Refusal(Code c, std::string why, std::string text)
      : code(c), reason(std::move(why)), message(std::move(text)) {}
  Refusal(Error error) : code(error.code), message(std::move(error.message)) {}
};

template <class T>
using Decision = Result<T, Refusal>;

inline std::unexpected<Refusal> Refuse(std::string reason, std::string message) {
  return std::unexpected(Refusal(Code::kInvalidArgument, std::move(reason), std::move(message)));
}
inline std::unexpected<Refusal> RefuseUnknown(std::string message) {
  return std::unexpected(Refusal(Code::kResourceNotFound, "not-found", std::move(message)));
}

}  // namespace cairn::values
