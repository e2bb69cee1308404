#include "domains/nexus/refusal.h"

namespace cairn::nexus {

Refusal::Refusal(model::Failure failure) : code(failure.error.code), message(failure.error.message) {
  for (const model::FieldError& field : failure.fields) fields.push_back({field.attribute, field.message});
  for (const model::Conflict& conflict : failure.conflicts) {
    const bool was_changed =
        conflict.kind == model::ConflictKind::kVersion || conflict.kind == model::ConflictKind::kChanged;
    if (was_changed) reason = kVersionMismatch;
    if (conflict.kind == model::ConflictKind::kNotFound) reason = kNotFound;
  }
}

}  // namespace cairn::nexus
