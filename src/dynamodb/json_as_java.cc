#include "dynamodb/json_as_java.h"

#include <simdjson.h>

namespace cairn::dynamodb {
namespace {

namespace dom = simdjson::dom;

constexpr size_t kTextBytesMax = 16 * 1024;
constexpr int kDepthMax = 40;

class Printer {
 public:
  // `type` names the object, or the objects in the list; what is inside of them prints like plain maps.
  void Append(const dom::element& json, std::string_view type, int depth) {
    if (depth > kDepthMax) {
      out_ += "...";
      return;
    }
    switch (json.type()) {
      case dom::element_type::ARRAY:
        return AppendList(json.get_array().value_unsafe(), type, depth);
      case dom::element_type::OBJECT:
        return AppendObject(json.get_object().value_unsafe(), type, depth);
      case dom::element_type::STRING:
        return AppendText(json.get_string().value_unsafe());
      default:
        out_ += simdjson::minify(json);
    }
  }
  std::string Take() { return std::move(out_); }

 private:
  void AppendText(std::string_view text) { out_ += text.substr(0, kTextBytesMax); }

  // Separates elements; false when the text is long enough.
  bool Next(bool first) {
    if (!first) out_ += ", ";
    if (out_.size() < kTextBytesMax) return true;
    out_ += "...";
    return false;
  }

  void AppendList(const dom::array& list, std::string_view type, int depth) {
    out_ += '[';
    bool first = true;
    for (const dom::element element : list) {
      if (!Next(std::exchange(first, false))) break;
      Append(element, type, depth + 1);
    }
    out_ += ']';
  }

  void AppendObject(const dom::object& object, std::string_view type, int depth) {
    out_ += type;
    out_ += type.empty() ? '{' : '(';
    bool first = true;
    for (const dom::key_value_pair field : object) {
      if (!Next(std::exchange(first, false))) break;
      AppendText(type.empty() ? std::string(field.key) : LowerFirst(field.key));
      out_ += '=';
      Append(field.value, {}, depth + 1);
    }
    out_ += type.empty() ? '}' : ')';
  }

  std::string out_;
};

}  // namespace

std::string JsonAsJava(const dom::element& json, std::string_view type) {
  Printer printer;
  printer.Append(json, type, 0);
  return printer.Take();
}

std::string LowerFirst(std::string_view name) {
  std::string lower(name);
  if (!lower.empty() && lower[0] >= 'A' && lower[0] <= 'Z')
    lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
  return lower;
}

}  // namespace cairn::dynamodb
