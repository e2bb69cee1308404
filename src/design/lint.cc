#include "design/lint.h"

#include <algorithm>
#include <tuple>

#include "design/lint_families.h"

namespace cairn::design {
namespace {

// Marks what an entry acknowledges; whether there was anything.
bool Acknowledge(const model::Accept& accept, model::Diagnostics& findings) {
  bool matched = false;
  for (model::Diagnostic& finding : findings) {
    if (finding.code != accept.code || (accept.at != "*" && accept.at != finding.subject)) continue;
    matched = true;
    if (finding.accepted_reason.empty()) {
      finding.accepted_reason = accept.reason.empty() ? "accepted without a reason" : accept.reason;
    }
  }
  return matched;
}

std::string WhyUnmatched(const model::Accept& accept, const model::Diagnostics& findings) {
  if (FindLintCode(accept.code) == nullptr) return "there is no code " + accept.code;
  std::vector<std::string> subjects;
  for (const model::Diagnostic& finding : findings) {
    if (finding.code == accept.code) subjects.push_back("\"" + finding.subject + "\"");
  }
  if (subjects.empty()) return "nothing in this model is a " + accept.code + " any more";
  if (subjects.size() > 3) subjects.resize(3);
  return "no " + accept.code + " is about \"" + accept.at + "\"; there is one about " + Enumerate(subjects);
}

}  // namespace

model::Diagnostics Lint(const model::Model& model) {
  Findings findings(model);
  for (const auto family : {LintIsolation, LintHotPartitions, LintKeys, LintPrefixes, LintRules, LintIndexes,
                            LintLimits, LintNames, LintPatterns, LintLocks, LintAssumptions}) {
    family(model, findings);
  }
  model::Diagnostics found = findings.Take();
  Findings unmatched(model);
  for (const model::Accept& accept : model.accepted) {
    if (Acknowledge(accept, found)) continue;
    unmatched.Add("ACC-1", accept.where, "accept " + accept.code + " " + accept.at,
                  WhyUnmatched(accept, found));
  }
  for (model::Diagnostic& finding : unmatched.Take()) found.push_back(std::move(finding));
  std::stable_sort(found.begin(), found.end(), [](const model::Diagnostic& a, const model::Diagnostic& b) {
    return std::tie(a.where, a.code) < std::tie(b.where, b.code);
  });
  return found;
}

}  // namespace cairn::design
