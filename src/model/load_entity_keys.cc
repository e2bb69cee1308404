// The keys of entities: primary keys, index keys, and what references to them hold.
#include <algorithm>
#include <array>

#include "model/load_context.h"
#include "model/name_suggestion.h"

namespace cairn::model {
namespace {

// Names of the attributes in the primary key as written, before anything is bound.
std::vector<std::string> KeyAttributeNames(const Node& entity) {
  std::vector<std::string> names;
  for (const std::string_view key : {"pk", "sk"}) {
    const Node* text = FindText(entity, key);
    if (!text) continue;
    const auto parsed = Template::Parse(text->text);
    if (!parsed) continue;
    for (const TemplatePart& part : parsed->parts()) {
      if (!part.is_literal() && std::ranges::find(names, part.attribute) == names.end())
        names.push_back(part.attribute);
    }
  }
  return names;
}

// The type of what names an item of the entity within its tenant: the only other attribute of its key or, of
// several, the one called id or taskId. Null when there is none such: then a reference is any id.
std::shared_ptr<const ValueType> IdType(const LoadContext& context, size_t position) {
  const Entity& entity = context.model.entities[position];
  const EntitySource& source = context.entities[position];
  if (!source.has_table) return nullptr;
  const auto& tenant = context.model.tables[entity.table].tenant;
  std::vector<std::string> names = KeyAttributeNames(*source.node);
  std::erase_if(names, [&](const std::string& name) {
    return (tenant && name == tenant->parameter) || !entity.Find(name) || source.untyped.contains(name);
  });
  if (names.size() > 1) {
    std::string own_id = entity.name + "Id";
    if (own_id[0] >= 'A' && own_id[0] <= 'Z') own_id[0] = static_cast<char>(own_id[0] - 'A' + 'a');
    std::erase_if(names, [&](const std::string& name) { return name != "id" && name != own_id; });
  }
  if (names.size() != 1) return nullptr;
  const ValueType& type = entity.Find(names[0])->type;
  if (type.kind == Kind::kRef || !item::IsKeyType(type.StoredType())) return nullptr;
  return std::make_shared<const ValueType>(type);
}

class References {
 public:
  explicit References(const LoadContext& context) : model_(context.model) {
    for (size_t i = 0; i < model_.entities.size(); ++i) id_types_.push_back(IdType(context, i));
  }

  void Fill(std::vector<Attribute>& attributes) const {
    for (Attribute& attribute : attributes) Fill(attribute.type);
  }

 private:
  void Fill(ValueType& type) const {
    if (type.kind == Kind::kRef) {
      const Entity* target = model_.FindEntity(type.name);
      if (target) type.element = id_types_[static_cast<size_t>(target - model_.entities.data())];
    } else if (type.element) {
      ValueType element = *type.element;
      Fill(element);
      type.element = std::make_shared<const ValueType>(std::move(element));
    }
  }

  const Model& model_;
  std::vector<std::shared_ptr<const ValueType>> id_types_;  // at the position of the entity
};

// Whether a key with this part tells the attribute's whole value.
bool TellsAll(const TemplatePart& part) {
  switch (part.format) {
    case Format::kPlain:
    case Format::kZeroPadded:
    case Format::kBit:
    case Format::kEpochMilliseconds:
      return true;
    case Format::kYearMonthDay:
      return part.type.kind == Kind::kDate;
    default:
      return false;
  }
}

class KeyLoader {
 public:
  KeyLoader(LoadContext& context, size_t position)
      : context_(context),
        position_(position),
        entity_(context.model.entities[position]),
        node_(*context.entities[position].node),
        table_(context.model.tables[entity_.table]) {}

  void Load() {
    const bool has_pk = ReadKey("pk", entity_.pk, entity_.pk_where);
    bool has_sk = true;
    if (!table_.sk_attribute.empty()) {
      has_sk = ReadKey("sk", entity_.sk, entity_.sk_where);
      if (!node_.Find("sk")) Error(entity_.where, "an entity of table " + table_.name + " needs 'sk'");
    } else if (const Node* sk = node_.Find("sk")) {
      Error(sk->where, "table " + table_.name + " has no sort key");
    }
    context_.entities[position_].has_keys = has_pk && has_sk;
    if (has_pk && has_sk) SettleKeyAttributes();
    CheckIndexNames();
    for (size_t i = 0; i < table_.indexes.size(); ++i) ReadIndex(i);
  }

