// Typed use of a session: what the functions that modelgen writes for each model are made of. Generated code
// includes this header; nobody else needs it, except for PageOptions, Page and Set, which appear in generated
// signatures.
//
// Knows nothing of any one model: entities and patterns are named by a Place, structs bring ToItem and
// TakeFrom.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/check.h"
#include "base/slice.h"
#include "base/task.h"
#include "model/load.h"
#include "model/session.h"
#include "model/typed_value.h"

namespace cairn::model::typed {

// The model a piece of code was generated from.
struct Identity {
  std::string_view name;
  std::string_view hash;
};

// An entity or a pattern of it. The position is where generation found it; the hash of a model does not
// depend on the order, so the name decides.
struct Place {
  std::string_view name;
  size_t position;
};

// The type of a model's functions' first argument. A template, so that a function is compiled where it is
// called: there are hundreds of them, and each brings a coroutine and its answer.
template <class S>
concept AnySession = std::same_as<S, Session>;

// All entities of a model, for code that treats them alike.
template <class... Types>
struct TypeList {};

// The embedded text of a model that was checked when code was generated from it.
ModelPtr LoadEmbedded(std::string_view text, const std::string& file);

// Fails when `model` is not the one that the code was generated from.
Status CheckSame(const Model& model, const Identity& generated_from);

// The session's own definition. A session of another model is a programming error and ends the process.
const Entity& EntityIn(const Session& session, const Identity& model, const Place& place);
const Pattern& PatternIn(const Session& session, const Identity& model, const Place& place);

// Builds the changes of a partial update. The last word about an attribute counts, but additions add up.
class ChangeSet {
 public:
  ChangeSet();
  ChangeSet(const ChangeSet&);
  ChangeSet& operator=(const ChangeSet&);
  ~ChangeSet();

  template <class T>
  void Set(std::string_view name, const T& value) {
    if constexpr (kIsSet<T>) {
      if (value.empty()) return Remove(name);
    }
    SetValue(name, &value, [](const void* set) { return ToValue(*static_cast<const T*>(set)); });
  }
  void SetNull(std::string_view name);
  void Remove(std::string_view name);
  void Add(std::string_view name, const item::Number& amount);
  void Add(std::string_view name, int64_t amount);

  const Changes& changes() const { return changes_; }

 private:
  void SetValue(std::string_view name, const void* value,
                item::AttributeValue (*to_value)(const void* value));
  void SetTo(std::string_view name, item::AttributeValue value);
  void Forget(std::string_view name);

  Changes changes_;
};

// The changes of one entity: Derived has a method for whatever may change.
template <class Derived>
class ChangesOf {
 public:
  const ChangeSet& changes() const { return changes_; }

 protected:
  template <class T>
  Derived& Set(std::string_view name, const T& value) {
    changes_.Set(name, value);
    return static_cast<Derived&>(*this);
  }
  Derived& SetNull(std::string_view name) {
    changes_.SetNull(name);
    return static_cast<Derived&>(*this);
  }
  Derived& Remove(std::string_view name) {
    changes_.Remove(name);
    return static_cast<Derived&>(*this);
  }
  template <class T>
  Derived& Add(std::string_view name, const T& amount) {
    changes_.Add(name, amount);
    return static_cast<Derived&>(*this);
  }

