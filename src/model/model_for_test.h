// A small complete model that uses every key of the format. Shared by the tests of the model layer.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "model/load.h"

namespace cairn::model {

inline constexpr std::string_view kCompleteModel = R"toml(format = "cairn-model/1"
name = "project-desk"
doc = "Every key of the format, once."

[enum]
State = ["open", "active", "done"]
Tone = { values = ["calm", "loud"], open = true, assumed = "The source says etc." }

[shape.Span]
assumed = true
from = "date!"
to = { type = "date", nullable = true, doc = "The last day." }
[shape.Note]
text = { type = "string", min_length = 1, max_length = 100 }
span = "shape:Span"
rank = { type = "int", default = 3, min = 0, max = 9 }
code = { type = "uuid", prefix = "n_", required = true, assumed = true }
word = { type = "string", in = ["a", "b"], pattern = "[ab]" }

[table.core]
name = "desk-{env}"
pk = "PK"
sk = "SK"
type_attr = "kind"
type_case = "upper"
attr_case = "camel"
ttl = "expiry"
stream = false
tenant = { param = "userId", leading = "U#{userId}", claim = "sub" }
lock = { version = "version" }
delete = "forbid"
best_effort = true
billing = "provisioned"
region = "eu-central-1"
index.GSI1 = { pk = "G1PK", sk = "G1SK", default = { pk = "U#{userId}#KIND#{kind}", sk = "{createdAt}", when = "exists(createdAt)" } }
index.GSI2 = { pk = "G2PK", sk = "G2SK", project = ["title"], assumed = "Not in the source." }
index.GSI3 = { pk = "G3PK", project = [] }
doc = "Everything."
assumed = "One table is enough."
[table.core.common]
userId = { type = "id", as = "owner" }
createdAt = { type = "instant", auto = "create", immutable = true }
updatedAt = { type = "instant", auto = "update" }

[table.flat]
name = "desk-flat-{stage}"
pk = "id"
discriminate = "key"

[entity.Task]
table = "core"
type = "TASK"
pk = "U#{userId}"
sk = "TASK#{taskId}"
index.GSI2 = { pk = "U#{userId}#STATE#{state}", sk = "{dueAt}#{urgent:01}", when = "exists(dueAt) and state != 'done'", assumed = true }
index.GSI3 = { pk = "STATE#{state}", crosses_tenants = true }
unique = [["userId", "slug"], { attrs = ["code"], pk = "CODE#{code}", sk = "CODE" }]
require_if = [{ when = "state == 'done'", attrs = ["doneAt"], otherwise = "absent" }, { when = "urgent", attrs = ["dueAt"] }]
transitions = { attr = "state", order = ["open", "active", "done"], assumed = true }
tombstone = { set = { archived = true, doneAt = "$now" } }
secret = ["code"]
ttl = { from = "doneAt", after = "$retention:P30D", assumed = "Thirty days." }
overflow = { attr = "notes", to = "s3://desk/{taskId}" }
item_bytes = 900
doc = "Something to do."
assumed = true
[entity.Task.attr]
taskId = { type = "uuid", prefix = "task_", generate = true }
title = { type = "string", required = true, min_length = 1, max_length = 200, doc = "What." }
state = { type = "enum:State", default = "open" }
tone = "enum:Tone"
slug = { type = "slug", immutable = true }
code = { type = "string", pattern = "[A-Z]{3}", escape = "percent" }
priority = { type = "int", min = 0, max = 9, default = 5 }
urgent = { type = "bool", default = false }
dueAt = "instant"
doneAt = { type = "instant", after = "createdAt" }
archived = { type = "bool", default = false }
notes = "list<shape:Note>"
tags = { type = "set<string>", empty = "omit", default = ["new"] }
sizes = "set<int>"
visits = { type = "int", counter = true, default = 0 }
zone = { type = "iana_tz", nullable = true, default = "UTC" }
mail = "email"
extra = "map"
weight = { type = "number", min = 0.5, max = 99.25 }
goalIds = { type = "list<ref:Goal>", secret = false, assumed = "Few." }

[entity.Goal]
table = "core"
type = "GOAL"
pk = "U#{userId}"
sk = "GOAL#{goalId}"
index.GSI1 = false
lock = { on = "title" }
[entity.Goal.attr]
goalId = { type = "ulid", generate = "ulid" }
title = "string!"

[entity.GoalTask]
table = "core"
type = "GOAL_TASK"
pk = "GOAL#{goalId}"
sk = "TASK#{taskId}"
mirror = { of = "Task.goalIds" }
verify_owner = "Goal"
lock = false
[entity.GoalTask.attr]
goalId = "ref:Goal!"
taskId = "ref:Task!"

[entity.Revision]
table = "core"
type = "REVISION"
pk = "U#{userId}#D#{at:yyyyMMdd}"
sk = "REV#{at}#{order:06d}#{name}"
write = "append"
on_key_conflict = "bump_ms"
[entity.Revision.attr]
at = { type = "instant_ms", generate = "now" }
order = { type = "int", min = 0, max = 999999, stored = false }
name = { type = "string", escape = "percent" }
endsAt = "instant_ms"

[entity.Head]
table = "core"
type = "HEAD"
pk = "U#{userId}"
sk = "HEAD"
write = "upsert"
head_of = "Revision"
lock = { version = "generation" }
[entity.Head.attr]
revisionDay = "date!"
taskRef = "ref:Task"

[entity.Setting]
table = "flat"
pk = "SETTING#{key}"
scope = "global"
read = "anyone"
write = "idempotent"
transitions = { attr = "phase", allowed = { a = ["b"], b = [] } }
[entity.Setting.attr]
key = { type = "id", stored = false }
phase = "string"

[pattern.task]
get = "Task"
pk = "U#{userId}"
sk = "TASK#{taskId}"
consistent = true
slo = { p99_ms = 2.5 }
rest = "GET /tasks/{taskId}"
doc = "One task."
assumed = true

[pattern.tasksByState]
query = ["Task"]
on = "GSI2"
pk = "U#{userId}#STATE#{state}"
sk.between = ["{from}", "{to:end_of_day}"]
order = "desc"
limit = { default = 20, max = 200 }
max_items = 500
on_exceed = "truncate"
project = ["title", "userId"]
rest = "GET /tasks?state&from&to"

[pattern.everybodysTasks]
query = ["Task"]
on = "GSI3"
pk = "STATE#open"
scope = "caller"

[pattern.goalTasks]
query = ["GoalTask"]
pk = "GOAL#{goalId}"
sk.begins = "TASK#"
verify_owner = true
all_pages = true

[pattern.history]
query = ["Revision"]
pk = "U#{userId}#D#{day:yyyyMMdd}"
sk.between = ["REV#{from}", "REV#{to}"]
fanout = { param = "day", each = "day(from)..day(to)" }
lookback = { max_duration = "P1D", keep_if = "endsAt > $from" }

[pattern.current]
steps = [
  { get = "Head", pk = "U#{userId}", sk = "HEAD", consistent = true, as = "head" },
  { query = ["Task"], pk = "U#{userId}", sk.eq = "TASK#{head.taskRef}", all_pages = true },
]

[pattern.setting]
get = "Setting"
pk = "SETTING#{key}"
scope = "global"

[pattern.later]
query = ["Revision"]
pk = "U#{userId}#D#{on:yyyyMMdd}"
sk.gte = "REV#{since}"
[pattern.earlier]
query = ["Revision"]
pk = "U#{userId}#D#{on:yyyyMMdd}"
sk.lt = "REV#{until}"
[pattern.afterwards]
query = ["Revision"]
pk = "U#{userId}#D#{on:yyyyMMdd}"
sk.gt = "REV#{since}"
[pattern.upTo]
query = ["Revision"]
pk = "U#{userId}#D#{on:yyyyMMdd}"
sk.lte = "REV#{until:end_of_day}"

[guard]
scan = "forbid"
filter = { max_scanned = 500 }
page_over = 50
project = "required"
unbounded_pages = "forbid"
batch_write_chunk = 10

[[accept]]
code = "ISO-2"
at = "Task.GSI3"
reason = "The board of the whole team."
)toml";

// The model of a text that must be right.
inline ModelPtr ModelOf(std::string_view text, const std::string& file = "test.toml") {
  auto model = ParseModel(text, file);
  if (model) return *model;
  for (const Diagnostic& diagnostic : model.error()) ADD_FAILURE() << ToString(diagnostic);
  return nullptr;
}

}  // namespace cairn::model
