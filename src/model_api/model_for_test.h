// A small model for the tests of this layer.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "model/load.h"

namespace cairn::model_api {

inline constexpr std::string_view kTestModel = R"(
format = "cairn-model/1"
name   = "test"

[enum]
State = ["OPEN", "DONE"]

[shape.Place]
street = "string!"
floor  = "int"
flat   = { type = "string", nullable = true }
tags   = "set<string>"

[table.t]
name      = "Test"
pk        = "PK"
sk        = "SK"
type_attr = "kind"
tenant    = { param = "userId", leading = "U#{userId}", claim = "sub" }
lock      = { version = "version" }
index.GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }

[entity.Job]
type = "JOB"
pk   = "U#{userId}"
sk   = "JOB#{day}#{number:03d}"
index.GSI1 = { pk = "U#{userId}#{state}", sk = "{at}" }
[entity.Job.attr]
userId  = { type = "id", required = true, stored = false }
day     = "date!"
number  = { type = "int", required = true, min = 0, max = 999 }
title   = { type = "string", required = true, as = "t" }
state   = { type = "enum:State", default = "OPEN" }
price   = "number"
urgent  = "bool"
due     = { type = "date", nullable = true }
steps   = "list<int>"
marks   = "set<string>"
sizes   = "set<int>"
extra   = "map"
place   = "shape:Place"
places  = "list<shape:Place>"
pin     = { type = "string", secret = true }
at      = "instant"
changed = { type = "instant_ms", auto = "update" }

[entity.Settings]
type = "SETTINGS"
pk   = "U#{userId}"
sk   = "SETTINGS"
lock = false
[entity.Settings.attr]
userId = { type = "id", required = true, stored = false }
entity = "string"

[entity.Log]
type  = "LOG"
pk    = "U#{userId}"
sk    = "LOG#{name}"
write = "append"
lock  = false
[entity.Log.attr]
userId = { type = "id", required = true, stored = false }
name   = "string!"

[entity.Card]
type = "CARD"
pk   = "U#{userId}"
sk   = "CARD#{cardId}"
lock = { on = "label" }
[entity.Card.attr]
userId = { type = "id", required = true, stored = false }
cardId = { type = "ulid", generate = true }
label  = "string!"

[entity.Holiday]
type  = "HOLIDAY"
pk    = "HOLIDAY"
sk    = "{day}"
scope = "global"
read  = "anyone"
lock  = false
[entity.Holiday.attr]
day = "date!"

[entity.Secret]
type  = "SECRET"
pk    = "SECRET"
sk    = "{day}"
scope = "global"
lock  = false
[entity.Secret.attr]
day = "date!"

[pattern.jobs]
query = ["Job"]
pk    = "U#{userId}"
sk.begins = "JOB#{day}#"
limit = { default = 5, max = 10 }

[pattern.jobsBetween]
on    = "GSI1"
query = ["Job"]
pk    = "U#{userId}#{state}"
sk.between = ["{from}", "{to:end_of_day}"]

[pattern.secrets]
query = ["Secret"]
pk    = "SECRET"
scope = "global"
)";

inline model::ModelPtr TestModel() {
  auto model = model::ParseModel(kTestModel, "test.toml");
  if (!model) {
    for (const model::Diagnostic& diagnostic : model.error()) ADD_FAILURE() << model::ToString(diagnostic);
    return nullptr;
  }
  return *std::move(model);
}

}  // namespace cairn::model_api
