// What an entity promises beyond its keys: time to live, unique values, transitions, tombstones, mirrors and
// the like.
#include <algorithm>

#include "model/load_context.h"
#include "model/name_suggestion.h"

namespace cairn::model {
namespace {

class RuleLoader {
 public:
  RuleLoader(LoadContext& context, size_t position)
      : context_(context),
        position_(position),
        entity_(context.model.entities[position]),
        node_(*context.entities[position].node) {}

  void Load() {
    if (const Node* ttl = FindTable(node_, "ttl")) ReadTimeToLive(*ttl);
    ReadUniques();
    ReadRequireIf();
    if (const Node* transitions = FindTable(node_, "transitions")) ReadTransitions(*transitions);
    if (const Node* tombstone = FindTable(node_, "tombstone")) ReadTombstone(*tombstone);
    if (const Node* mirror = FindTable(node_, "mirror")) ReadMirror(*mirror);
    if (const Node* overflow = FindTable(node_, "overflow")) ReadOverflow(*overflow);
    ReadOtherEntities();
    CheckKeyConflict();
  }

 private:
  void Error(Location where, std::string message) { context_.Error(where, entity_.name, std::move(message)); }
  const Attribute* Find(const Node& name) { return FindAttribute(context_, entity_, name, entity_.name); }
  bool IsTyped(const Attribute& attribute) const {
    return !context_.entities[position_].untyped.contains(attribute.name);
  }
  // Null when the entity's table is not known.
  const Table* table() const {
    return context_.entities[position_].has_table ? &context_.model.tables[entity_.table] : nullptr;
  }

  void ReadTimeToLive(const Node& node) {
    entity_.ttl.assumed = Assumed(node);
    entity_.ttl.where = node.where;
    if (table() && table()->ttl_attribute.empty())
      Error(node.where, "table " + table()->name + " has no ttl attribute");
    const Node* from = FindText(node, "from");
    const Attribute* attribute = from ? Find(*from) : nullptr;
    if (attribute && IsTyped(*attribute) && !IsTemporal(attribute->type.kind)) {
      Error(from->where, Quoted(from->text) + " is no time, but " + attribute->type.ToString());
    } else if (attribute) {
      entity_.ttl.from = from->text;
    }
    if (const Node* after = FindText(node, "after")) ReadTtlAfter(*after);
  }

  // "P90D", or "$retention:P30D".
  void ReadTtlAfter(const Node& after) {
    std::string_view duration = after.text;
    if (duration.starts_with('$')) {
      const size_t colon = duration.find(':');
      if (colon == std::string_view::npos || colon == 1)
        return Error(after.where, "expected a name and a duration, such as $retention:P30D");
      entity_.ttl.after_parameter = duration.substr(1, colon - 1);
      duration.remove_prefix(colon + 1);
    }
    if (const auto seconds = ParseDuration(duration)) {
      entity_.ttl.after = *seconds;
    } else {
      context_.TextError(after, entity_.name, seconds.error().message);
    }
  }

  void ReadUniques() {
    const Node* list = node_.Find("unique");
    if (!list) return;
    for (const Node& node : list->elements) {
      if (node.is(Node::Kind::kTable)) {
        ReadLongUnique(node);
      } else if (node.is(Node::Kind::kArray)) {
        ReadShortUnique(node);
      }
    }
  }

  // The names that are attributes; false when one is not.
  bool ReadNames(const std::vector<const Node*>& names, std::vector<std::string>& attributes) {
    bool right = true;
    for (const Node* name : names) {
      if (!Find(*name)) {
        right = false;
      } else if (std::ranges::find(attributes, name->text) != attributes.end()) {
        Error(name->where, Quoted(name->text) + " is here twice");
      } else {
        attributes.push_back(name->text);
      }
    }
    return right;
  }

  void ReadShortUnique(const Node& node) {
    Unique unique{.where = node.where};
    if (!ReadNames(Texts(node), unique.attributes) || !table() || unique.attributes.empty()) return;
    const Tenant* tenant = context_.model.TenantOf(entity_);
    std::string pk = tenant ? tenant->leading.text() + "#" : "";
    pk += "UNIQUE#" + entity_.name;
    for (const std::string& name : unique.attributes) {
      if (!tenant || name != tenant->parameter) pk += "#{" + name + "}";
    }
    // The template is ours, so its errors are told where the attributes are listed.
    const Node pk_text{.kind = Node::Kind::kString, .where = node.where, .text = pk, .verbatim = false};
    const Node sk_text{.kind = Node::Kind::kString, .where = node.where, .text = "UNIQUE", .verbatim = false};
    AddUnique(std::move(unique), &pk_text, &sk_text);
  }

