#include "partiql/parse.h"

#include <algorithm>

#include "item/attribute_name.h"
#include "partiql/cursor.h"
#include "partiql/parse_condition.h"
#include "partiql/parse_path.h"
#include "partiql/parse_update.h"
#include "partiql/parse_value.h"

namespace cairn::partiql {
namespace {

using store::ReturnValues;

constexpr std::string_view kNoDataManipulation = "Expected data manipulation";
constexpr std::string_view kNoTable = "Expected identifier for simple path";

Result<expr::ConditionPtr> ParseWhere(Cursor& cursor) {
  if (!cursor.TakeKeyword("where")) return nullptr;
  return ParseCondition(cursor);
}

std::string_view ReturningText(ReturnValues values) {
  switch (values) {
    case ReturnValues::kAllOld:
      return "ALL OLD *";
    case ReturnValues::kAllNew:
      return "ALL NEW *";
    case ReturnValues::kUpdatedOld:
      return "MODIFIED OLD *";
    case ReturnValues::kUpdatedNew:
      return "MODIFIED NEW *";
    case ReturnValues::kNone:
      break;
  }
  return "";
}

Result<ReturnValues> ParseReturning(Cursor& cursor) {
  if (!cursor.TakeKeyword("returning")) return ReturnValues::kNone;
  const bool all = cursor.TakeKeyword("all");
  if (!all && !cursor.TakeKeyword("modified")) return Fail(NotWellFormed("Expected returning modifier"));
  const bool old = cursor.TakeKeyword("old");
  if (!old && !cursor.TakeKeyword("new")) return Fail(NotWellFormed("Expected returning modifier"));
  if (!cursor.TakeSymbol("*")) return Fail(NotWellFormed("Expected returning element *"));
  if (all) return old ? ReturnValues::kAllOld : ReturnValues::kAllNew;
  return old ? ReturnValues::kUpdatedOld : ReturnValues::kUpdatedNew;
}

// The table of UPDATE, DELETE and FROM ... SET.
Result<std::string> ParseWriteTable(Cursor& cursor) {
  if (!cursor.AtName()) return Fail(NotWellFormed(kNoTable));
  ASSIGN_OR_RETURN(Source source, ParseSource(cursor));
  RETURN_IF_ERROR(CheckNoAlias(cursor));
  if (source.index) return Fail(Invalid("This operation is not supported on an index"));
  return std::move(source.table);
}

Result<std::vector<Column>> ParseColumns(Cursor& cursor) {
  std::vector<Column> columns;
  if (cursor.TakeSymbol("*")) return columns;
  do {
    if (cursor.AtCall() || AtValue(cursor)) {
      return Fail(Invalid("Unexpected path component" + AtPosition(cursor.Peek().position)));
    }
    if (!cursor.AtName()) return Fail(cursor.UnexpectedHere());
    ASSIGN_OR_RETURN(expr::DocumentPath path, ParsePath(cursor));
    RETURN_IF_ERROR(CheckNoAlias(cursor));
    std::string name = ColumnName(path);
    if (std::ranges::any_of(columns, [&](const Column& column) { return column.name == name; })) {
      return Fail(Invalid("Duplicate identifiers in select clause: " + name));
    }
    columns.push_back({std::move(path), std::move(name)});
  } while (cursor.TakeSymbol(","));
  return columns;
}

Result<Source> ParseFrom(Cursor& cursor) {
  if (!cursor.TakeKeyword("from")) return Fail(NotWellFormed("Expected FROM after SELECT list"));
  if (AtValue(cursor) || cursor.AtSymbol("(") || cursor.AtCall())
    return Fail(Invalid("Unexpected from source"));
  if (!cursor.AtName()) return Fail(cursor.UnexpectedHere());
  ASSIGN_OR_RETURN(Source source, ParseSource(cursor));
  RETURN_IF_ERROR(CheckNoAlias(cursor));
  // A table name such as my-table without its quotes reads as arithmetic; a second table as a join.
  for (const std::string_view symbol : {"+", "-", "*", "/", "%", "||", "[", ","}) {
    if (cursor.AtSymbol(symbol)) return Fail(Invalid("Unexpected from source"));
  }
  for (const std::string_view keyword : {"join", "inner", "left", "right", "full", "outer", "cross"}) {
    if (cursor.AtKeyword(keyword)) return Fail(Invalid("Unexpected from source"));
  }
  return source;
}

Result<std::vector<OrderKey>> ParseOrderBy(Cursor& cursor) {
  std::vector<OrderKey> keys;
  if (!cursor.AtKeyword("order")) return keys;
  cursor.Take();
  if (!cursor.TakeKeyword("by")) return Fail(NotWellFormed("Expected ORDER BY"));
  do {
    if (!cursor.AtName()) return Fail(cursor.UnexpectedHere());
    ASSIGN_OR_RETURN(expr::DocumentPath path, ParsePath(cursor));
    const bool descending = cursor.TakeKeyword("desc");
    if (!descending) cursor.TakeKeyword("asc");
    keys.push_back({expr::ToString(path), descending ? store::Order::kDescending : store::Order::kAscending});
  } while (cursor.TakeSymbol(","));
  return keys;
}

Result<Select> ParseSelect(Cursor& cursor) {
  Select select;
  cursor.Take();
  ASSIGN_OR_RETURN(select.columns, ParseColumns(cursor));
  ASSIGN_OR_RETURN(select.from, ParseFrom(cursor));
  ASSIGN_OR_RETURN(select.where, ParseWhere(cursor));
  ASSIGN_OR_RETURN(select.order_by, ParseOrderBy(cursor));
  for (const std::string_view clause : {"limit", "group", "having"}) {
    if (!cursor.AtKeyword(clause)) continue;
    const std::string name = clause == "limit" ? "LIMIT" : clause == "group" ? "GROUP BY" : "HAVING";
    return Fail(Invalid("Unsupported clause: " + name + AtPosition(cursor.Peek(1).position)));
  }
  return select;
}

Result<Insert> ParseInsert(Cursor& cursor) {
  Insert insert;
  cursor.Take();
  if (!cursor.TakeKeyword("into")) return Fail(NotWellFormed(kNoDataManipulation));
  if (!cursor.AtName()) return Fail(NotWellFormed(kNoTable));
  ASSIGN_OR_RETURN(Source source, ParseSource(cursor));
  if (source.index) return Fail(Invalid("FROM clause may only contain a single table name"));
  insert.table = std::move(source.table);
  if (cursor.AtName()) return Fail(NotWellFormed("Unexpected token after expression"));
  if (!cursor.TakeKeyword("value")) {
    cursor.TakeSymbol("(");
    return Fail(cursor.UnexpectedHere());
  }
  ASSIGN_OR_RETURN(insert.item, ParseItem(cursor));
  for (const item::Attribute& attribute : insert.item) {
    const Status valid = item::CheckAttributeName(attribute.name);
    if (!valid) {
      return Fail(Invalid("One or more parameter values were invalid: " + valid.error().message));
    }
  }
  if (cursor.AtKeyword("returning")) return Fail(Invalid("RETURNING is not supported in INSERT"));
  return insert;
}

Result<Update> ParseUpdate(Cursor& cursor) {
  Update update;
  cursor.Take();
  ASSIGN_OR_RETURN(update.table, ParseWriteTable(cursor));
  ASSIGN_OR_RETURN(update.update, ParseUpdateClauses(cursor));
  ASSIGN_OR_RETURN(update.where, ParseWhere(cursor));
  ASSIGN_OR_RETURN(update.returning, ParseReturning(cursor));
  return update;
}

// PartiQL's other form of UPDATE: FROM "T" WHERE ... SET ...
Result<Update> ParseFromFirstUpdate(Cursor& cursor) {
  Update update;
  cursor.Take();
  ASSIGN_OR_RETURN(update.table, ParseWriteTable(cursor));
  ASSIGN_OR_RETURN(update.where, ParseWhere(cursor));
  ASSIGN_OR_RETURN(update.update, ParseUpdateClauses(cursor));
  ASSIGN_OR_RETURN(update.returning, ParseReturning(cursor));
  return update;
}

Result<Delete> ParseDelete(Cursor& cursor) {
  Delete deletion;
  cursor.Take();
  if (!cursor.TakeKeyword("from")) return Fail(NotWellFormed("Expected FROM after DELETE"));
  ASSIGN_OR_RETURN(deletion.table, ParseWriteTable(cursor));
  ASSIGN_OR_RETURN(deletion.where, ParseWhere(cursor));
  ASSIGN_OR_RETURN(deletion.returning, ParseReturning(cursor));
  if (deletion.returning != ReturnValues::kNone && deletion.returning != ReturnValues::kAllOld) {
    return Fail(Invalid("Invalid returning clause: RETURNING " +
                        std::string(ReturningText(deletion.returning)) +
                        ". Only RETURNING ALL OLD * is allowed in DELETE statements."));
  }
  return deletion;
}

Result<ExistsCheck> ParseExists(Cursor& cursor) {
  cursor.Take();
  if (!cursor.TakeSymbol("(") || !cursor.AtKeyword("select")) return Fail(cursor.UnexpectedHere());
  ASSIGN_OR_RETURN(Select select, ParseSelect(cursor));
  if (!cursor.TakeSymbol(")")) return Fail(NotWellFormed("Expected RIGHT_PAREN"));
  return ExistsCheck{std::move(select)};
}

Result<Statement> ParseAny(Cursor& cursor) {
  if (cursor.AtKeyword("select")) return ParseSelect(cursor);
  if (cursor.AtKeyword("insert")) return ParseInsert(cursor);
  if (cursor.AtKeyword("update")) return ParseUpdate(cursor);
  if (cursor.AtKeyword("delete")) return ParseDelete(cursor);
  if (cursor.AtKeyword("from")) return ParseFromFirstUpdate(cursor);
  if (cursor.AtKeyword("exists")) return ParseExists(cursor);
  if (cursor.AtEnd()) return Fail(cursor.UnexpectedHere());
  return Fail(NotWellFormed(kNoDataManipulation));
}

}  // namespace

Result<Statement> ParseStatement(std::string_view text, std::span<const item::AttributeValue> parameters) {
  ASSIGN_OR_RETURN(std::vector<Token> tokens, Tokenize(text));
  Cursor cursor(std::move(tokens), parameters);
  ASSIGN_OR_RETURN(Statement statement, ParseAny(cursor));
  if (!cursor.AtEnd()) return Fail(NotWellFormed("Unexpected token after expression"));
  RETURN_IF_ERROR(cursor.CheckAllParametersUsed());
  return statement;
}

}  // namespace cairn::partiql
