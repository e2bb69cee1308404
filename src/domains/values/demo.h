// Demo data: a tree with several weeks of history and the plans of these weeks, for an account that is new.
#pragma once

#include <string>

#include "base/random.h"
#include "domains/values/values.h"

namespace cairn::values {

struct DemoFilled {
  int64_t revisions = 0;  // of the tree
  int64_t days = 0;       // with a plan
};

// The weeks end with `values.Now()`. Some dozens of commits: a crash leaves the first of them; the witness is
// part of the last. Refusal: "not-empty" when the account has a tree already, or someone commits in between.
Task<Decision<DemoFilled>> FillDemo(Values& values, model::Caller caller, Random& random,
                                    Witness<DemoFilled> witness);

}  // namespace cairn::values
