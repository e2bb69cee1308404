// Findings: where the families of lint rules put what they find, and how they name what it is about.
#pragma once

#include <string>
#include <string_view>

#include "model/definition.h"
#include "model/diagnostic.h"

namespace cairn::design {

class Findings {
 public:
  explicit Findings(const model::Model& model) : model_(model) {}

  // With the usual severity of the code. The same code at the same place about the same subject counts once.
  void Add(std::string_view code, model::Location where, std::string subject, std::string message);
  void Add(std::string_view code, model::Severity severity, model::Location where, std::string subject,
           std::string message);
  const model::Diagnostics& all() const { return all_; }
  model::Diagnostics Take() { return std::move(all_); }

 private:
  const model::Model& model_;
  model::Diagnostics all_;
};

// Subjects, as [[accept]] entries name them.
std::string SubjectOf(const model::Table& table);                               // "table core"
std::string SubjectOf(const model::Table& table, const model::Index& index);    // "table core.GSI1"
std::string SubjectOf(const model::Pattern& pattern);                           // "pattern agenda"
std::string SubjectOf(const model::Entity& entity, const model::Index& index);  // "Task.GSI1"
// "Task.dueUtc"; an attribute that all entities of a table have in common is about the table: "table core".
std::string SubjectOf(const model::Model& model, const model::Entity& entity,
                      const model::Attribute& attribute);
// Whether the attribute comes from the table's common section, as far as its place in the file tells: another
// entity of the table has it from the same line.
bool IsCommon(const model::Model& model, const model::Entity& entity, const model::Attribute& attribute);

// "a", "a and b", "a, b and c".
std::string Enumerate(const std::vector<std::string>& names);

}  // namespace cairn::design
