#include "partiql/parse_condition.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "expr/condition_rules.h"
#include "partiql/parse_path.h"
#include "partiql/parse_value.h"

namespace cairn::partiql {
namespace {

using expr::Comparator;
using expr::ConditionPtr;
using expr::DocumentPath;
using expr::Operand;
using item::AttributeValue;
using item::Type;

constexpr size_t kInOperandsMax = 100;

// Anything in a condition: something with a value, or something that is true or false.
using Term = std::variant<Operand, ConditionPtr>;

template <class Node>
ConditionPtr Make(Node node) {
  return std::make_shared<const expr::Condition>(expr::Condition{std::move(node)});
}

Result<ConditionPtr> AsCondition(Term term) {
  if (auto* condition = std::get_if<ConditionPtr>(&term)) return std::move(*condition);
  return Fail(Invalid("Unsupported expression in the where clause: a condition is required"));
}

Result<Operand> AsOperand(Term term) {
  if (auto* operand = std::get_if<Operand>(&term)) return std::move(*operand);
  return Fail(Invalid("Unsupported expression in the where clause: a value is required"));
}

Result<DocumentPath> AsPath(const Operand& operand, std::string_view function) {
  if (const auto* path = std::get_if<DocumentPath>(&operand)) return *path;
  return Fail(Invalid("Operator or function requires a document path; operator or function: " +
                      std::string(function)));
}

Status Check(const expr::BrokenRule& broken) {
  if (broken) return Fail(Invalid(*broken));
  return {};
}

class ConditionParser {
 public:
  explicit ConditionParser(Cursor& cursor) : cursor_(cursor) {}

  Result<Term> ParseOr() { return ParseChain<expr::Or>("or", &ConditionParser::ParseAnd); }

 private:
  Result<Term> ParseAnd() { return ParseChain<expr::And>("and", &ConditionParser::ParseNot); }

  template <class Node>
  Result<Term> ParseChain(std::string_view keyword, Result<Term> (ConditionParser::*parse_part)()) {
    ASSIGN_OR_RETURN(Term left, (this->*parse_part)());
    while (cursor_.TakeKeyword(keyword)) {
      RETURN_IF_ERROR(CheckRightSide());
      ASSIGN_OR_RETURN(Term right, (this->*parse_part)());
      ASSIGN_OR_RETURN(ConditionPtr left_condition, AsCondition(std::move(left)));
      ASSIGN_OR_RETURN(ConditionPtr right_condition, AsCondition(std::move(right)));
      left = Make(Node{std::move(left_condition), std::move(right_condition)});
    }
    return left;
  }

  Result<Term> ParseNot() {
    const Cursor::Level level(cursor_);
    RETURN_IF_ERROR(level.Check());
    if (!cursor_.TakeKeyword("not")) return ParsePredicate();
    ASSIGN_OR_RETURN(Term inner, ParseNot());
    return Negate(true, std::move(inner));
  }

  Result<Term> ParsePredicate() {
    ASSIGN_OR_RETURN(Term left, ParsePrimary());
    if (const auto comparator = AtComparator()) return ParseComparison(std::move(left), *comparator);
    if (cursor_.TakeKeyword("is")) return ParseIs(std::move(left));
    const bool negated =
        cursor_.AtKeyword("not") &&
        (cursor_.AtKeyword("in", 1) || cursor_.AtKeyword("between", 1) || cursor_.AtKeyword("like", 1));
    if (negated) cursor_.Take();
    if (cursor_.AtKeyword("like")) {
      return Fail(Invalid("Unsupported operator: LIKE" + AtPosition(cursor_.Peek().position)));
    }
    if (cursor_.TakeKeyword("between")) return Negate(negated, ParseBetween(std::move(left)));
    if (cursor_.TakeKeyword("in")) return Negate(negated, ParseIn(std::move(left)));
    return left;
  }

  static Result<Term> Negate(bool negated, Result<Term> term) {
    if (!term || !negated) return term;
    ASSIGN_OR_RETURN(ConditionPtr condition, AsCondition(*std::move(term)));
    return Make(expr::Not{std::move(condition)});
  }

