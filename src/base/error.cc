#include "base/error.h"

#include <array>
#include <utility>

namespace cairn {

std::string_view CodeName(Code code) {
  static constexpr auto kNames = std::to_array<std::string_view>({"invalid argument",
                                                                  "malformed",
                                                                  "unknown operation",
                                                                  "unauthenticated",
                                                                  "incomplete signature",
                                                                  "invalid signature",
                                                                  "unknown credential",
                                                                  "access denied",
                                                                  "condition failed",
                                                                  "transaction canceled",
                                                                  "transaction conflict",
                                                                  "transaction in progress",
                                                                  "idempotency mismatch",
                                                                  "resource not found",
                                                                  "resource in use",
                                                                  "table not found",
                                                                  "table in use",
                                                                  "table exists",
                                                                  "index not found",
                                                                  "backup not found",
                                                                  "backup in use",
                                                                  "limit exceeded",
                                                                  "collection too large",
                                                                  "duplicate item",
                                                                  "trimmed data",
                                                                  "expired iterator",
                                                                  "too large",
                                                                  "overloaded",
                                                                  "storage full",
                                                                  "read only",
                                                                  "damaged",
                                                                  "unavailable",
                                                                  "internal"});
  static_assert(kNames.size() == static_cast<size_t>(Code::kInternal) + 1);
  return kNames[static_cast<size_t>(code)];
}

Error Invalid(std::string message) { return {Code::kInvalidArgument, std::move(message)}; }

}  // namespace cairn
