#include <array>
#include <utility>

#include "expr/expression_reader.h"
#include "expr/parse.h"
#include "expr/path_overlap.h"

namespace cairn::expr {
namespace {

using item::AttributeValue;
using item::Type;

constexpr std::string_view kKind = "UpdateExpression";

enum class Section { kSet, kRemove, kAdd, kDelete };
constexpr auto kSectionNames = std::to_array<std::string_view>({"SET", "REMOVE", "ADD", "DELETE"});

// How messages about ADD and DELETE call the types; sets are never refused.
std::string_view LongTypeName(Type type) {
  static constexpr auto kNames =
      std::to_array<std::string_view>({"STRING", "NUMBER", "BINARY", "BOOLEAN", "NULL", "MAP", "LIST",
                                       "STRING_SET", "NUMBER_SET", "BINARY_SET"});
  return kNames[static_cast<size_t>(type)];
}

// A value on the right side of SET. Where a mistake was noted the pointer may be null.
struct Term {
  SetValuePtr value;
  std::string_view function = {};  // set when the term is a function call
  bool in_parentheses = false;
  bool is_arithmetic = false;
};

template <class Node>
SetValuePtr MakeValue(Node node) {
  return std::make_shared<const SetValue>(SetValue{std::move(node)});
}

class UpdateParser {
 public:
  UpdateParser(std::string_view text, Placeholders& placeholders)
      : reader_(kKind, text, Keywords::kUpdate, placeholders) {}

  Result<Update> Parse() {
    do {
      RETURN_IF_ERROR(ParseSection());
    } while (!reader_.tokens.At(TokenKind::kEnd));
    NoteOverlappingPaths();
    RETURN_IF_ERROR(reader_.Finish());
    return std::move(update_);
  }

 private:
  Status ParseSection();
  Status ParseAction(Section section);
  Status ParseSet();
  Result<Term> ParseSetValue();
  Result<Term> ParseOperand();
  Result<Term> ParseGroup();
  Result<Term> ParseFunction();
  Result<AttributeValue> ParseActionOperand(Section section);

  Term MakeFunction(std::string_view name, std::array<Term, 2>& arguments, int count);
  void CheckConstant(std::string_view function, const Term& term, Type wanted);
  void RefuseNestedListAppend(const Term& term);
  void NoteFunction(Rank rank, std::string_view what, std::string_view name) {
    reader_.mistakes.Note(rank, [&] { return std::string(what) + "; function: " + std::string(name); });
  }
  void NoteOverlappingPaths();

  ExpressionReader reader_;
  Update update_;
  std::vector<Section> sections_;  // in the order of the text
};

Status UpdateParser::ParseSection() {
  const TokenKind kind = reader_.tokens.current().kind;
  if (kind < TokenKind::kSet || kind > TokenKind::kDelete) return reader_.SyntaxError();
  const auto section = static_cast<Section>(static_cast<int>(kind) - static_cast<int>(TokenKind::kSet));
  reader_.tokens.Take();
  if (std::ranges::find(sections_, section) != sections_.end()) {
    reader_.mistakes.Note(kRankSection, [&] {
      return "The \"" + std::string(kSectionNames[static_cast<size_t>(section)]) +
             "\" section can only be used once in an update expression;";
    });
  } else {
    sections_.push_back(section);
  }
  do {
    RETURN_IF_ERROR(ParseAction(section));
  } while (reader_.tokens.TakeIf(TokenKind::kComma));
  return {};
}

Status UpdateParser::ParseAction(Section section) {
  if (section == Section::kSet) return ParseSet();
  if (section == Section::kRemove) return reader_.ReadPath(update_.removes.emplace_back().path);
  DocumentPath path;
  RETURN_IF_ERROR(reader_.ReadPath(path));
  ASSIGN_OR_RETURN(AttributeValue value, ParseActionOperand(section));
  if (section == Section::kAdd) {
    update_.adds.push_back({std::move(path), std::move(value)});
  } else {
    update_.deletes.push_back({std::move(path), std::move(value)});
  }
  return {};
}

Result<AttributeValue> UpdateParser::ParseActionOperand(Section section) {
  if (!reader_.tokens.At(TokenKind::kValue)) return reader_.SyntaxError();
  AttributeValue value = reader_.ReadValue();
  const bool allowed = item::IsSet(value.type()) || (section == Section::kAdd && value.is(Type::kNumber));
  if (!allowed) {
    reader_.mistakes.Note(kRankActionOperand, [&] {
      const std::string name(kSectionNames[static_cast<size_t>(section)]);
      return "Incorrect operand type for operator or function; operator: " + name +
             ", operand type: " + std::string(LongTypeName(value.type())) + ", typeSet: ALLOWED_FOR_" + name +
             "_OPERAND";
    });
  }
  return value;
}

Status UpdateParser::ParseSet() {
  SetAction& action = update_.sets.emplace_back();
  RETURN_IF_ERROR(reader_.ReadPath(action.path));
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kEqual));
  ASSIGN_OR_RETURN(Term term, ParseSetValue());
  action.value = std::move(term.value);
  return {};
}

