// The format as a JSON Schema: format.h, printed. Every table of the format is a definition, so that editors
// show its keys with a line about each.
#include <algorithm>

#include "base/json_text.h"
#include "model/format.h"
#include "model/load.h"

namespace cairn::model {
namespace {

// "an entity index" is entity_index in the schema.
std::string DefinitionName(const TableForm& table) {
  std::string name(table.name.substr(table.name.find(' ') + 1));
  std::ranges::replace(name, ' ', '_');
  return name;
}

// Appends "key":value pairs and keeps the commas right.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  ~ObjectWriter() { out_ += '}'; }
  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;

  std::string& Key(std::string_view name) {
    if (!first_) out_ += ',';
    first_ = false;
    AppendJsonString(out_, name);
    out_ += ':';
    return out_;
  }
  void Text(std::string_view name, std::string_view text) { AppendJsonString(Key(name), text); }
  void Raw(std::string_view name, std::string_view json) { Key(name) += json; }

 private:
  std::string& out_;
  bool first_ = true;
};

class SchemaWriter {
 public:
  std::string Write() {
    std::string out;
    {
      ObjectWriter root(out);
      root.Text("$schema", "https://json-schema.org/draft/2020-12/schema");
      root.Text("title", "Cairn data model");
      WriteTable(ModelFormat(), root);
      WriteDefinitions(root.Key("$defs"));
    }
    return out;
  }

 private:
  // Definitions refer to further ones, which are appended while this runs.
  void WriteDefinitions(std::string& out) {
    ObjectWriter definitions(out);
    for (size_t i = 0; i < referred_.size(); ++i) {
      ObjectWriter definition(definitions.Key(DefinitionName(*referred_[i])));
      WriteTable(*referred_[i], definition);
    }
  }

  void WriteTable(const TableForm& table, ObjectWriter& object) {
    object.Text("type", "object");
    WriteProperties(table, object.Key("properties"));
    std::string required;
    for (const KeyForm& key : table.fields) {
      if (key.need != KeyForm::Need::kRequired) continue;
      if (!required.empty()) required += ',';
      AppendJsonString(required, key.name);
    }
    if (!required.empty()) object.Raw("required", "[" + required + "]");
    object.Raw("additionalProperties", "false");
  }

  void WriteProperties(const TableForm& table, std::string& out) {
    ObjectWriter properties(out);
    for (const KeyForm& key : table.fields) {
      ObjectWriter property(properties.Key(key.name));
      property.Text("description", key.doc);
      WriteForm(*key.form, property);
    }
  }

  void WriteForm(const Form& form, ObjectWriter& object) {
    switch (form.kind) {
      case Form::Kind::kText:
        object.Text("type", "string");
        return object.Raw("minLength", "1");
      case Form::Kind::kChoice:
        return WriteChoices(form, object.Key("enum"));
      case Form::Kind::kWhole:
        object.Text("type", "integer");
        object.Raw("minimum", std::to_string(form.min));
        return object.Raw("maximum", std::to_string(form.max));
      case Form::Kind::kNumber:
        return object.Text("type", "number");
      case Form::Kind::kBoolean:
        return object.Text("type", "boolean");
      case Form::Kind::kTrue:
        return object.Raw("const", "true");
      case Form::Kind::kFalse:
        return object.Raw("const", "false");
      case Form::Kind::kAny:
        return;
      case Form::Kind::kList: {
        object.Text("type", "array");
        object.Raw("minItems", std::to_string(form.min));
        ObjectWriter items(object.Key("items"));
        return WriteForm(*form.element, items);
      }
      case Form::Kind::kNamed:
        return WriteNamed(form, object);
      case Form::Kind::kRecord:
        return object.Text("$ref", "#/$defs/" + Refer(*form.record));
      case Form::Kind::kEither:
        return WriteAlternatives(form, object.Key("anyOf"));
    }
  }

  void WriteChoices(const Form& form, std::string& out) {
    out += '[';
    for (size_t i = 0; i < form.choices.size(); ++i) {
      if (i > 0) out += ',';
      AppendJsonString(out, form.choices[i]);
    }
    out += ']';
  }

  void WriteNamed(const Form& form, ObjectWriter& object) {
    object.Text("type", "object");
    if (form.record) WriteProperties(*form.record, object.Key("properties"));
    if (form.names == Form::Names::kIdentifier) {
      ObjectWriter names(object.Key("propertyNames"));
      names.Text("pattern", "^[A-Za-z][A-Za-z0-9_]*$");
    } else if (form.names == Form::Names::kIndex) {
      ObjectWriter names(object.Key("propertyNames"));
      names.Text("pattern", "^[A-Za-z0-9_.-]{3,255}$");
    }
    ObjectWriter element(object.Key("additionalProperties"));
    WriteForm(*form.element, element);
  }

  void WriteAlternatives(const Form& form, std::string& out) {
    out += '[';
    for (size_t i = 0; i < form.alternatives.size(); ++i) {
      if (i > 0) out += ',';
      ObjectWriter alternative(out);
      WriteForm(*form.alternatives[i], alternative);
    }
    out += ']';
  }

  std::string Refer(const TableForm& table) {
    if (std::ranges::find(referred_, &table) == referred_.end()) referred_.push_back(&table);
    return DefinitionName(table);
  }

  std::vector<const TableForm*> referred_;
};

}  // namespace

std::string ModelJsonSchema() { return SchemaWriter().Write(); }

}  // namespace cairn::model
