#include "expr/print.h"
#include "expr/print_placeholders.h"

namespace cairn::expr {
namespace {

using item::AttributeValue;

class UpdatePrinter {
 public:
  explicit UpdatePrinter(Placeholders& placeholders) : printer_(placeholders) {}

  std::string Print(const Update& update) {
    for (const SetAction& action : update.sets) {
      Start("SET", action.path);
      out_.append(" = ");
      (*this)(*action.value);
    }
    for (const AddAction& action : update.adds) {
      if (action.value.is(item::Type::kList)) PrintListAppend(action);
    }
    for (const RemoveAction& action : update.removes) Start("REMOVE", action.path);
    for (const AddAction& action : update.adds) {
      if (!action.value.is(item::Type::kList)) PrintWithValue("ADD", action);
    }
    for (const DeleteAction& action : update.deletes) PrintWithValue("DELETE", action);
    return std::move(out_);
  }

  void operator()(const SetValue& value) { std::visit(*this, value.node); }
  void operator()(const DocumentPath& path) { printer_.AppendPath(out_, path); }
  void operator()(const AttributeValue& constant) { printer_.AppendValue(out_, constant); }
  void operator()(const IfNotExists& node) {
    out_.append("if_not_exists(");
    printer_.AppendPath(out_, node.path);
    out_.append(", ");
    (*this)(*node.otherwise);
    out_.append(")");
  }
  void operator()(const ListAppend& node) {
    out_.append("list_append(");
    (*this)(*node.front);
    out_.append(", ");
    (*this)(*node.back);
    out_.append(")");
  }
  void operator()(const Sum& node) { PrintArithmetic(node, " + "); }
  void operator()(const Difference& node) { PrintArithmetic(node, " - "); }

 private:
  // Opens a section, or goes on with it after a comma.
  void Start(std::string_view section, const DocumentPath& path) {
    if (section == section_) {
      out_.append(", ");
    } else {
      if (!out_.empty()) out_.push_back(' ');
      out_.append(section).append(" ");
      section_ = section;
    }
    printer_.AppendPath(out_, path);
  }

  void PrintWithValue(std::string_view section, const auto& action) {
    Start(section, action.path);
    out_.push_back(' ');
    printer_.AppendValue(out_, action.value);
  }

  void PrintListAppend(const AddAction& action) {
    Start("SET", action.path);
    out_.append(" = list_append(if_not_exists(");
    printer_.AppendPath(out_, action.path);
    out_.append(", ");
    printer_.AppendValue(out_, AttributeValue(item::List()));
    out_.append("), ");
    printer_.AppendValue(out_, action.value);
    out_.append(")");
  }

  void PrintArithmetic(const auto& node, std::string_view symbol) {
    (*this)(*node.left);
    out_.append(symbol);
    (*this)(*node.right);
  }

  PlaceholderPrinter printer_;
  std::string out_;
  std::string_view section_;
};

}  // namespace

std::string PrintUpdate(const Update& update, Placeholders& placeholders) {
  return UpdatePrinter(placeholders).Print(update);
}

}  // namespace cairn::expr
