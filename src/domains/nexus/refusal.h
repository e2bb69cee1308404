// Refusal: why something was not done, with what a person needs to mend it. Use cases return it; api/convert
// makes problem replies of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/failure.h"

namespace cairn::nexus {

// Reasons that callers look at.
inline constexpr std::string_view kVersionMismatch = "version-mismatch";
inline constexpr std::string_view kNotFound = "not-found";

struct FieldFault {
  std::string field;  // as a client spells it: "startLocal"
  std::string message;
};

struct Refusal {
  Code code = Code::kInvalidArgument;  // kInvalidArgument, kResourceNotFound, kConditionFailed,
                                       // kLimitExceeded, or what the store said
  std::string reason;                  // stable, for programs: "version-mismatch", "not-recurring"
  std::string message;                 // for people
  std::vector<FieldFault> fields = {};

  Refusal(Code c, std::string why, std::string text)
      : code(c), reason(std::move(why)), message(std::move(text)) {}
  Refusal(Error error) : code(error.code), message(std::move(error.message)) {}
  Refusal(model::Failure failure);
};

template <class T>
using Decision = Result<T, Refusal>;

inline std::unexpected<Refusal> Refuse(std::string reason, std::string message) {
  return std::unexpected(Refusal(Code::kInvalidArgument, std::move(reason), std::move(message)));
}
inline std::unexpected<Refusal> RefuseField(std::string field, std::string message) {
  Refusal refusal(Code::kInvalidArgument, "invalid-argument", "Some fields are wrong");
  refusal.fields.push_back({std::move(field), std::move(message)});
  return std::unexpected(std::move(refusal));
}
inline std::unexpected<Refusal> RefuseUnknown(std::string message) {
  return std::unexpected(Refusal(Code::kResourceNotFound, std::string(kNotFound), std::move(message)));
}
inline std::unexpected<Refusal> RefuseConflict(std::string reason, std::string message) {
  return std::unexpected(Refusal(Code::kConditionFailed, std::move(reason), std::move(message)));
}

inline Status StatusOf(const Refusal& refusal) { return Fail(refusal.code, refusal.message); }

}  // namespace cairn::nexus
