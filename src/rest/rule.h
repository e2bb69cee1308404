// Rule: what a field of a request or answer may hold, beyond what its C++ type says. Types and rules together
// make the check of a request, the JSON of an answer and the schema in /openapi.json: see fields.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/value_type.h"

namespace cairn::rest {

inline constexpr int64_t kTextBytesMax = 1'000;  // of a text whose rule says nothing else
inline constexpr int64_t kElementsMax = 1'000;   // likewise of a list

// What else a text must be.
enum class Form {
  kAny,
  kTitle,  // one line that shows something: no control characters and, unless empty, not blank
  kNewId,  // an id that a path can have as a segment: no '/', neither "." nor ".."
};

struct Rule {
  model::Kind kind = model::Kind::kString;  // of texts: what they must look like
  std::optional<int64_t> min = {};          // bytes of a text, elements of a list, the least number
  std::optional<int64_t> max = {};
  Form form = Form::kAny;
  bool optional = false;  // may be left out: keeps the value it has. Optionals always may
  std::string_view doc = {};
};

// A JSON value of any form, as text.
struct Json {
  std::string text = "null";
};

// An answer that is at hand as JSON already; its form is that of T.
template <class T>
struct Rendered {
  std::shared_ptr<const std::string> json;
};

// The whole body as text, of a media type that is not JSON; and an answer of that kind.
struct Document {
  std::string text;
};

}  // namespace cairn::rest
