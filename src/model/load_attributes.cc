// Enums, shapes and attributes: the types of a model.
#include <algorithm>
#include <functional>

#include "model/format.h"
#include "model/load_context.h"
#include "model/name_suggestion.h"

namespace cairn::model {
namespace {

std::vector<std::string_view> EntityNames(const LoadContext& context) {
  std::vector<std::string_view> names;
  for (const Member& member : Members(context.document, "entity")) names.push_back(member.name);
  return names;
}

void ReportUnknown(LoadContext& context, const Node& text, const std::string& subject, std::string_view what,
                   std::string_view name, const std::vector<std::string_view>& names) {
  context.Error(text.where, subject,
                std::string("there is no ").append(what) + " " + Quoted(name) + DidYouMean(name, names));
}

// Points a type at its enum or shape, inside lists and sets too.
bool ResolveType(LoadContext& context, ValueType& type, const Node& text, const std::string& subject) {
  const Model& model = context.model;
  if (type.kind == Kind::kEnum) {
    const auto found = std::ranges::find(model.enums, type.name, &Enum::name);
    if (found == model.enums.end()) {
      ReportUnknown(context, text, subject, "enum", type.name, NamesOf(model.enums));
      return false;
    }
    type.enumeration = &*found;
  } else if (type.kind == Kind::kShape) {
    const auto found = std::ranges::find(model.shapes, type.name, &Shape::name);
    if (found == model.shapes.end()) {
      ReportUnknown(context, text, subject, "shape", type.name, NamesOf(model.shapes));
      return false;
    }
    type.shape = &*found;
  } else if (type.kind == Kind::kRef) {
    const std::vector<std::string_view> names = EntityNames(context);
    if (std::ranges::find(names, type.name) != names.end()) return true;
    ReportUnknown(context, text, subject, "entity", type.name, names);
    return false;
  } else if (type.element) {
    ValueType element = *type.element;
    if (!ResolveType(context, element, text, subject)) return false;
    type.element = std::make_shared<const ValueType>(std::move(element));
  }
  return true;
}

// The type that limits other than lengths are about.
const ValueType& LimitedType(const ValueType& type) {
  const bool has_elements = type.kind == Kind::kList || type.kind == Kind::kSet;
  return has_elements && type.element ? LimitedType(*type.element) : type;
}

bool IsText(const ValueType& type) { return type.StoredType() == item::Type::kString; }
bool IsNumber(const ValueType& type) { return type.StoredType() == item::Type::kNumber; }

// Reads one attribute, in its short form (a text) or its long one (a table).
class AttributeLoader {
 public:
  AttributeLoader(LoadContext& context, const Member& member, std::string subject)
      : context_(context), member_(member), subject_(std::move(subject)) {
    attribute_.name = member.name;
    attribute_.stored_as = member.name;
    attribute_.where = member.where;
  }

  // False when the type is not known; the attribute then has a name only.
  bool Load() {
    const bool is_short = member_.value.is(Node::Kind::kString);
    if (!is_short && !member_.value.is(Node::Kind::kTable)) return false;
    const Node* type = is_short ? &member_.value : FindText(member_.value, "type");
    if (!type || type->text.empty() || !ReadType(*type, is_short)) return false;
    if (is_short) return true;
    ReadFlags();
    ReadNames();
    ReadGeneration();
    ReadLimits();
    if (const Node* value = member_.value.Find("default")) {
      attribute_.default_value = LoadValue(context_, attribute_, *value, subject_);
      Refuse(*value, attribute_.generate != Generate::kNo || attribute_.automatic != Auto::kNo,
             "an attribute that is generated has no default");
    }
    return true;
  }

  Attribute Take() { return std::move(attribute_); }

 private:
  bool ReadType(const Node& text, bool is_short) {
    std::string_view written = text.text;
    if (written.ends_with('!')) {
      written.remove_suffix(1);
      attribute_.required = true;
      if (!is_short) context_.Error(text.where, subject_, "write required = true instead of '!'");
    }
    auto type = ParseValueType(written);
    if (!type) {
      context_.TextError(text, subject_, type.error().message);
      return false;
    }
    attribute_.type = *std::move(type);
    return ResolveType(context_, attribute_.type, text, subject_);
  }

  void Refuse(const Node& where, bool wrong, std::string message) {
    if (wrong) context_.Error(where.where, subject_, std::move(message));
  }

  // Reports a key that means nothing for this type.
  void OnlyFor(std::string_view key, bool right, std::string_view what) {
    const Node* found = member_.value.Find(key);
    if (!found || right || (found->is(Node::Kind::kBoolean) && !found->truth)) return;
    context_.Error(
        found->where, subject_,
        std::string(key) + " is for " + std::string(what) + ", not for " + attribute_.type.ToString());
  }

