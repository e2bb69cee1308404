// Paths of one expression may not touch the same place twice: used for updates and projections.
#pragma once

#include <span>

#include "expr/expression_reader.h"
#include "expr/path.h"

namespace cairn::expr {

// Notes the first pair where one path lies within the other ("overlap"), and the first pair that treats the
// same place as a map and as a list ("conflict"). `paths` in the order of the text.
void NoteOverlaps(FirstMistake& mistakes, std::span<const DocumentPath* const> paths);

}  // namespace cairn::expr
