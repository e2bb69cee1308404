#include "expr/print.h"

#include <array>

#include "expr/print_placeholders.h"

namespace cairn::expr {
namespace {

using item::AttributeValue;

// One overload per node of a condition.
class ConditionPrinter {
 public:
  explicit ConditionPrinter(Placeholders& placeholders) : printer_(placeholders) {}

  void operator()(const DocumentPath& path) { printer_.AppendPath(out_, path); }
  void operator()(const AttributeValue& constant) { printer_.AppendValue(out_, constant); }
  void operator()(const SizeOf& size) { Call("size", size.path); }
  void operator()(const Operand& operand) { std::visit(*this, operand); }

  void operator()(const Comparison& node) {
    static constexpr auto kSymbols =
        std::to_array<std::string_view>({" = ", " <> ", " < ", " <= ", " > ", " >= "});
    (*this)(node.left);
    out_.append(kSymbols[static_cast<size_t>(node.comparator)]);
    (*this)(node.right);
  }
  void operator()(const Between& node) {
    (*this)(node.value);
    out_.append(" BETWEEN ");
    (*this)(node.low);
    out_.append(" AND ");
    (*this)(node.high);
  }
  void operator()(const In& node) {
    (*this)(node.value);
    out_.append(" IN (");
    for (size_t i = 0; i < node.candidates.size(); ++i) {
      if (i > 0) out_.append(", ");
      (*this)(node.candidates[i]);
    }
    out_.append(")");
  }
  void operator()(const AttributeExists& node) { Call("attribute_exists", node.path); }
  void operator()(const AttributeNotExists& node) { Call("attribute_not_exists", node.path); }
  void operator()(const AttributeType& node) { Call("attribute_type", node.path, node.type); }
  void operator()(const BeginsWith& node) { Call("begins_with", node.value, node.prefix); }
  void operator()(const Contains& node) { Call("contains", node.container, node.element); }

  // AND and OR lean to the left, so a right side of the same kind needs parentheses to keep its shape.
  void operator()(const And& node) {
    Print(*node.left, Is<Or>(*node.left));
    out_.append(" AND ");
    Print(*node.right, Is<Or>(*node.right) || Is<And>(*node.right));
  }
  void operator()(const Or& node) {
    Print(*node.left, false);
    out_.append(" OR ");
    Print(*node.right, Is<Or>(*node.right));
  }
  void operator()(const Not& node) {
    out_.append("NOT ");
    Print(*node.inner, true);
  }

  std::string Take() { return std::move(out_); }

 private:
  template <class Node>
  static bool Is(const Condition& condition) {
    return std::holds_alternative<Node>(condition.node);
  }

  void Print(const Condition& condition, bool in_parentheses) {
    if (in_parentheses) out_.push_back('(');
    std::visit(*this, condition.node);
    if (in_parentheses) out_.push_back(')');
  }

  void Call(std::string_view function, const auto& first, const auto&... more) {
    out_.append(function).append("(");
    (*this)(first);
    ((out_.append(", "), (*this)(more)), ...);
    out_.append(")");
  }

  PlaceholderPrinter printer_;
  std::string out_;
};

}  // namespace

std::string PrintCondition(const Condition& condition, Placeholders& placeholders) {
  ConditionPrinter printer(placeholders);
  std::visit(printer, condition.node);
  return printer.Take();
}

std::string PrintProjection(const Projection& projection, Placeholders& placeholders) {
  PlaceholderPrinter printer(placeholders);
  std::string out;
  for (const DocumentPath& path : projection.paths) {
    if (!out.empty()) out.append(", ");
    printer.AppendPath(out, path);
  }
  return out;
}

std::string PrintKeyCondition(const KeyCondition& condition, Placeholders& placeholders) {
  static constexpr auto kSymbols = std::to_array<std::string_view>({" = ", " < ", " <= ", " > ", " >= "});
  PlaceholderPrinter printer(placeholders);
  std::string out;
  for (const KeyComparison& comparison : condition.comparisons) {
    if (!out.empty()) out.append(" AND ");
    if (comparison.op == KeyOperator::kBeginsWith) {
      out.append("begins_with(");
      printer.AppendName(out, comparison.attribute);
      out.append(", ");
      printer.AppendValue(out, comparison.value);
      out.append(")");
      continue;
    }
    printer.AppendName(out, comparison.attribute);
    if (comparison.op == KeyOperator::kBetween) {
      out.append(" BETWEEN ");
      printer.AppendValue(out, comparison.value);
      out.append(" AND ");
      printer.AppendValue(out, comparison.high);
    } else {
      // A remote store refuses an unsupported operator as this one would: "<>" is not for keys.
      const auto index = static_cast<size_t>(comparison.op);
      out.append(index < kSymbols.size() ? kSymbols[index] : " <> ");
      printer.AppendValue(out, comparison.value);
    }
  }
  return out;
}

}  // namespace cairn::expr
