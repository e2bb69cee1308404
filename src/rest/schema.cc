#include "rest/schema.h"

#include "base/json_writer.h"

namespace cairn::rest {
namespace {

// What JSON Schema knows of a kind of text.
struct TextForm {
  model::Kind kind;
  std::string_view format, pattern;
};
constexpr TextForm kForms[] = {
    {model::Kind::kId, "", "^[\\u0024-\\u007e]{1,256}$"},
    {model::Kind::kUlid, "", "^[0-7][0-9A-HJKMNP-TV-Z]{25}$"},
    {model::Kind::kUuid, "uuid", ""},
    {model::Kind::kDate, "date", ""},
    {model::Kind::kInstant, "date-time", ""},
    {model::Kind::kInstantMs, "date-time", ""},
    {model::Kind::kEmail, "email", ""},
    {model::Kind::kSlug, "", "^[a-z0-9]+(-[a-z0-9]+)*$"},
};

// What a pattern can say of a form; what is blank beyond that the check tells.
std::string_view PatternOf(Form form) {
  switch (form) {
    case Form::kAny:
      return {};
    case Form::kTitle:
      return "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";
    case Form::kNewId:
      return "^(?!\\.{1,2}$)[\\u0024-\\u002e\\u0030-\\u007e]{1,256}$";
  }
  return {};
}

void AddDoc(JsonWriter& json, const Rule& rule) {
  if (!rule.doc.empty()) json.Member("description", rule.doc);
}

}  // namespace

std::string TextSchema(const Rule& rule) {
  JsonWriter json;
  json.BeginObject().Member("type", "string");
  for (const TextForm& form : kForms) {
    if (form.kind != rule.kind) continue;
    if (!form.format.empty()) json.Member("format", form.format);
    if (!form.pattern.empty() && rule.form == Form::kAny) json.Member("pattern", form.pattern);
  }
  if (const std::string_view pattern = PatternOf(rule.form); !pattern.empty())
    json.Member("pattern", pattern);
  // The rule counts bytes, the schema characters, of which there are never more.
  if (rule.kind == model::Kind::kString) {
    if (rule.min.value_or(0) > 0) json.Member("minLength", 1);
    if (rule.max) json.Member("maxLength", *rule.max);
  }
  AddDoc(json, rule);
  return json.EndObject().Take();
}

std::string NumberSchema(const Rule& rule) {
  JsonWriter json;
  json.BeginObject().Member("type", "integer");
  json.MemberIf("minimum", rule.min).MemberIf("maximum", rule.max);
  AddDoc(json, rule);
  return json.EndObject().Take();
}

std::string BooleanSchema(const Rule& rule) {
  JsonWriter json;
  json.BeginObject().Member("type", "boolean");
  AddDoc(json, rule);
  return json.EndObject().Take();
}

std::string ChoiceSchema(std::span<const std::string_view> texts, const Rule& rule) {
  JsonWriter json;
  json.BeginObject().Member("type", "string").Key("enum").BeginArray();
  for (const std::string_view text : texts) json.Value(text);
  json.EndArray();
  AddDoc(json, rule);
  return json.EndObject().Take();
}

std::string ListSchema(const Rule& rule, const std::string& element) {
  JsonWriter json;
  json.BeginObject().Member("type", "array").Key("items").RawValue() += element;
  json.MemberIf("minItems", rule.min).MemberIf("maxItems", rule.max);
  AddDoc(json, rule);
  return json.EndObject().Take();
}

std::string NullableSchema(const std::string& schema) {
  return R"({"anyOf":[)" + schema + R"(,{"type":"null"}]})";
}

std::string Reference(std::string_view name) {
  return R"({"$ref":"#/components/schemas/)" + std::string(name) + R"("})";
}

std::string ObjectSchema(const std::vector<MemberSchema>& members) {
  JsonWriter json;
  json.BeginObject().Member("type", "object").Key("properties").BeginObject();
  for (const MemberSchema& member : members) json.Key(member.name).RawValue() += member.schema;
  json.EndObject();
  bool first = true;
  for (const MemberSchema& member : members) {
    if (!member.required) continue;
    if (first) json.Key("required").BeginArray();
    first = false;
    json.Value(member.name);
  }
  if (!first) json.EndArray();
  return json.Member("additionalProperties", false).EndObject().Take();
}

std::string SchemaWriter::Finish() {
  std::string schema = ObjectSchema(members_);
  if (name_.empty()) return schema;
  library_.insert_or_assign(name_, std::move(schema));
  return Reference(name_);
}

}  // namespace cairn::rest