  void ReadFlags() {
    const Node& table = member_.value;
    attribute_.required = attribute_.required || Truth(table, "required");
    attribute_.nullable = Truth(table, "nullable");
    attribute_.immutable = Truth(table, "immutable");
    attribute_.counter = Truth(table, "counter");
    attribute_.secret = Truth(table, "secret");
    attribute_.omit_empty = Text(table, "empty") == "omit";
    attribute_.assumed = Assumed(table);
    attribute_.doc = Text(table, "doc");
    attribute_.after = Text(table, "after");
    const ValueType& type = attribute_.type;
    OnlyFor("counter", type.kind == Kind::kInt || type.kind == Kind::kNumber, "numbers");
    OnlyFor("empty", !IsNumber(type) && type.kind != Kind::kBool, "texts, lists, sets and maps");
    OnlyFor("after", IsNumber(type) || IsTemporal(type.kind), "times and numbers");
    if (const Node* counter = table.Find("counter"))
      Refuse(*counter, attribute_.counter && attribute_.immutable, "a counter changes: it is not immutable");
  }

  void ReadNames() {
    const Node& table = member_.value;
    if (const Node* as = FindText(table, "as")) attribute_.stored_as = as->text;
    attribute_.in_key_only = !Truth(table, "stored", true);
    if (const Node* stored = table.Find("stored"); stored && attribute_.in_key_only) {
      Refuse(*stored, table.Find("as") != nullptr, "an attribute that is not stored has no stored name");
      attribute_.stored_as = attribute_.name;
    }
    if (Text(table, "escape") == "percent") attribute_.escape = Escape::kPercent;
    OnlyFor("escape", IsText(attribute_.type), "texts");
    OnlyFor("prefix", attribute_.type.kind == Kind::kUuid, "uuids");
    if (const Node* prefix = FindText(table, "prefix"); prefix && attribute_.type.kind == Kind::kUuid) {
      attribute_.type.prefix = prefix->text;
      const bool right = std::ranges::all_of(prefix->text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '-';
      });
      Refuse(*prefix, !right, "a prefix has letters, digits, '_' and '-' only");
    }
  }

  void ReadGeneration() {
    const Node& table = member_.value;
    attribute_.automatic = Choice(table, "auto", kAutoChoices, Auto::kCreate, Auto::kNo);
    OnlyFor("auto", IsTemporal(attribute_.type.kind), "times (date, instant, instant_ms, epoch_s)");
    const Node* generate = table.Find("generate");
    if (!generate) return;
    Refuse(*generate, attribute_.automatic != Auto::kNo, "auto and generate do not go together");
    const Kind kind = attribute_.type.kind;
    attribute_.generate = Choice(table, "generate", kGenerateChoices, Generate::kUlid, Generate::kNo);
    if (generate->is(Node::Kind::kBoolean) && generate->truth) {
      if (kind == Kind::kUlid) attribute_.generate = Generate::kUlid;
      if (kind == Kind::kUuid) attribute_.generate = Generate::kUuid;
      if (IsTemporal(kind)) attribute_.generate = Generate::kNow;
      Refuse(*generate, attribute_.generate == Generate::kNo,
             "say what to generate for " + attribute_.type.ToString() + ": 'ulid', 'uuid' or 'now'");
    }
    const bool free = kind == Kind::kId || kind == Kind::kString;
    const bool right = (attribute_.generate == Generate::kUlid && (free || kind == Kind::kUlid)) ||
                       (attribute_.generate == Generate::kUuid && (free || kind == Kind::kUuid)) ||
                       (attribute_.generate == Generate::kNow && IsTemporal(kind));
    Refuse(*generate, attribute_.generate != Generate::kNo && !right,
           Quoted(generate->text) + " cannot be generated for " + attribute_.type.ToString());
  }

  void ReadLimits() {
    const ValueType& limited = LimitedType(attribute_.type);
    ReadNumberLimit("min", attribute_.limits.min);
    ReadNumberLimit("max", attribute_.limits.max);
    OnlyFor("min", IsNumber(limited), "numbers");
    OnlyFor("max", IsNumber(limited), "numbers");
    if (const Node* max = member_.value.Find("max")) {
      const ValueLimits& limits = attribute_.limits;
      Refuse(*max, limits.min && limits.max && *limits.max < *limits.min, "max is less than min");
    }
    ReadLengths();
    ReadTexts(limited);
  }

  void ReadNumberLimit(std::string_view key, std::optional<item::Number>& limit) {
    const Node* found = FindNumber(member_.value, key);
    if (!found) return;
    if (auto number = item::Number::Parse(NumberText(*found))) {
      limit = *number;
    } else {
      context_.Error(found->where, subject_, number.error().message);
    }
  }

