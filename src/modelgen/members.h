// How values of a model are typed in C++. Private to plan.cc.
#pragma once

#include <string>

#include "model/definition.h"
#include "modelgen/plan.h"

namespace cairn::modelgen {

// "std::vector<std::string>", "TaskStatus", "item::Number".
std::string CppType(const model::ValueType& type);

// A member of a shape.
Member ShapeMember(const model::Attribute& attribute);
// An attribute of an entity. Optional unless the caller of Create must give it.
Member EntityMember(const model::Model& model, const model::Entity& entity,
                    const model::Attribute& attribute);
// The same attribute where it names an item: never optional.
Member KeyMember(const model::Attribute& attribute);
Member ParameterMember(const model::Parameter& parameter);

// What an update of the entity may do with the attribute; nothing for keys and for what the session sets.
Change ChangeOf(const model::Model& model, const model::Entity& entity, const model::Attribute& attribute);

}  // namespace cairn::modelgen
