// Refusal: why a use case of accounts was not done, with what a client needs to do better: which fields are
// wrong, how long to wait. The REST routes make problem replies of it.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/failure.h"

namespace cairn::identity {

// Codes: kInvalidArgument (see fields), kUnauthenticated, kResourceNotFound, kOverloaded (see retry_after),
// and whatever the store says.
struct Refusal {
  Error error;
  std::vector<model::FieldError> fields = {};  // named as a client spells them: "currentPassword"
  std::chrono::seconds retry_after{0};         // of kOverloaded

  Refusal(Error why) : error(std::move(why)) {}
  Refusal(model::Failure why) : error(std::move(why.error)), fields(std::move(why.fields)) {}
};

template <class T>
using Answer = Result<T, Refusal>;

inline std::unexpected<Refusal> Refuse(Code code, std::string message) {
  return std::unexpected(Refusal(Error{code, std::move(message)}));
}
// A field that breaks a rule; `problem` is a sentence about it without its name.
inline std::unexpected<Refusal> RefuseField(std::string field, std::string problem) {
  std::vector<model::FieldError> fields;
  fields.push_back({std::move(field), std::move(problem)});
  return std::unexpected(Refusal(model::Failure(std::move(fields))));
}
inline std::unexpected<Refusal> RefuseForNow(std::chrono::seconds wait) {
  const std::string duration = std::to_string(wait.count()) + (wait.count() == 1 ? " second." : " seconds.");
  Refusal refusal(Error{Code::kOverloaded, "There were too many attempts. Try again in " + duration});
  refusal.retry_after = wait;
  return std::unexpected(std::move(refusal));
}

}  // namespace cairn::identity
