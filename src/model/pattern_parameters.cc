#include "model/pattern_parameters.h"

#include <algorithm>

#include "base/check.h"

namespace cairn::model {
namespace {

bool IsIdKind(Kind kind) {
  return kind == Kind::kId || kind == Kind::kUuid || kind == Kind::kUlid || kind == Kind::kRef ||
         kind == Kind::kSlug;
}

// Texts without a meaning of their own.
bool IsPlainText(const ValueType& type) {
  return type.kind == Kind::kString || type.kind == Kind::kEmail || IsIdKind(type.kind);
}

bool SameType(const ValueType& a, const ValueType& b) {
  return a.kind == b.kind && a.name == b.name && a.prefix == b.prefix;
}

}  // namespace

std::optional<ValueType> CommonType(const ValueType& a, const ValueType& b) {
  if (SameType(a, b)) return a;
  // A reference holds what the entity it names calls its id.
  if (a.kind == Kind::kRef && a.element && SameType(*a.element, b)) return b;
  if (b.kind == Kind::kRef && b.element && SameType(*b.element, a)) return a;
  const bool stored_alike = a.StoredType() == b.StoredType();
  if (stored_alike && IsIdKind(a.kind) && IsIdKind(b.kind)) return ValueType{.kind = Kind::kId};
  if (stored_alike && IsPlainText(a) && IsPlainText(b)) return ValueType{.kind = Kind::kString};
  // An enum where another entity takes any text.
  if (a.kind == Kind::kEnum && b.kind == Kind::kString) return b;
  if (b.kind == Kind::kEnum && a.kind == Kind::kString) return a;
  const auto is_number = [](Kind kind) { return kind == Kind::kInt || kind == Kind::kNumber; };
  if (is_number(a.kind) && is_number(b.kind)) return ValueType{.kind = Kind::kNumber};
  return {};
}

const PatternParameters::Entry* PatternParameters::Find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &Entry::name);
  return found == entries_.end() ? nullptr : &*found;
}

PatternParameters::Entry& PatternParameters::FindOrAdd(std::string_view name) {
  const auto found = std::ranges::find(entries_, name, &Entry::name);
  if (found != entries_.end()) return *found;
  return entries_.emplace_back(Entry{.name = std::string(name)});
}

void PatternParameters::Mention(std::string_view name) { FindOrAdd(name); }

Status PatternParameters::Add(const Use& use) {
  Entry& entry = FindOrAdd(use.name);
  const auto differ = [&] {
    return Fail(Invalid("{" + entry.name + "} is " + entry.type->ToString() + " in one place and " +
                        use.type.ToString() + " in another"));
  };
  entry.only_in_range = entry.only_in_range && use.in_range;
  if (use.calendar_only) {
    if (entry.type && !IsTemporal(entry.type->kind)) return differ();
    if (!entry.type) entry.type = ValueType{.kind = Kind::kDate};
    return {};
  }
  if (entry.calendar_only && entry.type) {
    // Any kind of time goes with a use of its calendar.
    if (!IsTemporal(use.type.kind)) return differ();
    entry.type = use.type;
  }
  if (!entry.type) {
    entry.type = use.type;
    entry.escape = use.escape;
  }
  entry.calendar_only = false;
  const auto common = CommonType(*entry.type, use.type);
  if (!common) return differ();
  if (entry.escape != use.escape)
    return Fail(Invalid("{" + entry.name + "} is escaped in one place and not in another"));
  entry.type = *common;
  return {};
}

bool PatternParameters::IsTyped(std::string_view name) const {
  const Entry* entry = Find(name);
  return entry && entry->type;
}

bool PatternParameters::DateToo(const Entry& entry) {
  if (!entry.type || !entry.only_in_range) return false;
  return entry.type->kind == Kind::kInstant || entry.type->kind == Kind::kInstantMs;
}

Template::Target PatternParameters::TargetOf(std::string_view name) const {
  const Entry* entry = Find(name);
  CHECK(entry && entry->type, "only typed parameters are bound");
  return {.lookup = entry->name, .type = *entry->type, .escape = entry->escape, .date_too = DateToo(*entry)};
}

std::vector<std::string_view> PatternParameters::Names() const {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries_) names.push_back(entry.name);
  return names;
}

std::vector<Parameter> PatternParameters::Finish(const std::vector<std::string>& filled) const {
  std::vector<Parameter> parameters;
  for (const Entry& entry : entries_) {
    if (!entry.type || std::ranges::find(filled, entry.name) != filled.end()) continue;
    parameters.push_back({.name = entry.name, .type = *entry.type, .date_too = DateToo(entry)});
  }
  return parameters;
}

}  // namespace cairn::model
