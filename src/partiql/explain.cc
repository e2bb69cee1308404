#include "partiql/explain.h"

#include "item/item_json.h"

namespace cairn::partiql {
namespace {

using expr::ToString;

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

// The texts of all elements with a separator between them.
template <class Range, class Text>
std::string Joined(const Range& range, std::string_view separator, Text text) {
  std::string all;
  for (const auto& element : range) {
    if (!all.empty()) all += separator;
    all += text(element);
  }
  return all;
}

std::string ItemText(const item::Item& item) {
  std::string text;
  item::AppendItemJson(text, item);
  return text;
}

std::string ExplainOperand(const expr::Operand& operand) {
  return std::visit(Overloaded{
                        [](const expr::DocumentPath& path) { return ToString(path); },
                        [](const item::AttributeValue& value) { return Explain(value); },
                        [](const expr::SizeOf& size) { return "size(" + ToString(size.path) + ")"; },
                    },
                    operand);
}

std::string_view Symbol(expr::Comparator comparator) {
  constexpr std::string_view kSymbols[] = {"=", "<>", "<", "<=", ">", ">="};
  return kSymbols[static_cast<size_t>(comparator)];
}

std::string ExplainSetValue(const expr::SetValue& value) {
  const auto two = [](std::string_view name, const expr::SetValuePtr& a, const expr::SetValuePtr& b) {
    return std::string(name) + "(" + ExplainSetValue(*a) + ", " + ExplainSetValue(*b) + ")";
  };
  return std::visit(Overloaded{
                        [](const expr::DocumentPath& path) { return ToString(path); },
                        [](const item::AttributeValue& constant) { return Explain(constant); },
                        [](const expr::IfNotExists& e) {
                          return "if_not_exists(" + ToString(e.path) + ", " + ExplainSetValue(*e.otherwise) +
                                 ")";
                        },
                        [&](const expr::ListAppend& e) { return two("list_append", e.front, e.back); },
                        [&](const expr::Sum& e) { return two("sum", e.left, e.right); },
                        [&](const expr::Difference& e) { return two("difference", e.left, e.right); },
                    },
                    value.node);
}

std::string WhereText(const expr::ConditionPtr& where) { return where ? " WHERE " + Explain(*where) : ""; }

std::string_view ReturningText(store::ReturnValues values) {
  constexpr std::string_view kTexts[] = {"", " RETURNING ALL OLD", " RETURNING MODIFIED OLD",
                                         " RETURNING ALL NEW", " RETURNING MODIFIED NEW"};
  return kTexts[static_cast<size_t>(values)];
}

std::string ExplainSelect(const Select& select) {
  const std::string columns = Joined(select.columns, ", ", [](const Column& column) {
    return ToString(column.path) + " AS " + column.name;
  });
  std::string text = "SELECT " + (columns.empty() ? "*" : columns) + " FROM " + select.from.table;
  if (select.from.index) text += "." + *select.from.index;
  text += WhereText(select.where);
  if (!select.order_by.empty()) text += " ORDER BY ";
  text += Joined(select.order_by, ", ", [](const OrderKey& key) {
    return key.attribute + (key.order == store::Order::kDescending ? " DESC" : " ASC");
  });
  return text;
}

std::string ExplainKeyCondition(const expr::KeyCondition& condition) {
  constexpr std::string_view kSymbols[] = {" = ", " < ", " <= ", " > ", " >= ", " BETWEEN ", " BEGINS_WITH "};
  return Joined(condition.comparisons, " AND ", [&](const expr::KeyComparison& comparison) {
    std::string text = comparison.attribute + std::string(kSymbols[static_cast<size_t>(comparison.op)]) +
                       Explain(comparison.value);
    if (comparison.op == expr::KeyOperator::kBetween) text += " AND " + Explain(comparison.high);
    return text;
  });
}

std::string ProjectionText(const std::optional<expr::Projection>& projection) {
  if (!projection) return "";
  return " PROJECT " +
         Joined(projection->paths, ", ", [](const expr::DocumentPath& path) { return ToString(path); });
}

std::string PageText(const store::PageRequest& page) {
  std::string text = page.index ? page.table + "." + *page.index : page.table;
  if (page.filter) text += " FILTER " + Explain(*page.filter);
  return text + ProjectionText(page.projection);
}

std::string ExplainRead(const Read& read) {
  std::string text = std::visit(
      Overloaded{
          [](const store::GetItemRequest& get) {
            return "GetItem " + get.table + " " + ItemText(get.key) + ProjectionText(get.projection);
          },
          [](const store::QueryRequest& query) {
            return "Query [" + ExplainKeyCondition(query.key_condition) +
                   (query.order == store::Order::kDescending ? " DESC] " : "] ") + PageText(query);
          },
          [](const store::ScanRequest& scan) { return "Scan " + PageText(scan); },
      },
      read.request);
  if (read.filter) text += " THEN " + Explain(*read.filter);
  return text;
}

}  // namespace

std::string Explain(const item::AttributeValue& value) {
  std::string text;
  item::AppendValueJson(text, value);
  return text;
}

std::string Explain(const expr::Condition& condition) {
  return std::visit(
      Overloaded{
          [](const expr::Comparison& c) {
            return ExplainOperand(c.left) + " " + std::string(Symbol(c.comparator)) + " " +
                   ExplainOperand(c.right);
          },
          [](const expr::Between& c) {
            return ExplainOperand(c.value) + " BETWEEN " + ExplainOperand(c.low) + " AND " +
                   ExplainOperand(c.high);
          },
          [](const expr::In& c) {
            return ExplainOperand(c.value) + " IN (" + Joined(c.candidates, ", ", ExplainOperand) + ")";
          },
          [](const expr::AttributeExists& c) { return "exists(" + ToString(c.path) + ")"; },
          [](const expr::AttributeNotExists& c) { return "not_exists(" + ToString(c.path) + ")"; },
          [](const expr::AttributeType& c) {
            return "type(" + ToString(c.path) + ", " + ExplainOperand(c.type) + ")";
          },
          [](const expr::BeginsWith& c) {
            return "begins_with(" + ExplainOperand(c.value) + ", " + ExplainOperand(c.prefix) + ")";
          },
          [](const expr::Contains& c) {
            return "contains(" + ExplainOperand(c.container) + ", " + ExplainOperand(c.element) + ")";
          },
          [](const expr::And& c) { return "(" + Explain(*c.left) + " AND " + Explain(*c.right) + ")"; },
          [](const expr::Or& c) { return "(" + Explain(*c.left) + " OR " + Explain(*c.right) + ")"; },
          [](const expr::Not& c) { return "NOT " + Explain(*c.inner); },
      },
      condition.node);
}

std::string Explain(const expr::Update& update) {
  std::string text;
  for (const auto& set : update.sets)
    text += " SET " + ToString(set.path) + " = " + ExplainSetValue(*set.value);
  for (const auto& remove : update.removes) text += " REMOVE " + ToString(remove.path);
  for (const auto& add : update.adds) text += " ADD " + ToString(add.path) + " " + Explain(add.value);
  for (const auto& deletion : update.deletes) {
    text += " DELETE " + ToString(deletion.path) + " " + Explain(deletion.value);
  }
  return text.empty() ? text : text.substr(1);
}

std::string Explain(const Statement& statement) {
  return std::visit(Overloaded{
                        [](const Select& s) { return ExplainSelect(s); },
                        [](const Insert& s) { return "INSERT INTO " + s.table + " " + ItemText(s.item); },
                        [](const Update& s) {
                          return "UPDATE " + s.table + " " + Explain(s.update) + WhereText(s.where) +
                                 std::string(ReturningText(s.returning));
                        },
                        [](const Delete& s) {
                          return "DELETE FROM " + s.table + WhereText(s.where) +
                                 std::string(ReturningText(s.returning));
                        },
                        [](const ExistsCheck& s) { return "EXISTS(" + ExplainSelect(s.select) + ")"; },
                    },
                    statement);
}

std::string Explain(const SelectPlan& plan) {
  std::string text = Joined(plan.reads, "; ", ExplainRead);
  if (!plan.columns.empty()) {
    text += " AS " + Joined(plan.columns, ", ", [](const Column& column) { return column.name; });
  }
  return text;
}

}  // namespace cairn::partiql
