// ExpressionParameters: the expressions of one request with their placeholders, from text to trees.
//
// Used by every item operation, and by each part of a transaction or batch on its own. Follows DynamoDB's
// order: reading notes findings; CheckUse() looks at which parameters were given together; Parse() looks into
// them.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dynamodb/json_writer.h"
#include "dynamodb/request_reader.h"
#include "expr/parse.h"

namespace cairn::dynamodb {

enum class ExpressionKind { kUpdate, kCondition, kKeyCondition, kFilter, kProjection };

struct ParsedExpressions {
  std::optional<expr::Update> update;
  expr::ConditionPtr condition;
  std::optional<expr::KeyCondition> key_condition;
  expr::ConditionPtr filter;
  std::optional<expr::Projection> projection;
};

class ExpressionParameters {
 public:
  // `kinds`: the expressions that the operation knows, in the order in which messages list them.
  ExpressionParameters(const RequestReader& request, std::initializer_list<ExpressionKind> kinds);

  bool Has(ExpressionKind kind) const;
  bool empty() const { return texts_.empty(); }

  // `legacy` are the operation's older parameters, in the order in which messages list them: they cannot go
  // with expressions. Nor can placeholders go without.
  Status CheckUse(const RequestReader& request, std::initializer_list<std::string_view> legacy) const;

  Result<ParsedExpressions> Parse() const;

  // Everything that was given, in one canonical form: for fingerprints.
  void AppendCanonical(JsonWriter& json) const;

 private:
  struct Text {
    ExpressionKind kind;
    std::string_view text;
  };
  Result<expr::Placeholders> ReadPlaceholders() const;

  std::vector<ExpressionKind> kinds_;
  std::vector<Text> texts_;  // those given, in the order of kinds_
  std::optional<RequestReader::Entries<std::string_view>> names_;
  std::optional<RequestReader::Entries<Result<item::AttributeValue>>> values_;
};

}  // namespace cairn::dynamodb
