// Failure: why a session could not do what was asked, with the data a caller needs to explain it: which
// fields are wrong, which items were in the way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "item/attribute_value.h"

namespace cairn::model {

struct Entity;

struct FieldError {
  std::string attribute;  // name in the model; "" for the entity as a whole
  std::string message;    // "is required", "must be one of ..."
};

enum class ConflictKind {
  kAlreadyExists,  // create of an item that is there
  kNotFound,       // update, delete or check of an item that is not there, or is not the caller's
  kVersion,        // the optimistic lock: someone else was faster
  kUnique,         // another item has this value
  kChanged,        // attributes the change was computed from have changed meanwhile, again and again
};

struct Conflict {
  ConflictKind kind = ConflictKind::kVersion;
  const Entity* entity = nullptr;
  item::Item key;                       // primary key as stored
  std::vector<std::string> attributes;  // of kUnique: the attributes that collide
};

// Codes: kInvalidArgument (see fields), kConditionFailed (see conflicts), kResourceNotFound, kAccessDenied,
// kLimitExceeded (a guardrail), and whatever the store says.
struct Failure {
  Error error;
  std::vector<FieldError> fields;
  std::vector<Conflict> conflicts;

  Failure(Error e) : error(std::move(e)) {}
  Failure(std::vector<FieldError> wrong);  // kInvalidArgument with a sentence made of the fields
  Failure(Conflict conflict);              // kConditionFailed or, for kNotFound, kResourceNotFound
};

template <class T>
using Outcome = Result<T, Failure>;

}  // namespace cairn::model
