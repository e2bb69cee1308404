#include <algorithm>

#include "model/format.h"
#include "model/name_suggestion.h"

namespace cairn::model {
namespace {

constexpr size_t kNameBytesMax = 255;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsIdentifier(std::string_view name) {
  return !name.empty() && name.size() <= kNameBytesMax && IsLetter(name[0]) &&
         std::ranges::all_of(name, [](char c) { return IsLetter(c) || IsDigit(c) || c == '_'; });
}

// DynamoDB's rule for the names of indexes.
bool IsIndexName(std::string_view name) {
  return name.size() >= 3 && name.size() <= kNameBytesMax && std::ranges::all_of(name, [](char c) {
           return IsLetter(c) || IsDigit(c) || c == '_' || c == '.' || c == '-';
         });
}

std::string Quoted(std::string_view text) { return std::string("'").append(text).append("'"); }

// "a, b or c"
std::string JoinWithOr(const std::vector<std::string>& parts) {
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += i + 1 == parts.size() ? " or " : ", ";
    out += parts[i];
  }
  return out;
}

std::string Describe(const Form& form) {
  std::vector<std::string> parts;
  switch (form.kind) {
    case Form::Kind::kText:
      return "a string";
    case Form::Kind::kChoice:
      for (const std::string_view choice : form.choices) parts.push_back(Quoted(choice));
      return JoinWithOr(parts);
    case Form::Kind::kWhole:
      return "an integer";
    case Form::Kind::kNumber:
      return "a number";
    case Form::Kind::kBoolean:
      return "a boolean";
    case Form::Kind::kTrue:
      return "true";
    case Form::Kind::kFalse:
      return "false";
    case Form::Kind::kAny:
      return "a value";
    case Form::Kind::kList:
      return form.element->kind == Form::Kind::kText ? "a list of strings" : "a list";
    case Form::Kind::kNamed:
    case Form::Kind::kRecord:
      return "a table";
    case Form::Kind::kEither:
      break;
  }
  for (const Form* alternative : form.alternatives) parts.push_back(Describe(*alternative));
  return JoinWithOr(parts);
}

// Whether the value is of the right kind; what is inside is another question.
bool FitsKind(const Node& node, const Form& form) {
  switch (form.kind) {
    case Form::Kind::kText:
    case Form::Kind::kChoice:
      return node.is(Node::Kind::kString);
    case Form::Kind::kWhole:
      return node.is(Node::Kind::kInteger);
    case Form::Kind::kNumber:
      return node.is(Node::Kind::kInteger) || node.is(Node::Kind::kFloat);
    case Form::Kind::kBoolean:
      return node.is(Node::Kind::kBoolean);
    case Form::Kind::kTrue:
      return node.is(Node::Kind::kBoolean) && node.truth;
    case Form::Kind::kFalse:
      return node.is(Node::Kind::kBoolean) && !node.truth;
    case Form::Kind::kAny:
      return true;
    case Form::Kind::kList:
      return node.is(Node::Kind::kArray);
    case Form::Kind::kNamed:
    case Form::Kind::kRecord:
      return node.is(Node::Kind::kTable);
    case Form::Kind::kEither:
      return std::ranges::any_of(form.alternatives,
                                 [&](const Form* alternative) { return FitsKind(node, *alternative); });
  }
  return false;
}

std::string Found(const Node& node) {
  if (node.is(Node::Kind::kBoolean)) return node.truth ? "true" : "false";
  return std::string(node.KindName());
}

const KeyForm* FindField(const TableForm& record, std::string_view name) {
  const auto found = std::ranges::find(record.fields, name, &KeyForm::name);
  return found == record.fields.end() ? nullptr : &*found;
}

class FormatCheck {
 public:
  explicit FormatCheck(const std::string& file) : file_(file) {}

