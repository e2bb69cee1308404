// Paths into an item (a.b[0]."c") and the table paths of FROM. Part of parsing.
#pragma once

#include "base/result.h"
#include "expr/path.h"
#include "partiql/cursor.h"
#include "partiql/statement.h"

namespace cairn::partiql {

// Precondition: the cursor is at a name.
Result<expr::DocumentPath> ParsePath(Cursor& cursor);

// The name under which a select list answers the path: its last step.
std::string ColumnName(const expr::DocumentPath& path);

// "table" or "table"."index". Precondition: at a name.
Result<Source> ParseSource(Cursor& cursor);

// Refuses a second name behind a source, which would be an alias.
Status CheckNoAlias(const Cursor& cursor);

}  // namespace cairn::partiql
