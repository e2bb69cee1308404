#include "expr/expression_reader.h"
#include "expr/parse.h"
#include "expr/path_overlap.h"

namespace cairn::expr {

Result<Projection> ParseProjection(std::string_view text, Placeholders& placeholders) {
  static constexpr std::string_view kKind = "ProjectionExpression";
  RETURN_IF_ERROR(CheckExpressionText(kKind, text));
  ExpressionReader reader(kKind, text, Keywords::kNone, placeholders);
  Projection projection;
  do {
    RETURN_IF_ERROR(reader.ReadPath(projection.paths.emplace_back()));
  } while (reader.tokens.TakeIf(TokenKind::kComma));

  std::vector<const DocumentPath*> paths;
  paths.reserve(projection.paths.size());
  for (const DocumentPath& path : projection.paths) paths.push_back(&path);
  NoteOverlaps(reader.mistakes, paths);
  RETURN_IF_ERROR(reader.Finish());
  return projection;
}

}  // namespace cairn::expr
