// Documents: a model as a page for people, with its partitions drawn, its patterns with their cost, and what
// the linter has to say. Made from the model alone: the same model gives the same bytes.
#pragma once

#include <string>

#include "model/definition.h"

namespace cairn::design {

std::string DocsMarkdown(const model::Model& model);
// One self-contained page: no scripts, nothing loaded from elsewhere; light and dark, wide and narrow.
std::string DocsHtml(const model::Model& model);

}  // namespace cairn::design
