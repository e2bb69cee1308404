// RequestReader: fills a described struct from a request, and notes every field that is wrong. Used by
// endpoints (endpoint.h); what a struct looks like is said in fields.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http/problem.h"
#include "http/query_parameters.h"
#include "http/router.h"
#include "item/attribute_value.h"
#include "rest/fields.h"

namespace cairn::rest {

inline constexpr size_t kFaultsMax = 100;  // of a body; a reply is not to be longer than its request

// Where the wrong values came from decides what the reply is called: 404, 400 or 422.
struct Faults {
  std::vector<http::FieldProblem> path, query, body;
  bool empty() const { return path.empty() && query.empty() && body.empty(); }
};

// The parts of a request as they are before their meaning is known.
struct RequestParts {
  const http::PathParameters& path;
  const http::QueryParameters& query;
  const item::Item& body;     // empty when the request has none
  std::string_view document;  // the body as text, where it is not JSON
};

// One value of a plain kind; null when it is fine.
std::optional<std::string> CheckText(const Rule& rule, const item::AttributeValue& given, std::string& out);
std::optional<std::string> CheckNumber(const Rule& rule, const item::AttributeValue& given, int64_t& out);
std::optional<std::string> CheckTruth(const item::AttributeValue& given, bool& out);
std::optional<std::string> CheckChoice(std::span<const std::string_view> texts,
                                       const item::AttributeValue& given, size_t& out);
std::optional<std::string> CheckLength(const Rule& rule, size_t elements);
// A text of an address as a value: "5" of a number is 5.
item::AttributeValue FromText(const Rule& rule, std::string_view text);

// Reads one JSON object; the request's body, or one inside it.
class ObjectReader {
 public:
  ObjectReader(const item::Item& object, std::string path, std::vector<http::FieldProblem>& faults)
      : object_(object), path_(std::move(path)), faults_(faults) {}

  void Name(std::string_view) {}
  template <class T>
  void Body(std::string_view name, T& member, const Rule& rule = {}) {
    known_.push_back(name);
    const item::AttributeValue* given = object_.Find(name);
    if constexpr (kIsChange<T>) {
      if (given != nullptr) Read(*given, member.emplace(), rule, At(name));
    } else {
      if (given == nullptr) return Missing(name, kIsOptional<T> || rule.optional);
      Read(*given, member, rule, At(name));
    }
  }

  // After the last field: what else the object has is an error each.
  void Finish();
  void AllowMember(std::string_view name) { known_.push_back(name); }

 private:
  std::string At(std::string_view name) const {
    return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
  }
  void Missing(std::string_view name, bool allowed) {
    if (!allowed) Note(At(name), "is required");
  }
  void Note(const std::string& place, std::optional<std::string> fault) {
    if (fault && faults_.size() < kFaultsMax) faults_.push_back({place, *std::move(fault)});
  }

  template <class T>
  void Read(const item::AttributeValue& given, T& out, const Rule& rule, const std::string& place) {
    if constexpr (std::same_as<T, std::string>) {
      Note(place, CheckText(rule, given, out));
    } else if constexpr (std::same_as<T, bool>) {
      Note(place, CheckTruth(given, out));
    } else if constexpr (std::same_as<T, int64_t>) {
      Note(place, CheckNumber(rule, given, out));
    } else if constexpr (ModelEnum<T>) {
      size_t position = 0;
      Note(place, CheckChoice(TextsOf(out), given, position));
      out = static_cast<T>(position);
    } else if constexpr (kIsOptional<T>) {
      if (given.is(item::Type::kNull)) {
        out.reset();
      } else {
        Read(given, out.emplace(), rule, place);
      }
    } else if constexpr (kIsVector<T>) {
      ReadList(given, out, rule, place);
    } else if constexpr (kIsVariant<T>) {
      ReadVariant(given, out, place);
    } else {
      ReadObject(given, out, place, {});
    }
  }

