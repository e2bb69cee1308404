#include "partiql/parse_path.h"

#include <charconv>

namespace cairn::partiql {
namespace {

Result<expr::PathStep> ParseBracketStep(Cursor& cursor) {
  const Token& token = cursor.Peek();
  if (token.kind == TokenKind::kString) {
    expr::PathStep step = token.text;
    cursor.Take();
    return step;
  }
  uint32_t position = 0;
  const char* const end = token.text.data() + token.text.size();
  if (token.kind != TokenKind::kNumber || std::from_chars(token.text.data(), end, position).ptr != end) {
    return Fail(Invalid("Unexpected path component" + AtPosition(token.position)));
  }
  cursor.Take();
  return position;
}

}  // namespace

Result<expr::DocumentPath> ParsePath(Cursor& cursor) {
  expr::DocumentPath path;
  path.attribute = cursor.Take().text;
  if (path.attribute.empty()) return Fail(Invalid("Path component cannot be an empty string"));
  for (;;) {
    if (cursor.TakeSymbol(".")) {
      if (!cursor.AtName()) return Fail(NotWellFormed("Invalid path dot component"));
      path.steps.emplace_back(cursor.Take().text);
    } else if (cursor.TakeSymbol("[")) {
      ASSIGN_OR_RETURN(expr::PathStep step, ParseBracketStep(cursor));
      path.steps.push_back(std::move(step));
      if (!cursor.TakeSymbol("]")) return Fail(NotWellFormed("Expected RIGHT_BRACKET"));
    } else {
      return path;
    }
  }
}

std::string ColumnName(const expr::DocumentPath& path) {
  std::string name = path.attribute;
  for (const expr::PathStep& step : path.steps) {
    if (const auto* key = std::get_if<std::string>(&step)) {
      name = *key;
    } else {
      name += "[" + std::to_string(std::get<uint32_t>(step)) + "]";
    }
  }
  return name;
}

Result<Source> ParseSource(Cursor& cursor) {
  std::vector<std::string> parts = {cursor.Take().text};
  while (cursor.TakeSymbol(".")) {
    if (!cursor.AtName()) return Fail(NotWellFormed("Invalid path dot component"));
    parts.push_back(cursor.Take().text);
  }
  for (const std::string& part : parts) {
    if (part.empty()) return Fail(Invalid("Path component cannot be an empty string"));
  }
  if (parts.size() > 2) return Fail(Invalid("A path may contain at most 2 components in the FROM clause"));
  Source source{std::move(parts[0]), std::nullopt};
  if (parts.size() == 2) source.index = std::move(parts[1]);
  return source;
}

Status CheckNoAlias(const Cursor& cursor) {
  if (cursor.AtName() || cursor.AtKeyword("as")) return Fail(Invalid("Aliasing is not supported"));
  return {};
}

}  // namespace cairn::partiql
