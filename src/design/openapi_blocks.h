// Nested JSON in the shape of the code that writes it: an object or array is closed where its lambda ends.
//
//   Object(out, "info", [&] { out.Member("title", "x"); });
//
// Private to the OpenAPI writers.
#pragma once

#include <string_view>

#include "design/json_output.h"

namespace cairn::design {

template <class Content>
void Object(JsonOutput& out, Content content) {
  out.BeginObject();
  content();
  out.EndObject();
}
template <class Content>
void Object(JsonOutput& out, std::string_view key, Content content) {
  out.Key(key);
  Object(out, content);
}
template <class Content>
void Array(JsonOutput& out, std::string_view key, Content content) {
  out.Key(key);
  out.BeginArray();
  content();
  out.EndArray();
}

inline void Member(JsonOutput& out, std::string_view name, bool truth) {
  out.Key(name);
  out.Bool(truth);
}
inline void Member(JsonOutput& out, std::string_view name, int64_t number) {
  out.Key(name);
  out.Number(number);
}

// {"type":"string"} and the like, under a key.
inline void TypeOnly(JsonOutput& out, std::string_view key, std::string_view type) {
  Object(out, key, [&] { out.Member("type", type); });
}

// {"$ref":"#/components/<kind>/<name>"}
inline void Reference(JsonOutput& out, std::string_view kind, std::string_view name) {
  Object(out, [&] { out.Member("$ref", "#/components/" + std::string(kind) + "/" + std::string(name)); });
}
inline void Reference(JsonOutput& out, std::string_view key, std::string_view kind, std::string_view name) {
  out.Key(key);
  Reference(out, kind, name);
}

}  // namespace cairn::design
