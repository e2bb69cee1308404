// The families of lint rules, one file each. Private to the linter (lint.cc calls them all).
#pragma once

#include "design/findings.h"

namespace cairn::design {

void LintIsolation(const model::Model& model, Findings& findings);      // ISO-*
void LintHotPartitions(const model::Model& model, Findings& findings);  // HOT-*
void LintKeys(const model::Model& model, Findings& findings);           // KEY-*, SORT-*
void LintPrefixes(const model::Model& model, Findings& findings);       // PRE-*
void LintRules(const model::Model& model, Findings& findings);          // RULE-*
void LintIndexes(const model::Model& model, Findings& findings);        // IDX-*, TTL-*
void LintLimits(const model::Model& model, Findings& findings);         // LIM-*
void LintNames(const model::Model& model, Findings& findings);          // NAME-*
void LintPatterns(const model::Model& model, Findings& findings);       // PAT-*
void LintLocks(const model::Model& model, Findings& findings);          // LOCK-*
void LintAssumptions(const model::Model& model, Findings& findings);    // ASM-*

}  // namespace cairn::design
