// Tables and their indexes.
#include <algorithm>

#include "model/format.h"
#include "model/load_context.h"

namespace cairn::model {
namespace {

bool IsTableNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.';
}

class TableLoader {
 public:
  TableLoader(LoadContext& context, const Member& member)
      : context_(context), node_(member.value), subject_("table " + member.name) {
    table_.name = member.name;
    table_.where = member.where;
  }

  void Load() {
    ReadNames();
    ReadDiscriminator();
    ReadProperties();
    source_.common = LoadAttributes(context_, Members(node_, "common"), subject_);
    for (const Member& index : Members(node_, "index")) ReadIndex(index);
    CheckKeyNames();
    if (const Node* tenant = FindTable(node_, "tenant")) ReadTenant(*tenant);
    if (const Node* lock = FindTable(node_, "lock")) {
      source_.lock.version_attribute = Text(*lock, "version");
      source_.lock_where = lock->where;
    }
    context_.model.tables.push_back(std::move(table_));
    context_.tables.push_back(std::move(source_));
  }

 private:
  void ReadNames() {
    table_.pk_attribute = Text(node_, "pk");
    table_.sk_attribute = Text(node_, "sk");
    const Node* name = FindText(node_, "name");
    if (!name) return;
    table_.physical_name = name->text;
    // The placeholders are filled in later; five characters stand for what they become.
    std::string filled = name->text;
    for (const std::string_view variable : {"{env}", "{stage}"}) {
      for (size_t at = filled.find(variable); at != std::string::npos; at = filled.find(variable))
        filled.replace(at, variable.size(), "stage");
    }
    for (const Table& other : context_.model.tables) {
      if (other.physical_name == name->text)
        context_.Error(name->where, subject_,
                       Quoted(name->text) + " is the name of table " + other.name + " already");
    }
    const auto wrong = std::ranges::find_if_not(filled, IsTableNameCharacter);
    if (wrong != filled.end() || filled.size() < 3 || filled.size() > 255) {
      context_.Error(
          name->where, subject_,
          "a table's name has 3 to 255 letters, digits, '_', '-' and '.', and may contain {env} and "
          "{stage}");
    }
  }

  void ReadDiscriminator() {
    table_.type_attribute = Text(node_, "type_attr");
    const bool by_key = FindText(node_, "discriminate") != nullptr;
    if (by_key == table_.type_attribute.empty()) return;
    context_.Error(table_.where, subject_,
                   by_key ? "type_attr and discriminate do not go together"
                          : "a table needs 'type_attr', or discriminate = \"key\"");
  }

  void ReadProperties() {
    table_.type_case = Choice(node_, "type_case", kCaseChoices, NameCase::kCamel, NameCase::kAny);
    table_.attribute_case = Choice(node_, "attr_case", kCaseChoices, NameCase::kCamel, NameCase::kAny);
    table_.ttl_attribute = Text(node_, "ttl");
    if (!Truth(node_, "stream", true)) table_.stream = StreamContent::kNone;
    if (Text(node_, "stream") == "keys") table_.stream = StreamContent::kKeys;
    if (Text(node_, "delete") == "forbid") table_.delete_policy = DeletePolicy::kForbid;
    table_.best_effort = Truth(node_, "best_effort");
    if (const Node* billing = FindText(node_, "billing")) table_.billing = billing->text;
    table_.region = Text(node_, "region");
    table_.assumed = Assumed(node_);
    table_.doc = Text(node_, "doc");
  }

  void ReadIndex(const Member& member) {
    const Node& node = member.value;
    Index index{.name = member.name,
                .pk_attribute = Text(node, "pk"),
                .sk_attribute = Text(node, "sk"),
                .assumed = Assumed(node),
                .where = member.where};
    // What it includes is filled in when the entities, and with them the stored names, are known.
    if (const Node* project = node.Find("project")) index.project_all = !project->is(Node::Kind::kArray);
    if (!index.pk_attribute.empty() && index.pk_attribute == index.sk_attribute)
      context_.Error(member.where, subject_, "pk and sk are the same attribute");
    table_.indexes.push_back(std::move(index));
    source_.indexes.push_back(&node);
  }

  // The names the store keeps for itself: an attribute cannot be two of them.
  void CheckKeyNames() {
    const auto differ = [&](std::string_view a, std::string_view b, std::string_view what) {
      if (a.empty() || a != b) return;
      context_.Error(table_.where, subject_, Quoted(a) + " is both the " + std::string(what));
    };
    differ(table_.pk_attribute, table_.sk_attribute, "partition key and the sort key");
    differ(table_.type_attribute, table_.pk_attribute, "type attribute and the partition key");
    differ(table_.type_attribute, table_.sk_attribute, "type attribute and the sort key");
    differ(table_.ttl_attribute, table_.type_attribute, "ttl attribute and the type attribute");
    differ(table_.ttl_attribute, table_.pk_attribute, "ttl attribute and the partition key");
    differ(table_.ttl_attribute, table_.sk_attribute, "ttl attribute and the sort key");
    for (const Index& index : table_.indexes) {
      for (const std::string& key : {index.pk_attribute, index.sk_attribute}) {
        differ(key, table_.pk_attribute, "key of an index and the partition key");
        differ(key, table_.sk_attribute, "key of an index and the sort key");
        differ(key, table_.type_attribute, "key of an index and the type attribute");
      }
    }
  }

  void ReadTenant(const Node& node) {
    Tenant tenant{.parameter = Text(node, "param"), .claim = Text(node, "claim"), .where = node.where};
    const Node* text = FindText(node, "leading");
    if (!text || tenant.parameter.empty()) return;
    auto leading = Template::Parse(text->text);
    if (!leading) return context_.TextError(*text, subject_, leading.error().message);
    if (!BindLeading(*leading, tenant.parameter, *text)) return;
    tenant.leading = *std::move(leading);
    table_.tenant = std::move(tenant);
  }

  bool BindLeading(Template& leading, const std::string& parameter, const Node& text) {
    size_t uses = 0;
    const Status bound = leading.Bind([&](const TemplatePart& part) -> Result<Template::Target> {
      if (part.attribute != parameter || !part.step.empty() || part.format != Format::kPlain) {
        return Fail(Invalid("only {" + parameter + "} may stand in the tenant's leading template at offset " +
                            std::to_string(part.offset)));
      }
      ++uses;
      const auto& common = source_.common.attributes;
      const auto found = std::ranges::find(common, parameter, &Attribute::name);
      if (found == common.end()) return Template::Target{parameter, {.kind = Kind::kId}};
      return Template::Target{found->stored_as, found->type, found->escape};
    });
    if (!bound) {
      context_.TextError(text, subject_, bound.error().message);
    } else if (uses != 1) {
      context_.Error(text.where, subject_,
                     "the tenant's leading template must have {" + parameter + "} once");
    } else if (const Status invertible = leading.CheckInvertible(); !invertible) {
      context_.TextError(text, subject_, invertible.error().message);
    } else {
      return true;
    }
    return false;
  }

  LoadContext& context_;
  const Node& node_;
  std::string subject_;
  Table table_;
  TableSource source_;
};

}  // namespace

void LoadTables(LoadContext& context) {
  for (const Member& member : Members(context.document, "table")) TableLoader(context, member).Load();
}

}  // namespace cairn::model