  void ReadLongUnique(const Node& node) {
    Unique unique{.where = node.where};
    if (!ReadNames(Texts(node, "attrs"), unique.attributes) || !table()) return;
    const Node* sk = node.Find("sk");
    if (!table()->sk_attribute.empty() && !sk)
      return Error(node.where, "table " + table()->name + " has a sort key: give 'sk' too");
    if (table()->sk_attribute.empty() && sk)
      return Error(sk->where, "table " + table()->name + " has no sort key");
    AddUnique(std::move(unique), FindText(node, "pk"), FindText(node, "sk"));
  }

  void AddUnique(Unique unique, const Node* pk_text, const Node* sk_text) {
    if (!pk_text) return;
    auto pk = LoadEntityTemplate(context_, position_, *pk_text, entity_.name);
    if (!pk) return;
    unique.pk = *std::move(pk);
    if (sk_text && !table()->sk_attribute.empty()) {
      auto sk = LoadEntityTemplate(context_, position_, *sk_text, entity_.name);
      if (!sk) return;
      unique.sk = *std::move(sk);
    }
    unique.dependencies = Union({unique.pk.Dependencies(), unique.sk.Dependencies()});
    for (const std::string& name : unique.attributes) {
      if (!std::ranges::binary_search(unique.dependencies, entity_.Find(name)->stored_as))
        return Error(unique.where, Quoted(name) + " is not in the guard's key, so it would not count");
    }
    entity_.uniques.push_back(std::move(unique));
  }

  void ReadRequireIf() {
    const Node* list = node_.Find("require_if");
    if (!list) return;
    for (const Node& node : list->elements) {
      const Node* when = FindText(node, "when");
      RequireIf require{.forbid_otherwise = Text(node, "otherwise") == "absent", .where = node.where};
      const bool names_right = ReadNames(Texts(node, "attrs"), require.attributes);
      if (!when) continue;
      auto rule = LoadEntityRule(context_, entity_, *when, entity_.name);
      if (!rule || !names_right) continue;
      require.when = *std::move(rule);
      entity_.require_if.push_back(std::move(require));
    }
  }

  void ReadTransitions(const Node& node) {
    const Node* name = FindText(node, "attr");
    const Attribute* attribute = name ? Find(*name) : nullptr;
    if (!attribute || !IsTyped(*attribute)) return;
    if (attribute->type.StoredType() != item::Type::kString)
      return Error(name->where, "transitions are for texts and enums, not for " + attribute->type.ToString());
    if ((node.Find("order") != nullptr) == (node.Find("allowed") != nullptr))
      return Error(node.where, "transitions need either 'order' or 'allowed'");
    Transitions transitions{.attribute = attribute->name, .assumed = Assumed(node), .where = node.where};
    const std::vector<std::string> order = States(*attribute, Texts(node, "order"));
    for (size_t i = 0; i < order.size(); ++i) {
      transitions.allowed[order[i]].assign(order.begin() + static_cast<ptrdiff_t>(i) + 1, order.end());
    }
    for (const Member& from : Members(node, "allowed")) {
      const Node state{.kind = Node::Kind::kString, .where = from.where, .text = from.name};
      if (CheckState(*attribute, state))
        transitions.allowed[from.name] = States(*attribute, Texts(from.value));
    }
    entity_.transitions = std::move(transitions);
  }

  bool CheckState(const Attribute& attribute, const Node& state) {
    item::AttributeValue value(state.text);
    const Status right = CheckValue(attribute.type, attribute.limits, value);
    if (!right) Error(state.where, Quoted(state.text) + " " + right.error().message);
    return right.has_value();
  }

  std::vector<std::string> States(const Attribute& attribute, const std::vector<const Node*>& texts) {
    std::vector<std::string> states;
    for (const Node* text : texts) {
      if (std::ranges::find(states, text->text) != states.end()) {
        Error(text->where, Quoted(text->text) + " is here twice");
      } else if (CheckState(attribute, *text)) {
        states.push_back(text->text);
      }
    }
    return states;
  }

