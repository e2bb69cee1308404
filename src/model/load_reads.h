// One read of a pattern: what it names and where its templates stand in the file. Private to the loader of
// patterns.
#pragma once

#include "model/load_context.h"

namespace cairn::model {

// Beside Read.
struct ReadSource {
  const Node* pk = nullptr;
  const Node* low = nullptr;   // of the sort condition
  const Node* high = nullptr;  // of between
  bool complete = false;       // entities, index and templates are all known
};

// Reads the keys get, query, on, pk, sk, consistent, all_pages and as of `node`, the pattern or the step that
// stands at `where`. Templates come back unbound.
ReadSource LoadRead(LoadContext& context, const Node& node, Location where, const std::string& subject,
                    Read& read);

}  // namespace cairn::model
