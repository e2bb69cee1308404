// WriteAnswer: the JSON of a described struct (fields.h).
#pragma once

#include <string>

#include "base/json_writer.h"
#include "rest/fields.h"

namespace cairn::rest {

class ObjectWriter {
 public:
  explicit ObjectWriter(JsonWriter& json) : json_(json) {}

  void Name(std::string_view) {}
  template <class T>
  void Body(std::string_view name, const T& member, const Rule& = {}) {
    if constexpr (kIsOptional<T>) {
      if (member) Body(name, *member);
    } else {
      json_.PlainKey(name);
      Write(member);
    }
  }

 private:
  template <class T>
  void Write(const T& value) {
    if constexpr (std::same_as<T, std::string> || std::same_as<T, bool> || std::same_as<T, int64_t>) {
      json_.Value(value);
    } else if constexpr (std::same_as<T, Json>) {
      json_.RawValue() += value.text;
    } else if constexpr (ModelEnum<T>) {
      json_.Value(TextsOf(value)[static_cast<size_t>(value)]);
    } else if constexpr (kIsVector<T>) {
      json_.BeginArray();
      for (const auto& element : value) Write(element);
      json_.EndArray();
    } else {
      json_.BeginObject();
      // Describe is written for readers too, so it takes a struct that may change; a writer changes nothing.
      Describe(*this, const_cast<T&>(value));
      json_.EndObject();
    }
  }

  JsonWriter& json_;
};

template <class Answer>
std::string WriteAnswer(const Answer& answer) {
  JsonWriter json(512);
  json.BeginObject();
  ObjectWriter writer(json);
  Describe(writer, const_cast<Answer&>(answer));
  json.EndObject();
  return json.Take();
}

}  // namespace cairn::rest
