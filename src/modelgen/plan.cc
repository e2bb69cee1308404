#include "modelgen/plan.h"

#include <algorithm>
#include <functional>
#include <map>

#include "model/entity_access.h"
#include "modelgen/members.h"
#include "modelgen/names.h"

namespace cairn::modelgen {
namespace {

// The names of one scope of C++, and who has them.
class Names {
 public:
  Names(const model::Model& model, model::Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics) {}

  // `owner` is what the model calls it: "entity Task".
  void Claim(const std::string& name, const std::string& owner, model::Location where) {
    const auto [taken, is_new] = owners_.try_emplace(name, owner);
    if (is_new) return;
    model::Diagnostic diagnostic;
    diagnostic.message = owner + " and " + taken->second + " would both be called " + name + " in C++";
    diagnostic.file = model_.file;
    diagnostic.where = where;
    diagnostics_.push_back(std::move(diagnostic));
  }

 private:
  const model::Model& model_;
  model::Diagnostics& diagnostics_;
  std::map<std::string, std::string> owners_;
};

class Planner {
 public:
  explicit Planner(const model::Model& model) : model_(model), names_(model, diagnostics_) {
    for (const char* name : {"ToText", "TextsOf", "KeyOf", "LoadModel", "CheckSameModel", "Entities"}) {
      names_.Claim(name, "the generated code", {});
    }
  }

  Result<Plan, model::Diagnostics> Make() {
    plan_.model = &model_;
    plan_.space = NamespaceName(model_.name);
    for (const model::Enum& definition : model_.enums) AddEnum(definition);
    for (const model::Shape& definition : model_.shapes) AddShape(definition);
    for (const model::Entity& definition : model_.entities) AddEntity(definition);
    for (const model::Pattern& definition : model_.patterns) AddPattern(definition);
    if (!diagnostics_.empty()) return std::unexpected(std::move(diagnostics_));
    return std::move(plan_);
  }

 private:
  void AddEnum(const model::Enum& definition) {
    EnumPlan plan{.definition = &definition, .type = PascalCase(definition.name), .enumerators = {}};
    const std::string owner = "enum " + definition.name;
    names_.Claim(plan.type, owner, definition.where);
    if (!definition.open) names_.Claim("Parse" + plan.type, owner, definition.where);
    Names own(model_, diagnostics_);
    for (const std::string& value : definition.values) {
      plan.enumerators.push_back(EnumeratorName(value, plan.enumerators.size()));
      own.Claim(plan.enumerators.back(), "the value '" + value + "' of " + owner, definition.where);
    }
    plan_.enums.push_back(std::move(plan));
  }

  // Shapes that a shape contains come before it.
  void AddShape(const model::Shape& definition) {
    if (std::ranges::find(plan_.shapes, &definition, &ShapePlan::definition) != plan_.shapes.end()) return;
    for (const model::Attribute& member : definition.members) {
      const model::ValueType* type = &member.type;
      while (type->element) type = type->element.get();
      if (type->shape != nullptr) AddShape(*type->shape);
    }
    ShapePlan plan{.definition = &definition, .type = PascalCase(definition.name), .members = {}};
    names_.Claim(plan.type, "shape " + definition.name, definition.where);
    Names own(model_, diagnostics_);
    for (const model::Attribute& attribute : definition.members) {
      plan.members.push_back(ShapeMember(attribute));
      own.Claim(plan.members.back().name, "member " + attribute.name + " of shape " + definition.name,
                attribute.where);
    }
    plan_.shapes.push_back(std::move(plan));
  }

  void AddEntity(const model::Entity& definition) {
    EntityPlan plan;
    plan.definition = &definition;
    plan.position = plan_.entities.size();
    plan.type = PascalCase(definition.name);
    AddMembers(definition, plan);
    for (const model::Attribute* attribute : model::KeyAttributes(model_, definition)) {
      plan.key.push_back(KeyMember(*attribute));
    }
    if (const model::Attribute* lock = model::LockAttribute(definition)) {
      const bool counts = !definition.lock.version_attribute.empty();
      plan.expected = counts ? "expected_version" : "expected_" + SnakeCase(lock->name);
      plan.expected_type = CppType(lock->type);
    }
    SetVerbs(definition, plan);
    ClaimEntity(plan);
    plan_.entities.push_back(std::move(plan));
  }