  void ReadLengths() {
    ValueLimits& limits = attribute_.limits;
    limits.length_min = Whole(member_.value, "min_length");
    limits.length_max = Whole(member_.value, "max_length");
    const bool has_length = !IsNumber(attribute_.type) && attribute_.type.kind != Kind::kBool;
    OnlyFor("min_length", has_length, "texts, lists, sets and maps");
    OnlyFor("max_length", has_length, "texts, lists, sets and maps");
    if (const Node* max = member_.value.Find("max_length")) {
      Refuse(*max, limits.length_min && limits.length_max && *limits.length_max < *limits.length_min,
             "max_length is less than min_length");
    }
  }

  void ReadTexts(const ValueType& limited) {
    OnlyFor("in", IsText(limited), "texts");
    OnlyFor("pattern", IsText(limited), "texts");
    if (!IsText(limited)) return;
    for (const Node* text : Texts(member_.value, "in")) {
      item::AttributeValue value(text->text);
      if (const Status right = CheckValue(limited, {}, value); !right) {
        context_.Error(text->where, subject_, Quoted(text->text) + " " + right.error().message);
      } else {
        attribute_.limits.in.push_back(value.string());
      }
    }
    const Node* pattern = FindText(member_.value, "pattern");
    if (!pattern) return;
    attribute_.limits.pattern = pattern->text;
    if (const Status right = CompilePattern(attribute_.limits); !right) {
      context_.TextError(*pattern, subject_, right.error().message);
      attribute_.limits.pattern.clear();
    }
  }

  LoadContext& context_;
  const Member& member_;
  std::string subject_;
  Attribute attribute_;
};

void LoadEnum(LoadContext& context, const Member& member) {
  Enum loaded{.name = member.name, .where = member.where};
  const Node& node = member.value;
  if (node.is(Node::Kind::kTable)) {
    loaded.open = Truth(node, "open");
    loaded.assumed = Assumed(node);
  }
  const std::vector<const Node*> values = node.is(Node::Kind::kTable) ? Texts(node, "values") : Texts(node);
  for (const Node* value : values) {
    if (std::ranges::find(loaded.values, value->text) != loaded.values.end())
      context.Error(value->where, "enum " + member.name, Quoted(value->text) + " is here twice");
    loaded.values.push_back(value->text);
  }
  context.model.enums.push_back(std::move(loaded));
}

// A shape inside itself would need a value without end.
void RefuseRecursion(LoadContext& context) {
  enum class Mark { kNew, kOpen, kDone };
  std::vector<Shape>& shapes = context.model.shapes;
  std::vector<Mark> marks(shapes.size(), Mark::kNew);
  const std::function<void(size_t)> visit = [&](size_t position) {
    marks[position] = Mark::kOpen;
    for (Attribute& member : shapes[position].members) {
      const Shape* inner = LimitedType(member.type).shape;
      if (!inner) continue;
      const auto inner_position = static_cast<size_t>(inner - shapes.data());
      if (marks[inner_position] == Mark::kNew) visit(inner_position);
      if (marks[inner_position] != Mark::kOpen) continue;
      context.Error(member.where, "shape " + shapes[position].name,
                    "shape " + inner->name + " contains itself");
      member.type = {.kind = Kind::kMap};  // so that nobody who walks the shapes goes round in circles
    }
    marks[position] = Mark::kDone;
  };
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (marks[i] == Mark::kNew) visit(i);
  }
}

}  // namespace

void LoadEnums(LoadContext& context) {
  const std::span<const Member> members = Members(context.document, "enum");
  context.model.enums.reserve(members.size());  // types point at them from here on
  for (const Member& member : members) LoadEnum(context, member);
}

void LoadShapes(LoadContext& context) {
  const std::span<const Member> members = Members(context.document, "shape");
  std::vector<Shape>& shapes = context.model.shapes;
  shapes.reserve(members.size());
  for (const Member& member : members) {
    shapes.push_back({.name = member.name, .assumed = Assumed(member.value), .where = member.where});
  }
  for (size_t i = 0; i < members.size(); ++i) {
    std::vector<Member> fields;
    for (const Member& field : members[i].value.members) {
      if (field.name != "assumed") fields.push_back(field);
    }
    shapes[i].members = LoadAttributes(context, fields, "shape " + members[i].name).attributes;
  }
  RefuseRecursion(context);
}

LoadedAttributes LoadAttributes(LoadContext& context, std::span<const Member> members,
                                const std::string& owner) {
  LoadedAttributes loaded;
  loaded.attributes.reserve(members.size());
  // "Task.dueUtc", but "table core" and "shape Address" as a whole.
  const bool is_entity = owner.find(' ') == std::string::npos;
  for (const Member& member : members) {
    AttributeLoader loader(context, member, is_entity ? owner + "." + member.name : owner);
    if (!loader.Load()) loaded.untyped.insert(member.name);
    loaded.attributes.push_back(loader.Take());
  }
  return loaded;
}

}  // namespace cairn::model
