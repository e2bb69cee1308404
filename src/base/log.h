// Log: one line of JSON per event on standard error. Values are escaped, so a line stays a line.
//
//   log::Info("table created", {{"table", name}, {"items", count}});
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::log {

enum class Level { kDebug, kInfo, kWarning, kError, kOff };

struct Field {
  Field(std::string_view field_name, std::string_view text);
  Field(std::string_view field_name, const char* text) : Field(field_name, std::string_view(text)) {}
  Field(std::string_view field_name, const std::string& text) : Field(field_name, std::string_view(text)) {}
  template <class N>
  requires std::is_arithmetic_v<N> Field(std::string_view field_name, N number)
      : name(field_name), json(std::to_string(number)) {}

  std::string_view name;
  std::string json;
};

void SetLevel(Level level);
std::optional<Level> ParseLevel(std::string_view name);

void Debug(std::string_view event, std::initializer_list<Field> fields = {});
void Info(std::string_view event, std::initializer_list<Field> fields = {});
void Warning(std::string_view event, std::initializer_list<Field> fields = {});
void Failure(std::string_view event, std::initializer_list<Field> fields = {});

}  // namespace cairn::log
