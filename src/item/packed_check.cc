// Checks packed bytes that come from disk, so that PackedCursor may read them without looking.
#include <optional>

#include "item/item_size.h"
#include "item/packed_bytes.h"

namespace cairn::item {
namespace {

// What a well-formed container may hold at the very least per element, so that a count alone cannot ask for
// more memory than the bytes justify.
constexpr size_t kValueBytesMin = 1;
constexpr size_t kAttributeBytesMin = 2;

class Checker {
 public:
  explicit Checker(std::string_view bytes) : rest_(bytes) {}

  size_t rest_size() const { return rest_.size(); }

  bool Item() {
    if (rest_.empty() || rest_[0] != kPackedVersion) return false;
    rest_.remove_prefix(1);
    return Varint() && Attributes(1) && rest_.empty();
  }

  // `depth`: how many containers enclose the value, the item counted.
  bool Value(int depth) {
    if (rest_.empty() || depth > kNestingMax) return false;
    const auto type = static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    switch (static_cast<Type>(type)) {
      case Type::kString:
      case Type::kBinary:
        return Text().has_value();
      case Type::kNumber:
        return CanonicalNumber().has_value();
      case Type::kBoolean:
        return Boolean();
      case Type::kNull:
        return true;
      case Type::kMap:
        return Contained([&](Checker& inner) { return inner.Attributes(depth + 1); });
      case Type::kList:
        return Contained([&](Checker& inner) { return inner.Elements(depth + 1); });
      case Type::kStringSet:
      case Type::kBinarySet:
        return Texts();
      case Type::kNumberSet:
        return Numbers();
    }
    return false;
  }

 private:
  std::optional<uint64_t> Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 63 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(rest_[0]);
      rest_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }

  // The number of elements to come, each of at least `bytes_min` bytes.
  std::optional<uint64_t> Count(size_t bytes_min) {
    const auto count = Varint();
    return count && *count <= rest_.size() / bytes_min ? count : std::nullopt;
  }

  std::optional<std::string_view> Text() {
    const auto size = Varint();
    if (!size || *size > rest_.size()) return std::nullopt;
    const std::string_view text = rest_.substr(0, *size);
    rest_.remove_prefix(*size);
    return text;
  }

  std::optional<Number> CanonicalNumber() {
    const auto text = Text();
    if (!text) return std::nullopt;
    const Result<Number> number = Number::Parse(*text);
    if (!number || number->ToString() != *text) return std::nullopt;
    return *number;
  }

  bool Boolean() {
    if (rest_.empty() || static_cast<uint8_t>(rest_[0]) > 1) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool Attributes(int depth) {
    const auto count = Count(kAttributeBytesMin);
    if (!count) return false;
    std::optional<std::string_view> previous;
    for (uint64_t i = 0; i < *count; ++i) {
      const auto name = Text();
      if (!name || (previous && *previous >= *name) || !Value(depth)) return false;
      previous = name;
    }
    return true;
  }

  bool Elements(int depth) {
    const auto count = Count(kValueBytesMin);
    if (!count) return false;
    for (uint64_t i = 0; i < *count; ++i) {
      if (!Value(depth)) return false;
    }
    return true;
  }

  bool Texts() {
    const auto count = Count(kValueBytesMin);
    if (!count) return false;
    std::optional<std::string_view> previous;
    for (uint64_t i = 0; i < *count; ++i) {
      const auto text = Text();
      if (!text || (previous && *previous >= *text)) return false;
      previous = text;
    }
    return true;
  }

  bool Numbers() {
    const auto count = Count(kValueBytesMin);
    if (!count) return false;
    std::optional<Number> previous;
    for (uint64_t i = 0; i < *count; ++i) {
      const auto number = CanonicalNumber();
      if (!number || (previous && *previous >= *number)) return false;
      previous = number;
    }
    return true;
  }

  // A container: its length, then exactly that many bytes of content.
  template <class Content>
  bool Contained(Content content) {
    const auto length = Varint();
    if (!length || *length > rest_.size()) return false;
    Checker inner(rest_.substr(0, *length));
    rest_.remove_prefix(*length);
    return content(inner) && inner.rest_.empty();
  }

  std::string_view rest_;
};

}  // namespace

bool IsPackedItem(std::string_view bytes) { return Checker(bytes).Item(); }

size_t PackedValueLength(std::string_view bytes) {
  Checker checker(bytes);
  return checker.Value(1) ? bytes.size() - checker.rest_size() : 0;
}

}  // namespace cairn::item
