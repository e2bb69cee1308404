// Entities: the table they live in, their type, attributes and lock. Keys and rules follow when all are
// known.
#include <algorithm>
#include <map>

#include "model/format.h"
#include "model/load_context.h"
#include "model/name_suggestion.h"

namespace cairn::model {
namespace {

class EntityLoader {
 public:
  EntityLoader(LoadContext& context, const Member& member) : context_(context), node_(member.value) {
    entity_.name = member.name;
    entity_.where = member.where;
    source_.node = &member.value;
  }

  void Load() {
    if (entity_.name == "patterns")
      Error(entity_.where, "an entity cannot be called 'patterns': the patterns are served under that name");
    FindItsTable();
    ReadProperties();
    ReadAttributes();
    if (source_.has_table) {
      ReadType();
      CheckTtlAttribute();
      CheckTenantAttribute();
      CheckStoredNames();
    }
    ReadLock();
    CheckAfter();
    context_.model.entities.push_back(std::move(entity_));
    context_.entities.push_back(std::move(source_));
  }

 private:
  void Error(Location where, std::string message) { context_.Error(where, entity_.name, std::move(message)); }
  const Table& table() const { return context_.model.tables[entity_.table]; }

  void FindItsTable() {
    const std::vector<Table>& tables = context_.model.tables;
    const Node* name = FindText(node_, "table");
    if (!name) {
      source_.has_table = tables.size() == 1;
      if (source_.has_table || node_.Find("table")) return;
      return Error(entity_.where, tables.empty() ? "the model has no table for it"
                                                 : "an entity needs 'table' when the model has several");
    }
    const auto found = std::ranges::find(tables, name->text, &Table::name);
    source_.has_table = found != tables.end();
    if (source_.has_table) {
      entity_.table = static_cast<size_t>(found - tables.begin());
    } else {
      Error(name->where, "there is no table " + Quoted(name->text) + DidYouMean(name->text, NamesOf(tables)));
    }
  }

  void ReadProperties() {
    entity_.write = Choice(node_, "write", kWriteChoices, WriteMode::kMutable, WriteMode::kMutable);
    if (Text(node_, "scope") == "global") entity_.scope = Scope::kGlobal;
    entity_.public_read = Text(node_, "read") == "anyone";
    if (entity_.public_read && entity_.scope != Scope::kGlobal)
      Error(node_.Find("read")->where, "read = \"anyone\" is for entities with scope = \"global\"");
    if (Text(node_, "on_key_conflict") == "bump_ms")
      entity_.on_key_conflict = OnKeyConflict::kBumpMillisecond;
    entity_.item_bytes = Whole(node_, "item_bytes");
    entity_.assumed = Assumed(node_);
    entity_.doc = Text(node_, "doc");
  }

  void ReadType() {
    const Node* type = FindText(node_, "type");
    if (table().type_attribute.empty()) {
      if (type)
        Error(type->where,
              "table " + table().name + " has no type attribute: entities are told by their keys");
      return;
    }
    if (!type) {
      if (!node_.Find("type"))
        Error(entity_.where, "an entity of table " + table().name + " needs 'type': its " +
                                 table().type_attribute + " says it");
      return;
    }
    if (type->text.find_first_of("#{}") != std::string::npos || type->text.find_first_of(" \t\n") == 0)
      return Error(type->where, "a type cannot contain '#', '{' or '}'");
    entity_.type = type->text;
    for (const Entity& other : context_.model.entities) {
      if (other.table == entity_.table && other.type == entity_.type)
        Error(type->where, Quoted(entity_.type) + " is the type of " + other.name + " already");
    }
  }

  // The table's common attributes, then its own. One of the same name takes the common one's place.
  void ReadAttributes() {
    if (source_.has_table) {
      const LoadedAttributes& common = context_.tables[entity_.table].common;
      entity_.attributes = common.attributes;
      source_.untyped = common.untyped;
    }
    LoadedAttributes own = LoadAttributes(context_, Members(node_, "attr"), entity_.name);
    const size_t common_count = entity_.attributes.size();
    for (Attribute& attribute : own.attributes) {
      const auto end = entity_.attributes.begin() + static_cast<ptrdiff_t>(common_count);
      const auto same = std::find_if(entity_.attributes.begin(), end,
                                     [&](const Attribute& other) { return other.name == attribute.name; });
      if (same == end) {
        entity_.attributes.push_back(std::move(attribute));
        continue;
      }
      source_.untyped.erase(attribute.name);
      if (attribute.stored_as == attribute.name && !attribute.in_key_only)
        attribute.stored_as = same->stored_as;
      *same = std::move(attribute);
    }
    source_.untyped.merge(own.untyped);
    for (const Node* name : Texts(node_, "secret")) {
      if (const Attribute* attribute = FindAttribute(context_, entity_, *name, entity_.name))
        Writable(attribute->name).secret = true;
    }
  }

  Attribute& Writable(std::string_view name) {
    return *std::ranges::find(entity_.attributes, name, &Attribute::name);
  }

