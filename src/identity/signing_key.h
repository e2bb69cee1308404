// The signing key: 32 random bytes that every token and cursor of an installation hangs on. Kept as
// `signing.key` in the data directory, for its owner's eyes only.
#pragma once

#include <string>
#include <string_view>

#include "base/random.h"
#include "base/result.h"

namespace cairn::identity {

inline constexpr size_t kSigningKeyBytes = 32;
inline constexpr std::string_view kSigningKeyFile = "signing.key";

// A key that ends with the process; for servers that keep everything in memory.
std::string NewSigningKey(Random& random);

// The key of a data directory that exists; made if there is none yet. Safe when two processes do it at the
// same time: both get the same key. Fails when others may read the file, when its size is wrong, or when it
// cannot be read or written.
Result<std::string> LoadOrCreateSigningKey(const std::string& directory, Random& random);

// Puts the key of one directory into another that has none. False when there is no key to copy.
Result<bool> CopySigningKey(const std::string& from, const std::string& to);

}  // namespace cairn::identity
