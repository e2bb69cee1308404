#include "model/compare.h"

#include <algorithm>

namespace cairn::model {
namespace {

std::string Quote(const std::string& text) { return "\"" + text + "\""; }

// A type with everything that decides about values, not only its name.
std::string FullType(const ValueType& type) {
  std::string text = type.ToString() + "/" + type.prefix;
  if (type.enumeration != nullptr) {
    text += type.enumeration->open ? "/open" : "/closed";
    for (const std::string& value : type.enumeration->values) text += "|" + value;
  }
  if (type.shape != nullptr) {
    for (const Attribute& member : type.shape->members) {
      text += "{" + member.name + ":" + FullType(member.type) + (member.required ? "!" : "") +
              (member.nullable ? "?" : "") + "}";
    }
  }
  if (type.element) text += "<" + FullType(*type.element) + ">";
  return text;
}

bool SameLimits(const ValueLimits& a, const ValueLimits& b) {
  return a.min == b.min && a.max == b.max && a.length_min == b.length_min && a.length_max == b.length_max &&
         a.in == b.in && a.pattern == b.pattern;
}

// Whether keys and rules that read the attribute come to the same.
bool ReadsAlike(const Attribute* a, const Attribute* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return FullType(a->type) == FullType(b->type) && a->default_value == b->default_value &&
         a->in_key_only == b->in_key_only && a->escape == b->escape;
}

bool SameKey(const Entity& before, const Template& a, const Entity& now, const Template& b) {
  const std::vector<std::string> names = a.Dependencies();
  if (a.text() != b.text() || names != b.Dependencies()) return false;
  return std::ranges::all_of(names, [&](const std::string& name) {
    return ReadsAlike(before.FindStored(name), now.FindStored(name));
  });
}

bool SameIndex(const Entity& before, const EntityIndex& a, const Entity& now, const EntityIndex& b) {
  if (a.pk.text() != b.pk.text() || a.sk.text() != b.sk.text() || a.when.text() != b.when.text() ||
      a.dependencies != b.dependencies)
    return false;
  return std::ranges::all_of(a.dependencies, [&](const std::string& name) {
    return ReadsAlike(before.FindStored(name), now.FindStored(name));
  });
}

const EntityIndex* FindIndex(const Model& model, const Entity& entity, const std::string& name) {
  const Table& table = model.TableOf(entity);
  for (const EntityIndex& index : entity.indexes) {
    if (table.indexes[index.index].name == name) return &index;
  }
  return nullptr;
}

bool SameUnique(const Unique& a, const Unique& b) {
  return a.pk.text() == b.pk.text() && a.sk.text() == b.sk.text() && a.dependencies == b.dependencies;
}

class Comparison {
 public:
  Comparison(const Model& before, size_t before_table, const Model& now, size_t now_table)
      : before_(before),
        now_(now),
        before_table_(before_table),
        now_table_(now_table),
        old_(before.tables[before_table]),
        new_(now.tables[now_table]) {}

  TableDifference Run() {
    if (old_.type_attribute != new_.type_attribute) {
      const auto say = [](const Table& table) {
        return table.type_attribute.empty() ? "their keys" : Quote(table.type_attribute);
      };
      difference_.hiding.push_back("items were told apart by " + say(old_) + " and now are by " + say(new_));
    }
    if (old_.ttl_attribute != new_.ttl_attribute) difference_.expiry = !new_.ttl_attribute.empty();
    for (const Entity& entity : before_.entities) {
      if (entity.table == before_table_) CompareEntity(entity);
    }
    CompareMirrors();
    return std::move(difference_);
  }

 private:
  // The entity that stored items of `before` are now.
  const Entity* SuccessorOf(const Entity& before) const {
    for (const Entity& entity : now_.entities) {
      if (entity.table != now_table_) continue;
      if (new_.type_attribute.empty() ? entity.name == before.name : entity.type == before.type)
        return &entity;
    }
    return nullptr;
  }

