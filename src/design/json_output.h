// JsonOutput: writes indented JSON for people and files, in the order in which it is told.
//
//   JsonOutput out;
//   out.BeginObject();
//   out.Member("name", "x");
//   out.Key("list"); out.BeginArray(); out.String("a"); out.EndArray();
//   out.EndObject();
//   return out.Take();
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::design {

class JsonOutput {
 public:
  void BeginObject() { Begin('{'); }
  void EndObject() { End('}'); }
  void BeginArray() { Begin('['); }
  void EndArray() { End(']'); }
  void Key(std::string_view name);
  void String(std::string_view text);
  void Number(int64_t number) { Raw(std::to_string(number)); }
  void Bool(bool truth) { Raw(truth ? "true" : "false"); }
  // JSON text as it is.
  void Raw(std::string_view json);

  void Member(std::string_view name, std::string_view text) { Key(name), String(text); }
  void Member(std::string_view name, const char* text) { Key(name), String(text); }
  void Strings(std::string_view name, const std::vector<std::string>& texts);

  // The text so far, ended by a newline.
  std::string Take();

 private:
  void Begin(char bracket);
  void End(char bracket);
  void Separate();  // before a value or key: comma, line and indentation as needed

  std::string text_;
  std::vector<bool> filled_;  // for every open bracket: has it content
  bool after_key_ = false;
};

}  // namespace cairn::design
