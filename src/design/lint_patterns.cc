// PAT-1, PAT-2, PAT-3: patterns against the model's guard, and entities without any.
#include <algorithm>

#include "design/lint_families.h"

namespace cairn::design {
namespace {

void LintPages(const model::Model& model, const model::Pattern& pattern, Findings& findings) {
  const model::Guard& guard = model.guard;
  for (const model::Read& read : pattern.steps) {
    if (read.get) continue;
    if (read.all_pages) {
      if (pattern.max_items || !guard.forbid_unbounded_pages) continue;
      findings.Add("PAT-1", read.where, SubjectOf(pattern),
                   "all_pages without max_items, and the guard forbids unbounded pages");
    } else if (pattern.limit_max > guard.page_over) {
      findings.Add("PAT-1", pattern.where, SubjectOf(pattern),
                   "a page may have " + std::to_string(pattern.limit_max) +
                       " items; the guard wants pages of at most " + std::to_string(guard.page_over));
    }
  }
}

void LintProjection(const model::Model& model, const model::Pattern& pattern, Findings& findings) {
  if (!model.guard.require_projection || !pattern.project.empty()) return;
  const bool queries = std::any_of(pattern.steps.begin(), pattern.steps.end(),
                                   [](const model::Read& read) { return !read.get; });
  if (!queries) return;
  findings.Add("PAT-2", pattern.where, SubjectOf(pattern),
               "the query reads whole items; the guard requires project");
}

void LintReach(const model::Model& model, Findings& findings) {
  for (size_t position = 0; position < model.entities.size(); ++position) {
    const bool reached =
        std::any_of(model.patterns.begin(), model.patterns.end(), [&](const model::Pattern& pattern) {
          return std::any_of(pattern.steps.begin(), pattern.steps.end(), [&](const model::Read& read) {
            return std::find(read.entities.begin(), read.entities.end(), position) != read.entities.end();
          });
        });
    if (reached) continue;
    const model::Entity& entity = model.entities[position];
    findings.Add("PAT-3", entity.where, entity.name, "no pattern gets or queries " + entity.name);
  }
}

}  // namespace

void LintPatterns(const model::Model& model, Findings& findings) {
  for (const model::Pattern& pattern : model.patterns) {
    LintPages(model, pattern, findings);
    LintProjection(model, pattern, findings);
  }
  LintReach(model, findings);
}

}  // namespace cairn::design