// One operand, or two joined by a single + or -.
Result<Term> UpdateParser::ParseSetValue() {
  ASSIGN_OR_RETURN(Term left, ParseOperand());
  const bool is_sum = reader_.tokens.At(TokenKind::kPlus);
  if (!is_sum && !reader_.tokens.At(TokenKind::kMinus)) return left;
  if (left.is_arithmetic) return reader_.SyntaxError();
  const std::string_view symbol = reader_.tokens.Take().text;
  reader_.CountOperator();
  ASSIGN_OR_RETURN(Term right, ParseOperand());
  if (right.is_arithmetic) return reader_.SyntaxError();
  for (const Term* operand : {&left, &right}) {
    RefuseNestedListAppend(*operand);
    CheckConstant(symbol, *operand, Type::kNumber);
  }
  Term result{is_sum ? MakeValue(Sum{std::move(left.value), std::move(right.value)})
                     : MakeValue(Difference{std::move(left.value), std::move(right.value)})};
  result.is_arithmetic = true;
  return result;
}

Result<Term> UpdateParser::ParseOperand() {
  switch (reader_.tokens.current().kind) {
    case TokenKind::kOpen:
      return ParseGroup();
    case TokenKind::kValue:
      return Term{MakeValue(reader_.ReadValue())};
    case TokenKind::kIdentifier:
      if (reader_.tokens.next().kind == TokenKind::kOpen) return ParseFunction();
      [[fallthrough]];
    default: {
      DocumentPath path;
      RETURN_IF_ERROR(reader_.ReadPath(path));
      return Term{MakeValue(std::move(path))};
    }
  }
}

Result<Term> UpdateParser::ParseGroup() {
  RETURN_IF_ERROR(reader_.EnterLevel());
  reader_.tokens.Take();
  ASSIGN_OR_RETURN(Term inner, ParseSetValue());
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kClose));
  reader_.LeaveLevel();
  if (inner.in_parentheses) {
    reader_.mistakes.Note(kRankParentheses,
                          [] { return std::string("The expression has redundant parentheses;"); });
  }
  inner.in_parentheses = true;
  return inner;
}

Result<Term> UpdateParser::ParseFunction() {
  RETURN_IF_ERROR(reader_.EnterLevel());
  const std::string_view name = reader_.tokens.Take().text;
  reader_.tokens.Take();  // the opening parenthesis
  reader_.CountOperator();
  std::array<Term, 2> arguments;
  int count = 0;
  do {
    ASSIGN_OR_RETURN(Term argument, ParseOperand());
    if (argument.is_arithmetic) return reader_.SyntaxError();
    if (count < 2) arguments[static_cast<size_t>(count)] = std::move(argument);
    ++count;
  } while (reader_.tokens.TakeIf(TokenKind::kComma));
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kClose));
  reader_.LeaveLevel();
  Term term = MakeFunction(name, arguments, count);
  term.function = name;
  return term;
}

Term UpdateParser::MakeFunction(std::string_view name, std::array<Term, 2>& arguments, int count) {
  static constexpr auto kConditionFunctions = std::to_array<std::string_view>(
      {"attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains", "size"});
  auto& [first, second] = arguments;
  if (name != "if_not_exists" && name != "list_append") {
    const bool is_known = std::ranges::find(kConditionFunctions, name) != kConditionFunctions.end();
    NoteFunction(kRankFunctionName,
                 is_known ? "The function is not allowed in an update expression" : "Invalid function name",
                 name);
    return {};
  }
  RefuseNestedListAppend(first);
  RefuseNestedListAppend(second);
  if (count != 2) {
    reader_.mistakes.Note(kRankFunctionOperand, [&] { return OperandCountMessage(name, count); });
    return {};
  }
  if (name == "list_append") {
    CheckConstant(name, first, Type::kList);
    CheckConstant(name, second, Type::kList);
    return Term{MakeValue(ListAppend{std::move(first.value), std::move(second.value)})};
  }
  const auto* path = first.value != nullptr ? std::get_if<DocumentPath>(&first.value->node) : nullptr;
  if (path == nullptr) {
    reader_.mistakes.Note(kRankFunctionOperand, [] {
      return std::string(
          "Operator or function requires a document path; operator or function: if_not_exists");
    });
    return {};
  }
  return Term{MakeValue(IfNotExists{*path, std::move(second.value)})};
}

void UpdateParser::CheckConstant(std::string_view function, const Term& term, Type wanted) {
  if (term.value == nullptr) return;
  const auto* constant = std::get_if<AttributeValue>(&term.value->node);
  if (constant == nullptr || constant->is(wanted)) return;
  reader_.mistakes.Note(kRankFunctionOperand,
                        [&] { return OperandTypeMessage(function, item::TypeName(constant->type())); });
}

// list_append() gives a whole attribute value: DynamoDB takes it nowhere else.
void UpdateParser::RefuseNestedListAppend(const Term& term) {
  if (term.function != "list_append") return;
  NoteFunction(kRankFunctionUse, "The function is not allowed to be used this way in an expression",
               term.function);
}

void UpdateParser::NoteOverlappingPaths() {
  std::vector<const DocumentPath*> paths;
  const auto collect = [&paths](const auto& actions) {
    for (const auto& action : actions) paths.push_back(&action.path);
  };
  for (const Section section : sections_) {
    if (section == Section::kSet) collect(update_.sets);
    if (section == Section::kRemove) collect(update_.removes);
    if (section == Section::kAdd) collect(update_.adds);
    if (section == Section::kDelete) collect(update_.deletes);
  }
  NoteOverlaps(reader_.mistakes, paths);
}

}  // namespace

Result<Update> ParseUpdate(std::string_view text, Placeholders& placeholders) {
  RETURN_IF_ERROR(CheckExpressionText(kKind, text));
  return UpdateParser(text, placeholders).Parse();
}

}  // namespace cairn::expr