  void AddMembers(const model::Entity& definition, EntityPlan& plan) {
    Names members(model_, diagnostics_), methods(model_, diagnostics_);
    for (const model::Attribute& attribute : definition.attributes) {
      const std::string owner = definition.name + "." + attribute.name;
      plan.members.push_back(EntityMember(model_, definition, attribute));
      members.Claim(plan.members.back().name, owner, attribute.where);
      Change change = ChangeOf(model_, definition, attribute);
      if (change.method.empty()) continue;
      methods.Claim(change.method, owner, attribute.where);
      plan.changes.push_back(std::move(change));
    }
  }

  // What the session would always refuse is not there at all.
  static void SetVerbs(const model::Entity& definition, EntityPlan& plan) {
    const bool is_kept_by_other = definition.mirror.has_value();
    const bool once = definition.write == model::WriteMode::kOnce;
    const bool upsert = definition.write == model::WriteMode::kUpsert;
    plan.create = !is_kept_by_other;
    plan.change = !is_kept_by_other && !once && definition.write != model::WriteMode::kAppend;
    plan.remove = !definition.tombstone || plan.change;
    plan.create_many = (once || upsert) && plan.create && !definition.lock.enabled() &&
                       definition.uniques.empty() && definition.owner_parent.empty();
    if (!plan.change) plan.changes.clear();
  }

  void ClaimEntity(const EntityPlan& plan) {
    const std::string owner = "entity " + plan.definition->name;
    for (const char* prefix :
         {"", "Get", "Create", "CreateMany", "Update", "Replace", "Delete", "DeleteMany", "Check"}) {
      names_.Claim(prefix + plan.type, owner, plan.definition->where);
    }
    for (const char* suffix : {"Key", "Changes"})
      names_.Claim(plan.type + suffix, owner, plan.definition->where);
  }

  void AddPattern(const model::Pattern& definition) {
    PatternPlan plan;
    plan.definition = &definition;
    plan.position = plan_.patterns.size();
    plan.name = PascalCase(definition.name);
    const std::string owner = "pattern " + definition.name;
    Names parameters(model_, diagnostics_);
    for (const model::Parameter& parameter : definition.parameters) {
      plan.parameters.push_back(ParameterMember(parameter));
      parameters.Claim(plan.parameters.back().name, "parameter " + parameter.name + " of " + owner,
                       definition.where);
    }
    SetAnswer(definition, plan);
    names_.Claim("Read" + plan.name, owner, definition.where);
    names_.Claim(plan.name + "Parameters", owner, definition.where);
    if (plan.entities.size() > 1) names_.Claim(plan.name + "Item", owner, definition.where);
    if (plan.answer == PatternPlan::Answer::kSteps) names_.Claim(plan.name + "Page", owner, definition.where);
    plan_.patterns.push_back(std::move(plan));
  }

  void SetAnswer(const model::Pattern& definition, PatternPlan& plan) {
    const model::Read& last = definition.steps.back();
    plan.in_pages = !last.get && !last.all_pages;
    if (definition.steps.size() > 1) {
      plan.answer = PatternPlan::Answer::kSteps;
    } else if (last.get) {
      plan.answer = PatternPlan::Answer::kOne;
    }
    Names members(model_, diagnostics_);
    for (const char* name : {"items", "next_cursor", "truncated", "inspected"})
      members.Claim(name, "every page", {});
    for (const model::Read& step : definition.steps) {
      if (step.get && !step.alias.empty() && definition.steps.size() > 1) {
        const model::Entity& entity = model_.entities[step.entities.front()];
        plan.steps.push_back({step.alias, SnakeCase(step.alias), PascalCase(entity.name)});
        members.Claim(plan.steps.back().member, "step " + step.alias + " of pattern " + definition.name,
                      step.where);
      }
      if (step.get && &step != &last) continue;
      for (const size_t entity : step.entities) {
        std::string type = PascalCase(model_.entities[entity].name);
        if (std::ranges::find(plan.entities, type) == plan.entities.end())
          plan.entities.push_back(std::move(type));
      }
    }
  }

  const model::Model& model_;
  model::Diagnostics diagnostics_;
  Names names_;
  Plan plan_;
};

}  // namespace

Result<Plan, model::Diagnostics> MakePlan(const model::Model& model) { return Planner(model).Make(); }

}  // namespace cairn::modelgen
