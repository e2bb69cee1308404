// Demo data: some weeks of a calendar, a board, notes and a reminder, for an account that has none of them.
#pragma once

#include "domains/nexus/nexus.h"

namespace cairn::nexus {

struct DemoFilled {
  int64_t events = 0;  // series count once
  int64_t tasks = 0;
  int64_t notes = 0;
};

// Around today, where the user's settings say. Some dozens of writes: a crash leaves the first of them; the
// witness is part of the last. Refusal: "not-empty" when the account has anything of this domain already.
Task<Decision<DemoFilled>> FillDemo(Nexus& nexus, model::Caller caller, Witness<DemoFilled> witness);

}  // namespace cairn::nexus
