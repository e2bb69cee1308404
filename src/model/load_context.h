// What the parts of the loader share: the document they read, the model they fill, the errors they find, and
// what is known about tables and entities beyond the model itself. Private to the loader (load*.cc).
//
// CheckDocument has reported every value of the wrong kind before; the readers here take such a value as
// absent, so that the parts only say what the format cannot.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/definition.h"
#include "model/document.h"

namespace cairn::model {

// Names of attributes whose type is wrong. That is reported once, and what depends on them says no more.
using UntypedNames = std::set<std::string, std::less<>>;

struct LoadedAttributes {
  std::vector<Attribute> attributes;  // in the order of the file
  UntypedNames untyped;
};

// Beside Table, at the same position.
struct TableSource {
  LoadedAttributes common;
  Lock lock;
  Location lock_where;
  std::vector<const Node*> indexes;  // their tables in the document, at the position of the index
};

// Beside Entity, at the same position.
struct EntitySource {
  const Node* node = nullptr;  // its table in the document
  bool has_table = false;      // else Entity::table says nothing
  bool has_keys = false;       // pk and sk are bound, without error
  UntypedNames untyped;
};

struct LoadContext {
  LoadContext(const Node& document_read, Model& model_to_fill)
      : document(document_read), model(model_to_fill) {}

  void Error(Location where, std::string_view subject, std::string message);
  // About a text of the document: a message that says "at offset 7" is reported at that character.
  void TextError(const Node& text, std::string_view subject, std::string message);

  const Node& document;
  Model& model;
  std::vector<TableSource> tables;
  std::vector<EntitySource> entities;
  Diagnostics diagnostics;
};

// The members of a table inside a table; none when it is not there.
std::span<const Member> Members(const Node& table, std::string_view key);
// A value of that kind (a text that is not empty), or null.
const Node* FindTable(const Node& table, std::string_view key);
const Node* FindText(const Node& table, std::string_view key);
const Node* FindNumber(const Node& table, std::string_view key);
// The value, or what counts when it is not there.
std::string Text(const Node& table, std::string_view key);
bool Truth(const Node& table, std::string_view key, bool absent = false);
std::optional<int64_t> Whole(const Node& table, std::string_view key);
// The texts of a list.
std::vector<const Node*> Texts(const Node& list);
std::vector<const Node*> Texts(const Node& table, std::string_view key);
Assumption Assumed(const Node& table);

// The position of the text among `choices`; nothing when it is none of them.
std::optional<size_t> ChoicePosition(const Node& table, std::string_view key,
                                     std::span<const std::string_view> choices);
// The enumerator for a choice: `first` stands for the first one, and they follow one another.
template <class Enumeration>
Enumeration Choice(const Node& table, std::string_view key, std::span<const std::string_view> choices,
                   Enumeration first, Enumeration absent) {
  const auto position = ChoicePosition(table, key, choices);
  if (!position) return absent;
  return static_cast<Enumeration>(static_cast<size_t>(first) + *position);
}

std::string Quoted(std::string_view text);

// Names of things, for suggestions.
template <class T>
std::vector<std::string_view> NamesOf(const std::vector<T>& things) {
  std::vector<std::string_view> names;
  names.reserve(things.size());
  for (const T& thing : things) names.push_back(thing.name);
  return names;
}

// The parts, in the order they run.
void LoadEnums(LoadContext& context);
void LoadShapes(LoadContext& context);
void LoadTables(LoadContext& context);
void LoadEntities(LoadContext& context);     // tables, types, attributes, locks
void LoadEntityKeys(LoadContext& context);   // pk, sk, indexes, and what references hold
void LoadEntityRules(LoadContext& context);  // everything else of an entity
void LoadPatterns(LoadContext& context);

// Attributes from a table of them. `owner` is the subject of messages about the owner as a whole.
LoadedAttributes LoadAttributes(LoadContext& context, std::span<const Member> members,
                                const std::string& owner);

// A value of the document as one of `type`: a list becomes a set where the type says so. Fails when it cannot
// be one; whether it obeys the type is CheckValue's question.
Result<item::AttributeValue> ToValue(const ValueType& type, const Node& node);
// ToValue and CheckValue; errors are reported.
std::optional<item::AttributeValue> LoadValue(LoadContext& context, const Attribute& attribute,
                                              const Node& node, std::string_view subject);

// An attribute by its model name; an unknown one is reported at `name`, with a suggestion.
const Attribute* FindAttribute(LoadContext& context, const Entity& entity, const Node& name,
                               std::string_view subject);

// A key template of an entity: {Type} filled in, placeholders bound to the entity's attributes. Errors are
// reported; nothing comes back then, or when an attribute's type is unknown.
std::optional<Template> LoadEntityTemplate(LoadContext& context, size_t entity, const Node& text,
                                           const std::string& subject);
// A rule over an entity's attributes, bound to stored names; without parameters.
std::optional<Rule> LoadEntityRule(LoadContext& context, const Entity& entity, const Node& text,
                                   const std::string& subject);
// Where a name stands in the text of a rule, for messages about it.
Location PlaceOfName(const Node& text, std::string_view name);
// What templates and rules read together: sorted, each once.
std::vector<std::string> Union(std::initializer_list<std::vector<std::string>> names);

}  // namespace cairn::model
