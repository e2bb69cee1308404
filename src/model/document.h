// Document: a model file as a tree of values, before anything is known about models. TOML and JSON give the
// same tree, so everything behind it (format.h, load.h) knows neither syntax. Every key and every value has
// its place in the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/diagnostic.h"

namespace cairn::model {

struct Member;

struct Node {
  enum class Kind { kTable, kArray, kString, kInteger, kFloat, kBoolean, kNull };

  Kind kind = Kind::kNull;
  Location where;
  std::string text;      // of kString
  int64_t integer = 0;   // of kInteger
  double real = 0;       // of kFloat; finite
  bool truth = false;    // of kBoolean
  bool verbatim = true;  // kString: written on one line without escapes, so offsets in `text` are columns
  std::vector<Member> members;  // of kTable, in the order of the file, each name once
  std::vector<Node> elements;   // of kArray

  bool is(Kind k) const { return kind == k; }
  // The value of a table's member; null when there is none, or when this is no table.
  const Node* Find(std::string_view name) const;
  // Where the byte at `offset` of `text` stands in the file; the beginning of the value if that cannot be
  // told.
  Location At(size_t offset) const;
  // "a string", "an integer", ...
  std::string_view KindName() const;
};

struct Member {
  std::string name;
  Location where;
  Node value;
};

// Both read the whole text into one table. Fail with what is wrong and where; `file` is for the messages.
Result<Node, Diagnostics> ReadToml(std::string_view text, const std::string& file);
Result<Node, Diagnostics> ReadJson(std::string_view text, const std::string& file);

// The document as JSON with sorted keys and no spaces. Equal for a TOML file and its JSON twin.
std::string CanonicalJson(const Node& document);
// SHA-256 of a text, in hexadecimal digits.
std::string Sha256Hex(std::string_view text);
// A number of the document in decimal: "5", "0.25".
std::string NumberText(const Node& number);

}  // namespace cairn::model
