// PRE-1, PRE-2: what a pattern's key condition catches besides what it means.
#include <algorithm>

#include "design/key_facts.h"
#include "design/lint_families.h"

namespace cairn::design {
namespace {

using model::SortOperator;

// Partition and sort template of an entity where the read looks; null when it is not there.
struct Place {
  const model::Template* pk = nullptr;
  const model::Template* sk = nullptr;
};

Place PlaceOf(const model::Entity& entity, const model::Read& read) {
  if (entity.table != read.table) return {};
  if (!read.index) return {&entity.pk, &entity.sk};
  const model::EntityIndex* in = FindIndex(entity, *read.index);
  return in == nullptr ? Place{} : Place{&in->pk, &in->sk};
}

void LintOpenPrefix(const model::Model& model, const model::Pattern& pattern, const model::Read& read,
                    Findings& findings) {
  if (read.sk.op != SortOperator::kBegins || read.sk.low.empty()) return;
  const model::TemplatePart& last = read.sk.low.parts().back();
  // Nothing is longer than a value of fixed width.
  if (!last.is_literal() && IsFixedWidth(last)) return;
  for (const size_t position : read.entities) {
    const model::Entity& entity = model.entities[position];
    const Place place = PlaceOf(entity, read);
    if (place.sk == nullptr || read.sk.low.EndsAtBoundary(*place.sk)) continue;
    findings.Add("PRE-1", read.sk.where, SubjectOf(pattern),
                 "prefix \"" + read.sk.low.text() + "\" ends inside a part of " + entity.name + "'s \"" +
                     place.sk->text() + "\" and also finds longer values");
  }
}

// Whether keys that begin with `beginning` can lie between keys that begin with `low` and `high` (nothing: no
// bound).
bool Touches(std::string_view beginning, std::optional<std::string_view> low,
             std::optional<std::string_view> high) {
  const auto related = [&](std::string_view bound) {
    return bound.starts_with(beginning) || beginning.starts_with(bound);
  };
  if (low && !related(*low) && beginning < *low) return false;
  if (high && !related(*high) && beginning > *high) return false;
  return true;
}

bool Captures(const model::SortCondition& condition, const model::Template& sk) {
  const std::string_view beginning = sk.LiteralPrefix();
  const std::string_view low = condition.low.LiteralPrefix();
  switch (condition.op) {
    case SortOperator::kNone:
      return true;
    case SortOperator::kEqual:
      return condition.low.Overlaps(sk);
    case SortOperator::kBegins:
      return condition.low.AlignPrefix(sk).has_value();
    case SortOperator::kBetween:
      return Touches(beginning, low, condition.high.LiteralPrefix());
    case SortOperator::kLess:
    case SortOperator::kLessOrEqual:
      return Touches(beginning, std::nullopt, low);
    case SortOperator::kGreater:
    case SortOperator::kGreaterOrEqual:
      return Touches(beginning, low, std::nullopt);
  }
  return false;
}

void LintCaptured(const model::Model& model, const model::Pattern& pattern, const model::Read& read,
                  Findings& findings) {
  if (read.get) return;
  std::vector<std::string> captured;
  for (size_t position = 0; position < model.entities.size(); ++position) {
    if (std::find(read.entities.begin(), read.entities.end(), position) != read.entities.end()) continue;
    const Place place = PlaceOf(model.entities[position], read);
    if (place.pk == nullptr || !read.pk.Overlaps(*place.pk)) continue;
    if (Captures(read.sk, *place.sk)) captured.push_back(model.entities[position].name);
  }
  if (captured.empty()) return;
  const bool several = captured.size() > 1;
  findings.Add("PRE-2", read.where, SubjectOf(pattern),
               "it also reads " + Enumerate(captured) + ", which " + (several ? "are" : "is") +
                   " not in its list: " + (several ? "they are" : "it is") + " paid for and dropped");
}

}  // namespace

void LintPrefixes(const model::Model& model, Findings& findings) {
  for (const model::Pattern& pattern : model.patterns) {
    for (const model::Read& read : pattern.steps) {
      LintOpenPrefix(model, pattern, read, findings);
      LintCaptured(model, pattern, read, findings);
    }
  }
}

}  // namespace cairn::design
