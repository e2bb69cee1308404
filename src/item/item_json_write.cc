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
  out += "{\"";
  out += TypeName(type);
  out += "\":";
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

void AppendPackedJson(std::string& out, PackedCursor& cursor);

void AppendPackedAttributes(std::string& out, PackedCursor& cursor, uint64_t count) {
  out += '{';
  Separator separator(out);
  for (uint64_t i = 0; i < count; ++i) {
    separator.Next();
    AppendJsonString(out, cursor.TakeText());
    out += ':';
    AppendPackedJson(out, cursor);
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

void AppendPackedJson(std::string& out, PackedCursor& cursor) {
  const Type type = cursor.TakeType();
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
      AppendPackedArray(out, cursor, [&] { AppendPackedJson(out, cursor); });
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
