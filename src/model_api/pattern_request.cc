#include "model_api/pattern_request.h"

#include <algorithm>
#include <charconv>

#include "model/name_suggestion.h"

namespace cairn::model_api {
namespace {

constexpr std::string_view kLimit = "limit";
constexpr std::string_view kCursor = "cursor";
constexpr size_t kDateLength = 10;  // 2026-11-15

std::vector<std::string_view> KnownNames(const model::Pattern& pattern) {
  std::vector<std::string_view> names;
  for (const model::Parameter& parameter : pattern.parameters) names.push_back(parameter.name);
  names.push_back(kLimit);
  names.push_back(kCursor);
  return names;
}

Result<item::AttributeValue> ReadParameter(const model::Parameter& parameter, std::string_view text) {
  model::ValueType type = parameter.type;
  if (parameter.date_too && text.size() == kDateLength) type.kind = model::Kind::kDate;
  return model::ParseText(type, text);
}

std::optional<int64_t> ReadLimit(std::string_view text) {
  int64_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return limit;
}

}  // namespace

model::Outcome<model::PageRequest> ReadPageRequest(const model::Pattern& pattern,
                                                   const http::QueryParameters& query) {
  model::PageRequest page;
  std::vector<model::FieldError> wrong;
  const auto known = KnownNames(pattern);
  for (const auto& [name, text] : query.all()) {
    if (std::ranges::find(known, name) == known.end()) {
      wrong.push_back({name, "is not a parameter of " + pattern.name + model::DidYouMean(name, known)});
    }
  }
  for (const model::Parameter& parameter : pattern.parameters) {
    const auto text = query.Find(parameter.name);
    if (!text) {
      if (parameter.required) wrong.push_back({parameter.name, "is required"});
      continue;
    }
    auto value = ReadParameter(parameter, *text);
    if (!value) {
      wrong.push_back({parameter.name, value.error().message});
    } else {
      page.parameters.Set(parameter.name, *std::move(value));
    }
  }
  if (const auto text = query.Find(kLimit)) {
    page.limit = ReadLimit(*text);
    if (!page.limit || *page.limit < 1 || *page.limit > pattern.limit_max) {
      wrong.push_back({std::string(kLimit), "must be between 1 and " + std::to_string(pattern.limit_max)});
    }
  }
  page.cursor = query.Find(kCursor).value_or("");
  if (!wrong.empty()) return std::unexpected(model::Failure(std::move(wrong)));
  return page;
}

}  // namespace cairn::model_api
