// The words that PartiQL keeps for itself. Used by the tokenizer only.
#pragma once

#include <string_view>

namespace cairn::partiql {

// `word` is in lower case.
bool IsKeyword(std::string_view word);

}  // namespace cairn::partiql