  Status CheckRightSide() const {
    if (cursor_.AtEnd()) return Fail(NotWellFormed("Missing right-hand side expression of infix operator"));
    return {};
  }

  std::optional<Comparator> AtComparator() const {
    static constexpr std::pair<std::string_view, Comparator> kComparators[] = {
        {"=", Comparator::kEqual},           {"<>", Comparator::kNotEqual},
        {"!=", Comparator::kNotEqual},       {"<", Comparator::kLess},
        {"<=", Comparator::kLessOrEqual},    {">", Comparator::kGreater},
        {">=", Comparator::kGreaterOrEqual},
    };
    if (cursor_.Peek().kind != TokenKind::kSymbol) return std::nullopt;
    for (const auto& [symbol, comparator] : kComparators) {
      if (cursor_.Peek().text == symbol) return comparator;
    }
    return std::nullopt;
  }

  Result<Term> ParseComparison(Term left, Comparator comparator) {
    const std::string symbol = cursor_.Take().text;
    RETURN_IF_ERROR(CheckRightSide());
    ASSIGN_OR_RETURN(Term right, ParsePrimary());
    const bool equality = comparator == Comparator::kEqual || comparator == Comparator::kNotEqual;
    if (equality && std::holds_alternative<ConditionPtr>(left)) {
      return CompareWithTruth(std::move(left), comparator, right);
    }
    ASSIGN_OR_RETURN(Operand left_operand, AsOperand(std::move(left)));
    ASSIGN_OR_RETURN(Operand right_operand, AsOperand(std::move(right)));
    if (!equality) {
      RETURN_IF_ERROR(Check(expr::CheckOrdered(symbol, left_operand)));
      RETURN_IF_ERROR(Check(expr::CheckOrdered(symbol, right_operand)));
    }
    return Make(expr::Comparison{std::move(left_operand), comparator, std::move(right_operand)});
  }

  // attribute_exists(a) = true
  static Result<Term> CompareWithTruth(Term left, Comparator comparator, const Term& right) {
    const auto* operand = std::get_if<Operand>(&right);
    const auto* value = operand ? std::get_if<AttributeValue>(operand) : nullptr;
    if (!value || !value->is(Type::kBoolean)) {
      return Fail(Invalid(
          "Unsupported expression in the where clause: a condition can only be compared with a boolean"));
    }
    const bool wanted = value->boolean() == (comparator == Comparator::kEqual);
    return Negate(!wanted, std::move(left));
  }

  Result<Term> ParseBetween(Term value) {
    ASSIGN_OR_RETURN(Operand operand, AsOperand(std::move(value)));
    ASSIGN_OR_RETURN(Operand low, ParseOperand());
    if (!cursor_.TakeKeyword("and")) return Fail(NotWellFormed("Expected AND after BETWEEN"));
    ASSIGN_OR_RETURN(Operand high, ParseOperand());
    for (const Operand* each : {&operand, &low, &high})
      RETURN_IF_ERROR(Check(expr::CheckOrdered("BETWEEN", *each)));
    RETURN_IF_ERROR(Check(expr::CheckBounds(low, high)));
    return Make(expr::Between{std::move(operand), std::move(low), std::move(high)});
  }

  Result<Term> ParseIn(Term value) {
    RETURN_IF_ERROR(CheckRightSide());
    ASSIGN_OR_RETURN(Operand operand, AsOperand(std::move(value)));
    expr::In in{std::move(operand), {}};
    if (cursor_.AtSymbol("(") || cursor_.AtSymbol("[")) {
      const std::string_view close = cursor_.Take().text == "(" ? ")" : "]";
      do {
        ASSIGN_OR_RETURN(Operand candidate, ParseOperand());
        in.candidates.push_back(std::move(candidate));
      } while (cursor_.TakeSymbol(","));
      if (!cursor_.TakeSymbol(close)) return Fail(NotWellFormed("Expected end of the list after IN"));
    } else {
      ASSIGN_OR_RETURN(AttributeValue list, ParseValue(cursor_));
      if (!list.is(Type::kList) || list.list().empty()) return Fail(IncorrectOperandType("IN", list.type()));
      for (AttributeValue& candidate : list.list()) in.candidates.emplace_back(std::move(candidate));
    }
    if (in.candidates.size() > kInOperandsMax) {
      return Fail(Invalid("The IN operator is provided with too many operands; number of operands: " +
                          std::to_string(in.candidates.size())));
    }
    return Make(std::move(in));
  }