 private:
  ChangeSet changes_;
};

template <class T>
ExpectedVersion Expected(const std::optional<T>& version) {
  return version ? ExpectedVersion(ToValue(*version)) : ExpectedVersion();
}

// A key attribute of an entity that was read or created. One that nobody has generated yet is a programming
// error.
template <class T>
const T& KeyPart(const T& member) {
  return member;
}
template <class T>
const T& KeyPart(const std::optional<T>& member) {
  CHECK(member.has_value(), "the key of an entity is known once it was created or read");
  return *member;
}

struct PageOptions {
  std::optional<int64_t> limit;  // none: the pattern's default
  std::string cursor;            // of the page before; "": from the beginning
  size_t bytes_max = kPageBytesMax;
};

struct PageEnd {
  std::string next_cursor;  // "": that was all
  bool truncated = false;   // the pattern's max_items cut the result
  int64_t inspected = 0;    // items the store looked at
  size_t bytes = 0;         // of the items, as stored
};
template <class T>
struct Page : PageEnd {
  using Item = T;
  std::vector<T> items;
};

// ---- What the functions of a model call. Only what needs a type is a template: they are instantiated for
// every entity and pattern that somebody uses. Values are filled where they are going to stay, for moving
// them costs most.

Outcome<void> Update(Session& session, const Identity& model, const Place& entity, item::Item key,
                     const ChangeSet& changes, ExpectedVersion expected = {});
Outcome<void> Replace(Session& session, const Identity& model, const Place& entity, item::Item values,
                      ExpectedVersion expected = {});
Outcome<void> Delete(Session& session, const Identity& model, const Place& entity, item::Item key,
                     ExpectedVersion expected = {});
Outcome<void> Check(Session& session, const Identity& model, const Place& entity, item::Item key,
                    ExpectedVersion expected = {});

// Where an item goes, and how.
struct Slot {
  void* value;
  Status (*take)(void* value, const Stored& stored, Reading reading);
};
template <class T>
Slot SlotFor(T& value) {
  return {&value, [](void* target, const Stored& stored, Reading reading) {
            return static_cast<T*>(target)->TakeFrom(stored, reading);
          }};
}

template <class T>
Result<T> FromItem(const item::Item& item) {
  Result<T> value(std::in_place);
  if (Status taken = value->TakeFrom(item, Reading::kWhole); !taken) return Fail(std::move(taken).error());
  return value;
}

// Answers what was completed.
Outcome<item::Item> CreateItem(Session& session, const Identity& model, const Place& entity,
                               item::Item values);

template <class T>
Outcome<T> Create(Session& session, const Identity& model, const T& value) {
  auto completed = CreateItem(session, model, T::kEntity, value.ToItem());
  if (!completed) return std::unexpected(std::move(completed).error());
  Outcome<T> created(std::in_place);
  if (Status taken = created->TakeFrom(*completed, Reading::kWhole); !taken)
    return std::unexpected(std::move(taken).error());
  return created;
}

// What a key, or a pattern of one get, finds.
struct FoundRecord {
  std::optional<Record> record;
  Reading reading = Reading::kWhole;
};
Task<Outcome<FoundRecord>> FindRecord(Session& session, const Entity& entity, item::Item key);
Task<Outcome<FoundRecord>> FindRecord(Session& session, const Pattern& pattern, PageRequest request);
Status FillRecord(const Record& record, Reading reading, const Slot& slot);
Outcome<void> FillFound(Outcome<FoundRecord>& found, const Slot& slot);

template <class T>
Outcome<std::optional<T>> OneOf(Outcome<FoundRecord>& found) {
  Outcome<std::optional<T>> one(std::in_place);
  if (found && !found->record) return one;
  auto filled = FillFound(found, SlotFor(one->emplace()));
  if (!filled) return std::unexpected(std::move(filled).error());
  return one;
}
template <class T>
Task<Outcome<std::optional<T>>> One(Task<Outcome<FoundRecord>> source) {
  auto found = co_await source;
  co_return OneOf<T>(found);
}
template <class T>
Task<Outcome<std::optional<T>>> Get(Session& session, const Identity& model, item::Item key) {
  return One<T>(FindRecord(session, EntityIn(session, model, T::kEntity), std::move(key)));
}
template <class T>
Task<Outcome<std::optional<T>>> ReadOne(Session& session, const Identity& model, const Place& pattern,
                                        item::Item parameters) {
  PageRequest request{.parameters = std::move(parameters), .limit = {}, .cursor = {}};
  return One<T>(FindRecord(session, PatternIn(session, model, pattern), std::move(request)));
}

struct FoundPage {
  model::Page page;
  Reading reading = Reading::kWhole;
};
Task<Outcome<FoundPage>> FindPage(Session& session, const Pattern& pattern, PageRequest request);

// An item of a page is an entity, or a variant that becomes the entity of the record.
using SlotOf = Slot (*)(const Record& record, void* item);
template <class T>
struct SlotIn {
  static Slot Open(const Record&, void* item) { return SlotFor(*static_cast<T*>(item)); }
};
// The position of the record's entity among `names`.
size_t EntityPosition(const Record& record, std::span<const std::string_view> names);
template <class... Entities>
struct SlotIn<std::variant<Entities...>> {
  using Variant = std::variant<Entities...>;

