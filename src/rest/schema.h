// Schemas: a described struct (fields.h) as JSON Schema, as OpenAPI 3.1 wants it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rest/fields.h"

namespace cairn::rest {

// By name; what $ref "#/components/schemas/..." points at. JSON texts.
using SchemaLibrary = std::map<std::string, std::string, std::less<>>;

struct Parameter {
  std::string name;
  std::string in;  // "path" or "query"
  bool required = true;
  std::string schema;  // JSON
  std::string doc;
};

// {"type":"string","format":"date",...}
std::string TextSchema(const Rule& rule);
std::string NumberSchema(const Rule& rule);
std::string BooleanSchema(const Rule& rule);
std::string ChoiceSchema(std::span<const std::string_view> texts, const Rule& rule);
std::string ListSchema(const Rule& rule, const std::string& element);
// The schema, or null.
std::string NullableSchema(const std::string& schema);
std::string Reference(std::string_view name);

struct MemberSchema {
  std::string name, schema;
  bool required = false;
};
// With no further members allowed.
std::string ObjectSchema(const std::vector<MemberSchema>& members);

class SchemaWriter {
 public:
  explicit SchemaWriter(SchemaLibrary& library) : library_(library) {}

  void Name(std::string_view name) { name_ = name; }
  template <class T>
  void Path(std::string_view name, T&, const Rule& rule = {}) {
    parameters_.push_back({std::string(name), "path", true, Schema<T>(rule), std::string(rule.doc)});
  }
  template <class T>
  void Query(std::string_view name, T&, const Rule& rule = {}) {
    parameters_.push_back({std::string(name), "query", !kIsOptional<T> && !rule.optional, Schema<T>(rule),
                           std::string(rule.doc)});
  }
  template <class T>
  void Body(std::string_view name, T&, const Rule& rule = {}) {
    const bool required = !kIsOptional<T> && !rule.optional;
    members_.push_back({std::string(name), Schema<T>(rule), required});
  }
  void Text(Document&, std::string_view media_type) { media_type_ = media_type; }
  // The first member of an alternative.
  void Op(std::string_view op) { members_.push_back({"op", ChoiceSchema(std::span(&op, 1), {}), true}); }

  // What was described: in the library under its name, or as it is.
  std::string Finish();

  const std::vector<Parameter>& parameters() const { return parameters_; }
  const std::vector<MemberSchema>& members() const { return members_; }
  const std::string& media_type() const { return media_type_; }  // "" for JSON

 private:
  template <class T>
  std::string Schema(const Rule& rule) {
    if constexpr (std::same_as<T, std::string>) {
      return TextSchema(rule);
    } else if constexpr (std::same_as<T, bool>) {
      return BooleanSchema(rule);
    } else if constexpr (std::same_as<T, int64_t>) {
      return NumberSchema(rule);
    } else if constexpr (std::same_as<T, Json>) {
      return "{}";
    } else if constexpr (ModelEnum<T>) {
      return ChoiceSchema(TextsOf(T{}), rule);
    } else if constexpr (kIsChange<T>) {
      return NullableSchema(Schema<typename T::value_type>(rule));
    } else if constexpr (kIsOptional<T>) {
      return Schema<typename T::value_type>(rule);
    } else if constexpr (kIsVector<T>) {
      return ListSchema(rule, Schema<typename T::value_type>({.kind = rule.kind, .form = rule.form}));
    } else if constexpr (kIsVariant<T>) {
      return VariantSchema(static_cast<T*>(nullptr));
    } else {
      return StructSchema<T>("");
    }
  }
  template <class T>
  std::string StructSchema(std::string_view op) {
    T example{};
    SchemaWriter inner(library_);
    if (!op.empty()) inner.Op(op);
    Describe(inner, example);
    return inner.Finish();
  }
  template <class... Alternatives>
  std::string VariantSchema(std::variant<Alternatives...>*) {
    std::string schema = R"({"oneOf":[)";
    ((schema += StructSchema<Alternatives>(Alternatives::kOp) + ","), ...);
    schema.back() = ']';
    return schema + "}";
  }

  SchemaLibrary& library_;
  std::string name_;
  std::vector<Parameter> parameters_;
  std::vector<MemberSchema> members_;
  std::string media_type_;
};

}  // namespace cairn::rest
