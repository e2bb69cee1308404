#include "design/examples.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "model/entity_codec.h"

namespace cairn::design {
namespace {

using model::Kind;

// FNV-1a: the same digits for the same name on every machine.
uint64_t Hash(std::string_view text) {
  uint64_t hash = 14695981039346656037ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return hash;
}

// 2026-11-15 from 06:00 on, at another time for every entity; later examples an hour and a day later each.
constexpr Time kFirstTime = std::chrono::sys_days(std::chrono::year(2026) / 11 / 15) + std::chrono::hours(6);
Time ExampleTime(const model::Entity& entity, int n) {
  return kFirstTime + std::chrono::minutes(15 * (Hash(entity.name) % 48)) + n * std::chrono::hours(25);
}

std::string Digits(std::string_view alphabet, std::string_view seed, size_t count) {
  std::string text;
  uint64_t state = Hash(seed);
  for (size_t i = 0; i < count; ++i) {
    state = Hash(std::to_string(state));
    text += alphabet[state % alphabet.size()];
  }
  return text;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// What an id identifies, so that taskId, Task.id and ref:Task get the same example: "task".
std::string Identified(const model::Entity& entity, std::string_view attribute) {
  std::string name(attribute);
  for (const std::string_view ending : {"Ids", "Id", "ID"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      name.resize(name.size() - ending.size());
      break;
    }
  }
  return name == "id" || name == "Entity" ? Lower(entity.name) : Lower(name);
}

std::string ExampleUlid(std::string_view what, int n) {
  return "01JCRN" + Digits("0123456789ABCDEFGHJKMNPQRSTVWXYZ", std::string(what) + std::to_string(n), 20);
}

std::string ExampleUuid(std::string_view what, int n) {
  std::string hex = Digits("0123456789abcdef", std::string(what) + std::to_string(n), 32);
  hex[12] = '4';
  hex[16] = '8';
  return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" + hex.substr(16, 4) + "-" +
         hex.substr(20);
}

class ExampleMaker {
 public:
  ExampleMaker(const model::Model& model, const model::Entity& entity, int n)
      : model_(model), entity_(entity), n_(n) {}

  item::AttributeValue Of(const model::Attribute& attribute) const {
    if (attribute.default_value && n_ == 0) return *attribute.default_value;
    const std::string what = Identified(entity_, attribute.name);
    if (attribute.generate == model::Generate::kUlid) return ExampleUlid(what, n_);
    if (attribute.generate == model::Generate::kUuid) return attribute.type.prefix + ExampleUuid(what, n_);
    if (!attribute.after.empty() && model::IsTemporal(attribute.type.kind)) {
      return model::TimeValue(attribute.type.kind, ExampleTime(entity_, n_) + std::chrono::hours(1));
    }
    return Of(attribute.type, attribute.limits, attribute.name);
  }

 private:
  item::AttributeValue Of(const model::ValueType& type, const model::ValueLimits& limits,
                          std::string_view name) const {
    if (!limits.in.empty()) return limits.in[static_cast<size_t>(n_) % limits.in.size()];
    if (model::IsTemporal(type.kind)) return model::TimeValue(type.kind, ExampleTime(entity_, n_));
    switch (type.kind) {
      case Kind::kId:
        return Id(Identified(entity_, name));
      case Kind::kRef:
        return Reference(type.name);
      case Kind::kUuid:
        return type.prefix + ExampleUuid(Identified(entity_, name), n_);
      case Kind::kUlid:
        return ExampleUlid(Identified(entity_, name), n_);
      case Kind::kInt:
      case Kind::kNumber:
        return limits.min.value_or(item::Number(n_ + 1));
      case Kind::kBool:
        return item::AttributeValue(n_ % 2 == 0);
      case Kind::kEmail:
        return n_ == 0 ? "ada@example.com" : "grace@example.com";
      case Kind::kSlug:
        return n_ == 0 ? "first-steps" : "second-thoughts";
      case Kind::kTimeZone:
        return n_ == 0 ? "Europe/Berlin" : "America/New_York";
      case Kind::kEnum:
        return EnumValue(type);
      case Kind::kMap:
        return item::Map{{"key", "value"}};
      case Kind::kShape:
        return ShapeValue(type);
      case Kind::kList:
        return item::List{Of(*type.element, {}, name)};
      case Kind::kSet:
        return SetValue(type, name);
      default:
        return Text(limits, name);
    }
  }

  std::string Id(const std::string& what) const { return what + "-" + std::to_string(n_ + 1); }

  // The id its entity's examples have: that of the attribute in the target's key that is no tenant's.
  item::AttributeValue Reference(const std::string& target) const {
    const model::Entity* entity = model_.FindEntity(target);
    if (entity == nullptr) return Id(Lower(target));
    const model::Tenant* tenant = model_.TenantOf(*entity);
    for (const model::Template* key : {&entity->sk, &entity->pk}) {
      for (const model::TemplatePart& part : key->parts()) {
        const model::Attribute* attribute = part.is_literal() ? nullptr : entity->Find(part.attribute);
        if (attribute == nullptr || (tenant != nullptr && attribute->name == tenant->parameter)) continue;
        if (attribute->type.kind == Kind::kRef) continue;
        if (attribute->type.StoredType() == item::Type::kString)
          return ExampleMaker(model_, *entity, n_).Of(*attribute);
      }
    }
    return Id(Lower(target));
  }

  item::AttributeValue EnumValue(const model::ValueType& type) const {
    if (type.enumeration == nullptr || type.enumeration->values.empty()) return "VALUE";
    return type.enumeration->values[static_cast<size_t>(n_) % type.enumeration->values.size()];
  }

  item::AttributeValue ShapeValue(const model::ValueType& type) const {
    item::Map map;
    if (type.shape == nullptr) return map;
    for (const model::Attribute& member : type.shape->members) {
      map.Set(member.name,
              member.default_value ? *member.default_value : Of(member.type, member.limits, member.name));
    }
    return map;
  }

  item::AttributeValue SetValue(const model::ValueType& type, std::string_view name) const {
    const item::AttributeValue element = Of(*type.element, {}, name);
    if (element.is(item::Type::kNumber)) return item::NumberSet{{element.number()}};
    return item::StringSet{{element.is(item::Type::kString) ? element.string() : std::string(name)}};
  }

  std::string Text(const model::ValueLimits& limits, std::string_view name) const {
    if (!limits.pattern.empty()) return TextOfPattern(limits, name);
    std::string text = (n_ == 0 ? "some " : "another ") + Lower(name);
    if (limits.length_min && text.size() < static_cast<size_t>(*limits.length_min)) {
      text.resize(static_cast<size_t>(*limits.length_min), '.');
    }
    if (limits.length_max && text.size() > static_cast<size_t>(*limits.length_max)) {
      text.resize(static_cast<size_t>(*limits.length_max));
    }
    return text;
  }

  // Regular expressions are not inverted here: the usual suspects are tried.
  std::string TextOfPattern(const model::ValueLimits& limits, std::string_view name) const {
    const std::string number = std::to_string(n_ + 1);
    const std::string date = n_ == 0 ? "2026-11-15" : "2026-11-16";
    const std::vector<std::string> candidates{date,
                                              date + "T09:30:00",
                                              date + "T09:30",
                                              "09:30",
                                              number,
                                              "000" + number,
                                              "a" + number,
                                              "n",
                                              "A" + number,
                                              "#3366cc",
                                              "en",
                                              "en-GB",
                                              "EUR",
                                              Id(Lower(name)),
                                              Lower(name),
                                              "application/pdf",
                                              "path/to/file",
                                              "0123456789abcdef0123456789abcdef",
                                              ExampleUlid(name, n_),
                                              ExampleUuid(name, n_)};
    for (const std::string& candidate : candidates) {
      item::AttributeValue value(candidate);
      if (model::CheckValue({.kind = Kind::kString}, limits, value)) return candidate;
    }
    return Lower(name);
  }

  const model::Model& model_;
  const model::Entity& entity_;
  const int n_;
};

void SetOrTemplate(item::Item& item, const std::string& name, const model::Template& key,
                   const item::Item& values) {
  if (name.empty()) return;
  item.Set(name, key.Build(values).value_or(key.text()));
}

}  // namespace

item::Item ExampleValues(const model::Model& model, const model::Entity& entity, int n) {
  item::Item values;
  const model::Table& table = model.TableOf(entity);
  const model::Tenant* tenant = model.TenantOf(entity);
  for (const model::Attribute& attribute : entity.attributes) {
    if (attribute.stored_as == table.type_attribute) continue;
    // Examples of one owner lie together, as stored items do.
    const bool owner = tenant != nullptr && attribute.name == tenant->parameter;
    values.Set(attribute.stored_as, ExampleMaker(model, entity, owner ? 0 : n).Of(attribute));
  }
  return values;
}

item::Item ExampleItem(const model::Model& model, const model::Entity& entity, int n) {
  const item::Item values = ExampleValues(model, entity, n);
  if (auto item = model::StoredItem(model, entity, entity.ttl.after, values)) return *std::move(item);
  const model::Table& table = model.TableOf(entity);
  item::Item item = values;
  for (const model::Attribute& attribute : entity.attributes) {
    if (attribute.in_key_only) item.Remove(attribute.stored_as);
  }
  SetOrTemplate(item, table.pk_attribute, entity.pk, values);
  SetOrTemplate(item, table.sk_attribute, entity.sk, values);
  if (!table.type_attribute.empty()) item.Set(table.type_attribute, entity.type);
  return item;
}

std::string ExampleKey(const model::Model& model, const model::Entity& entity, const model::Template& key,
                       int n) {
  return key.Build(ExampleValues(model, entity, n)).value_or(key.text());
}

}  // namespace cairn::design
