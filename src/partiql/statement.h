// Statement: a parsed PartiQL statement with its parameters put in. Pure data.
//
// Conditions, paths and updates are the same trees that DynamoDB's expressions give (src/expr), so everything
// below this layer knows only one language. Made by parse.h; turned into store requests by plan.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "expr/condition.h"
#include "expr/path.h"
#include "expr/update.h"
#include "item/attribute_value.h"
#include "store/item_requests.h"

namespace cairn::partiql {

// FROM "table" or FROM "table"."index".
struct Source {
  std::string table;
  std::optional<std::string> index;
};

// One entry of a select list. A path answers under the name of its last step: SELECT a.b[1] gives "b[1]".
struct Column {
  expr::DocumentPath path;
  std::string name;
};

struct OrderKey {
  std::string attribute;
  store::Order order = store::Order::kAscending;
};

struct Select {
  Source from;
  std::vector<Column> columns;  // empty: all attributes
  expr::ConditionPtr where;     // null: none
  std::vector<OrderKey> order_by;
};

struct Insert {
  std::string table;
  item::Item item;
};

struct Update {
  std::string table;
  expr::Update update;
  expr::ConditionPtr where;
  store::ReturnValues returning = store::ReturnValues::kNone;
};

struct Delete {
  std::string table;
  expr::ConditionPtr where;
  store::ReturnValues returning = store::ReturnValues::kNone;  // kNone or kAllOld
};

// EXISTS(SELECT ...): a condition on one item, only within transactions that write.
struct ExistsCheck {
  Select select;
};

using Statement = std::variant<Select, Insert, Update, Delete, ExistsCheck>;

const std::string& TableOf(const Statement& statement);
bool IsRead(const Statement& statement);
store::ReturnValues ReturningOf(const Statement& statement);

}  // namespace cairn::partiql
