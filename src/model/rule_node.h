// The tree of a Rule; shared by its parser and its evaluator, and by nobody else.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "item/attribute_value.h"
#include "model/rule.h"

namespace cairn::model {

struct RuleOperand {
  enum class Kind { kAttribute, kParameter, kLiteral };
  Kind kind = Kind::kLiteral;
  std::string name;  // of attribute and parameter
  item::AttributeValue literal;
};

struct Rule::Node {
  enum class Kind {
    kOr,      // children
    kAnd,     // children
    kNot,     // one child
    kExists,  // operands[0], an attribute
    kTrue,    // operands[0] is true
    kEqual,   // operands[0] and operands[1], as the next five
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kIn,  // operands[0] is among the others
    kNotIn,
  };
  Kind kind = Kind::kTrue;
  std::vector<Node> children;
  std::vector<RuleOperand> operands;
};

Result<Rule::Node> ParseRule(std::string_view text);

}  // namespace cairn::model
