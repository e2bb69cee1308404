#include "model/failure.h"

#include "model/definition.h"

namespace cairn::model {
namespace {

std::string Sentence(const std::vector<FieldError>& fields) {
  std::string text;
  for (const FieldError& field : fields) {
    if (!text.empty()) text += "; ";
    if (!field.attribute.empty()) text += field.attribute + " ";
    text += field.message;
  }
  return text;
}

std::string Sentence(const Conflict& conflict) {
  const std::string name = conflict.entity == nullptr ? "the item" : conflict.entity->name;
  switch (conflict.kind) {
    case ConflictKind::kAlreadyExists:
      return name + " exists already";
    case ConflictKind::kNotFound:
      return "there is no such " + name;
    case ConflictKind::kVersion:
      return name + " was changed by someone else";
    case ConflictKind::kChanged:
      return name + " is being changed by others; try again";
    case ConflictKind::kUnique: {
      std::string text = "another " + name + " has the same";
      for (size_t i = 0; i < conflict.attributes.size(); ++i) {
        text += (i == 0 ? " " : ", ") + conflict.attributes[i];
      }
      return text;
    }
  }
  return name;
}

}  // namespace

Failure::Failure(std::vector<FieldError> wrong) : error(Invalid(Sentence(wrong))), fields(std::move(wrong)) {}

Failure::Failure(Conflict conflict)
    : error{conflict.kind == ConflictKind::kNotFound ? Code::kResourceNotFound : Code::kConditionFailed,
            Sentence(conflict)} {
  conflicts.push_back(std::move(conflict));
}

}  // namespace cairn::model