  void CheckTtlAttribute() {
    const Attribute* ttl = entity_.FindStored(table().ttl_attribute);
    if (table().ttl_attribute.empty() || !ttl || source_.untyped.contains(ttl->name)) return;
    if (ttl->type.kind != Kind::kEpochSeconds)
      Error(ttl->where, Quoted(ttl->name) + " is the table's ttl attribute: its type is epoch_s");
  }

  void CheckTenantAttribute() {
    if (!table().tenant) return;
    const std::string& parameter = table().tenant->parameter;
    if (entity_.scope == Scope::kGlobal) {  // what belongs to nobody names no owner
      if (entity_.Find(parameter)) Writable(parameter).required = false;
      return;
    }
    const Attribute* attribute = entity_.Find(parameter);
    if (!attribute) {
      return Error(entity_.where, entity_.name + " needs the tenant's attribute " + Quoted(parameter) +
                                      ", or scope = \"global\"");
    }
    const bool is_text = attribute->type.StoredType() == item::Type::kString;
    if (!is_text && !source_.untyped.contains(parameter))
      Error(attribute->where, "the tenant's attribute must be a text, such as an id");
  }

  std::string_view ReservedUse(std::string_view stored_name) const {
    const Table& its = table();
    if (stored_name == its.ttl_attribute) return {};
    if (stored_name == its.pk_attribute) return "the table's partition key";
    if (stored_name == its.sk_attribute) return "the table's sort key";
    if (stored_name == its.type_attribute) return "the table's type attribute, which is written by itself";
    for (const Index& index : its.indexes) {
      if (stored_name == index.pk_attribute || stored_name == index.sk_attribute) return "a key of an index";
    }
    return {};
  }

  void CheckStoredNames() {
    std::map<std::string_view, const Attribute*> by_stored_name;
    for (const Attribute& attribute : entity_.attributes) {
      const auto [other, is_new] = by_stored_name.try_emplace(attribute.stored_as, &attribute);
      if (!is_new) {
        const Attribute& later = attribute.where < other->second->where ? *other->second : attribute;
        const Attribute& earlier = &later == &attribute ? *other->second : attribute;
        Error(later.where,
              Quoted(later.stored_as) + " is the stored name of " + Quoted(earlier.name) + " already");
      }
      if (attribute.name == table().type_attribute && attribute.stored_as != attribute.name)
        Error(attribute.where,
              Quoted(attribute.name) + " is the table's type attribute; choose another name");
      if (attribute.in_key_only) continue;
      if (const std::string_view use = ReservedUse(attribute.stored_as); !use.empty()) {
        Error(attribute.where, Quoted(attribute.stored_as) + " is " + std::string(use) +
                                   "; give the attribute another name with 'as'");
      }
    }
  }

  void ReadLock() {
    const Node* lock = node_.Find("lock");
    const bool changes = entity_.write == WriteMode::kMutable || entity_.write == WriteMode::kUpsert;
    if (!lock) {
      if (source_.has_table && changes)
        SetVersion(context_.tables[entity_.table].lock.version_attribute, nullptr);
      return;
    }
    if (!lock->is(Node::Kind::kTable)) return;
    if (entity_.write == WriteMode::kAppend || entity_.write == WriteMode::kOnce)
      return Error(lock->where, "items of " + entity_.name + " never change: a lock means nothing");
    const Node* version = FindText(*lock, "version");
    const Node* on = FindText(*lock, "on");
    if ((version != nullptr) == (on != nullptr))
      return Error(lock->where, "a lock needs either 'version' or 'on'");
    if (version) return SetVersion(version->text, version);
    if (FindAttribute(context_, entity_, *on, entity_.name)) entity_.lock.on_attribute = on->text;
  }

  // `name` is where the entity says it; null: the table does.
  void SetVersion(const std::string& attribute, const Node* name) {
    if (attribute.empty()) return;
    entity_.lock.version_attribute = attribute;
    const Location where = name ? name->where : context_.tables[entity_.table].lock_where;
    const Attribute* declared = entity_.Find(attribute);
    if (!declared) {
      entity_.attributes.push_back(
          {.name = attribute, .stored_as = attribute, .type = {.kind = Kind::kInt}, .where = where});
    } else if (declared->type.kind != Kind::kInt && !source_.untyped.contains(attribute)) {
      Error(declared->where, Quoted(attribute) + " counts versions: its type is int");
    }
  }

  void CheckAfter() {
    for (const Attribute& attribute : entity_.attributes) {
      if (attribute.after.empty() || source_.untyped.contains(attribute.name)) continue;
      const Attribute* before = entity_.Find(attribute.after);
      if (!before) {
        Error(attribute.where, entity_.name + " has no attribute " + Quoted(attribute.after) +
                                   DidYouMean(attribute.after, NamesOf(entity_.attributes)));
      } else if (before->type.kind != attribute.type.kind && !source_.untyped.contains(before->name)) {
        Error(attribute.where, Quoted(attribute.name) + " and " + Quoted(before->name) +
                                   " are compared, so they need the same type");
      }
    }
  }

  LoadContext& context_;
  const Node& node_;
  Entity entity_;
  EntitySource source_;
};

}  // namespace

void LoadEntities(LoadContext& context) {
  for (const Member& member : Members(context.document, "entity")) EntityLoader(context, member).Load();
}

}  // namespace cairn::model
