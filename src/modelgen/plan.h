// Plan: what the C++ of a model looks like: which types, members and functions there are and what they are
// called. Made from a model by MakePlan; header.cc and source.cc only print it. Points into the model, which
// must outlive it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/definition.h"

namespace cairn::modelgen {

// A member of a struct: an attribute, a member of a shape or a parameter of a pattern.
struct Member {
  std::string name;       // "due_date"
  std::string type;       // "std::string"; without the optional
  std::string stored_as;  // "dueDate"
  bool optional = false;
  bool nullable = false;           // a stored null is read as absent
  bool null_when_empty = false;    // and absent is stored as null
  bool needs_initializer = false;  // a scalar or an enum
  bool in_key_only = false;        // of an entity
  std::string doc;
  std::string note;  // what the type does not tell: "instant_ms; generated"
};

struct EnumPlan {
  const model::Enum* definition = nullptr;
  std::string type;
  std::vector<std::string> enumerators;
};

struct ShapePlan {
  const model::Shape* definition = nullptr;
  std::string type;
  std::vector<Member> members;
};

// What a partial update may do with an attribute.
struct Change {
  std::string method;  // "DueDate" of SetDueDate
  std::string type;
  std::string stored_as;
  bool by_value = false;  // small: passed by value
  bool set = false;
  bool clear = false;
  bool clear_to_null = false;
  bool add = false;
};

struct EntityPlan {
  const model::Entity* definition = nullptr;
  size_t position = 0;
  std::string type;
  std::vector<Member> members;
  std::vector<Member> key;  // empty: every owner has one item
  std::vector<Change> changes;
  std::string expected;       // "expected_version": the optimistic lock; "": none
  std::string expected_type;  // "int64_t"
  bool create = false;
  bool create_many = false;
  bool change = false;  // Update and Replace
  bool remove = false;
};

struct StepPlan {
  std::string alias;   // "head"
  std::string member;  // "head"
  std::string type;    // the entity
};

struct PatternPlan {
  enum class Answer { kOne, kPage, kSteps };
  const model::Pattern* definition = nullptr;
  size_t position = 0;
  std::string name;  // "TasksByStatus": ReadTasksByStatus, TasksByStatusParameters
  Answer answer = Answer::kPage;
  std::vector<Member> parameters;
  std::vector<std::string> entities;  // types of what comes back
  std::vector<StepPlan> steps;        // of kSteps: what the named gets find
  bool in_pages = false;              // takes a limit and a cursor

  // Type of one item: an entity, or the variant's name.
  std::string ItemType() const { return entities.size() == 1 ? entities.front() : name + "Item"; }
  std::string PageType() const {
    return answer == Answer::kSteps ? name + "Page" : "typed::Page<" + ItemType() + ">";
  }
};

struct Plan {
  const model::Model* model = nullptr;
  std::string space;  // the namespace below cairn::models
  std::vector<EnumPlan> enums;
  std::vector<ShapePlan> shapes;  // those that others contain come first
  std::vector<EntityPlan> entities;
  std::vector<PatternPlan> patterns;
};

// Fails when two things would have the same name in C++.
Result<Plan, model::Diagnostics> MakePlan(const model::Model& model);

}  // namespace cairn::modelgen
