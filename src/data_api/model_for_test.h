// A small model for the tests of this layer: a root partition, partitions that go on from it, a HEAD, an
// owner rule, a secret, and things that belong to nobody.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "model/load.h"

namespace cairn::data_api {

inline constexpr std::string_view kTestModel = R"(
format = "cairn-model/1"
name   = "test"

[table.t]
name      = "Test"
pk        = "PK"
sk        = "SK"
discriminate = "key"
tenant    = { param = "userId", leading = "U#{userId}", claim = "sub" }

[table.shared]
name      = "Shared"
pk        = "PK"
sk        = "SK"
discriminate = "key"

[entity.Head]
doc   = "Points at the newest list."
table = "t"
pk    = "U#{userId}"
sk    = "HEAD"
[entity.Head.attr]
userId    = { type = "id", required = true, stored = false }
newestId  = { type = "id", as = "newest" }

[entity.List]
table = "t"
pk    = "U#{userId}"
sk    = "LIST#{listId}"
[entity.List.attr]
userId = { type = "id", required = true, stored = false }
listId = { type = "id", required = true, stored = false }
day    = { type = "date", nullable = true }
pin    = { type = "string", secret = true, as = "p" }

[entity.Entry]
table = "t"
pk    = "U#{userId}#LIST#{listId}"
sk    = "ENTRY#{number:03d}"
[entity.Entry.attr]
userId = { type = "id", required = true, stored = false }
listId = { type = "id", required = true, stored = false }
number = { type = "int", required = true, min = 0, max = 999, stored = false }
day    = "date"

[entity.Day]
table = "t"
pk    = "U#{userId}#DAY#{day}"
sk    = "DAY"
[entity.Day.attr]
userId = { type = "id", required = true, stored = false }
day    = { type = "date", required = true, stored = false }
listId = "id"

[entity.Job]
table = "shared"
pk    = "JOB"
sk    = "{jobId}"
scope = "global"
[entity.Job.attr]
jobId = { type = "id", required = true, stored = false }

[pattern.newest]
steps = [
  { get = "Head", pk = "U#{userId}", sk = "HEAD", as = "head" },
  { query = ["Entry"], pk = "U#{userId}#LIST#{head.newestId}" },
]

[guard]
scan = "forbid"
)";

inline model::ModelPtr LoadTestModel() {
  auto model = model::ParseModel(kTestModel, "test.toml");
  if (model) return *model;
  ADD_FAILURE() << model::ToString(model.error().front());
  return nullptr;
}

}  // namespace cairn::data_api
