#include <array>
#include <cstring>

#include "base/json_escape.h"
#include "base/json_text.h"
#include "item/item_json.h"
#include "item/packed_bytes.h"

namespace cairn::item {
namespace {

// Writes the elements of a JSON array or object with commas between them.
class Separator {
 public:
  explicit Separator(std::string& out) : out_(out) {}
  void Next() {
    if (!first_) out_ += ',';
    first_ = false;
  }

 private:
  std::string& out_;
  bool first_ = true;
};

void AppendBase64String(std::string& out, std::string_view bytes) {
  out += '"';
  AppendBase64(out, bytes);
  out += '"';
}

void AppendQuoted(std::string& out, std::string_view plain) {  // needs no escapes
  out += '"';
  out += plain;
  out += '"';
}

void AppendType(std::string& out, Type type) {
  // In the order of the enumeration.
  static constexpr std::array<std::string_view, 10> kOpenings = {
      R"({"S":)", R"({"N":)", R"({"B":)",  R"({"BOOL":)", R"({"NULL":)",
      R"({"M":)", R"({"L":)", R"({"SS":)", R"({"NS":)",   R"({"BS":)"};
  out += kOpenings[static_cast<size_t>(type)];
}

char* Copy(char* to, std::string_view text) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

// "name":{"S":"text"} or the same with N, of texts that need no escapes: what most attributes are, in one
// piece.
void AppendPlainAttribute(std::string& out, std::string_view name, Type type, std::string_view text) {
  constexpr std::string_view kBetween = R"(":{"S":")", kEnd = R"("})";
  const size_t before = out.size();
  const size_t after = before + 1 + name.size() + kBetween.size() + text.size() + kEnd.size();
  // Libraries differ in what size they call with.
  out.resize_and_overwrite(after, [&](char* bytes, size_t) {
    char* at = bytes + before;
    *at++ = '"';
    at = Copy(at, name);
    at = Copy(at, kBetween);
    if (type == Type::kNumber) at[-4] = 'N';
    at = Copy(at, text);
    Copy(at, kEnd);
    return after;
  });
}

template <class Values, class Append>
void AppendArray(std::string& out, const Values& values, Append append) {
  out += '[';
  Separator separator(out);
  for (const auto& value : values) {
    separator.Next();
    append(out, value);
  }
  out += ']';
}

void AppendNumber(std::string& out, const Number& number) {
  out += '"';
  number.AppendTo(out);
  out += '"';
}

void AppendPackedJson(std::string& out, PackedCursor& cursor, Type type);

void AppendPackedAttributes(std::string& out, PackedCursor& cursor, uint64_t count) {
  out += '{';
  Separator separator(out);
  for (uint64_t i = 0; i < count; ++i) {
    separator.Next();
    const std::string_view name = cursor.TakeText();
    const Type type = cursor.TakeType();
    if (type == Type::kString || type == Type::kNumber) {
      const std::string_view text = cursor.TakeText();
      if (!NeedsJsonEscape(name) && (type == Type::kNumber || !NeedsJsonEscape(text))) {
        AppendPlainAttribute(out, name, type, text);
        continue;
      }
      AppendJsonString(out, name);
      out += ':';
      AppendType(out, type);
      AppendJsonString(out, text);
      out += '}';
      continue;
    }
    AppendJsonString(out, name);
    out += ':';
    AppendPackedJson(out, cursor, type);
  }
  out += '}';
}

template <class Append>
void AppendPackedArray(std::string& out, PackedCursor& cursor, Append append) {
  out += '[';
  Separator separator(out);
  for (uint64_t count = cursor.TakeVarint(); count > 0; --count) {
    separator.Next();
    append();
  }
  out += ']';
}

void AppendPackedJson(std::string& out, PackedCursor& cursor, Type type) {
  AppendType(out, type);
  switch (type) {
    case Type::kString:
      AppendJsonString(out, cursor.TakeText());
      break;
    case Type::kNumber:
      AppendQuoted(out, cursor.TakeText());
      break;
    case Type::kBinary:
      AppendBase64String(out, cursor.TakeText());
      break;
    case Type::kBoolean:
      out += cursor.TakeByte() != 0 ? "true" : "false";
      break;
    case Type::kNull:
      out += "true";
      break;
    case Type::kMap:
      cursor.TakeVarint();
      AppendPackedAttributes(out, cursor, cursor.TakeVarint());
      break;
    case Type::kList:
      cursor.TakeVarint();
      AppendPackedArray(out, cursor, [&] { AppendPackedJson(out, cursor, cursor.TakeType()); });
      break;
    case Type::kStringSet:
      AppendPackedArray(out, cursor, [&] { AppendJsonString(out, cursor.TakeText()); });
      break;
    case Type::kNumberSet:
      AppendPackedArray(out, cursor, [&] { AppendQuoted(out, cursor.TakeText()); });
      break;
    case Type::kBinarySet:
      AppendPackedArray(out, cursor, [&] { AppendBase64String(out, cursor.TakeText()); });
      break;
  }
  out += '}';
}

}  // namespace

void AppendValueJson(std::string& out, const AttributeValue& value) {
  AppendType(out, value.type());
  switch (value.type()) {
    case Type::kString:
      AppendJsonString(out, value.string());
      break;
    case Type::kNumber:
      AppendNumber(out, value.number());
      break;
    case Type::kBinary:
      AppendBase64String(out, value.binary());
      break;
    case Type::kBoolean:
      out += value.boolean() ? "true" : "false";
      break;
    case Type::kNull:
      out += "true";
      break;
    case Type::kMap:
      AppendItemJson(out, value.map());
      break;
    case Type::kList:
      AppendArray(out, value.list(), AppendValueJson);
      break;
    case Type::kStringSet:
      AppendArray(out, value.string_set(), AppendJsonString);
      break;
    case Type::kNumberSet:
      AppendArray(out, value.number_set(), AppendNumber);
      break;
    case Type::kBinarySet:
      AppendArray(out, value.binary_set(), AppendBase64String);
      break;
  }
  out += '}';
}

void AppendItemJson(std::string& out, const Item& item) {
  out += '{';
  Separator separator(out);
  for (const Attribute& attribute : item) {
    separator.Next();
    AppendJsonString(out, attribute.name);
    out += ':';
    AppendValueJson(out, attribute.value);
  }
  out += '}';
}

void AppendItemJson(std::string& out, const PackedItem& item) {
  PackedAttributes packed(item.bytes());
  out.reserve(out.size() + item.bytes().size() + 16 + 12 * packed.count);
  AppendPackedAttributes(out, packed.cursor, packed.count);
}

}  // namespace cairn::item
