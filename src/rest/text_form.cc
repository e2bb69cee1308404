#include "rest/text_form.h"

#include <algorithm>
#include <cstdint>

namespace cairn::rest {
namespace {

// The first character, which is taken off. Precondition: UTF-8, not empty.
char32_t TakeCharacter(std::string_view& text) {
  const auto lead = static_cast<uint8_t>(text.front());
  const size_t bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  static constexpr uint8_t kLeadBits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  char32_t character = lead & kLeadBits[bytes];
  for (size_t i = 1; i < bytes; ++i) character = character << 6 | (static_cast<uint8_t>(text[i]) & 0x3f);
  text.remove_prefix(bytes);
  return character;
}

bool IsControl(char32_t character) { return character < 0x20 || (character >= 0x7f && character < 0xa0); }

// White space of Unicode, and characters that show nothing at all.
bool IsBlank(char32_t character) {
  struct Range {
    char32_t first, last;
  };
  static constexpr Range kBlank[] = {{0x20, 0x20},     {0xa0, 0xa0},     {0xad, 0xad},      {0x034f, 0x034f},
                                     {0x061c, 0x061c}, {0x115f, 0x1160}, {0x1680, 0x1680},  {0x17b4, 0x17b5},
                                     {0x180b, 0x180f}, {0x2000, 0x200f}, {0x2028, 0x202f},  {0x205f, 0x206f},
                                     {0x2800, 0x2800}, {0x3000, 0x3000}, {0x3164, 0x3164},  {0xfe00, 0xfe0f},
                                     {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xe0000, 0xe0fff}};
  return std::ranges::any_of(
      kBlank, [=](const Range& range) { return range.first <= character && character <= range.last; });
}

std::string_view TitleFault(std::string_view text) {
  if (text.empty()) return {};
  bool shows = false;
  while (!text.empty()) {
    const char32_t character = TakeCharacter(text);
    if (IsControl(character)) return "must not have line breaks or other control characters";
    shows = shows || !IsBlank(character);
  }
  return shows ? "" : "must not be blank";
}

std::string_view NewIdFault(std::string_view text) {
  if (text.find('/') != text.npos) return "must not have a '/': it stands in addresses";
  if (text == "." || text == "..") return "must not be \".\" or \"..\": it stands in addresses";
  return {};
}

}  // namespace

std::string_view FormFault(Form form, std::string_view text) {
  switch (form) {
    case Form::kAny:
      return {};
    case Form::kTitle:
      return TitleFault(text);
    case Form::kNewId:
      return NewIdFault(text);
  }
  return {};
}

}  // namespace cairn::rest
