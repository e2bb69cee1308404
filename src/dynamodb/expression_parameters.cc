#include "dynamodb/expression_parameters.h"

#include <algorithm>
#include <array>

#include "item/attribute_name.h"
#include "item/item_json.h"

namespace cairn::dynamodb {
namespace {

std::string_view NameOf(ExpressionKind kind) {
  static constexpr auto kNames =
      std::to_array<std::string_view>({"UpdateExpression", "ConditionExpression", "KeyConditionExpression",
                                       "FilterExpression", "ProjectionExpression"});
  return kNames[static_cast<size_t>(kind)];
}

std::string Join(const std::vector<std::string_view>& names, std::string_view separator) {
  std::string joined;
  for (const std::string_view name : names) {
    if (!joined.empty()) joined += separator;
    joined += name;
  }
  return joined;
}

bool IsPlaceholder(std::string_view text, char first) {
  return text.size() > 1 && text[0] == first && std::ranges::all_of(text.substr(1), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
         });
}

Status CheckKeys(std::string_view parameter, const auto& entries, char first) {
  if (entries.empty()) return Fail(Invalid(std::string(parameter) + " must not be empty"));
  for (const auto& [key, meaning] : entries) {
    if (IsPlaceholder(key, first)) continue;
    return Fail(Invalid(std::string(parameter) + " contains invalid key: Syntax error; key: \"" +
                        std::string(key) + "\""));
  }
  return {};
}

std::vector<std::string_view> Given(const RequestReader& request,
                                    std::initializer_list<std::string_view> names) {
  std::vector<std::string_view> given;
  for (const std::string_view name : names) {
    if (request.Has(name)) given.push_back(name);
  }
  return given;
}

}  // namespace

ExpressionParameters::ExpressionParameters(const RequestReader& request,
                                           std::initializer_list<ExpressionKind> kinds)
    : kinds_(kinds) {
  bool takes_values = false;
  for (const ExpressionKind kind : kinds_) {
    if (const auto text = request.String(NameOf(kind))) texts_.push_back({kind, *text});
    takes_values = takes_values || kind != ExpressionKind::kProjection;
  }
  names_ = request.StringMap("ExpressionAttributeNames");
  if (takes_values) values_ = request.ValueMap("ExpressionAttributeValues");
}

bool ExpressionParameters::Has(ExpressionKind kind) const {
  return std::ranges::find(texts_, kind, &Text::kind) != texts_.end();
}

Status ExpressionParameters::CheckUse(const RequestReader& request,
                                      std::initializer_list<std::string_view> legacy) const {
  std::vector<std::string_view> older = Given(request, legacy);
  // KeyConditions may go with a filter or a projection expression.
  if (!Has(ExpressionKind::kKeyCondition)) std::erase(older, "KeyConditions");
  if (!texts_.empty() && !older.empty()) {
    std::vector<std::string_view> given;
    for (const Text& text : texts_) given.push_back(NameOf(text.kind));
    return Fail(
        Invalid("Can not use both expression and non-expression parameters in the same request: "
                "Non-expression parameters: {" +
                Join(older, ", ") + "} Expression parameters: {" + Join(given, ", ") + "}"));
  }
  if (names_ && texts_.empty()) {
    return Fail(Invalid("ExpressionAttributeNames can only be specified when using expressions"));
  }
  std::vector<std::string_view> with_values;
  for (const ExpressionKind kind : kinds_) {
    if (kind != ExpressionKind::kProjection) with_values.push_back(NameOf(kind));
  }
  const bool any_with_values =
      std::ranges::any_of(texts_, [](const Text& text) { return text.kind != ExpressionKind::kProjection; });
  if (values_ && !any_with_values) {
    return Fail(Invalid("ExpressionAttributeValues can only be specified when using expressions: " +
                        Join(with_values, " and ") + (with_values.size() > 1 ? " are null" : " is null")));
  }
  return {};
}

Result<expr::Placeholders> ExpressionParameters::ReadPlaceholders() const {
  expr::Placeholders placeholders;
  if (names_) {
    RETURN_IF_ERROR(CheckKeys("ExpressionAttributeNames", *names_, '#'));
    for (const auto& [key, name] : *names_) {
      if (const Status valid = item::CheckAttributeName(name); !valid) {
        return Fail(Invalid("ExpressionAttributeNames contains invalid value: " + valid.error().message +
                            " for key " + std::string(key)));
      }
      placeholders.names[std::string(key)] = name;
    }
  }
  if (values_) {
    RETURN_IF_ERROR(CheckKeys("ExpressionAttributeValues", *values_, ':'));
    for (const auto& [key, value] : *values_) {
      if (!value) {
        return Fail(Invalid("ExpressionAttributeValues contains invalid value: " + value.error().message +
                            " for key " + std::string(key)));
      }
      placeholders.values[std::string(key)] = *value;
    }
  }
  return placeholders;
}

Result<ParsedExpressions> ExpressionParameters::Parse() const {
  ParsedExpressions parsed;
  if (texts_.empty() && !names_ && !values_) return parsed;
  ASSIGN_OR_RETURN(expr::Placeholders placeholders, ReadPlaceholders());
  std::array<const Text*, 5> texts{};  // DynamoDB looks at them in the order of the enum
  for (const Text& text : texts_) texts[static_cast<size_t>(text.kind)] = &text;
  for (const Text* text : texts) {
    if (text == nullptr) continue;
    switch (text->kind) {
      case ExpressionKind::kUpdate: {
        ASSIGN_OR_RETURN(parsed.update, expr::ParseUpdate(text->text, placeholders));
        break;
      }
      case ExpressionKind::kCondition: {
        ASSIGN_OR_RETURN(parsed.condition,
                         expr::ParseCondition(NameOf(text->kind), text->text, placeholders));
        break;
      }
      case ExpressionKind::kKeyCondition: {
        ASSIGN_OR_RETURN(parsed.key_condition, expr::ParseKeyCondition(text->text, placeholders));
        break;
      }
      case ExpressionKind::kFilter: {
        ASSIGN_OR_RETURN(parsed.filter, expr::ParseCondition(NameOf(text->kind), text->text, placeholders));
        break;
      }
      case ExpressionKind::kProjection: {
        ASSIGN_OR_RETURN(parsed.projection, expr::ParseProjection(text->text, placeholders));
        break;
      }
    }
  }
  RETURN_IF_ERROR(expr::CheckAllUsed(placeholders));
  return parsed;
}

void ExpressionParameters::AppendCanonical(JsonWriter& json) const {
  json.BeginObject();
  for (const Text& text : texts_) json.Member(NameOf(text.kind), text.text);
  std::map<std::string_view, std::string_view> names;
  if (names_) names.insert(names_->begin(), names_->end());
  for (const auto& [key, name] : names) json.Member(key, name);
  std::map<std::string_view, const item::AttributeValue*> values;
  if (values_) {
    for (const auto& [key, value] : *values_) {
      if (value) values[key] = &*value;
    }
  }
  for (const auto& [key, value] : values) item::AppendValueJson(json.Key(key).RawValue(), *value);
  json.EndObject();
}

}  // namespace cairn::dynamodb