 private:
  void Error(Location where, std::string message) { context_.Error(where, entity_.name, std::move(message)); }

  bool ReadKey(std::string_view name, Template& key, Location& where) {
    const Node* text = FindText(node_, name);
    if (!text) return false;
    where = text->where;
    auto loaded = LoadEntityTemplate(context_, position_, *text, entity_.name);
    if (!loaded) return false;
    if (const Status invertible = loaded->CheckInvertible(); !invertible) {
      // With a type filled in, offsets are not those of the file.
      std::string message = invertible.error().message;
      if (loaded->text() == text->text) {
        context_.TextError(*text, entity_.name, std::move(message));
      } else {
        Error(text->where, std::move(message));
      }
      return false;
    }
    key = *std::move(loaded);
    return true;
  }

  // What stands in the primary key is always there and never changes.
  void SettleKeyAttributes() {
    const auto& tenant = table_.tenant;
    for (Attribute& attribute : entity_.attributes) {
      bool in_key = false, told = false;
      for (const Template* key : {&entity_.pk, &entity_.sk}) {
        for (const TemplatePart& part : key->parts()) {
          if (part.is_literal() || part.attribute != attribute.name) continue;
          in_key = true;
          told = told || TellsAll(part);
        }
      }
      if (attribute.in_key_only && !told)
        Error(attribute.where,
              Quoted(attribute.name) + " is not stored, so pk or sk must tell its whole value");
      if (!in_key) continue;
      CheckKeyAttribute(attribute);
      attribute.fixed_by_key = !attribute.immutable;
      attribute.immutable = true;
      const bool is_filled = attribute.generate != Generate::kNo || attribute.automatic != Auto::kNo ||
                             attribute.default_value || (tenant && tenant->parameter == attribute.name);
      if (!is_filled) attribute.required = true;
    }
  }

  void CheckKeyAttribute(const Attribute& attribute) {
    const auto refuse = [&](bool wrong, std::string_view why) {
      if (wrong) Error(attribute.where, Quoted(attribute.name) + " stands in the key: " + std::string(why));
    };
    refuse(attribute.automatic == Auto::kUpdate, "it cannot change with every update");
    refuse(attribute.counter, "it cannot be a counter");
    refuse(attribute.nullable, "it cannot be null");
    refuse(attribute.omit_empty, "it cannot be left out");
    refuse(attribute.name == entity_.lock.version_attribute, "it cannot be the lock's version");
    refuse(attribute.name == entity_.lock.on_attribute, "it cannot be what the lock compares");
  }

  void CheckIndexNames() {
    for (const Member& member : Members(node_, "index")) {
      if (std::ranges::find(table_.indexes, member.name, &Index::name) != table_.indexes.end()) continue;
      Error(member.where, "table " + table_.name + " has no index " + Quoted(member.name) +
                              DidYouMean(member.name, NamesOf(table_.indexes)));
    }
  }

  void ReadIndex(size_t index_position) {
    const Index& index = table_.indexes[index_position];
    const Node* indexes = FindTable(node_, "index");
    const Node* own = indexes ? indexes->Find(index.name) : nullptr;
    if (own && !own->is(Node::Kind::kTable)) return;  // false: not in this one
    const Node* node =
        own ? own : FindTable(*context_.tables[entity_.table].indexes[index_position], "default");
    if (!node) return;
    const std::string subject = entity_.name + "." + index.name;
    EntityIndex loaded{.index = index_position,
                       .crosses_tenants = Truth(*node, "crosses_tenants"),
                       .assumed = Assumed(*node),
                       .where = node->where};
    bool complete = ReadIndexKey(*node, "pk", subject, loaded.pk);
    if (!index.sk_attribute.empty()) {
      if (!node->Find("sk"))
        context_.Error(node->where, subject, "index " + index.name + " has a sort key: give 'sk' too");
      complete = ReadIndexKey(*node, "sk", subject, loaded.sk) && complete;
    } else if (const Node* sk = node->Find("sk")) {
      context_.Error(sk->where, subject, "index " + index.name + " has no sort key");
    }
    if (const Node* when = FindText(*node, "when")) {
      auto rule = LoadEntityRule(context_, entity_, *when, subject);
      if (rule) loaded.when = *std::move(rule);
      complete = complete && rule.has_value();
    }
    loaded.dependencies =
        Union({loaded.pk.Dependencies(), loaded.sk.Dependencies(), loaded.when.Dependencies()});
    if (!complete) return;
    CheckSharedKeys(loaded, subject);
    entity_.indexes.push_back(std::move(loaded));
  }