  void CompareEntity(const Entity& before) {
    const Entity* now = SuccessorOf(before);
    if (now == nullptr) {
      const Entity* namesake = now_.FindEntity(before.name);
      const bool renamed = namesake != nullptr && namesake->table == now_table_ && !before.type.empty();
      difference_.hiding.push_back(renamed ? "the type of " + before.name + " was " + Quote(before.type) +
                                                 " and is " + Quote(namesake->type)
                                           : "there is no entity " + before.name + " any more");
      return;
    }
    CompareKey(before, "pk", before.pk, *now, now->pk);
    CompareKey(before, "sk", before.sk, *now, now->sk);
    CompareIndexes(before, *now);
    CompareValues(before, *now);
    for (const Unique& unique : now->uniques) {
      const auto same = [&](const Unique& other) { return SameUnique(unique, other); };
      if (std::ranges::none_of(before.uniques, same)) difference_.unique.push_back(now->name);
    }
    if (now->ttl.enabled() && (before.ttl.from != now->ttl.from || before.ttl.after != now->ttl.after ||
                               before.ttl.after_parameter != now->ttl.after_parameter))
      difference_.expiry = true;
  }

  void CompareKey(const Entity& before, const std::string& what, const Template& a, const Entity& now,
                  const Template& b) {
    if (SameKey(before, a, now, b)) return;
    difference_.hiding.push_back(
        what + " of " + now.name +
        (a.text() == b.text() ? " " + Quote(a.text()) + " reads attributes that are declared otherwise now"
                              : " was " + Quote(a.text()) + " and is " + Quote(b.text())));
  }

  void CompareIndexes(const Entity& before, const Entity& now) {
    for (size_t position = 0; position < new_.indexes.size(); ++position) {
      const std::string& name = new_.indexes[position].name;
      const EntityIndex* a = FindIndex(before_, before, name);
      const EntityIndex* b = FindIndex(now_, now, name);
      if (a == nullptr && b == nullptr) continue;
      if (a != nullptr && b != nullptr && SameIndex(before, *a, now, *b)) continue;
      if (std::ranges::find(difference_.indexes, position) == difference_.indexes.end())
        difference_.indexes.push_back(position);
    }
  }

  void CompareValues(const Entity& before, const Entity& now) {
    std::vector<std::string> names;
    for (const Attribute& attribute : now.attributes) {
      if (attribute.in_key_only) continue;
      const Attribute* old = before.FindStored(attribute.stored_as);
      const bool must_be_there = attribute.required && !attribute.default_value;
      const bool changed = old == nullptr ? must_be_there
                                          : (must_be_there && !old->required) ||
                                                (old->nullable && !attribute.nullable) ||
                                                FullType(old->type) != FullType(attribute.type) ||
                                                !SameLimits(old->limits, attribute.limits);
      if (changed || (old != nullptr && old->after != attribute.after && !attribute.after.empty()))
        names.push_back(attribute.name);
    }
    for (const RequireIf& rule : now.require_if) {
      const auto same = [&](const RequireIf& other) {
        return other.when.text() == rule.when.text() && other.attributes == rule.attributes &&
               other.forbid_otherwise == rule.forbid_otherwise;
      };
      if (std::ranges::any_of(before.require_if, same)) continue;
      names.insert(names.end(), rule.attributes.begin(), rule.attributes.end());
    }
    if (!names.empty()) difference_.values.emplace(now.name, std::move(names));
  }

  void CompareMirrors() {
    for (const Entity& entity : now_.entities) {
      if (entity.table != now_table_ || !entity.mirror) continue;
      const Entity* before = before_.FindEntity(entity.name);
      const bool same = before != nullptr && before->mirror &&
                        before->mirror->entity == entity.mirror->entity &&
                        before->mirror->attribute == entity.mirror->attribute;
      if (!same) difference_.mirrors.push_back(entity.name);
    }
  }

  const Model& before_;
  const Model& now_;
  const size_t before_table_, now_table_;
  const Table& old_;
  const Table& new_;
  TableDifference difference_;
};

}  // namespace

TableDifference CompareTables(const Model& before, size_t before_table, const Model& now, size_t now_table) {
  return Comparison(before, before_table, now, now_table).Run();
}

TableDifference UnknownBefore(const Model& now, size_t now_table) {
  TableDifference difference;
  difference.hiding.push_back("it is not known with which model they were written");
  for (size_t i = 0; i < now.tables[now_table].indexes.size(); ++i) difference.indexes.push_back(i);
  return difference;
}

}  // namespace cairn::model
