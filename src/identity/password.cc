#include "identity/password.h"

#include <sodium.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/utf8.h"
#include "identity/plain_text.h"

namespace cairn::identity {
namespace {

// Of the lists of leaked passwords, the most frequent ones that are long enough to pass the other rules.
// Lower case.
constexpr auto kCommonPasswords = std::to_array<std::string_view>({
    "00000000",    "11111111",     "111111111",  "1111111111", "11223344",      "12121212",    "123123123",
    "123321123",   "1234512345",   "12341234",   "12344321",   "12345678",      "123456789",   "1234567890",
    "12345678910", "1234567891",   "123456789a", "123456abc",  "1234qwer",      "123qweasd",   "147258369",
    "1q2w3e4r",    "1q2w3e4r5t",   "1qaz2wsx",   "22222222",   "55555555",      "66666666",    "77777777",
    "87654321",    "88888888",     "987654321",  "9876543210", "99999999",      "a1b2c3d4",    "aa123456",
    "aaaaaaaa",    "abc12345",     "abcd1234",   "abcdefgh",   "administrator", "asdf1234",    "asdfasdf",
    "asdfghjk",    "asdfghjkl",    "baseball",   "basketball", "changeme",      "computer",    "football",
    "iloveyou",    "iloveyou1",    "letmein1",   "liverpool",  "michelle",      "newpassword", "p@ssw0rd",
    "p@ssword",    "pass1234",     "passw0rd",   "password",   "password!",     "password1",   "password12",
    "password123", "password1234", "princess",   "princess1",  "q1w2e3r4",      "qazwsxedc",   "qwer1234",
    "qwerty12",    "qwerty123",    "qwerty1234", "qwertyui",   "qwertyuiop",    "starwars",    "sunshine",
    "superman",    "testtest",     "trustno1",   "welcome1",   "welcome123",    "zaq12wsx",    "zxcvbnm1",
});

void NeedSodium() { CHECK(sodium_init() >= 0, "libsodium needs nothing that can be missing"); }

}  // namespace

Status CheckPasswordRules(std::string_view password, std::string_view email) {
  const auto refuse = [](std::string why) { return Fail(Invalid(std::move(why))); };
  if (!IsUtf8(password)) return refuse("must be a text in UTF-8");
  const size_t characters = CharacterCount(password);
  if (characters < kPasswordCharactersMin)
    return refuse("must have at least " + std::to_string(kPasswordCharactersMin) + " characters");
  if (characters > kPasswordCharactersMax || password.size() > kPasswordBytesMax)
    return refuse("must have at most " + std::to_string(kPasswordCharactersMax) + " characters");
  const std::string lower = LowerAscii(password);
  if (lower == LowerAscii(email)) return refuse("must not be the e-mail address");
  if (std::ranges::find(kCommonPasswords, lower) != kCommonPasswords.end())
    return refuse("is one of the passwords that everybody tries first; choose another one");
  return {};
}

Result<std::string> HashPassword(std::string_view password, const PasswordCost& cost) {
  NeedSodium();
  if (password.size() > kPasswordBytesMax) return Fail(Invalid("the password is too long"));
  std::array<char, crypto_pwhash_STRBYTES> hash{};
  if (crypto_pwhash_str_alg(hash.data(), password.data(), password.size(), cost.operations, cost.memory_bytes,
                            crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return Fail(Code::kOverloaded, "There is not enough memory for this at present. Try again later.");
  }
  return std::string(hash.data());
}

bool PasswordMatches(std::string_view password, const std::string& hash) {
  NeedSodium();
  if (password.size() > kPasswordBytesMax) return false;
  return crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0;
}

bool NeedsRehash(const std::string& hash, const PasswordCost& cost) {
  NeedSodium();
  return crypto_pwhash_str_needs_rehash(hash.c_str(), cost.operations, cost.memory_bytes) != 0;
}

// Every text of this form is a hash that libsodium works on; that a password has this one cannot be expected.
std::string HashOfNobody(const PasswordCost& cost) {
  return "$argon2id$v=19$m=" + std::to_string(cost.memory_bytes / 1024) +
         ",t=" + std::to_string(cost.operations) + ",p=1$" + std::string(22, 'A') + "$" +
         std::string(43, 'A');
}

void Wipe(std::string& secret) {
  sodium_memzero(secret.data(), secret.size());
  secret.clear();
}

}  // namespace cairn::identity
