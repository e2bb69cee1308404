// SET and REMOVE clauses to an expr::Update. Part of parsing.
#pragma once

#include "base/result.h"
#include "expr/update.h"
#include "partiql/cursor.h"

namespace cairn::partiql {

// One or more clauses; the cursor must be at SET or REMOVE (else `Expected data manipulation`).
Result<expr::Update> ParseUpdateClauses(Cursor& cursor);

}  // namespace cairn::partiql
