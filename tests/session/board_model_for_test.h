// The model most session tests use: tasks with two indexes, notes, a wallet, links; owners by user id.
#pragma once

#include <string_view>

namespace cairn::model {

inline constexpr std::string_view kBoardModel = R"toml(
format = "cairn-model/1"
name = "board"
[enum]
Status = ["BACKLOG", "OPEN", "DONE", "ARCHIVED"]

[table.Board]
name = "board-{stage}"
pk = "PK"
sk = "SK"
type_attr = "kind"
ttl = "ttl"
tenant = { param = "userId", leading = "USER#{userId}", claim = "sub" }
index.GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }
index.GSI2 = { pk = "GSI2PK", sk = "GSI2SK" }
[table.Board.common]
userId = "id!"
createdAt = { type = "instant_ms", auto = "create", immutable = true }
updatedAt = { type = "instant_ms", auto = "update" }

[entity.Task]
type = "TASK"
pk = "USER#{userId}"
sk = "TASK#{taskId}"
index.GSI1 = { pk = "USER#{userId}#{due:yyyy}", sk = "{due}", when = "exists(due) and status not in ['BACKLOG', 'ARCHIVED']" }
index.GSI2 = { pk = "STATUS#{status}", sk = "{createdAt}#{rank:03d}", crosses_tenants = true }
[entity.Task.attr]
taskId = { type = "ulid", generate = true }
title = { type = "string", required = true, max_length = 40 }
status = { type = "enum:Status", default = "OPEN" }
due = "instant"
end = { type = "instant", after = "due" }
rank = { type = "int", min = 0, max = 999, default = 0 }
tags = { type = "set<string>", max_length = 5 }
goalIds = { type = "list<ref:Goal>", max_length = 20 }
reason = "string"
note = { type = "string", secret = true }

[entity.Goal]
type = "GOAL"
pk = "USER#{userId}"
sk = "GOAL#{goalId}"
[entity.Goal.attr]
goalId = { type = "id", generate = "ulid" }
name = "string!"

[entity.GoalTask]
type = "GOAL_TASK"
pk = "GOAL#{goalId}"
sk = "TASK#{taskId}"
verify_owner = "Goal"
mirror = { of = "Task.goalIds" }
[entity.GoalTask.attr]
goalId = "ref:Goal!"
taskId = "ref:Task!"

[entity.Log]
type = "LOG"
pk = "GOAL#{goalId}"
sk = "LOG#{at}"
write = "append"
verify_owner = "Goal"
on_key_conflict = "bump_ms"
[entity.Log.attr]
goalId = "ref:Goal!"
at = { type = "instant_ms", generate = "now" }
value = "number!"

[entity.Doc]
type = "DOC"
pk = "USER#{userId}"
sk = "DOC#{docId}"
lock = { version = "version" }
unique = [["userId", "slug"]]
require_if = [{ when = "state == 'PUBLISHED'", attrs = ["slug"] }]
transitions = { attr = "state", order = ["DRAFT", "PUBLISHED", "RETIRED"] }
[entity.Doc.attr]
docId = { type = "id", generate = "ulid" }
state = { type = "string", in = ["DRAFT", "PUBLISHED", "RETIRED"], default = "DRAFT" }
slug = "slug"
body = "string"

[entity.Day]
type = "DAY"
pk = "USER#{userId}"
sk = "DAY#{date}"
write = "upsert"
[entity.Day.attr]
date = "date!"
mood = "string"

[entity.Event]
type = "EVENT"
pk = "USER#{userId}"
sk = "EVENT#{eventId}"
write = "idempotent"
[entity.Event.attr]
eventId = "id!"
payload = "map"

[entity.Wallet]
type = "WALLET"
pk = "USER#{userId}"
sk = "WALLET"
[entity.Wallet.attr]
balance = { type = "int", min = 0, default = 0, counter = true }

[entity.Visit]
type = "VISIT"
pk = "USER#{userId}"
sk = "VISIT#{visitId}"
ttl = { from = "seenAt", after = "PT45M" }
[entity.Visit.attr]
visitId = "id!"
seenAt = "instant!"

[entity.Node]
type = "NODE"
pk = "USER#{userId}#TREE#{rev}"
sk = "NODE#{order:04d}#{nodeId}"
write = "once"
[entity.Node.attr]
rev = { type = "ulid", required = true, stored = false }
order = { type = "int", required = true, stored = false }
nodeId = { type = "id", required = true, stored = false }
title = "string"

[entity.Head]
type = "HEAD"
pk = "USER#{userId}"
sk = "HEAD"
lock = { on = "rev" }
head_of = "Node"
[entity.Head.attr]
rev = "ulid!"

[entity.Plan]
type = "PLAN"
pk = "PLAN#{planId}"
sk = "META"
scope = "global"
read = "anyone"
[entity.Plan.attr]
planId = "id!"
name = "string!"

[pattern.tasks]
query = ["Task"]
pk = "USER#{userId}"
sk.begins = "TASK#"
limit = { default = 3, max = 10 }
[pattern.agenda]
on = "GSI1"
query = ["Task"]
pk = "USER#{userId}#{window:yyyy}"
sk.between = ["{from}", "{to:end_of_day}"]
fanout = { param = "window", each = "year(from)..year(to)" }
lookback = { max_duration = "P31D", keep_if = "end > $from" }
limit = { default = 50, max = 100 }
[pattern.byStatus]
on = "GSI2"
query = ["Task"]
pk = "STATUS#{status}"
scope = "caller"
order = "desc"
[pattern.goalTasks]
query = ["GoalTask"]
pk = "GOAL#{goalId}"
sk.begins = "TASK#"
verify_owner = true
[pattern.logs]
query = ["Log"]
pk = "GOAL#{goalId}"
sk.between = ["LOG#{from}", "LOG#{to:end_of_day}"]
verify_owner = true
max_items = 5
on_exceed = "truncate"
[pattern.visits]
query = ["Visit"]
pk = "USER#{userId}"
sk.begins = "VISIT#"
[pattern.tree]
steps = [
  { get = "Head", pk = "USER#{userId}", sk = "HEAD", consistent = true, as = "head" },
  { query = ["Node"], pk = "USER#{userId}#TREE#{head.rev}", consistent = true, all_pages = true },
]
[pattern.doc]
get = "Doc"
pk = "USER#{userId}"
sk = "DOC#{docId}"
[pattern.plan]
get = "Plan"
pk = "PLAN#{planId}"
sk = "META"
scope = "global"
)toml";

}  // namespace cairn::model
