// toml++ 3.3 asserts that its input is well formed in places where its own code goes on to report the error
// (a table header that begins with a stray character, for one); an assertion would end the process. This is
// the only file of the program that may include toml++: a second one with other settings gives its functions
// twice, and the linker picks.
#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include "model/document.h"

namespace cairn::model {
namespace {

Location ToLocation(const toml::source_position& position) { return {position.line, position.column}; }

// toml++ keeps keys sorted by name; a model is read, and reported on, in the order of its file.
void SortByPlace(std::vector<Member>& members) { std::ranges::stable_sort(members, {}, &Member::where); }

class TomlReader {
 public:
  explicit TomlReader(const std::string& file) : file_(file) {}

  Node Read(const toml::node& source) {
    Node node;
    node.where = ToLocation(source.source().begin);
    switch (source.type()) {
      case toml::node_type::table:
        ReadTable(*source.as_table(), node);
        break;
      case toml::node_type::array:
        node.kind = Node::Kind::kArray;
        for (const toml::node& element : *source.as_array()) node.elements.push_back(Read(element));
        break;
      case toml::node_type::string:
        ReadString(*source.as_string(), node);
        break;
      case toml::node_type::integer:
        node.kind = Node::Kind::kInteger;
        node.integer = source.as_integer()->get();
        break;
      case toml::node_type::floating_point:
        ReadFloat(*source.as_floating_point(), node);
        break;
      case toml::node_type::boolean:
        node.kind = Node::Kind::kBoolean;
        node.truth = source.as_boolean()->get();
        break;
      default:
        Refuse(node.where, "dates and times are written in quotes, e.g. \"2026-11-15\"");
        break;
    }
    return node;
  }

  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  void Refuse(Location where, std::string message) {
    diagnostics_.push_back({.message = std::move(message), .file = file_, .where = where});
  }

  void ReadTable(const toml::table& table, Node& node) {
    node.kind = Node::Kind::kTable;
    node.members.reserve(table.size());
    for (const auto& [key, value] : table)
      node.members.push_back({std::string(key.str()), ToLocation(key.source().begin), Read(value)});
    SortByPlace(node.members);
  }

  void ReadString(const toml::value<std::string>& value, Node& node) {
    node.kind = Node::Kind::kString;
    node.text = value.get();
    // Two quotes more than characters: nothing in it was escaped.
    const toml::source_region& source = value.source();
    node.verbatim =
        source.begin.line == source.end.line && node.At(node.text.size()).column + 1 == source.end.column;
  }

  void ReadFloat(const toml::value<double>& value, Node& node) {
    node.kind = Node::Kind::kFloat;
    node.real = value.get();
    if (!std::isfinite(node.real)) {
      node.real = 0;
      Refuse(node.where, "expected a finite number");
    }
  }

  const std::string& file_;
  Diagnostics diagnostics_;
};

Diagnostics SyntaxError(const toml::parse_error& error, const std::string& file) {
  return {
      {.message = std::string(error.description()), .file = file, .where = ToLocation(error.source().begin)}};
}

}  // namespace

Result<Node, Diagnostics> ReadToml(std::string_view text, const std::string& file) {
  const toml::parse_result document = toml::parse(text, std::string_view(file));
  if (!document) return std::unexpected(SyntaxError(document.error(), file));
  TomlReader reader(file);
  Node root = reader.Read(document.table());
  if (!reader.diagnostics().empty()) return std::unexpected(reader.diagnostics());
  return root;
}

}  // namespace cairn::model
