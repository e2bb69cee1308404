// Passwords: which ones are good enough, and their hashes (Argon2id, through libsodium). Hashing takes about
// a tenth of a second and much memory on purpose; requests do it through PasswordPool, never on an event
// loop.
//
// A hash is a text that carries its parameters and its salt. Salts come from libsodium, which reads the
// kernel's generator.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cairn::identity {

// What one hash costs. The default is libsodium's choice for logins ("interactive").
struct PasswordCost {
  uint64_t operations = 2;
  size_t memory_bytes = size_t{64} << 20;
};

inline constexpr size_t kPasswordCharactersMin = 8;
inline constexpr size_t kPasswordCharactersMax = 200;
inline constexpr size_t kPasswordBytesMax = 800;

// Whether a new password may be taken: long enough, not the account's address, not among those that everybody
// tries first. Fails with a sentence about the password alone: "must have at least 8 characters".
Status CheckPasswordRules(std::string_view password, std::string_view email);

// Fails when the memory is not to be had, and for passwords beyond kPasswordBytesMax.
Result<std::string> HashPassword(std::string_view password, const PasswordCost& cost);

// False for a text that is no hash, and for passwords beyond kPasswordBytesMax.
bool PasswordMatches(std::string_view password, const std::string& hash);

// Whether a hash was made at another cost, so that it should be made anew when the password is at hand.
bool NeedsRehash(const std::string& hash, const PasswordCost& cost);

// A hash that no password has, and that takes as long to try: for accounts that are not there.
std::string HashOfNobody(const PasswordCost& cost);

// Overwrites a secret before its memory is given back.
void Wipe(std::string& secret);

}  // namespace cairn::identity
