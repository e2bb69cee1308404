#include "modelgen/functions.h"

namespace cairn::modelgen {
namespace {

// ::cairn::Task by its full name: a model may well have an entity called Task.
std::string Awaited(const std::string& type) { return "::cairn::Task<model::Outcome<" + type + ">>"; }

// A function whose first argument is the session, and whose body is one call that begins with session and
// model.
struct Function {
  std::string returns;
  std::string name;
  std::vector<std::string> arguments;
  std::string callee;
  std::vector<std::string> passed;
  bool lazy = true;  // compiled where it is called
};

void Write(const Function& function, Code& code) {
  std::vector<std::string> arguments = {function.lazy ? "S& session" : "model::Session& session"};
  arguments.insert(arguments.end(), function.arguments.begin(), function.arguments.end());
  std::vector<std::string> passed = {"session", "kModelIdentity"};
  passed.insert(passed.end(), function.passed.begin(), function.passed.end());
  if (function.lazy) code.Line("template <typed::AnySession S>");
  code.OpenList((function.lazy ? "" : "inline ") + function.returns + " " + function.name + "(", arguments,
                ") {");
  code.List("return typed::" + function.callee + "(", passed, ");");
  code.Close();
}

// The functions of one entity.
class EntityFunctions {
 public:
  EntityFunctions(const EntityPlan& plan, Code& code)
      : plan_(plan), code_(code), place_(plan.type + "::kEntity"), value_("const " + plan.type + "& value") {}

  void WriteAll() {
    const std::string found = Awaited("std::optional<" + plan_.type + ">");
    Define(found, "Get", Key(), "Get<" + plan_.type + ">", {KeyItem()});
    if (plan_.create) {
      code_.Line("// Returns the value with everything that is generated or has a default.");
      Define("model::Outcome<" + plan_.type + ">", "Create", {value_}, "Create", {"value"});
    }
    if (plan_.change) WriteChanges();
    if (plan_.remove) Stage("Delete", Key(), {place_, KeyItem()});
    Stage("Check", Key(), {place_, KeyItem()});
    WriteBatches();
  }

 private:
  void Define(const std::string& returns, const std::string& verb, std::vector<std::string> arguments,
              const std::string& callee, std::vector<std::string> passed, bool lazy = true) {
    Write({returns, verb + plan_.type, std::move(arguments), callee, std::move(passed), lazy}, code_);
  }

  // A write that waits for the commit, under the optimistic lock if there is one.
  void Stage(const std::string& verb, std::vector<std::string> arguments, std::vector<std::string> passed) {
    if (!plan_.expected.empty()) {
      arguments.push_back("const std::optional<" + plan_.expected_type + ">& " + plan_.expected + " = {}");
      passed.push_back("typed::Expected(" + plan_.expected + ")");
    }
    Define("model::Outcome<void>", verb, std::move(arguments), verb, std::move(passed), false);
  }

  void WriteChanges() {
    if (!plan_.changes.empty()) {
      std::vector<std::string> arguments = Key();
      arguments.push_back("const " + plan_.type + "Changes& changes");
      Stage("Update", std::move(arguments), {place_, KeyItem(), "changes.changes()"});
    }
    Stage("Replace", {value_}, {place_, "value.ToItem()"});
  }

  void WriteBatches() {
    const std::string count = Awaited("size_t");
    if (plan_.create_many) {
      code_.Line("// In batches, at once and not as one transaction: see Session::CreateMany.");
      Define(count, "CreateMany", {"const std::vector<" + plan_.type + ">& values"}, "CreateMany",
             {"values"});
    }
    if (plan_.key.empty()) return;
    const std::string keys = "const std::vector<" + plan_.type + "Key>& keys";
    Define(count, "DeleteMany", {keys}, "DeleteMany", {place_, "keys"});
  }

  std::vector<std::string> Key() const {
    if (plan_.key.empty()) return {};
    return {"const " + plan_.type + "Key& key"};
  }
  std::string KeyItem() const { return plan_.key.empty() ? "{}" : "key.ToItem()"; }

  const EntityPlan& plan_;
  Code& code_;
  const std::string place_;
  const std::string value_;
};

}  // namespace

void WriteEntityFunctions(const EntityPlan& plan, Code& code) { EntityFunctions(plan, code).WriteAll(); }

void WriteReadFunction(const PatternPlan& plan, Code& code) {
  Function function;
  function.name = "Read" + plan.name;
  function.passed = {"{" + StringLiteral(plan.definition->name) + ", " + std::to_string(plan.position) + "}"};
  function.passed.push_back(plan.parameters.empty() ? "{}" : "parameters.ToItem()");
  if (!plan.parameters.empty()) function.arguments.push_back("const " + plan.name + "Parameters& parameters");
  if (plan.in_pages) {
    function.arguments.push_back("const typed::PageOptions& options = {}");
    function.passed.push_back("options");
  }
  if (plan.answer == PatternPlan::Answer::kOne) {
    function.returns = Awaited("std::optional<" + plan.ItemType() + ">");
    function.callee = "ReadOne<" + plan.ItemType() + ">";
  } else {
    function.returns = Awaited(plan.PageType());
    function.callee = "ReadPage<" + plan.PageType() + ">";
  }
  Write(function, code);
}

}  // namespace cairn::modelgen
