#include "item/key_bytes.h"

#include "base/check.h"

namespace cairn::item {
namespace {

void AppendEscaped(std::string& out, std::string_view bytes) {
  size_t copied = 0;
  for (size_t zero = bytes.find('\0'); zero != std::string_view::npos; zero = bytes.find('\0', copied)) {
    out.append(bytes, copied, zero - copied);
    out.append("\0\xff", 2);
    copied = zero + 1;
  }
  out.append(bytes, copied);
}

std::string_view TextOf(const AttributeValue& value) {
  CHECK(value.is(Type::kString) || value.is(Type::kBinary), "a key part that is no number is text or binary");
  return value.is(Type::kString) ? value.string() : value.binary();
}

// One past the end of an escaped text part; 0 when damaged.
size_t TextEnd(std::string_view bytes) {
  for (size_t zero = bytes.find('\0'); zero != std::string_view::npos; zero = bytes.find('\0', zero + 2)) {
    if (zero + 1 >= bytes.size()) return 0;
    if (bytes[zero + 1] == '\x01') return zero + 2;
    if (bytes[zero + 1] != '\xff') return 0;
  }
  return 0;
}

// One past the end of an ordered number (Number::AppendOrderedTo); 0 when damaged.
size_t NumberEnd(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const bool negative = (static_cast<uint8_t>(bytes[0]) & 0x80) == 0;
  const size_t closing = bytes.find(negative ? '\x66' : '\0', 1);
  return closing == std::string_view::npos ? 0 : closing + 1;
}

}  // namespace

void AppendKeyPart(std::string& out, const AttributeValue& value) {
  if (value.is(Type::kNumber)) {
    value.number().AppendOrderedTo(out);
    return;
  }
  AppendEscaped(out, TextOf(value));
  out.append("\0\x01", 2);
}

void AppendKeyPrefix(std::string& out, const AttributeValue& value) { AppendEscaped(out, TextOf(value)); }

std::string_view TakeKeyPart(std::string_view& bytes, Type type) {
  const size_t end = type == Type::kNumber ? NumberEnd(bytes) : TextEnd(bytes);
  const std::string_view part = bytes.substr(0, end);
  bytes.remove_prefix(end);
  return part;
}

void AppendPartition(std::string& out, const KeySchema& schema, const Item& item) {
  for (const KeyElement& element : schema.partition) AppendKeyPart(out, *item.Find(element.name));
}

void AppendSort(std::string& out, const KeySchema& schema, const Item& item) {
  for (const KeyElement& element : schema.sort) AppendKeyPart(out, *item.Find(element.name));
}

std::string PrefixEnd(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && end.back() == '\xff') end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(end.back() + 1);
  return end;
}

}  // namespace cairn::item
