// ASM-1: every place where the model decides what its source document leaves open.
#include "design/lint_families.h"

namespace cairn::design {
namespace {

void Note(const model::Assumption& assumed, model::Location where, std::string subject, Findings& findings) {
  if (!assumed.empty()) findings.Add("ASM-1", where, std::move(subject), "assumed: " + assumed);
}

void NoteEntity(const model::Model& model, const model::Entity& entity, Findings& findings) {
  Note(entity.assumed, entity.where, entity.name, findings);
  for (const model::Attribute& attribute : entity.attributes) {
    Note(attribute.assumed, attribute.where, SubjectOf(model, entity, attribute), findings);
  }
  for (const model::EntityIndex& in : entity.indexes) {
    Note(in.assumed, in.where, SubjectOf(entity, model.TableOf(entity).indexes[in.index]), findings);
  }
  Note(entity.ttl.assumed, entity.ttl.where, entity.name, findings);
  if (entity.transitions) Note(entity.transitions->assumed, entity.transitions->where, entity.name, findings);
}

}  // namespace

void LintAssumptions(const model::Model& model, Findings& findings) {
  for (const model::Enum& one : model.enums) Note(one.assumed, one.where, "enum " + one.name, findings);
  for (const model::Shape& shape : model.shapes) {
    Note(shape.assumed, shape.where, "shape " + shape.name, findings);
    for (const model::Attribute& member : shape.members) {
      Note(member.assumed, member.where, "shape " + shape.name, findings);
    }
  }
  for (const model::Table& table : model.tables) {
    Note(table.assumed, table.where, SubjectOf(table), findings);
    for (const model::Index& index : table.indexes)
      Note(index.assumed, index.where, SubjectOf(table, index), findings);
  }
  for (const model::Entity& entity : model.entities) NoteEntity(model, entity, findings);
  for (const model::Pattern& pattern : model.patterns)
    Note(pattern.assumed, pattern.where, SubjectOf(pattern), findings);
}

}  // namespace cairn::design
