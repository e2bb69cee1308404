#include "expr/expression_reader.h"

#include <charconv>
#include <limits>

#include "expr/reserved_words.h"
#include "item/item_size.h"

namespace cairn::expr {
namespace {

constexpr uint32_t kListPositionMax = std::numeric_limits<int32_t>::max();

// Every operator may bring one level itself (NOT, functions) and one pair of parentheses, so an expression
// within the operator limit and without redundant parentheses stays below this.
constexpr int kDepthMax = 2 * kOperatorsMax + 20;

// A parsed expression holds a copy of a value for each of its uses.
constexpr size_t kRepeatedBytesMax = 4 << 20;

std::string Message(std::initializer_list<std::string_view> parts) {
  std::string message;
  for (const std::string_view part : parts) message.append(part);
  return message;
}

}  // namespace

std::unexpected<Error> ExpressionReader::SyntaxError() const {
  const Token& token = tokens.current();
  return Refuse(Message({"Syntax error; token: \"", token.kind == TokenKind::kEnd ? "<EOF>" : token.text,
                         "\", near: \"", tokens.Near(), "\""}));
}

std::unexpected<Error> ExpressionReader::Refuse(std::string_view text) const {
  return Fail(Invalid(Message({"Invalid ", kind_, ": ", text})));
}

Status ExpressionReader::Expect(TokenKind token_kind) {
  if (!tokens.TakeIf(token_kind)) return SyntaxError();
  return {};
}

Status ExpressionReader::ReadPath(DocumentPath& path) {
  if (!tokens.At(TokenKind::kIdentifier) && !tokens.At(TokenKind::kName)) return SyntaxError();
  path.attribute = ReadName();
  return ReadSteps(path);
}

Status ExpressionReader::ReadSteps(DocumentPath& path) {
  while (true) {
    if (tokens.TakeIf(TokenKind::kDot)) {
      if (!tokens.At(TokenKind::kIdentifier) && !tokens.At(TokenKind::kName)) return SyntaxError();
      path.steps.emplace_back(ReadName());
    } else if (tokens.TakeIf(TokenKind::kOpenBracket)) {
      RETURN_IF_ERROR(ReadIndex(path));
    } else {
      break;
    }
  }
  const size_t levels = 1 + path.steps.size();  // the attribute itself is one
  if (levels > static_cast<size_t>(item::kNestingMax)) {
    mistakes.Note(kRankPath, [&] {
      return "The document path has too many nesting elements; nesting levels: " + std::to_string(levels);
    });
  }
  return {};
}

Status ExpressionReader::ReadIndex(DocumentPath& path) {
  if (!tokens.At(TokenKind::kNumber)) return SyntaxError();
  const std::string_view digits = tokens.Take().text;
  RETURN_IF_ERROR(Expect(TokenKind::kCloseBracket));
  uint32_t position = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), position);
  if (error != std::errc() || position > kListPositionMax) {
    mistakes.Note(kRankPath, [&] {
      return Message({"List index is not within the allowable range; index: [", digits, "]"});
    });
  }
  path.steps.emplace_back(position);
  return {};
}

std::string ExpressionReader::ReadName() {
  const Token token = tokens.Take();
  if (token.kind == TokenKind::kIdentifier) {
    if (IsReservedWord(token.text)) {
      mistakes.Note(kRankPath, [&] {
        return Message({"Attribute name is a reserved keyword; reserved keyword: ", token.text});
      });
    }
    return std::string(token.text);
  }
  const auto found = placeholders_.names.find(token.text);
  if (found == placeholders_.names.end()) {
    mistakes.Note(name_rank, [&] {
      return Message(
          {"An expression attribute name used in the document path is not defined; attribute name: ",
           token.text});
    });
    return {};
  }
  placeholders_.used_names.insert(found->first);
  return found->second;
}

item::AttributeValue ExpressionReader::ReadValue() {
  const Token token = tokens.Take();
  const auto found = placeholders_.values.find(token.text);
  if (found == placeholders_.values.end()) {
    mistakes.Note(value_rank, [&] {
      return Message(
          {"An expression attribute value used in expression is not defined; attribute value: ", token.text});
    });
    return {};
  }
  const bool is_first_use = placeholders_.used_values.insert(found->first).second;
  if (!is_first_use && (repeated_bytes_ += item::ValueBytes(found->second)) > kRepeatedBytesMax) {
    mistakes.Note(value_rank, [&] {
      return Message({"A large expression attribute value is used too often; attribute value: ", token.text});
    });
    return {};
  }
  return found->second;
}

Status ExpressionReader::EnterLevel() {
  if (++depth_ <= kDepthMax) return {};
  if (tokens.At(TokenKind::kOpen) && tokens.next().kind == TokenKind::kOpen)
    return Refuse("The expression has redundant parentheses;");
  return Refuse("The expression contains too many operators; operator count: " +
                std::to_string(std::max(operator_count_, kOperatorsMax + 1)));
}

Status ExpressionReader::Finish() {
  if (!tokens.At(TokenKind::kEnd)) return SyntaxError();
  if (operator_count_ > kOperatorsMax) {
    mistakes.Note(kRankOperatorCount, [&] {
      return "The expression contains too many operators; operator count: " + std::to_string(operator_count_);
    });
  }
  if (mistakes.any()) return Refuse(mistakes.text());
  return {};
}

Status CheckExpressionText(std::string_view kind, std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return Fail(Invalid(Message({"Invalid ", kind, ": The expression can not be empty;"})));
  }
  if (text.size() <= kExpressionBytesMax) return {};
  std::string message =
      Message({"Invalid ", kind, ": Expression size has exceeded the maximum allowed size;"});
  // DynamoDB tells the size for these two kinds only.
  if (kind == "ConditionExpression" || kind == "FilterExpression") {
    message.append(" expression size: ").append(std::to_string(text.size()));
  }
  return Fail(Invalid(std::move(message)));
}

std::string PathInMessage(const DocumentPath& path) {
  std::string text = "[" + path.attribute;
  for (const PathStep& step : path.steps) {
    text.append(", ");
    if (const auto* name = std::get_if<std::string>(&step)) {
      text.append(*name);
    } else {
      text.append("[").append(std::to_string(std::get<uint32_t>(step))).append("]");
    }
  }
  return text.append("]");
}

std::string OperandCountMessage(std::string_view function, int count) {
  return Message({"Incorrect number of operands for operator or function; operator or function: ", function,
                  ", number of operands: ", std::to_string(count)});
}

std::string OperandTypeMessage(std::string_view function, std::string_view type) {
  return Message({"Incorrect operand type for operator or function; operator or function: ", function,
                  ", operand type: ", type});
}

}  // namespace cairn::expr
