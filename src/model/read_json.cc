#include <simdjson.h>

#include <algorithm>
#include <cmath>

#include "model/document.h"

namespace cairn::model {
namespace {

namespace ondemand = simdjson::ondemand;

// As deep as toml++ goes: a model is about six levels deep.
constexpr int kDepthMax = 256;

// Turns pointers into the text to lines and columns. Places come in the order of the text, so each is found
// by going on from the one before.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {}

  Location Of(const char* at) {
    const size_t target = std::min(static_cast<size_t>(at - text_.data()), text_.size());
    if (target < offset_) *this = Places(text_);
    for (; offset_ < target; ++offset_) {
      const char c = text_[offset_];
      if (c == '\n') {
        ++line_;
        column_ = 1;
      } else if ((c & 0xC0) != 0x80) {  // columns count characters
        ++column_;
      }
    }
    return {line_, column_};
  }

 private:
  std::string_view text_;
  size_t offset_ = 0;
  uint32_t line_ = 1, column_ = 1;
};

struct JsonProblem {
  Location where;
  std::string message;
};

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text), places_(text) {}

  Result<Node, JsonProblem> Read(ondemand::value value, int depth) {
    Node node;
    const std::string_view token = value.raw_json_token();
    node.where = places_.Of(token.data());
    if (depth > kDepthMax) return Problem(node.where, "nested too deeply");
    ondemand::json_type type;
    if (const auto error = value.type().get(type)) return Problem(node.where, error);
    switch (type) {
      case ondemand::json_type::object:
        return ReadObject(value, depth, std::move(node));
      case ondemand::json_type::array:
        return ReadArray(value, depth, std::move(node));
      case ondemand::json_type::string:
        return ReadString(value, token, std::move(node));
      case ondemand::json_type::number:
        return ReadNumber(value, std::move(node));
      case ondemand::json_type::boolean:
        node.kind = Node::Kind::kBoolean;
        if (const auto error = value.get_bool().get(node.truth)) return Problem(node.where, error);
        return node;
      case ondemand::json_type::null:
        break;
    }
    bool null = false;
    const auto error = value.is_null().get(null);
    if (error || !null) return Problem(node.where, error ? error : simdjson::INCORRECT_TYPE);
    return node;
  }

  Location Place(const char* at) { return places_.Of(at); }
  std::unexpected<JsonProblem> Problem(Location where, std::string message) const {
    return std::unexpected(JsonProblem{where, std::move(message)});
  }
  std::unexpected<JsonProblem> Problem(Location where, simdjson::error_code error) const {
    return Problem(where, std::string("not JSON: ") + simdjson::error_message(error));
  }

 private:
  Result<Node, JsonProblem> ReadObject(ondemand::value& value, int depth, Node node) {
    node.kind = Node::Kind::kTable;
    ondemand::object object;
    if (const auto error = value.get_object().get(object)) return Problem(node.where, error);
    std::vector<std::string_view> names;
    for (auto result : object) {
      ondemand::field field;
      if (const auto error = std::move(result).get(field)) return Problem(node.where, error);
      Member member;
      member.where = places_.Of(field.key().raw() - 1);  // raw() stands behind the quote
      std::string_view name;
      if (const auto error = field.unescaped_key().get(name)) return Problem(member.where, error);
      member.name = name;
      ASSIGN_OR_RETURN(member.value, Read(field.value(), depth + 1));
      node.members.push_back(std::move(member));
    }
    for (const Member& member : node.members) names.push_back(member.name);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice == names.end()) return node;
    const auto last = std::ranges::find(node.members.rbegin(), node.members.rend(), *twice, &Member::name);
    return Problem(last->where, "'" + last->name + "' is here twice");
  }

  Result<Node, JsonProblem> ReadArray(ondemand::value& value, int depth, Node node) {
    node.kind = Node::Kind::kArray;
    ondemand::array array;
    if (const auto error = value.get_array().get(array)) return Problem(node.where, error);
    for (auto result : array) {
      ondemand::value element;
      if (const auto error = std::move(result).get(element)) return Problem(node.where, error);
      ASSIGN_OR_RETURN(Node read, Read(element, depth + 1));
      node.elements.push_back(std::move(read));
    }
    return node;
  }

  Result<Node, JsonProblem> ReadString(ondemand::value& value, std::string_view token, Node node) const {
    node.kind = Node::Kind::kString;
    std::string_view text;
    if (const auto error = value.get_string().get(text)) return Problem(node.where, error);
    node.text = text;
    node.verbatim = token.substr(1, text.size()) == text;
    return node;
  }

  Result<Node, JsonProblem> ReadNumber(ondemand::value& value, Node node) const {
    ondemand::number number;
    if (const auto error = value.get_number().get(number)) return Problem(node.where, error);
    if (number.is_uint64()) return Problem(node.where, "this number is too large");
    node.kind = number.is_int64() ? Node::Kind::kInteger : Node::Kind::kFloat;
    if (number.is_int64()) {
      node.integer = number.get_int64();
    } else {
      node.real = number.get_double();
    }
    return node;
  }

  std::string_view text_;
  Places places_;
};

Result<Node, JsonProblem> ReadText(const simdjson::padded_string& text) {
  JsonReader reader{std::string_view(text)};
  ondemand::parser parser;
  ondemand::document document;
  if (const auto error = parser.iterate(text).get(document)) return reader.Problem({1, 1}, error);
  ondemand::value root;
  if (document.get_value().get(root) != simdjson::SUCCESS)
    return reader.Problem({1, 1}, "expected a JSON object");
  ASSIGN_OR_RETURN(Node node, reader.Read(root, 0));
  if (!node.is(Node::Kind::kTable)) return reader.Problem(node.where, "expected a JSON object");
  // A place to go on from means that something follows.
  const char* rest = nullptr;
  if (document.current_location().get(rest) == simdjson::SUCCESS)
    return reader.Problem(reader.Place(rest), "nothing may follow the JSON object");
  return node;
}

}  // namespace

Result<Node, Diagnostics> ReadJson(std::string_view text, const std::string& file) {
  auto node = ReadText(simdjson::padded_string(text));
  if (node) return *std::move(node);
  JsonProblem& problem = node.error();
  return std::unexpected(
      Diagnostics{{.message = std::move(problem.message), .file = file, .where = problem.where}});
}

}  // namespace cairn::model
