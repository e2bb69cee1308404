#include "domains/values/plan/fields.h"

#include <array>
#include <optional>

#include "base/json_writer.h"
#include "domains/values/plan/day.h"

namespace cairn::values {
namespace {

template <class T>
PlanValue ValueOf(const std::optional<T>& value) {
  return value ? PlanValue(*value) : PlanValue();
}

template <class T>
bool Take(std::optional<T>& field, const PlanValue& value) {
  if (std::holds_alternative<std::monostate>(value)) {
    field.reset();
    return true;
  }
  const T* given = std::get_if<T>(&value);
  if (given != nullptr) field = *given;
  return given != nullptr;
}

bool TakeInstant(std::string& field, const PlanValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  auto instant = NormalInstant(text == nullptr ? std::string_view() : *text);
  if (instant) field = *std::move(instant);
  return instant.has_value();
}

template <class Enum>
bool TakeEnum(Enum& field, const PlanValue& value, std::optional<Enum> (*parse)(std::string_view)) {
  const auto* text = std::get_if<std::string>(&value);
  const auto parsed = text == nullptr ? std::nullopt : parse(*text);
  if (parsed) field = *parsed;
  return parsed.has_value();
}

constexpr std::array kTodoFields{
    PlanField<Todo>{"classification",
                    [](const Todo& todo) { return PlanValue(std::string(ToText(todo.classification))); },
                    [](Todo& todo, const PlanValue& value) {
                      return TakeEnum(todo.classification, value, &models::values::ParseClassification);
                    }},
    PlanField<Todo>{"estimatedPomodoros", [](const Todo& todo) { return ValueOf(todo.estimated_pomodoros); },
                    [](Todo& todo, const PlanValue& value) { return Take(todo.estimated_pomodoros, value); }},
    PlanField<Todo>{"notes", [](const Todo& todo) { return ValueOf(todo.notes); },
                    [](Todo& todo, const PlanValue& value) { return Take(todo.notes, value); }},
    PlanField<Todo>{"rolledFrom", [](const Todo& todo) { return ValueOf(todo.rolled_from); },
                    [](Todo& todo, const PlanValue& value) { return Take(todo.rolled_from, value); }},
};

constexpr std::array kBlockFields{
    PlanField<Block>{"blockType",
                     [](const Block& block) { return PlanValue(std::string(ToText(block.type))); },
                     [](Block& block, const PlanValue& value) {
                       return TakeEnum(block.type, value, &models::values::ParseBlockType);
                     }},
    PlanField<Block>{"startTimeIso", [](const Block& block) { return PlanValue(block.start); },
                     [](Block& block, const PlanValue& value) { return TakeInstant(block.start, value); }},
    PlanField<Block>{"endTimeIso", [](const Block& block) { return PlanValue(block.end); },
                     [](Block& block, const PlanValue& value) { return TakeInstant(block.end, value); }},
    PlanField<Block>{"actionId", [](const Block& block) { return ValueOf(block.action_id); },
                     [](Block& block, const PlanValue& value) { return Take(block.action_id, value); }},
    PlanField<Block>{"pomodoroIndex", [](const Block& block) { return ValueOf(block.pomodoro_index); },
                     [](Block& block, const PlanValue& value) { return Take(block.pomodoro_index, value); }},
};

struct Writer {
  JsonWriter& json;
  void operator()(std::monostate) const { json.Null(); }
  void operator()(int64_t number) const { json.Value(number); }
  void operator()(const std::string& text) const { json.Value(text); }
  void operator()(const std::vector<std::string>& list) const {
    json.BeginArray();
    for (const std::string& text : list) json.Value(text);
    json.EndArray();
  }
};

template <class T>
std::string ObjectOf(const T& thing, std::string_view id_name, const std::string& id,
                     std::span<const PlanField<T>> fields) {
  JsonWriter json;
  json.BeginObject().Member(id_name, id);
  for (const PlanField<T>& field : fields) {
    const PlanValue value = field.get(thing);
    if (std::holds_alternative<std::monostate>(value)) continue;
    json.Key(field.name);
    std::visit(Writer{json}, value);
  }
  json.EndObject();
  return json.Take();
}

}  // namespace

std::span<const PlanField<Todo>> TodoFields() { return kTodoFields; }
std::span<const PlanField<Block>> BlockFields() { return kBlockFields; }

std::string PlanJson(const PlanValue& value) {
  JsonWriter json;
  std::visit(Writer{json}, value);
  return json.Take();
}

std::string PlanJson(const Todo& todo) { return ObjectOf(todo, "actionId", todo.action_id, TodoFields()); }

std::string PlanJson(const Block& block) { return ObjectOf(block, "blockId", block.id, BlockFields()); }

}  // namespace cairn::values