  void Check(const Node& node, const Form& form, Location owner) {
    if (!FitsKind(node, form)) {
      Report(node.where, "expected " + Describe(form) + ", found " + Found(node));
      return;
    }
    switch (form.kind) {
      case Form::Kind::kText:
        if (node.text.empty()) Report(node.where, "expected a string, found an empty one");
        break;
      case Form::Kind::kChoice:
        CheckChoice(node, form);
        break;
      case Form::Kind::kWhole:
        CheckRange(node, form);
        break;
      case Form::Kind::kList:
        CheckList(node, form);
        break;
      case Form::Kind::kNamed:
        CheckNamed(node, form);
        break;
      case Form::Kind::kRecord:
        CheckRecord(node, *form.record, owner);
        break;
      case Form::Kind::kEither:
        for (const Form* alternative : form.alternatives)
          if (FitsKind(node, *alternative)) return Check(node, *alternative, owner);
        break;
      default:
        break;
    }
  }

  // `owner`: the place that stands for the table as a whole.
  void CheckRecord(const Node& table, const TableForm& record, Location owner) {
    for (const Member& member : table.members) {
      const KeyForm* field = FindField(record, member.name);
      if (field) {
        Check(member.value, *field->form, member.where);
      } else {
        ReportUnknown(member, record);
      }
    }
    for (const KeyForm& field : record.fields) {
      if (field.need == KeyForm::Need::kRequired && !table.Find(field.name))
        Report(owner, std::string(record.name) + " needs " + Quoted(field.name));
    }
  }

  Diagnostics Take() { return std::move(diagnostics_); }

 private:
  void Report(Location where, std::string message) {
    diagnostics_.push_back({.message = std::move(message), .file = file_, .where = where});
  }

  void ReportUnknown(const Member& member, const TableForm& record) {
    std::vector<std::string_view> names;
    for (const KeyForm& field : record.fields) names.push_back(field.name);
    Report(member.where, "unknown key " + Quoted(member.name) + " in " + std::string(record.name) +
                             DidYouMean(member.name, names));
  }

  void CheckChoice(const Node& node, const Form& form) {
    if (std::ranges::find(form.choices, node.text) != form.choices.end()) return;
    Report(node.where, "expected " + Describe(form) + ", found " + Quoted(node.text) +
                           DidYouMean(node.text, {form.choices.begin(), form.choices.end()}));
  }

  void CheckRange(const Node& node, const Form& form) {
    if (node.integer < form.min) {
      Report(node.where,
             "must be at least " + std::to_string(form.min) + ", is " + std::to_string(node.integer));
    } else if (node.integer > form.max) {
      Report(node.where,
             "must be at most " + std::to_string(form.max) + ", is " + std::to_string(node.integer));
    }
  }

  void CheckList(const Node& node, const Form& form) {
    if (node.elements.size() < static_cast<size_t>(form.min)) {
      const std::string least = form.min == 1 ? "one element" : std::to_string(form.min) + " elements";
      Report(node.where, "expected a list of at least " + least);
    }
    for (const Node& element : node.elements) Check(element, *form.element, element.where);
  }

  void CheckNamed(const Node& node, const Form& form) {
    for (const Member& member : node.members) {
      const KeyForm* reserved = form.record ? FindField(*form.record, member.name) : nullptr;
      if (!reserved) CheckName(member, form.names);
      Check(member.value, reserved ? *reserved->form : *form.element, member.where);
    }
  }

  void CheckName(const Member& member, Form::Names names) {
    if (names == Form::Names::kIdentifier && !IsIdentifier(member.name)) {
      Report(member.where,
             Quoted(member.name) + " is no name: it begins with a letter, then letters, digits and '_'");
    } else if (names == Form::Names::kIndex && !IsIndexName(member.name)) {
      Report(member.where,
             Quoted(member.name) + " is no name of an index: 3 to 255 letters, digits, '_', '-' and '.'");
    }
  }

  const std::string& file_;
  Diagnostics diagnostics_;
};

}  // namespace

Diagnostics CheckDocument(const Node& document, const std::string& file) {
  FormatCheck check(file);
  check.CheckRecord(document, ModelFormat(), {1, 1});
  return check.Take();
}

}  // namespace cairn::model