  void ReadTombstone(const Node& node) {
    Tombstone tombstone{.where = node.where};
    for (const Member& member : Members(node, "set")) {
      const Node name{.kind = Node::Kind::kString, .where = member.where, .text = member.name};
      const Attribute* attribute = Find(name);
      if (!attribute || !IsTyped(*attribute)) continue;
      const bool is_now = member.value.is(Node::Kind::kString) && member.value.text == "$now";
      if (is_now && IsTemporal(attribute->type.kind)) {
        tombstone.set.emplace_back(attribute->name, item::AttributeValue("$now"));
      } else if (is_now) {
        Error(member.value.where,
              "$now is a time, and " + Quoted(attribute->name) + " is " + attribute->type.ToString());
      } else if (auto value = LoadValue(context_, *attribute, member.value, entity_.name)) {
        tombstone.set.emplace_back(attribute->name, *std::move(value));
      }
    }
    if (const Node* set = FindTable(node, "set"); set && set->members.empty())
      Error(set->where, "a tombstone sets at least one attribute");
    if (entity_.write == WriteMode::kAppend)
      Error(node.where, "write = \"append\" never deletes: a tombstone means nothing");
    entity_.tombstone = std::move(tombstone);
  }

  // An attribute that holds the id of one `target`.
  bool HasReferenceTo(std::string_view target) const {
    return std::ranges::any_of(entity_.attributes, [&](const Attribute& attribute) {
      return attribute.type.kind == Kind::kRef && attribute.type.name == target;
    });
  }

  const Entity* FindEntity(const Node& text, std::string_view name) {
    const Entity* found = context_.model.FindEntity(name);
    if (!found) {
      Error(text.where,
            "there is no entity " + Quoted(name) + DidYouMean(name, NamesOf(context_.model.entities)));
    }
    return found;
  }

  void ReadMirror(const Node& node) {
    const Node* of = FindText(node, "of");
    if (!of) return;
    const size_t dot = of->text.find('.');
    if (dot == std::string::npos) return Error(of->where, "expected Entity.attribute, such as Task.goalIds");
    Mirror mirror{
        .entity = of->text.substr(0, dot), .attribute = of->text.substr(dot + 1), .where = node.where};
    const Entity* source = FindEntity(*of, mirror.entity);
    if (!source) return;
    const Attribute* list = source->Find(mirror.attribute);
    if (!list) {
      return Error(of->where, source->name + " has no attribute " + Quoted(mirror.attribute) +
                                  DidYouMean(mirror.attribute, NamesOf(source->attributes)));
    }
    const bool is_list = list->type.kind == Kind::kList || list->type.kind == Kind::kSet;
    if (!is_list || !list->type.element || list->type.element->kind != Kind::kRef) {
      return Error(of->where, Quoted(of->text) + " must be a list of references (list<ref:..>), not " +
                                  list->type.ToString());
    }
    for (const std::string& target : {list->type.element->name, source->name}) {
      if (!HasReferenceTo(target))
        return Error(of->where,
                     entity_.name + " needs an attribute of type ref:" + target + " to mirror " + of->text);
    }
    entity_.mirror = std::move(mirror);
  }

  void ReadOverflow(const Node& node) {
    const Node* attribute = FindText(node, "attr");
    if (!attribute || !Find(*attribute)) return;
    entity_.overflow_attribute = attribute->text;
    entity_.overflow_to = Text(node, "to");
  }

  void ReadOtherEntities() {
    if (const Node* head_of = FindText(node_, "head_of"); head_of && FindEntity(*head_of, head_of->text))
      entity_.head_of = head_of->text;
    const Node* parent = FindText(node_, "verify_owner");
    if (!parent || !FindEntity(*parent, parent->text)) return;
    entity_.owner_parent = parent->text;
    if (!HasReferenceTo(parent->text))
      Error(parent->where,
            entity_.name + " needs an attribute of type ref:" + parent->text + " to find its owner");
  }

  // The next free millisecond must make another key.
  void CheckKeyConflict() {
    if (entity_.on_key_conflict != OnKeyConflict::kBumpMillisecond || !context_.entities[position_].has_keys)
      return;
    const auto is_time = [](const TemplatePart& part) {
      return !part.is_literal() && (part.type.kind == Kind::kInstant || part.type.kind == Kind::kInstantMs);
    };
    if (std::ranges::any_of(entity_.pk.parts(), is_time) || std::ranges::any_of(entity_.sk.parts(), is_time))
      return;
    Error(node_.Find("on_key_conflict")->where, "bump_ms needs an instant in the key");
  }

  LoadContext& context_;
  const size_t position_;
  Entity& entity_;
  const Node& node_;
};

}  // namespace

void LoadEntityRules(LoadContext& context) {
  for (size_t i = 0; i < context.model.entities.size(); ++i) RuleLoader(context, i).Load();
}

}  // namespace cairn::model
