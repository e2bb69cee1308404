#include "design/starter.h"

namespace cairn::design {

std::string_view StarterModel() {
  return R"toml(# A data model for cairn: one table, two entities, the ways to read them.
#
#   cairn model check  tasks.toml      finds what will hurt later
#   cairn model docs   tasks.toml      a page with the partitions drawn
#   cairn model cost   tasks.toml      read and write units
#   cairn model export tasks.toml --to cloudformation
format = "cairn-model/1"
name   = "tasks"
doc    = "Lists of tasks, one owner each."

# A closed list of texts. With open = true other texts are allowed too.
[enum]
Status = ["TODO", "DOING", "DONE"]

# ---------------------------------------------------------------------------------------------------------- the table
[table.main]
name      = "tasks-{stage}"    # {stage} is filled in when the table is made
pk        = "PK"               # names of the key attributes
sk        = "SK"
type_attr = "entityType"       # says what an item is; or discriminate = "key"
type_case = "upper"
attr_case = "camel"
# Whose items these are: every partition begins with this, filled from the claim of the caller's token.
tenant    = { param = "userId", leading = "USER#{userId}", claim = "sub" }
# Every update counts version up and fails when somebody else was faster.
lock      = { version = "version" }
index.GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }
index.GSI2 = { pk = "GSI2PK", sk = "GSI2SK" }

# Attributes that all entities of the table have.
[table.main.common]
userId    = "id!"                                                    # the ! means required
createdAt = { type = "instant_ms", auto = "create", immutable = true }
updatedAt = { type = "instant_ms", auto = "update" }

# ------------------------------------------------------------------------------------------------------- the entities
[entity.List]
doc  = "A list of tasks."
type = "LIST"
pk   = "USER#{userId}"
sk   = "LIST#{listId}"
[entity.List.attr]
listId = { type = "ulid", generate = true }
name   = { type = "string", required = true, min_length = 1, max_length = 200 }

[entity.Task]
doc  = "Something to do."
type = "TASK"
pk   = "USER#{userId}#LIST#{listId}"
sk   = "TASK#{taskId}"                 # what names the task, and nothing that may change
# Index keys follow the item: change order, and the task moves. A fixed width, so that 10 comes after 9.
index.GSI1 = { pk = "USER#{userId}#LIST#{listId}", sk = "{order:06d}#{taskId}" }
# In this index only while the rule holds. Updates of status or dueOn keep it right.
index.GSI2 = { pk = "USER#{userId}#DUE", sk = "{dueOn}", when = "exists(dueOn) and status != 'DONE'" }
[entity.Task.attr]
listId = "ref:List!"
taskId = { type = "ulid", generate = true }
order  = { type = "int", min = 0, max = 999999, default = 0 }
title  = { type = "string", required = true, min_length = 1, max_length = 500 }
status = { type = "enum:Status", default = "TODO" }
dueOn  = "date"
tags   = { type = "set<string>", max_length = 20, empty = "omit" }

# ------------------------------------------------------------------------------------------------- the access patterns
# The placeholders are parameters; {userId} comes from the caller.
[pattern.list]
get  = "List"
pk   = "USER#{userId}"
sk   = "LIST#{listId}"
rest = "GET /lists/{listId}"

[pattern.lists]
query     = ["List"]
pk        = "USER#{userId}"
sk.begins = "LIST#"            # a prefix ends at a '#'
rest      = "GET /lists"

[pattern.tasksOfList]
doc   = "In their order."
on    = "GSI1"
query = ["Task"]
pk    = "USER#{userId}#LIST#{listId}"
limit = { default = 50, max = 100 }
rest  = "GET /lists/{listId}/tasks"

[pattern.due]
doc        = "What is due between two days, soonest first."
on         = "GSI2"
query      = ["Task"]
pk         = "USER#{userId}#DUE"
sk.between = ["{from}", "{to}"]
rest       = "GET /due"

# ------------------------------------------------------------------------------------------------------------- limits
[guard]
scan      = "forbid"
page_over = 100
)toml";
}

}  // namespace cairn::design
