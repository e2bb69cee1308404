// ContainsBytes(text, wanted): whether `wanted` stands somewhere in `text`. The work is linear in both sizes,
// whatever they hold; std::string::find takes their product in the worst case.
#pragma once

#include <string.h>

#include <string_view>

namespace cairn {

inline bool ContainsBytes(std::string_view text, std::string_view wanted) {
  // glibc's is Crochemore's and Perrin's two-way search; find_bytes_test.cc counts on it.
  return wanted.empty() || ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

}  // namespace cairn
