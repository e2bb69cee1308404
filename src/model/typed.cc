#include "model/typed.h"

#include <algorithm>

namespace cairn::model::typed {
namespace {

void CheckSession(const Session& session, const Identity& generated_from) {
  const Status same = CheckSame(session.database().model(), generated_from);
  const std::string why = same ? "" : same.error().message;
  CHECK(same.has_value(), why.c_str());
}

template <class T>
const T& At(const std::vector<T>& things, const Place& place) {
  if (place.position < things.size() && things[place.position].name == place.name)
    return things[place.position];
  const auto found = std::ranges::find(things, place.name, &T::name);
  CHECK(found != things.end(), "models of the same hash have the same entities and patterns");
  return *found;
}

// Whether the items of a pattern are whole: not when it projects, reads an index that does, or leaves out
// secrets.
Reading ReadingOf(const Model& model, const Pattern& pattern) {
  if (!pattern.project.empty()) return Reading::kPart;
  for (const model::Read& step : pattern.steps) {
    if (step.index && !model.tables[step.table].indexes[*step.index].project_all) return Reading::kPart;
    for (const size_t entity : step.entities) {
      const std::vector<Attribute>& attributes = model.entities[entity].attributes;
      if (std::ranges::any_of(attributes, &Attribute::secret)) return Reading::kPart;
    }
  }
  return Reading::kWhole;
}

}  // namespace

ModelPtr LoadEmbedded(std::string_view text, const std::string& file) {
  auto model = ParseModel(text, file);
  const std::string why = model ? "" : ToString(model.error().front());
  CHECK(model.has_value(), why.c_str());
  return *std::move(model);
}

Status CheckSame(const Model& model, const Identity& generated_from) {
  if (model.hash == generated_from.hash) return {};
  return Fail(Invalid("this code was generated from the model " + std::string(generated_from.name) + " (" +
                      std::string(generated_from.hash) + ") and cannot work with " + model.name + " (" +
                      model.hash + ")"));
}

const Entity& EntityIn(const Session& session, const Identity& model, const Place& place) {
  CheckSession(session, model);
  return At(session.database().model().entities, place);
}

const Pattern& PatternIn(const Session& session, const Identity& model, const Place& place) {
  CheckSession(session, model);
  return At(session.database().model().patterns, place);
}

ChangeSet::ChangeSet() = default;
ChangeSet::ChangeSet(const ChangeSet&) = default;
ChangeSet& ChangeSet::operator=(const ChangeSet&) = default;
ChangeSet::~ChangeSet() = default;

void ChangeSet::SetTo(std::string_view name, item::AttributeValue value) {
  Forget(name);
  changes_.set.Set(name, std::move(value));
}

void ChangeSet::SetValue(std::string_view name, const void* value,
                         item::AttributeValue (*to_value)(const void* value)) {
  SetTo(name, to_value(value));
}

void ChangeSet::SetNull(std::string_view name) { SetTo(name, item::AttributeValue()); }

void ChangeSet::Add(std::string_view name, int64_t amount) { Add(name, item::Number(amount)); }

void ChangeSet::Remove(std::string_view name) {
  Forget(name);
  changes_.remove.emplace_back(name);
}

void ChangeSet::Add(std::string_view name, const item::Number& amount) {
  const auto same = [&](const auto& addition) { return addition.first == name; };
  const auto addition = std::ranges::find_if(changes_.add, same);
  if (addition != changes_.add.end()) {
    // A sum of more digits than a number has stays in two parts, which the store refuses.
    if (const auto sum = item::Number::Add(addition->second, amount)) {
      addition->second = *sum;
      return;
    }
  } else if (item::AttributeValue* set = changes_.set.Find(name);
             set != nullptr && set->is(item::Type::kNumber)) {
    if (const auto sum = item::Number::Add(set->number(), amount)) {
      *set = *sum;
      return;
    }
  } else if (std::ranges::find(changes_.remove, name) != changes_.remove.end()) {
    return SetTo(name, amount);
  }
  changes_.add.emplace_back(name, amount);
}

void ChangeSet::Forget(std::string_view name) {
  changes_.set.Remove(name);
  std::erase(changes_.remove, name);
  std::erase_if(changes_.add, [&](const auto& addition) { return addition.first == name; });
}

Outcome<void> Update(Session& session, const Identity& model, const Place& entity, item::Item key,
                     const ChangeSet& changes, ExpectedVersion expected) {
  return session.Update(EntityIn(session, model, entity), std::move(key), changes.changes(),
                        std::move(expected));
}

Outcome<void> Replace(Session& session, const Identity& model, const Place& entity, item::Item values,
                      ExpectedVersion expected) {
  return session.Replace(EntityIn(session, model, entity), std::move(values), std::move(expected));
}

Outcome<void> Delete(Session& session, const Identity& model, const Place& entity, item::Item key,
                     ExpectedVersion expected) {
  return session.Delete(EntityIn(session, model, entity), std::move(key), std::move(expected));
}

Outcome<void> Check(Session& session, const Identity& model, const Place& entity, item::Item key,
                    ExpectedVersion expected) {
  return session.Check(EntityIn(session, model, entity), std::move(key), std::move(expected));
}

Outcome<item::Item> CreateItem(Session& session, const Identity& model, const Place& entity,
                               item::Item values) {
  return session.Create(EntityIn(session, model, entity), std::move(values));
}

Task<Outcome<FoundRecord>> FindRecord(Session& session, const Entity& entity, item::Item key) {
  auto record = co_await session.Get(entity, std::move(key));
  if (!record) co_return std::unexpected(std::move(record).error());
  co_return FoundRecord{*std::move(record), Reading::kWhole};
}

Task<Outcome<FoundRecord>> FindRecord(Session& session, const Pattern& pattern, PageRequest request) {
  auto page = co_await session.Read(pattern, std::move(request));
  if (!page) co_return std::unexpected(std::move(page).error());
  FoundRecord found{std::nullopt, ReadingOf(session.database().model(), pattern)};
  if (!page->items.empty()) found.record = std::move(page->items.front());
  co_return std::move(found);
}

Task<Outcome<FoundPage>> FindPage(Session& session, const Pattern& pattern, PageRequest request) {
  auto page = co_await session.Read(pattern, std::move(request));
  if (!page) co_return std::unexpected(std::move(page).error());
  co_return FoundPage{*std::move(page), ReadingOf(session.database().model(), pattern)};
}

Outcome<void> FillFound(Outcome<FoundRecord>& found, const Slot& slot) {
  if (!found) return std::unexpected(std::move(found).error());
  RETURN_IF_ERROR(FillRecord(*found->record, found->reading, slot));
  return {};
}

size_t EntityPosition(const Record& record, std::span<const std::string_view> names) {
  const std::optional<size_t> position = PositionOf(names, record.entity().name);
  CHECK(position.has_value(), "a pattern returns the entities it names");
  return *position;
}

Status FillItems(const FoundPage& found, std::span<const Record> records, void* first, size_t size,
                 SlotOf slot_of) {
  char* item = static_cast<char*>(first);
  KeyReader keys;
  for (const Record& record : records) {
    const Slot slot = slot_of(record, item);
    RETURN_IF_ERROR(slot.take(slot.value, {record, keys}, found.reading));
    item += size;
  }
  return {};
}

void FillEnd(FoundPage& found, PageEnd& end) {
  end.next_cursor = std::move(found.page.next_cursor);
  end.truncated = found.page.truncated;
  end.inspected = found.page.inspected;
  end.bytes = found.page.bytes;
}

const Record* FindStep(const FoundPage& found, std::string_view alias) {
  const auto step = found.page.steps.find(std::string(alias));
  return step == found.page.steps.end() ? nullptr : &step->second;
}

Status FillRecord(const Record& record, Reading reading, const Slot& slot) {
  KeyReader keys;
  return slot.take(slot.value, {record, keys}, reading);
}

}  // namespace cairn::model::typed
