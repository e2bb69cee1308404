#include "dynamodb/findings.h"

namespace cairn::dynamodb {
namespace {

// DynamoDB stops counting there.
constexpr size_t kViolationsMax = 10;

std::string Joined(const std::vector<std::string>& violations) {
  std::string text = std::to_string(violations.size());
  text += violations.size() == 1 ? " validation error detected: " : " validation errors detected: ";
  for (size_t i = 0; i < violations.size(); ++i) {
    if (i > 0) text += "; ";
    text += violations[i];
  }
  return text;
}

}  // namespace

std::string ViolationText(std::string_view value, std::string_view path, std::string_view constraint) {
  std::string text = "Value '";
  text.append(value).append("' at '").append(path);
  return text.append("' failed to satisfy constraint: ").append(constraint);
}

void Findings::Malformed(std::string message) {
  if (malformed_) return;
  malformed_ = std::move(message);
}

void Findings::BadTableName(std::string message) {
  if (bad_table_name_.empty()) bad_table_name_ = std::move(message);
}

void Findings::Violation(std::string_view value, std::string_view path, std::string_view constraint) {
  OddViolation(ViolationText(value, path, constraint));
}

void Findings::MissingMember(std::string_view path) {
  std::string text = "Value null at '";
  text.append(path).append("' failed to satisfy constraint: Member must not be null");
  OddViolation(std::move(text));
}

void Findings::OddViolation(std::string text) {
  if (violations_.size() < kViolationsMax) violations_.push_back(std::move(text));
}

Status Findings::Check() const {
  if (malformed_) return Fail(Code::kMalformed, *malformed_);
  if (!bad_table_name_.empty()) return Fail(Invalid(bad_table_name_));
  if (!violations_.empty()) return Fail(Invalid(Joined(violations_)));
  return {};
}

}  // namespace cairn::dynamodb
