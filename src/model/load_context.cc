#include "model/load_context.h"

#include <algorithm>
#include <charconv>

#include "model/name_suggestion.h"

namespace cairn::model {
namespace {

constexpr std::string_view kAtOffset = " at offset ";

}  // namespace

void LoadContext::Error(Location where, std::string_view subject, std::string message) {
  diagnostics.push_back(
      {.message = std::move(message), .file = model.file, .where = where, .subject = std::string(subject)});
}

void LoadContext::TextError(const Node& text, std::string_view subject, std::string message) {
  const size_t found = message.find(kAtOffset);
  if (found == std::string::npos) return Error(text.where, subject, std::move(message));
  const char* digits = message.data() + found + kAtOffset.size();
  size_t offset = 0;
  const auto end = std::from_chars(digits, message.data() + message.size(), offset);
  if (end.ec != std::errc()) return Error(text.where, subject, std::move(message));
  // The column says it; where the text is written with escapes, the offset has to.
  if (text.verbatim) message.erase(found, static_cast<size_t>(end.ptr - message.data()) - found);
  Error(text.At(offset), subject, std::move(message));
}

std::span<const Member> Members(const Node& table, std::string_view key) {
  const Node* found = FindTable(table, key);
  return found ? std::span<const Member>(found->members) : std::span<const Member>();
}

const Node* FindTable(const Node& table, std::string_view key) {
  const Node* found = table.Find(key);
  return found && found->is(Node::Kind::kTable) ? found : nullptr;
}

const Node* FindText(const Node& table, std::string_view key) {
  const Node* found = table.Find(key);
  return found && found->is(Node::Kind::kString) && !found->text.empty() ? found : nullptr;
}

const Node* FindNumber(const Node& table, std::string_view key) {
  const Node* found = table.Find(key);
  return found && (found->is(Node::Kind::kInteger) || found->is(Node::Kind::kFloat)) ? found : nullptr;
}

std::string Text(const Node& table, std::string_view key) {
  const Node* found = FindText(table, key);
  return found ? found->text : "";
}

bool Truth(const Node& table, std::string_view key, bool absent) {
  const Node* found = table.Find(key);
  return found && found->is(Node::Kind::kBoolean) ? found->truth : absent;
}

std::optional<int64_t> Whole(const Node& table, std::string_view key) {
  const Node* found = table.Find(key);
  if (!found || !found->is(Node::Kind::kInteger)) return {};
  return found->integer;
}

std::vector<const Node*> Texts(const Node& list) {
  std::vector<const Node*> texts;
  for (const Node& element : list.elements) {
    if (element.is(Node::Kind::kString) && !element.text.empty()) texts.push_back(&element);
  }
  return texts;
}

std::vector<const Node*> Texts(const Node& table, std::string_view key) {
  const Node* found = table.Find(key);
  return found ? Texts(*found) : std::vector<const Node*>();
}

Assumption Assumed(const Node& table) {
  return Truth(table, "assumed") ? "the source is silent" : Text(table, "assumed");
}

std::optional<size_t> ChoicePosition(const Node& table, std::string_view key,
                                     std::span<const std::string_view> choices) {
  const Node* found = FindText(table, key);
  if (!found) return {};
  const auto choice = std::ranges::find(choices, found->text);
  if (choice == choices.end()) return {};
  return static_cast<size_t>(choice - choices.begin());
}

std::string Quoted(std::string_view text) { return std::string("'").append(text).append("'"); }

const Attribute* FindAttribute(LoadContext& context, const Entity& entity, const Node& name,
                               std::string_view subject) {
  const Attribute* attribute = entity.Find(name.text);
  if (!attribute) {
    context.Error(name.where, subject,
                  entity.name + " has no attribute " + Quoted(name.text) +
                      DidYouMean(name.text, NamesOf(entity.attributes)));
  }
  return attribute;
}

std::vector<std::string> Union(std::initializer_list<std::vector<std::string>> names) {
  std::vector<std::string> all;
  for (const std::vector<std::string>& some : names) all.insert(all.end(), some.begin(), some.end());
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  return all;
}

}  // namespace cairn::model
