// Models for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "model/load.h"

namespace cairn::design {

// Null, and a failed test, when the text is no model.
inline model::ModelPtr ParseForTest(const std::string& text) {
  auto model = model::ParseModel(text, "test.toml");
  if (model) return *model;
  for (const model::Diagnostic& diagnostic : model.error()) ADD_FAILURE() << model::ToString(diagnostic);
  return nullptr;
}

// Tasks with two indexes, goals they link to, a unique name, a global catalogue, a log in time buckets.
inline const char* const kShopModel = R"toml(
format = "cairn-model/1"
name = "shop"
doc = "Orders & <customers>."
[enum]
State = ["OPEN", "PAID"]
[table.main]
name = "shop-{stage}"
pk = "PK"
sk = "SK"
type_attr = "kind"
ttl = "expires"
tenant = { param = "userId", leading = "U#{userId}", claim = "sub" }
index.GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }
index.GSI2 = { pk = "GSI2PK", project = [] }
[table.main.common]
userId = "id!"
[table.log]
name = "shop-log"
pk = "PK"
sk = "SK"
discriminate = "key"
stream = false
billing = "provisioned"
region = "eu-central-1"

[entity.Order]
table = "main"
type = "ORDER"
pk = "U#{userId}"
sk = "ORDER#{orderId}"
index.GSI1 = { pk = "U#{userId}#S#{state}", sk = "{createdAt}" }
index.GSI2 = { pk = "{state}", crosses_tenants = true }
lock = { version = "version" }
item_bytes = 1500
[entity.Order.attr]
orderId = { type = "ulid", generate = true }
state = { type = "enum:State", default = "OPEN" }
createdAt = { type = "instant", auto = "create", immutable = true }
note = { type = "string", max_length = 100, secret = true }
tagIds = { type = "list<ref:Tag>", max_length = 10 }

[entity.Tag]
table = "main"
type = "TAG"
pk = "U#{userId}"
sk = "TAG#{tagId}"
unique = [["userId", "name"]]
item_bytes = 100
[entity.Tag.attr]
tagId = { type = "ulid", generate = true }
name = { type = "slug", required = true }

[entity.TagOrder]
table = "main"
type = "TAG_ORDER"
pk = "U#{userId}#TAG#{tagId}"
sk = "ORDER#{orderId}"
write = "once"
mirror = { of = "Order.tagIds" }
verify_owner = "Tag"
item_bytes = 200
[entity.TagOrder.attr]
tagId = "ref:Tag!"
orderId = "ref:Order!"

[entity.Product]
table = "main"
type = "PRODUCT"
pk = "PRODUCT#{productId}"
sk = "META"
scope = "global"
read = "anyone"
[entity.Product.attr]
productId = "id!"

[entity.Setting]
table = "main"
type = "SETTING"
pk = "SETTING#{name}"
sk = "META"
scope = "global"
[entity.Setting.attr]
name = "slug!"

[entity.Visit]
table = "log"
pk = "DAY#{at:yyyyMMdd}"
sk = "VISIT#{at:epoch_ms}#{visitId}"
write = "append"
[entity.Visit.attr]
at = { type = "instant_ms", generate = "now" }
visitId = { type = "ulid", generate = true }

[pattern.order]
get = "Order"
pk = "U#{userId}"
sk = "ORDER#{orderId}"
consistent = true
[pattern.orders]
query = ["Order"]
pk = "U#{userId}"
sk.begins = "ORDER#"
limit = { default = 40, max = 100 }
[pattern.ordersByState]
on = "GSI1"
query = ["Order"]
pk = "U#{userId}#S#{state}"
[pattern.ordersOfTag]
query = ["TagOrder"]
pk = "U#{userId}#TAG#{tagId}"
)toml";

}  // namespace cairn::design
