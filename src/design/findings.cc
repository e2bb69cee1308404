#include "design/findings.h"

#include <algorithm>

#include "base/check.h"
#include "design/lint.h"

namespace cairn::design {

void Findings::Add(std::string_view code, model::Location where, std::string subject, std::string message) {
  const LintCode* known = FindLintCode(code);
  CHECK(known != nullptr, "a lint rule uses a code that is not in the table");
  Add(code, known->severity, where, std::move(subject), std::move(message));
}

void Findings::Add(std::string_view code, model::Severity severity, model::Location where,
                   std::string subject, std::string message) {
  const bool known = std::any_of(all_.begin(), all_.end(), [&](const model::Diagnostic& other) {
    return other.code == code && other.where == where && other.subject == subject;
  });
  if (known) return;
  all_.push_back({.severity = severity,
                  .code = std::string(code),
                  .message = std::move(message),
                  .file = model_.file,
                  .where = where,
                  .subject = std::move(subject),
                  .accepted_reason = {}});
}

std::string SubjectOf(const model::Table& table) { return "table " + table.name; }

std::string SubjectOf(const model::Table& table, const model::Index& index) {
  return SubjectOf(table) + "." + index.name;
}

std::string SubjectOf(const model::Pattern& pattern) { return "pattern " + pattern.name; }

std::string SubjectOf(const model::Entity& entity, const model::Index& index) {
  return entity.name + "." + index.name;
}

std::string SubjectOf(const model::Model& model, const model::Entity& entity,
                      const model::Attribute& attribute) {
  if (IsCommon(model, entity, attribute)) return SubjectOf(model.TableOf(entity));
  return entity.name + "." + attribute.name;
}

bool IsCommon(const model::Model& model, const model::Entity& entity, const model::Attribute& attribute) {
  if (attribute.where.line == 0) return false;
  return std::any_of(model.entities.begin(), model.entities.end(), [&](const model::Entity& other) {
    if (&other == &entity || other.table != entity.table) return false;
    const model::Attribute* same = other.Find(attribute.name);
    return same != nullptr && same->where == attribute.where;
  });
}

std::string Enumerate(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace cairn::design
