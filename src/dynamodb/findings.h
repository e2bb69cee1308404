// Findings: what is wrong with one request, collected while it is read and reported in DynamoDB's order and
// words.
//
// DynamoDB looks at a request in this order, and so does Check(): JSON of the wrong type (the first one
// found), the table's name (alone), then all constraint violations together:
//   2 validation errors detected: Value null at 'keySchema' failed to satisfy constraint: Member must not be
//   null; Value 'X' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: [...]
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cairn::dynamodb {

class Findings {
 public:
  // JSON of the wrong type; only the first one is kept.
  void Malformed(std::string message);
  // Reported alone, before all violations; only the first one is kept.
  void BadTableName(std::string message);
  // `value` is the offending value as text; use MissingMember() for absent ones.
  void Violation(std::string_view value, std::string_view path, std::string_view constraint);
  void MissingMember(std::string_view path);
  // For the odd texts that do not follow the pattern: counted and joined like a violation.
  void OddViolation(std::string text);

  bool empty() const { return !malformed_ && bad_table_name_.empty() && violations_.empty(); }
  Status Check() const;

 private:
  std::optional<std::string> malformed_;
  std::string bad_table_name_;
  std::vector<std::string> violations_;
};

// "Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length ..."
std::string ViolationText(std::string_view value, std::string_view path, std::string_view constraint);

}  // namespace cairn::dynamodb
