#include "identity/email.h"

#include <algorithm>

#include "identity/plain_text.h"
#include "model/value_type.h"

namespace cairn::identity {
namespace {

constexpr size_t kLocalPartBytesMax = 64, kLabelBytesMax = 63;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetterOrDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'z'); }
// What RFC 5322 calls atext, in lower case.
bool IsAtomCharacter(char c) {
  return IsLetterOrDigit(c) || std::string_view("!#$%&'*+-/=?^_`{|}~").find(c) != std::string_view::npos;
}

bool IsAtom(std::string_view text) { return !text.empty() && std::ranges::all_of(text, IsAtomCharacter); }
bool IsLabel(std::string_view text) {
  return !text.empty() && text.size() <= kLabelBytesMax && text.front() != '-' && text.back() != '-' &&
         std::ranges::all_of(text, [](char c) { return IsLetterOrDigit(c) || c == '-'; });
}

// Whether every part between dots is one. `last` becomes the last of them.
template <class IsPart>
bool AllParts(std::string_view text, IsPart is_part, std::string_view& last) {
  for (;;) {
    const size_t dot = text.find('.');
    last = text.substr(0, dot);
    if (!is_part(last)) return false;
    if (dot == text.npos) return true;
    text.remove_prefix(dot + 1);
  }
}

}  // namespace

std::optional<std::string> NormalizedEmail(std::string_view text) {
  std::string email = LowerAscii(Trimmed(text));
  static const model::ValueType kEmail{.kind = model::Kind::kEmail};
  item::AttributeValue value(email);
  if (!model::CheckValue(kEmail, {}, value)) return std::nullopt;
  return email;
}

std::optional<std::string> NewEmail(std::string_view text) {
  auto email = NormalizedEmail(text);
  if (!email) return std::nullopt;
  const std::string_view address = *email;
  const std::string_view local = address.substr(0, address.find('@'));
  std::string_view last;
  if (local.size() > kLocalPartBytesMax || !AllParts(local, IsAtom, last)) return std::nullopt;
  if (!AllParts(address.substr(local.size() + 1), IsLabel, last)) return std::nullopt;
  const bool is_number = std::ranges::all_of(last, IsDigit);  // then it would be an IPv4 address
  return is_number ? std::nullopt : std::move(email);
}

}  // namespace cairn::identity
