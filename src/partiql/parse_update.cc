#include "partiql/parse_update.h"

#include "expr/path_overlap.h"
#include "partiql/parse_condition.h"
#include "partiql/parse_path.h"
#include "partiql/parse_value.h"

namespace cairn::partiql {
namespace {

using expr::DocumentPath;
using expr::SetValue;
using expr::SetValuePtr;
using item::AttributeValue;
using item::Type;

// A path or a constant on the right side of an assignment, and where it begins.
struct Operand {
  SetValue value;
  Position position;

  const AttributeValue* constant() const { return std::get_if<AttributeValue>(&value.node); }
  const DocumentPath* path() const { return std::get_if<DocumentPath>(&value.node); }
};

SetValuePtr Share(SetValue value) { return std::make_shared<const SetValue>(std::move(value)); }

Result<Operand> ParseOperand(Cursor& cursor) {
  const Position position = cursor.Peek().position;
  if (cursor.AtCall()) return Fail(UnrecognizedFunction(cursor.Peek()));
  if (cursor.AtName()) {
    ASSIGN_OR_RETURN(DocumentPath path, ParsePath(cursor));
    return Operand{{std::move(path)}, position};
  }
  if (!AtValue(cursor)) return Fail(cursor.UnexpectedHere());
  ASSIGN_OR_RETURN(AttributeValue value, ParseValue(cursor));
  return Operand{{std::move(value)}, position};
}

std::string ChangedCase(std::string text, char first, char last, int shift) {
  for (char& c : text) {
    if (c >= first && c <= last) c = static_cast<char>(c + shift);
  }
  return text;
}
std::string Lower(const std::string& text) { return ChangedCase(text, 'A', 'Z', 'a' - 'A'); }
std::string Upper(const std::string& text) { return ChangedCase(text, 'a', 'z', 'A' - 'a'); }

// The two arguments of list_append, set_add and set_delete.
Result<std::vector<Operand>> ParseArguments(Cursor& cursor, const Token& function) {
  cursor.Take();  // the parenthesis
  std::vector<Operand> arguments;
  while (!cursor.TakeSymbol(")")) {
    if (!arguments.empty() && !cursor.TakeSymbol(",")) return Fail(NotWellFormed("Expected RIGHT_PAREN"));
    ASSIGN_OR_RETURN(Operand argument, ParseOperand(cursor));
    arguments.push_back(std::move(argument));
  }
  if (arguments.size() != 2) {
    return Fail(
        Invalid(Upper(function.text) + " must have exactly two arguments" + AtPosition(function.position)));
  }
  return arguments;
}

class ClauseParser {
 public:
  explicit ClauseParser(Cursor& cursor) : cursor_(cursor) {}

  Result<expr::Update> Run() {
    if (!cursor_.AtKeyword("set") && !cursor_.AtKeyword("remove")) {
      return Fail(NotWellFormed("Expected data manipulation"));
    }
    for (;;) {
      if (cursor_.TakeKeyword("set")) {
        do {
          RETURN_IF_ERROR(ParseAssignment());
        } while (cursor_.TakeSymbol(","));
      } else if (cursor_.TakeKeyword("remove")) {
        ASSIGN_OR_RETURN(DocumentPath path, ParseTarget());
        update_.removes.push_back({std::move(path)});
      } else {
        return std::move(update_);
      }
    }
  }

 private:
  Result<DocumentPath> ParseTarget() {
    if (!cursor_.AtName()) return Fail(NotWellFormed("Expected identifier for simple path"));
    return ParsePath(cursor_);
  }

  Status ParseAssignment() {
    ASSIGN_OR_RETURN(DocumentPath target, ParseTarget());
    if (!cursor_.TakeSymbol("=")) return Fail(NotWellFormed("Expected EQ after the path of SET"));
    if (cursor_.AtCall()) {
      const std::string function = Lower(cursor_.Peek().text);
      if (function == "list_append") return ParseListAppend(std::move(target));
      if (function == "set_add" || function == "set_delete") return ParseSetFunction(std::move(target));
    }
    return ParseArithmetic(std::move(target));
  }

  Status ParseListAppend(DocumentPath target) {
    const Token function = cursor_.Take();
    ASSIGN_OR_RETURN(std::vector<Operand> arguments, ParseArguments(cursor_, function));
    for (const Operand& argument : arguments) {
      if (argument.constant() && !argument.constant()->is(Type::kList)) {
        return Fail(IncorrectOperandType("list_append", argument.constant()->type()));
      }
    }
    expr::ListAppend append{Share(std::move(arguments[0].value)), Share(std::move(arguments[1].value))};
    update_.sets.push_back({std::move(target), Share({std::move(append)})});
    return {};
  }

  // SET a = set_add(a, <<1>>) is what an update expression calls ADD a :set, and set_delete its DELETE.
  Status ParseSetFunction(DocumentPath target) {
    const Token function = cursor_.Take();
    ASSIGN_OR_RETURN(std::vector<Operand> arguments, ParseArguments(cursor_, function));
    if (!arguments[0].path() || *arguments[0].path() != target) {
      return Fail(Invalid("The first argument to " + Upper(function.text) +
                          " must equal the assignment value" + AtPosition(function.position)));
    }
    const AttributeValue* set = arguments[1].constant();
    if (!set || !item::IsSet(set->type())) {
      return Fail(Invalid("The second argument to " + Upper(function.text) +
                          " must be a value with type SET" + AtPosition(arguments[0].position)));
    }
    if (Lower(function.text) == "set_add") {
      update_.adds.push_back({std::move(target), *set});
    } else {
      update_.deletes.push_back({std::move(target), *set});
    }
    return {};
  }

  Status ParseArithmetic(DocumentPath target) {
    ASSIGN_OR_RETURN(Operand left, ParseOperand(cursor_));
    if (!cursor_.AtSymbol("+") && !cursor_.AtSymbol("-")) {
      update_.sets.push_back({std::move(target), Share(std::move(left.value))});
      return {};
    }
    const std::string symbol = cursor_.Take().text;
    if (cursor_.AtEnd()) return Fail(NotWellFormed("Missing right-hand side expression of infix operator"));
    ASSIGN_OR_RETURN(Operand right, ParseOperand(cursor_));
    for (const Operand* operand : {&left, &right}) {
      if (operand->constant() && !operand->constant()->is(Type::kNumber)) {
        return Fail(IncorrectOperandType(symbol, operand->constant()->type()));
      }
    }
    SetValuePtr left_value = Share(std::move(left.value));
    SetValuePtr right_value = Share(std::move(right.value));
    SetValue result = symbol == "+"
                          ? SetValue{expr::Sum{std::move(left_value), std::move(right_value)}}
                          : SetValue{expr::Difference{std::move(left_value), std::move(right_value)}};
    update_.sets.push_back({std::move(target), Share(std::move(result))});
    return {};
  }

  Cursor& cursor_;
  expr::Update update_;
};

Status CheckNoOverlap(const expr::Update& update) {
  const std::vector<DocumentPath> paths = expr::UpdatedPaths(update);
  std::vector<const DocumentPath*> pointers;
  for (const DocumentPath& path : paths) pointers.push_back(&path);
  expr::FirstMistake mistake;
  expr::NoteOverlaps(mistake, pointers);
  if (mistake.any()) return Fail(Invalid(mistake.text()));
  return {};
}

}  // namespace

Result<expr::Update> ParseUpdateClauses(Cursor& cursor) {
  ASSIGN_OR_RETURN(expr::Update update, ClauseParser(cursor).Run());
  RETURN_IF_ERROR(CheckNoOverlap(update));
  return update;
}

}  // namespace cairn::partiql
