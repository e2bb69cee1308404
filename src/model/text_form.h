// What a text must look like to be an id, a slug, an e-mail address and so on. Pure but for time zones, which
// are looked up in the system's zone database. Private to value types and templates.
#pragma once

#include <cstdint>
#include <string_view>

namespace cairn::model {

bool IsUtf8(std::string_view text);
inline bool IsControl(char c) { return static_cast<uint8_t>(c) < 0x20 || c == 0x7f; }

bool IsIdText(std::string_view text);
bool IsSlugText(std::string_view text);
bool IsEmailText(std::string_view text);
// 8-4-4-4-12 hexadecimal digits in lower case.
bool IsUuidText(std::string_view text);
// "UTC" or "Area/Place" as far as letters go; whether the zone exists is another question.
bool IsTimeZoneName(std::string_view text);
bool IsTimeZone(std::string_view text);

}  // namespace cairn::model
