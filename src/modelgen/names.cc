#include "modelgen/names.h"

#include <algorithm>
#include <array>

namespace cairn::modelgen {
namespace {

constexpr std::array<std::string_view, 92> kKeywords = {
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
    "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
    "xor_eq"};

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char ToLower(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
char ToUpper(char c) { return IsLower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

// Whether a word begins at `i`, which is an upper-case letter: dueDate, s3Path, and the P of URLPath.
bool BeginsWord(std::string_view name, size_t i) {
  if (i == 0) return true;
  if (!IsUpper(name[i - 1])) return true;
  return i + 1 < name.size() && IsLower(name[i + 1]);
}

// Words with their first letters in upper case. Digits that would run into one another stay apart: 1.5 is
// not 15.
std::string Joined(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) {
    if (!joined.empty() && IsDigit(joined.back()) && IsDigit(word.front())) joined += '_';
    joined += ToUpper(word.front());
    joined.append(word, 1);
  }
  return joined;
}

bool IsPascalCase(std::string_view name) {
  const bool plain = std::ranges::all_of(name, [](char c) { return IsUpper(c) || IsLower(c) || IsDigit(c); });
  return plain && !name.empty() && IsUpper(name.front()) && std::ranges::any_of(name, IsLower);
}

}  // namespace

std::vector<std::string> Words(std::string_view name) {
  std::vector<std::string> words;
  bool inside = false;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!IsUpper(c) && !IsLower(c) && !IsDigit(c)) {
      inside = false;
      continue;
    }
    if (!inside || (IsUpper(c) && BeginsWord(name, i))) words.emplace_back();
    inside = true;
    words.back() += ToLower(c);
  }
  return words;
}

std::string SnakeCase(std::string_view name) {
  std::string joined;
  for (const std::string& word : Words(name)) {
    if (!joined.empty()) joined += '_';
    joined += word;
  }
  if (joined.empty() || IsDigit(joined.front())) joined.insert(joined.begin(), '_');
  if (std::ranges::find(kKeywords, joined) != kKeywords.end()) joined += '_';
  return joined;
}

std::string PascalCase(std::string_view name) {
  if (IsPascalCase(name)) return std::string(name);
  std::string joined = Joined(Words(name));
  if (joined.empty() || IsDigit(joined.front())) joined.insert(joined.begin(), 'X');
  return joined;
}

std::string EnumeratorName(std::string_view value, size_t position) {
  const std::vector<std::string> words = Words(value);
  if (words.empty()) return "kValue" + std::to_string(position + 1);
  const std::string name = "k" + Joined(words);
  const bool taken =
      name == "kModelName" || name == "kModelHash" || name == "kModelText" || name == "kModelIdentity";
  return taken ? name + "_" : name;
}

std::string NamespaceName(std::string_view model_name) { return SnakeCase(model_name); }

}  // namespace cairn::modelgen