  template <class T>
  void ReadList(const item::AttributeValue& given, std::vector<T>& out, const Rule& rule,
                const std::string& place) {
    if (!given.is(item::Type::kList)) return Note(place, "must be a list");
    if (auto fault = CheckLength(rule, given.list().size())) return Note(place, fault);
    out.clear();
    for (const item::AttributeValue& element : given.list()) {
      const std::string at = place + "[" + std::to_string(out.size()) + "]";
      Read(element, out.emplace_back(), {.kind = rule.kind, .form = rule.form}, at);
    }
  }

  template <class T>
  void ReadObject(const item::AttributeValue& given, T& out, const std::string& place,
                  std::string_view also_known) {
    if (!given.is(item::Type::kMap)) return Note(place, "must be an object");
    ObjectReader inner(given.map(), place, faults_);
    if (!also_known.empty()) inner.AllowMember(also_known);
    Describe(inner, out);
    inner.Finish();
  }

  template <class... Alternatives>
  void ReadVariant(const item::AttributeValue& given, std::variant<Alternatives...>& out,
                   const std::string& place) {
    static constexpr std::string_view kOps[] = {Alternatives::kOp...};
    if (!given.is(item::Type::kMap)) return Note(place, "must be an object");
    const item::AttributeValue* op = given.map().Find("op");
    if (op == nullptr) return Note(place + ".op", "is required");
    size_t position = 0;
    if (auto fault = CheckChoice(kOps, *op, position)) return Note(place + ".op", fault);
    size_t alternative = 0;
    // Exactly one of them has the position.
    ((alternative++ == position ? ReadObject(given, out.template emplace<Alternatives>(), place, "op")
                                : void()),
     ...);
  }

  const item::Item& object_;
  std::string path_;
  std::vector<http::FieldProblem>& faults_;
  std::vector<std::string_view> known_;
};

// Reads a whole request.
class RequestReader {
 public:
  RequestReader(const RequestParts& parts, Faults& faults)
      : parts_(parts), faults_(faults), body_(parts.body, "", faults.body) {}

  void Name(std::string_view) {}
  template <class T>
  void Path(std::string_view name, T& member, const Rule& rule = {}) {
    FromAddress(name, parts_.path.Get(name), member, rule, faults_.path);
  }
  template <class T>
  void Query(std::string_view name, T& member, const Rule& rule = {}) {
    known_query_.push_back(name);
    const auto given = parts_.query.Find(name);
    if (given) return FromAddress(name, *given, member, rule, faults_.query);
    if (!kIsOptional<T> && !rule.optional) faults_.query.push_back({std::string(name), "is required"});
  }
  template <class T>
  void Body(std::string_view name, T& member, const Rule& rule = {}) {
    body_.Body(name, member, rule);
  }
  void Text(Document& document, std::string_view /*media_type*/) { document.text = parts_.document; }

  // After the last field.
  void Finish();

 private:
  template <class T>
  void FromAddress(std::string_view name, std::string_view text, T& member, const Rule& rule,
                   std::vector<http::FieldProblem>& faults) {
    if constexpr (kIsOptional<T>) {
      FromAddress(name, text, member.emplace(), rule, faults);
    } else {
      std::optional<std::string> fault;
      if constexpr (std::same_as<T, std::string>) {
        fault = CheckText(rule, item::AttributeValue(text), member);
      } else if constexpr (std::same_as<T, bool>) {
        member = text == "true" || text == "1";
        if (!member && text != "false" && text != "0") fault = "must be true or false";
      } else if constexpr (ModelEnum<T>) {
        size_t position = 0;
        fault = CheckChoice(TextsOf(member), item::AttributeValue(text), position);
        member = static_cast<T>(position);
      } else {
        static_assert(std::same_as<T, int64_t>, "an address has texts, numbers, truth values and choices");
        fault = CheckNumber(rule, FromText({.kind = model::Kind::kInt}, text), member);
      }
      if (fault) faults.push_back({std::string(name), *std::move(fault)});
    }
  }

  const RequestParts& parts_;
  Faults& faults_;
  ObjectReader body_;
  std::vector<std::string_view> known_query_;
};

// Whether the values fit is in `faults`: then the result must not be used.
template <class Request>
Request ReadRequest(const RequestParts& parts, Faults& faults) {
  Request request{};
  RequestReader reader(parts, faults);
  Describe(reader, request);
  reader.Finish();
  return request;
}

}  // namespace cairn::rest
