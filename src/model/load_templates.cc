// Key templates and rules of an entity: their syntax, and what their names stand for.
#include "model/load_context.h"
#include "model/name_suggestion.h"

namespace cairn::model {
namespace {

// A template text in which the type attribute's placeholder is fixed text. Remembers what moved, so that
// offsets of messages can be told in terms of what the file says.
struct FilledText {
  struct Replacement {
    size_t at;  // in `text`
    size_t written_size, filled_size;
  };
  std::string text;
  std::vector<Replacement> replacements;

  size_t WrittenOffset(size_t offset) const {
    size_t written = offset;
    for (const Replacement& replacement : replacements) {
      if (replacement.at + replacement.filled_size <= offset)
        written += replacement.written_size - replacement.filled_size;
    }
    return written;
  }
};

FilledText FillType(const std::string& written, const Table& table, const Entity& entity) {
  FilledText filled;
  if (table.type_attribute.empty() || entity.type.empty()) return {written, {}};
  const std::string placeholder = "{" + table.type_attribute + "}";
  size_t from = 0;
  for (size_t at = written.find(placeholder); at != std::string::npos; at = written.find(placeholder, from)) {
    filled.text.append(written, from, at - from);
    filled.replacements.push_back({filled.text.size(), placeholder.size(), entity.type.size()});
    filled.text += entity.type;
    from = at + placeholder.size();
  }
  filled.text.append(written, from);
  return filled;
}

std::string UnknownAttribute(const Entity& entity, std::string_view name) {
  return entity.name + " has no attribute " + Quoted(name) + DidYouMean(name, NamesOf(entity.attributes));
}

// Reports every placeholder that names nothing; false if there is one, or one whose type is unknown.
bool CheckPlaceholders(LoadContext& context, size_t position, const Template& key, const FilledText& filled,
                       const Node& text, const std::string& subject) {
  const Entity& entity = context.model.entities[position];
  bool right = true;
  for (const TemplatePart& part : key.parts()) {
    if (part.is_literal()) continue;
    const Location where = text.At(filled.WrittenOffset(part.offset));
    if (!part.step.empty()) {
      context.Error(where, subject, "{" + part.step + "." + part.attribute + "} is for steps of patterns");
      right = false;
    } else if (part.format == Format::kEndOfDay) {
      context.Error(where, subject, "end_of_day is for the upper bound of a pattern, not for a key");
      right = false;
    } else if (!entity.Find(part.attribute)) {
      context.Error(where, subject, UnknownAttribute(entity, part.attribute));
      right = false;
    } else if (context.entities[position].untyped.contains(part.attribute)) {
      right = false;
    }
  }
  return right;
}

}  // namespace

std::optional<Template> LoadEntityTemplate(LoadContext& context, size_t position, const Node& text,
                                           const std::string& subject) {
  const Entity& entity = context.model.entities[position];
  // Syntax errors first, in the words of the file.
  if (const auto written = Template::Parse(text.text); !written) {
    context.TextError(text, subject, written.error().message);
    return {};
  }
  const FilledText filled = FillType(text.text, context.model.tables[entity.table], entity);
  auto key = Template::Parse(filled.text);
  if (!key) {
    context.Error(text.where, subject, key.error().message);
    return {};
  }
  if (!CheckPlaceholders(context, position, *key, filled, text, subject)) return {};
  size_t offset = 0;
  const Status bound = key->Bind([&](const TemplatePart& part) -> Result<Template::Target> {
    offset = part.offset;
    const Attribute& attribute = *entity.Find(part.attribute);
    return Template::Target{attribute.stored_as, attribute.type, attribute.escape};
  });
  if (bound) return *std::move(key);
  std::string message = bound.error().message;
  // The offset it tells counts in the filled text; the column is right in the file.
  if (const size_t at = message.find(" at offset "); at != std::string::npos) message.erase(at);
  context.Error(text.At(filled.WrittenOffset(offset)), subject, std::move(message));
  return {};
}

std::optional<Rule> LoadEntityRule(LoadContext& context, const Entity& entity, const Node& text,
                                   const std::string& subject) {
  auto rule = Rule::Parse(text.text);
  if (!rule) {
    context.TextError(text, subject, rule.error().message);
    return {};
  }
  if (const std::vector<std::string> parameters = rule->Parameters(); !parameters.empty()) {
    context.Error(PlaceOfName(text, parameters[0]), subject, "only keep_if of a pattern has parameters");
    return {};
  }
  Location where = text.where;
  const Status bound = rule->Bind([&](const std::string& name) -> Result<std::string> {
    if (const Attribute* attribute = entity.Find(name)) return attribute->stored_as;
    where = PlaceOfName(text, name);
    return Fail(Invalid(UnknownAttribute(entity, name)));
  });
  if (bound) return *std::move(rule);
  context.Error(where, subject, bound.error().message);
  return {};
}

Location PlaceOfName(const Node& text, std::string_view name) {
  const auto in_word = [&](size_t i) {
    const char c = i < text.text.size() ? text.text[i] : ' ';
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (size_t at = text.text.find(name); at != std::string::npos; at = text.text.find(name, at + 1)) {
    if ((at == 0 || !in_word(at - 1)) && !in_word(at + name.size())) return text.At(at);
  }
  return text.where;
}

}  // namespace cairn::model