  Result<Term> ParseIs(Term left) {
    const bool negated = cursor_.TakeKeyword("not");
    ASSIGN_OR_RETURN(Operand operand, AsOperand(std::move(left)));
    ASSIGN_OR_RETURN(DocumentPath path, AsPath(operand, "IS"));
    if (cursor_.Peek().kind != TokenKind::kKeyword) return Fail(NotWellFormed("Expected type name"));
    const std::string type = cursor_.Take().text;
    if (type == "missing") {
      return negated ? Make(expr::AttributeExists{std::move(path)})
                     : Make(expr::AttributeNotExists{std::move(path)});
    }
    ASSIGN_OR_RETURN(std::string_view type_name, TypeNameOf(type));
    return Negate(negated, Make(expr::AttributeType{std::move(path), AttributeValue(type_name)}));
  }

  static Result<std::string_view> TypeNameOf(std::string_view type) {
    static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
        {"null", "NULL"}, {"bool", "BOOL"}, {"boolean", "BOOL"}, {"blob", "B"}, {"string", "S"},
        {"numeric", "N"}, {"struct", "M"},  {"tuple", "M"},      {"list", "L"},
    };
    for (const auto& [name, type_name] : kTypes) {
      if (name == type) return type_name;
    }
    static constexpr std::string_view kOtherTypes[] = {
        "bag", "char",    "character", "clob", "date",     "dec",    "decimal", "double",    "float",
        "int", "integer", "real",      "sexp", "smallint", "symbol", "time",    "timestamp", "varchar",
    };
    if (std::ranges::count(kOtherTypes, type) == 0) return Fail(NotWellFormed("Expected type name"));
    return Fail(
        Invalid("Unsupported data type for IS operator: " + std::string(type) +
                ". Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, "
                "LIST]"));
  }

  Result<Operand> ParseOperand() {
    RETURN_IF_ERROR(CheckRightSide());
    ASSIGN_OR_RETURN(Term term, ParsePrimary());
    return AsOperand(std::move(term));
  }

  Result<Term> ParsePrimary() {
    const Cursor::Level level(cursor_);
    RETURN_IF_ERROR(level.Check());
    if (cursor_.TakeSymbol("(")) {
      ASSIGN_OR_RETURN(Term inner, ParseOr());
      if (!cursor_.TakeSymbol(")")) return Fail(NotWellFormed("Expected RIGHT_PAREN"));
      return inner;
    }
    if (cursor_.AtCall()) return ParseCall();
    if (cursor_.AtName()) {
      ASSIGN_OR_RETURN(DocumentPath path, ParsePath(cursor_));
      return Term(Operand(std::move(path)));
    }
    if (AtValue(cursor_)) {
      ASSIGN_OR_RETURN(AttributeValue value, ParseValue(cursor_));
      return Term(Operand(std::move(value)));
    }
    return Fail(cursor_.UnexpectedHere());
  }

  Result<Term> ParseCall() {
    const Token name = cursor_.Take();
    cursor_.Take();
    std::vector<Operand> arguments;
    if (!cursor_.TakeSymbol(")")) {
      do {
        ASSIGN_OR_RETURN(Operand argument, ParseOperand());
        arguments.push_back(std::move(argument));
      } while (cursor_.TakeSymbol(","));
      if (!cursor_.TakeSymbol(")")) return Fail(NotWellFormed("Expected RIGHT_PAREN"));
    }
    return MakeCall(name, std::move(arguments));
  }

