// Rule: a small side-effect-free expression over an entity's attributes, used by `when`, `require_if`,
// `keep_if`:
//   exists(dueUtc) and status not in ['BACKLOG', 'ARCHIVED']
//   endUtc > $from or not archived
//
// Grammar: or < and < not < comparison. Operands: attribute, $parameter, 'text' or "text", number, true,
// false, null. Comparisons: == != < <= > >= , in [..], not in [..], exists(attribute). A bare boolean
// attribute is a condition. What a rule reads is known (Dependencies), which is what keeps sparse indexes
// right under partial updates. An absent attribute makes a comparison false, except != and `not in`, which it
// makes true. null equals an absent attribute and a stored NULL, and exists() is false for both. Numbers
// compare numerically, texts by their bytes; values of different types are unequal and have no order. Quotes
// and backslashes in texts are escaped with a backslash.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "item/attribute_value.h"

namespace cairn::model {

class Rule {
 public:
  Rule() = default;  // always true
  static Result<Rule> Parse(std::string_view text);

  // Replaces every attribute name by the name it is stored under; unknown names are the resolver's error.
  Status Bind(const std::function<Result<std::string>(const std::string& attribute)>& stored_name);

  // `parameters` holds the values of $parameters under their bare names.
  bool Holds(const item::Item& record, const item::Item& parameters = {}) const;

  bool always() const { return node_ == nullptr; }
  const std::string& text() const { return text_; }
  // Attribute names read, sorted, each once (stored names once bound); parameters likewise, without the '$'.
  std::vector<std::string> Dependencies() const;
  std::vector<std::string> Parameters() const;

  // Where an attribute is compared with fixed values, by whatever operator.
  struct Comparison {
    std::string attribute;
    std::vector<item::AttributeValue> values;
  };
  std::vector<Comparison> Comparisons() const;

  struct Node;  // private: rule_node.h

 private:
  std::string text_;
  std::shared_ptr<const Node> node_;
};

}  // namespace cairn::model