  // Indexes may share a key attribute; what stands in it is then the same.
  void CheckSharedKeys(const EntityIndex& added, const std::string& subject) {
    for (const EntityIndex& other : entity_.indexes) {
      for (const auto& [attribute, key] : KeysOf(added)) {
        for (const auto& [other_attribute, other_key] : KeysOf(other)) {
          if (attribute.empty() || attribute != other_attribute || key->text() == other_key->text()) continue;
          context_.Error(added.where, subject,
                         Quoted(attribute) + " is a key of index " + table_.indexes[other.index].name +
                             " too, so both need the same template");
        }
      }
    }
  }

  std::array<std::pair<std::string_view, const Template*>, 2> KeysOf(const EntityIndex& index) const {
    const Index& its = table_.indexes[index.index];
    return {std::pair(std::string_view(its.pk_attribute), &index.pk),
            std::pair(std::string_view(its.sk_attribute), &index.sk)};
  }

  bool ReadIndexKey(const Node& node, std::string_view name, const std::string& subject, Template& key) {
    const Node* text = FindText(node, name);
    if (!text) return false;
    auto loaded = LoadEntityTemplate(context_, position_, *text, subject);
    if (!loaded) return false;
    key = *std::move(loaded);
    return true;
  }

  LoadContext& context_;
  const size_t position_;
  Entity& entity_;
  const Node& node_;
  const Table& table_;
};

// What sessions must see of every item, whatever an index is told to include: of which entity it is, whether
// it has expired, whose it is.
std::vector<std::string> AlwaysIncluded(const Model& model, size_t table_position) {
  const Table& table = model.tables[table_position];
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  add(table.type_attribute);
  add(table.ttl_attribute);
  for (const Entity& entity : model.entities) {
    if (entity.table != table_position || !table.tenant) continue;
    const Attribute* owner = entity.Find(table.tenant->parameter);
    if (owner != nullptr && !owner->in_key_only) add(owner->stored_as);
  }
  return names;
}

// What an index includes, under stored names. The attribute may be any entity's of the table.
void LoadProjections(LoadContext& context, size_t table_position) {
  Table& table = context.model.tables[table_position];
  for (size_t i = 0; i < table.indexes.size(); ++i) {
    Index& index = table.indexes[i];
    if (index.project_all) continue;
    index.included = AlwaysIncluded(context.model, table_position);
    const auto include = [&](const std::string& name) {
      if (std::ranges::find(index.included, name) == index.included.end()) index.included.push_back(name);
    };
    for (const Node* name : Texts(*context.tables[table_position].indexes[i], "project")) {
      std::vector<std::string_view> known;
      const Attribute* found = nullptr;
      for (const Entity& entity : context.model.entities) {
        if (entity.table != table_position) continue;
        if (!found) found = entity.Find(name->text);
        for (const Attribute& attribute : entity.attributes) known.push_back(attribute.name);
      }
      if (found) {
        include(found->stored_as);
      } else if (name->text != table.type_attribute && name->text != table.ttl_attribute) {
        context.Error(
            name->where, "table " + table.name,
            "no entity of the table has an attribute " + Quoted(name->text) + DidYouMean(name->text, known));
      }
    }
  }
}

}  // namespace

void LoadEntityKeys(LoadContext& context) {
  const References references(context);
  for (Entity& entity : context.model.entities) references.Fill(entity.attributes);
  for (Shape& shape : context.model.shapes) references.Fill(shape.members);
  for (size_t i = 0; i < context.model.entities.size(); ++i) {
    if (context.entities[i].has_table) KeyLoader(context, i).Load();
  }
  for (size_t i = 0; i < context.model.tables.size(); ++i) LoadProjections(context, i);
}

}  // namespace cairn::model