  static Result<Term> MakeCall(const Token& token, std::vector<Operand> arguments) {
    struct Function {
      std::string_view name;
      size_t arguments;
      Result<Term> (*make)(std::vector<Operand>& arguments);
    };
    static constexpr Function kFunctions[] = {
        {"attribute_exists", 1, MakeExists},
        {"attribute_not_exists", 1, MakeNotExists},
        {"attribute_type", 2, MakeAttributeType},
        {"begins_with", 2, MakeBeginsWith},
        {"contains", 2, MakeContains},
        {"size", 1, MakeSize},
    };
    std::string name = token.text;
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; });
    for (const Function& function : kFunctions) {
      if (function.name != name) continue;
      if (arguments.size() != function.arguments) {
        return Fail(Invalid("Incorrect number of operands for operator or function; operator or function: " +
                            name + ", number of operands: " + std::to_string(arguments.size())));
      }
      return function.make(arguments);
    }
    return Fail(UnrecognizedFunction(token));
  }

  static Result<Term> MakeExists(std::vector<Operand>& arguments) {
    ASSIGN_OR_RETURN(DocumentPath path, AsPath(arguments[0], "attribute_exists"));
    return Make(expr::AttributeExists{std::move(path)});
  }
  static Result<Term> MakeNotExists(std::vector<Operand>& arguments) {
    ASSIGN_OR_RETURN(DocumentPath path, AsPath(arguments[0], "attribute_not_exists"));
    return Make(expr::AttributeNotExists{std::move(path)});
  }
  static Result<Term> MakeSize(std::vector<Operand>& arguments) {
    ASSIGN_OR_RETURN(DocumentPath path, AsPath(arguments[0], "size"));
    return Term(Operand(expr::SizeOf{std::move(path)}));
  }
  static Result<Term> MakeContains(std::vector<Operand>& arguments) {
    RETURN_IF_ERROR(Check(expr::CheckContainer(arguments[0])));
    return Make(expr::Contains{std::move(arguments[0]), std::move(arguments[1])});
  }
  static Result<Term> MakeBeginsWith(std::vector<Operand>& arguments) {
    for (const Operand& argument : arguments) RETURN_IF_ERROR(Check(expr::CheckBeginsWithOperand(argument)));
    return Make(expr::BeginsWith{std::move(arguments[0]), std::move(arguments[1])});
  }
  static Result<Term> MakeAttributeType(std::vector<Operand>& arguments) {
    ASSIGN_OR_RETURN(DocumentPath path, AsPath(arguments[0], "attribute_type"));
    const auto* type = std::get_if<AttributeValue>(&arguments[1]);
    if (type && !type->is(Type::kString)) return Fail(IncorrectOperandType("attribute_type", type->type()));
    if (!type)
      return Fail(Invalid("Operator or function requires a constant; operator or function: attribute_type"));
    static constexpr std::string_view kTypeNames[] = {"S", "N", "B",  "BOOL", "NULL",
                                                      "M", "L", "SS", "NS",   "BS"};
    if (std::ranges::count(kTypeNames, type->string()) == 0) {
      return Fail(Invalid("Invalid attribute type name found; type: " + type->string() +
                          ", valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"));
    }
    return Make(expr::AttributeType{std::move(path), *type});
  }

  Cursor& cursor_;
};

}  // namespace

Result<ConditionPtr> ParseCondition(Cursor& cursor) {
  ASSIGN_OR_RETURN(Term term, ConditionParser(cursor).ParseOr());
  return AsCondition(std::move(term));
}

Error IncorrectOperandType(std::string_view name, Type type) {
  return Invalid("Incorrect operand type for operator or function; operator or function: " +
                 std::string(name) + ", operand type: " + std::string(item::TypeName(type)));
}

Error UnrecognizedFunction(const Token& name) {
  return Invalid("Unrecognized function: " + name.text + AtPosition(name.position));
}

}  // namespace cairn::partiql