  static Slot Open(const Record& record, void* item) {
    static constexpr std::string_view kNames[] = {Entities::kEntity.name...};
    static constexpr Slot (*kEmplace[])(Variant&) = {&Emplace<Entities>...};
    return kEmplace[EntityPosition(record, kNames)](*static_cast<Variant*>(item));
  }
  template <class T>
  static Slot Emplace(Variant& item) {
    return SlotFor(item.template emplace<T>());
  }
};
// Items of `size` bytes each from `first` on, for `records`.
Status FillItems(const FoundPage& found, std::span<const Record> records, void* first, size_t size,
                 SlotOf slot_of);
void FillEnd(FoundPage& found, PageEnd& end);

// What the get step called `alias` of a pattern found.
const Record* FindStep(const FoundPage& found, std::string_view alias);
template <class T>
Status TakeStep(const FoundPage& found, std::string_view alias, std::optional<T>& step) {
  const Record* record = FindStep(found, alias);
  return record == nullptr ? Status() : FillRecord(*record, found.reading, SlotFor(step.emplace()));
}

template <class P>
Status FillPage(FoundPage& found, P& page) {
  using Item = typename P::Item;
  if constexpr (requires { page.TakeSteps(found); }) RETURN_IF_ERROR(page.TakeSteps(found));
  page.items = std::vector<Item>(found.page.items.size());
  FillEnd(found, page);
  return {};
}
// Records that are filled in between two looks at the clock.
inline constexpr size_t kFilledAtOnce = 64;
template <class P>
Task<Outcome<P>> PageFrom(Task<Outcome<FoundPage>> source) {
  using Item = typename P::Item;
  auto found = co_await source;
  if (!found) co_return std::unexpected(std::move(found).error());
  Outcome<P> page(std::in_place);
  Status filled = FillPage(*found, *page);
  std::span<const Record> rest = found->page.items;
  while (filled && !rest.empty()) {
    const auto now = rest.first(std::min(rest.size(), kFilledAtOnce));
    filled = FillItems(*found, now, page->items.data() + (page->items.size() - rest.size()), sizeof(Item),
                       SlotIn<Item>::Open);
    rest = rest.subspan(now.size());
    if (!rest.empty()) co_await Breathe();
  }
  if (!filled) co_return std::unexpected(std::move(filled).error());
  co_return page;
}
// P is a Page, or what derives from one and has members for the steps of its pattern.
template <class P>
Task<Outcome<P>> ReadPage(Session& session, const Identity& model, const Place& pattern,
                          item::Item parameters, const PageOptions& options = {}) {
  PageRequest request{.parameters = std::move(parameters),
                      .limit = options.limit,
                      .cursor = options.cursor,
                      .bytes_max = options.bytes_max};
  return PageFrom<P>(FindPage(session, PatternIn(session, model, pattern), std::move(request)));
}

template <class T>
std::vector<item::Item> ItemsOf(const std::vector<T>& values) {
  std::vector<item::Item> items;
  items.reserve(values.size());
  for (const T& value : values) items.push_back(value.ToItem());
  return items;
}
// `values` outlives the task.
template <class T>
Task<Outcome<size_t>> CreateMany(Session& session, const Identity& model, const std::vector<T>& values) {
  return session.CreateMany(EntityIn(session, model, T::kEntity), values.size(),
                            [&values](size_t position) { return values[position].ToItem(); });
}
// See Session::Repetition; `make(position)` gives the value of a position.
template <class T, class Make>
Task<Outcome<size_t>> CreateMany(Session& session, const Identity& model, Session::Repetition repetition,
                                 Make make) {
  return session.CreateMany(EntityIn(session, model, T::kEntity), std::move(repetition),
                            [make = std::move(make)](size_t position) { return make(position).ToItem(); });
}
template <class Key>
Task<Outcome<size_t>> DeleteMany(Session& session, const Identity& model, const Place& entity,
                                 const std::vector<Key>& keys) {
  return session.DeleteMany(EntityIn(session, model, entity), ItemsOf(keys));
}

}  // namespace cairn::model::typed
