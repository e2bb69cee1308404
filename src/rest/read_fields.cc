#include "rest/read_fields.h"

#include <algorithm>

#include "model/name_suggestion.h"
#include "rest/json_object.h"
#include "rest/text_form.h"

namespace cairn::rest {

std::optional<std::string> CheckText(const Rule& rule, const item::AttributeValue& given, std::string& out) {
  if (!given.is(item::Type::kString)) return "must be a text";
  item::AttributeValue value = given;
  const model::ValueType type{.kind = rule.kind};
  model::ValueLimits limits;
  limits.length_min = rule.min;
  limits.length_max = rule.max.value_or(kTextBytesMax);
  if (auto fine = model::CheckValue(type, limits, value); !fine) return fine.error().message;
  if (const std::string_view fault = FormFault(rule.form, value.string()); !fault.empty())
    return std::string(fault);
  out = value.string();
  return std::nullopt;
}

std::optional<std::string> CheckNumber(const Rule& rule, const item::AttributeValue& given, int64_t& out) {
  if (!given.is(item::Type::kNumber)) return "must be a whole number";
  item::AttributeValue value = given;
  const model::ValueType type{.kind = model::Kind::kInt};
  model::ValueLimits limits;
  if (rule.min) limits.min = item::Number(*rule.min);
  if (rule.max) limits.max = item::Number(*rule.max);
  if (auto fine = model::CheckValue(type, limits, value); !fine) return fine.error().message;
  const auto number = value.number().ToInteger();
  if (!number) return "must be a whole number of at most 18 digits";
  out = *number;
  return std::nullopt;
}

std::optional<std::string> CheckTruth(const item::AttributeValue& given, bool& out) {
  if (!given.is(item::Type::kBoolean)) return "must be true or false";
  out = given.boolean();
  return std::nullopt;
}

std::optional<std::string> CheckChoice(std::span<const std::string_view> texts,
                                       const item::AttributeValue& given, size_t& out) {
  if (given.is(item::Type::kString)) {
    const auto found = std::ranges::find(texts, given.string());
    if (found != texts.end()) {
      out = static_cast<size_t>(found - texts.begin());
      return std::nullopt;
    }
  }
  std::string message = "must be one of ";
  for (size_t i = 0; i < texts.size(); ++i) message += (i == 0 ? "" : ", ") + std::string(texts[i]);
  return message;
}

std::optional<std::string> CheckLength(const Rule& rule, size_t elements) {
  const auto least = static_cast<size_t>(rule.min.value_or(0));
  const auto most = static_cast<size_t>(rule.max.value_or(kElementsMax));
  if (elements < least) return "must have at least " + std::to_string(least) + " elements";
  if (elements > most) return "must have at most " + std::to_string(most) + " elements";
  return std::nullopt;
}

item::AttributeValue FromText(const Rule& rule, std::string_view text) {
  auto value = model::ParseText({.kind = rule.kind}, text);
  return value ? *std::move(value) : item::AttributeValue(item::Null{});
}

void ObjectReader::Finish() {
  for (const item::Attribute& member : object_) {
    if (std::ranges::find(known_, member.name) != known_.end()) continue;
    if (faults_.size() >= kFaultsMax) return;
    faults_.push_back({At(Shown(member.name)), "is not known here" + model::DidYouMean(member.name, known_)});
  }
}

void RequestReader::Finish() {
  body_.Finish();
  for (const auto& [name, value] : parts_.query.all()) {
    if (std::ranges::find(known_query_, name) != known_query_.end()) continue;
    faults_.query.push_back({Shown(name), "is not known here" + model::DidYouMean(name, known_query_)});
  }
}

}  // namespace cairn::rest
