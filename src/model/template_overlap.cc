// Whether two templates can make the same key: Template::Overlaps of model/template.h.
//
// Both are turned into small automata over bytes, and a common key is searched in their product. What an
// automaton accepts may be a little more than what the template builds (any 26 digits of a ULID, days up to
// 39), never less.
#include <algorithm>
#include <bitset>

#include "base/ulid.h"
#include "model/definition.h"
#include "model/key_part.h"
#include "model/template.h"
#include "model/value_form.h"

namespace cairn::model {
namespace {

using Bytes = std::bitset<256>;

struct Edge {
  Bytes bytes;
  size_t to = 0;
};

class Automaton {
 public:
  explicit Automaton(const Template& key) {
    size_t end = AddState();
    for (const TemplatePart& part : key.parts()) {
      end = part.is_literal() ? AddText(end, part.literal) : AddValue(end, part);
    }
    accepting_ = end;
  }

  size_t size() const { return states_.size(); }
  size_t accepting() const { return accepting_; }
  const std::vector<Edge>& edges(size_t state) const { return states_[state]; }

 private:
  size_t AddState() {
    states_.emplace_back();
    return states_.size() - 1;
  }
  size_t AddByte(size_t from, const Bytes& bytes) {
    const size_t to = AddState();
    states_[from].push_back({bytes, to});
    return to;
  }
  size_t AddText(size_t from, std::string_view text) {
    for (const char c : text) from = AddByte(from, Bytes().set(static_cast<uint8_t>(c)));
    return from;
  }
  size_t AddRepeated(size_t from, const Bytes& bytes) {  // once or more
    const size_t to = AddByte(from, bytes);
    states_[to].push_back({bytes, to});
    return to;
  }
  // A text like "dddd-dd-dd": 'd' is a digit, 'x' a hexadecimal one, anything else itself.
  size_t AddShape(size_t from, std::string_view shape);
  size_t AddValue(size_t from, const TemplatePart& part);
  size_t AddPlain(size_t from, const TemplatePart& part);
  size_t AddEnum(size_t from, const TemplatePart& part, const Enum& enumeration);

  std::vector<std::vector<Edge>> states_;
  size_t accepting_ = 0;
};

Bytes Range(uint8_t first, uint8_t last) {
  Bytes bytes;
  for (size_t byte = first; byte <= last; ++byte) bytes.set(byte);
  return bytes;
}

Bytes Digits() { return Range('0', '9'); }

// What may stand between two '#' at all.
Bytes AnyText() { return Range(0x20, 0xff).reset('#').reset(0x7f); }

Bytes BytesOf(Kind kind) {
  switch (kind) {
    case Kind::kId:
    case Kind::kRef:
      return Range('$', '~');
    case Kind::kSlug:
      return Digits() | Range('a', 'z') | Bytes().set('-');
    case Kind::kTimeZone:
      return Digits() | Range('a', 'z') | Range('A', 'Z') | Range('+', '/').reset(',').reset('.') |
             Bytes().set('_');
    case Kind::kInt:
    case Kind::kEpochSeconds:
      return Digits() | Bytes().set('-');
    case Kind::kNumber:
      return Digits() | Bytes().set('-').set('.');
    default:
      return AnyText();
  }
}

size_t Automaton::AddShape(size_t from, std::string_view shape) {
  for (const char c : shape) {
    if (c == 'd') {
      from = AddByte(from, Digits());
    } else if (c == 'x') {
      from = AddByte(from, Digits() | Range('a', 'f'));
    } else {
      from = AddByte(from, Bytes().set(static_cast<uint8_t>(c)));
    }
  }
  return from;
}

size_t Automaton::AddEnum(size_t from, const TemplatePart& part, const Enum& enumeration) {
  const size_t to = AddState();
  for (const std::string& value : enumeration.values) {
    std::string text;
    if (!AppendKeyPart(text, part, value)) continue;  // cannot stand in a key
    const size_t last = AddText(from, std::string_view(text).substr(0, text.size() - 1));
    states_[last].push_back({Bytes().set(static_cast<uint8_t>(text.back())), to});
  }
  return to;
}

size_t Automaton::AddPlain(size_t from, const TemplatePart& part) {
  const ValueType& rules = RulesOf(part.type);
  switch (rules.kind) {
    case Kind::kUlid:
      for (size_t i = 0; i < kUlidBytes; ++i) from = AddByte(from, Digits() | Range('A', 'Z'));
      return from;
    case Kind::kUuid:
      return AddShape(AddText(from, rules.prefix), "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx");
    case Kind::kDate:
      return AddShape(from, "dddd-dd-dd");
    case Kind::kInstant:
      return AddShape(from, "dddd-dd-ddTdd:dd:ddZ");
    case Kind::kInstantMs:
      return AddShape(from, "dddd-dd-ddTdd:dd:dd.dddZ");
    case Kind::kEnum:
      if (rules.enumeration != nullptr && !rules.enumeration->open)
        return AddEnum(from, part, *rules.enumeration);
      return AddRepeated(from, AnyText());
    default:
      return AddRepeated(from, BytesOf(rules.kind));
  }
}

size_t Automaton::AddValue(size_t from, const TemplatePart& part) {
  if (part.format == Format::kPlain && !part.date_too) return AddPlain(from, part);
  const size_t width = FixedWidth(part);
  if (width == 0) return AddRepeated(from, AnyText());
  if (part.format == Format::kBit) return AddByte(from, Range('0', '1'));
  for (size_t i = 0; i < width; ++i) from = AddByte(from, Digits());
  return from;
}

}  // namespace

bool Template::Overlaps(const Template& other) const {
  const Automaton a(*this), b(other);
  std::vector<bool> seen(a.size() * b.size());
  std::vector<std::pair<size_t, size_t>> open{{0, 0}};
  while (!open.empty()) {
    const auto [x, y] = open.back();
    open.pop_back();
    if (x == a.accepting() && y == b.accepting()) return true;
    for (const Edge& step_a : a.edges(x)) {
      for (const Edge& step_b : b.edges(y)) {
        const size_t place = step_a.to * b.size() + step_b.to;
        if (seen[place] || (step_a.bytes & step_b.bytes).none()) continue;
        seen[place] = true;
        open.emplace_back(step_a.to, step_b.to);
      }
    }
  }
  return false;
}

}  // namespace cairn::model
