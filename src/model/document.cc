#include "model/document.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/check.h"
#include "base/json_text.h"

namespace cairn::model {
namespace {

void AppendCanonical(std::string& out, const Node& node);

void AppendTable(std::string& out, const Node& table) {
  std::vector<const Member*> sorted;
  sorted.reserve(table.members.size());
  for (const Member& member : table.members) sorted.push_back(&member);
  std::ranges::sort(sorted, {}, &Member::name);
  out += '{';
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0) out += ',';
    AppendJsonString(out, sorted[i]->name);
    out += ':';
    AppendCanonical(out, sorted[i]->value);
  }
  out += '}';
}

void AppendArray(std::string& out, const Node& array) {
  out += '[';
  for (size_t i = 0; i < array.elements.size(); ++i) {
    if (i > 0) out += ',';
    AppendCanonical(out, array.elements[i]);
  }
  out += ']';
}

void AppendCanonical(std::string& out, const Node& node) {
  switch (node.kind) {
    case Node::Kind::kTable:
      return AppendTable(out, node);
    case Node::Kind::kArray:
      return AppendArray(out, node);
    case Node::Kind::kString:
      return AppendJsonString(out, node.text);
    case Node::Kind::kInteger:
    case Node::Kind::kFloat:
      out += NumberText(node);
      return;
    case Node::Kind::kBoolean:
      out += node.truth ? "true" : "false";
      return;
    case Node::Kind::kNull:
      out += "null";
      return;
  }
}

}  // namespace

const Node* Node::Find(std::string_view name) const {
  const auto found = std::ranges::find(members, name, &Member::name);
  return found == members.end() ? nullptr : &found->value;
}

Location Node::At(size_t offset) const {
  if (!verbatim || !is(Kind::kString)) return where;
  const std::string_view before = std::string_view(text).substr(0, offset);
  // Columns count characters: the continuation bytes of UTF-8 do not count. One more for the opening quote.
  const auto characters = std::ranges::count_if(before, [](char c) { return (c & 0xC0) != 0x80; });
  return {where.line, where.column + 1 + static_cast<uint32_t>(characters)};
}

std::string_view Node::KindName() const {
  switch (kind) {
    case Kind::kTable:
      return "a table";
    case Kind::kArray:
      return "a list";
    case Kind::kString:
      return "a string";
    case Kind::kInteger:
      return "an integer";
    case Kind::kFloat:
      return "a fraction";
    case Kind::kBoolean:
      return "a boolean";
    case Kind::kNull:
      break;
  }
  return "null";
}

std::string NumberText(const Node& number) {
  if (number.is(Node::Kind::kInteger)) return std::to_string(number.integer);
  std::array<char, 32> buffer;
  // The shortest text that gives the same value: 10.0 becomes 10, which is what its JSON twin then says.
  const auto end = std::to_chars(buffer.begin(), buffer.end(), number.real == 0 ? 0.0 : number.real);
  return std::string(buffer.begin(), end.ptr);
}

std::string CanonicalJson(const Node& document) {
  std::string out;
  AppendCanonical(out, document);
  return out;
}

std::string Sha256Hex(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  CHECK(EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1,
        "SHA-256 works");
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(size * 2);
  for (unsigned int i = 0; i < size; ++i) {
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

}  // namespace cairn::model
