// CursorSealer: where a page ended, as text for the client: encrypted and authenticated (AES-256-GCM), bound
// to what it may be used for. A cursor can hold another owner's key (an index that mixes owners), so it must
// not be readable.
#pragma once

#include <string>
#include <string_view>

#include "base/random.h"
#include "base/result.h"

namespace cairn::model {

class CursorSealer {
 public:
  // `secret` of any length; the key is derived from it.
  CursorSealer(std::string_view secret, Random& random);

  // URL-safe text.
  std::string Seal(std::string_view payload, std::string_view bound_to) const;
  // The payload; kInvalidArgument when the text was not sealed here for the same `bound_to`.
  Result<std::string> Open(std::string_view cursor, std::string_view bound_to) const;

 private:
  std::string key_;
  Random& random_;
};

}  // namespace cairn::model
