#include "model/text_form.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/zone_folder.h"

namespace cairn::model {
namespace {

constexpr size_t kIdBytesMax = 256;
constexpr size_t kSlugBytesMax = 128;
constexpr size_t kEmailBytesMax = 254;  // RFC 5321, with the brackets taken off
constexpr size_t kTimeZoneBytesMax = 64;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

struct Utf8Lead {
  size_t followers;
  uint8_t second_min, second_max;  // what the byte behind may be: no overlong forms, surrogates, > U+10FFFF
};

Utf8Lead LeadOf(uint8_t byte) {
  if (byte >= 0xc2 && byte <= 0xdf) return {1, 0x80, 0xbf};
  if (byte == 0xe0) return {2, 0xa0, 0xbf};
  if (byte == 0xed) return {2, 0x80, 0x9f};
  if (byte >= 0xe1 && byte <= 0xef) return {2, 0x80, 0xbf};
  if (byte == 0xf0) return {3, 0x90, 0xbf};
  if (byte >= 0xf1 && byte <= 0xf3) return {3, 0x80, 0xbf};
  if (byte == 0xf4) return {3, 0x80, 0x8f};
  return {0, 0, 0};
}

}  // namespace

bool IsUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<uint8_t>(text[i++]);
    if (byte < 0x80) continue;
    const Utf8Lead lead = LeadOf(byte);
    if (lead.followers == 0 || text.size() - i < lead.followers) return false;
    const auto second = static_cast<uint8_t>(text[i]);
    if (second < lead.second_min || second > lead.second_max) return false;
    for (size_t k = 1; k < lead.followers; ++k) {
      if ((static_cast<uint8_t>(text[i + k]) & 0xc0) != 0x80) return false;
    }
    i += lead.followers;
  }
  return true;
}

bool IsIdText(std::string_view text) {
  return !text.empty() && text.size() <= kIdBytesMax &&
         std::ranges::all_of(text, [](char c) { return c > '#' && c < 0x7f; });
}

bool IsSlugText(std::string_view text) {
  if (text.empty() || text.size() > kSlugBytesMax) return false;
  char before = '-';  // so that a leading '-' is a double one
  for (const char c : text) {
    if (c == '-' ? before == '-' : !IsLower(c) && !IsDigit(c)) return false;
    before = c;
  }
  return before != '-';
}

bool IsEmailText(std::string_view text) {
  if (text.size() > kEmailBytesMax || !IsUtf8(text)) return false;
  if (std::ranges::any_of(text, [](char c) { return c == ' ' || IsControl(c); })) return false;
  const size_t at = text.find('@');
  if (at == 0 || at == std::string_view::npos || text.find('@', at + 1) != std::string_view::npos)
    return false;
  const std::string_view domain = text.substr(at + 1);
  return domain.find('.') != std::string_view::npos && !domain.starts_with('.') && !domain.ends_with('.') &&
         domain.find("..") == std::string_view::npos;
}

bool IsUuidText(std::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !IsDigit(text[i]) && !(text[i] >= 'a' && text[i] <= 'f')) return false;
  }
  return true;
}

bool IsTimeZoneName(std::string_view text) {
  if (text == "UTC") return true;
  if (text.size() > kTimeZoneBytesMax || text.find('/') == std::string_view::npos || text.ends_with('/'))
    return false;
  // Copies of the database with other rules for leap seconds, not zones.
  if (text.starts_with("posix/") || text.starts_with("right/")) return false;
  char before = '/';
  for (const char c : text) {
    const bool letter = IsLower(c) || IsUpper(c);
    if (before == '/' ? !letter : !letter && !IsDigit(c) && c != '/' && c != '_' && c != '-' && c != '+')
      return false;
    before = c;
  }
  return true;
}

bool IsTimeZone(std::string_view text) {
  if (text == "UTC") return true;
  if (!IsTimeZoneName(text)) return false;
  std::error_code ignored;  // then it is no regular file
  return std::filesystem::is_regular_file(ZoneFolder() + std::string(text), ignored);
}

}  // namespace cairn::model
