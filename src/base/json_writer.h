// JsonWriter: appends JSON text, members in the order of the calls, commas by itself. Used by whatever
// answers in JSON.
//
//   JsonWriter json;
//   json.BeginObject().Member("Count", page.count).Key("Items").BeginArray();
//   for (const auto& item : page.items) item::AppendItemJson(json.RawValue(), item);
//   json.EndArray().EndObject();
//   co_return json.Take();
//
// Nothing is checked: the caller closes what it opens.
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/json_text.h"

namespace cairn {

class JsonWriter {
 public:
  JsonWriter() = default;
  explicit JsonWriter(size_t expected_bytes) { out_.reserve(expected_bytes); }

  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }

  JsonWriter& Key(std::string_view name) {
    Separate();
    AppendJsonString(out_, name);
    out_ += ':';
    needs_comma_ = false;
    return *this;
  }

  // As Key, of a name that is known to need no escape: one written in the source.
  JsonWriter& PlainKey(std::string_view name) {
    const size_t before = out_.size(), comma = needs_comma_ ? 1 : 0;
    const size_t after = before + comma + name.size() + 3;
    out_.resize_and_overwrite(after, [&](char* bytes, size_t) {
      char* at = bytes + before;
      *at = ',';
      at += comma;
      *at++ = '"';
      at = std::ranges::copy(name, at).out;
      *at++ = '"';
      *at = ':';
      return after;
    });
    needs_comma_ = false;
    return *this;
  }

  JsonWriter& Value(std::string_view text) {
    AppendJsonString(RawValue(), text);
    return *this;
  }
  JsonWriter& Value(const std::string& text) { return Value(std::string_view(text)); }
  JsonWriter& Value(const char* text) { return Value(std::string_view(text)); }
  JsonWriter& Value(bool truth) {
    RawValue() += truth ? "true" : "false";
    return *this;
  }
  template <std::integral N>
  requires(!std::same_as<N, bool> && !std::same_as<N, char>) JsonWriter& Value(N number) {
    char text[24];
    const auto end = std::to_chars(text, text + sizeof text, number).ptr;
    RawValue().append(text, end);
    return *this;
  }
  // As AWS prints capacity units: 0.5, 1.0.
  JsonWriter& Value(double number) {
    char text[400];
    const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::fixed).ptr;
    const std::string_view digits(text, end - text);
    RawValue() += digits;
    if (digits.find('.') == digits.npos) out_ += ".0";
    return *this;
  }
  // Seconds since 1970 with milliseconds, e.g. 1363729002.358.
  JsonWriter& Value(Time time) { return Value(static_cast<double>(EpochMilliseconds(time)) / 1000.0); }
  JsonWriter& Null() {
    RawValue() += "null";
    return *this;
  }

  template <class T>
  JsonWriter& Member(std::string_view name, const T& value) {
    return Key(name).Value(value);
  }
  // Leaves the member out when there is no value.
  template <class T>
  JsonWriter& MemberIf(std::string_view name, const std::optional<T>& value) {
    return value ? Member(name, *value) : *this;
  }

  // The text itself, for a writer of its own (item::AppendItemJson) that appends exactly one value.
  std::string& RawValue() {
    Separate();
    needs_comma_ = true;
    return out_;
  }

  std::string Take() { return std::move(out_); }

 private:
  void Separate() {
    if (needs_comma_) out_ += ',';
  }
  JsonWriter& Open(char bracket) {
    Separate();
    out_ += bracket;
    needs_comma_ = false;
    return *this;
  }
  JsonWriter& Close(char bracket) {
    out_ += bracket;
    needs_comma_ = true;
    return *this;
  }

  std::string out_;
  bool needs_comma_ = false;
};

}  // namespace cairn
