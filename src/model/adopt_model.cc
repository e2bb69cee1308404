#include "model/adopt_model.h"

#include <algorithm>
#include <map>

#include "base/log.h"
#include "model/check_item.h"
#include "model/compare.h"
#include "model/entity_codec.h"
#include "model/guard_check.h"
#include "model/record.h"
#include "model/update_plan.h"
#include "model/validate.h"

namespace cairn::model {
namespace {

constexpr int64_t kItemsPerLogLine = 100'000;

// What is known of one table before the model is served over it.
struct Before {
  std::optional<TableOfModel> own;   // the same model as it was; none: unknown
  std::vector<TableOfModel> others;  // other models that have items in the table
};

std::string KeyText(const Table& table, const item::PackedItem& item) {
  std::string text;
  for (const std::string* name : {&table.pk_attribute, &table.sk_attribute}) {
    const auto value = name->empty() ? std::nullopt : item.Find(*name);
    if (value && value->is(item::Type::kString)) text += (text.empty() ? "" : " / ") + value->string();
  }
  return text;
}

// Goes through a table and gathers what does not fit the model, by what it is.
class Survey {
 public:
  Survey(const Database& database, size_t table, const Before& before, const TableDifference& difference)
      : database_(database),
        model_(database.model()),
        position_(table),
        table_(model_.tables[table]),
        before_(before),
        difference_(difference),
        entities_(EntitiesOf(model_, table)),
        entities_before_(before.own ? EntitiesOf(*before.own->model, before.own->position)
                                    : std::vector<size_t>()) {}

  Task<Result<std::vector<std::string>>> Run() {
    store::ScanRequest request;
    request.table = database_.physical_name(position_);
    int64_t done = 0, next_line = kItemsPerLogLine;
    do {
      auto page = co_await database_.upkeep().Scan(request);
      if (!page) co_return Fail(std::move(page).error());
      for (const item::PackedItem& item : page->items) CO_RETURN_IF_ERROR(co_await Look(item));
      done += static_cast<int64_t>(page->items.size());
      if (done >= next_line) {
        next_line += kItemsPerLogLine;
        log::Info("looking whether stored items fit the model", {{"table", request.table}, {"done", done}});
      }
      request.exclusive_start_key = std::move(page->last_evaluated_key);
    } while (request.exclusive_start_key);
    co_return Sentences();
  }

 private:
  struct Group {
    int64_t count = 0;
    std::string first;
  };

  void Note(const std::string& what, const item::PackedItem& item) {
    Group& group = groups_[what];
    if (group.count++ == 0) group.first = KeyText(table_, item);
  }

  Task<Status> Look(const item::PackedItem& item) {
    const Entity* entity = EntityOf(model_, entities_, item);
    if (entity == nullptr) {
      LookAtUnknown(item);
      co_return Status();
    }
    if (!difference_.hiding.empty()) LookAtKey(*entity, item);
    LookAtValues(*entity, item);
    for (const std::string& mirror : difference_.mirrors) LookAtMirrored(*entity, mirror, item);
    if (std::ranges::find(difference_.unique, entity->name) != difference_.unique.end()) {
      CO_ASSIGN_OR_RETURN(const auto findings, co_await CheckGuards(database_, position_, item));
      for (const GuardFinding& finding : findings) {
        Note("of " + entity->name + ": " + finding.attribute +
                 (finding.repair.empty() ? " must be unique and is not" : " must be unique and has no guard"),
             item);
      }
    }
    co_return Status();
  }

  // What the item was under the model before; null when that is not known.
  const Entity* EntityBefore(const item::PackedItem& item) const {
    if (!before_.own) return nullptr;
    return EntityOf(*before_.own->model, entities_before_, item);
  }

  // An item that the model before did not know either has not been hidden by the change.
  void LookAtUnknown(const item::PackedItem& item) {
    if (IsKnownItem(model_, position_, item)) return;
    for (const TableOfModel& other : before_.others) {
      if (IsKnownItem(*other.model, other.position, item)) return;
    }
    std::string name;
    if (before_.own) {
      const Entity* was = EntityBefore(item);
      if (was == nullptr) return;
      name = "of " + was->name + " ";
    }
    const auto type = table_.type_attribute.empty() ? std::nullopt : item.Find(table_.type_attribute);
    const bool typed = type && type->is(item::Type::kString);
    Note(name +
             (typed ? "with the type \"" + type->string() + "\", which no entity has,"
                    : "that no entity of the model describes") +
             " would not be found",
         item);
  }

  void LookAtKey(const Entity& entity, const item::PackedItem& item) {
    const std::string why = WhyMislaid(model_, entity, item);
    if (why.empty()) return;
    const Entity* was = EntityBefore(item);
    if (was != nullptr && !WhyMislaid(*before_.own->model, *was, item).empty()) return;
    Note("of " + entity.name + " with another key than the model gives would not be found", item);
  }

  void LookAtValues(const Entity& entity, const item::PackedItem& item) {
    const auto changed = difference_.values.find(entity.name);
    if (changed == difference_.values.end()) return;
    item::Item values = Record(model_, entity, item).Values();
    for (const FieldError& error : ValidateValues(entity, values)) {
      const std::string name = error.attribute.substr(0, error.attribute.find_first_of("[."));
      if (std::ranges::find(changed->second, name) == changed->second.end()) continue;
      Note("of " + entity.name + ": " + error.attribute + " " + error.message, item);
    }
  }

  void LookAtMirrored(const Entity& entity, const std::string& name, const item::PackedItem& item) {
    const Entity& mirror = *model_.FindEntity(name);
    if (mirror.mirror->entity != entity.name) return;
    const auto list = item.Find(entity.Find(mirror.mirror->attribute)->stored_as);
    if (list && list->is(item::Type::kList) && !list->list().empty())
      Note("of " + entity.name + " with " + mirror.mirror->attribute + ", but without the items of " + name,
           item);
  }

  std::vector<std::string> Sentences() const {
    std::vector<std::string> sentences;
    for (const auto& [what, group] : groups_) {
      sentences.push_back("table " + database_.physical_name(position_) + ": " + std::to_string(group.count) +
                          (group.count == 1 ? " item " : " items ") + what + " (the first: " + group.first +
                          ")");
    }
    return sentences;
  }

  const Database& database_;
  const Model& model_;
  const size_t position_;
  const Table& table_;
  const Before& before_;
  const TableDifference& difference_;
  const std::vector<size_t> entities_;
  const std::vector<size_t> entities_before_;
  std::map<std::string, Group> groups_;
};

class Adopting {
 public:
  Adopting(Database& database, AdoptOptions options)
      : database_(database), model_(database.model()), options_(options), memory_(database.upkeep()) {}

  Task<Result<Adoption>> Run() {
    CO_RETURN_IF_ERROR(co_await database_.CheckTables());
    CO_ASSIGN_OR_RETURN(remembered_, co_await memory_.Load());
    for (size_t table = 0; table < model_.tables.size(); ++table) CO_RETURN_IF_ERROR(co_await Decide(table));
    CO_RETURN_IF_ERROR(co_await LookForMoved());
    if (!adoption_.misfits.empty()) {
      if (options_.on_misfit == OnMisfit::kRefuse) co_return std::move(adoption_);
      for (const std::string& misfit : adoption_.misfits)
        log::Warning("a changed model is served although items do not fit it",
                     {{"model", model_.name}, {"what", misfit}});
      adoption_.misfits.clear();
    }
    CO_RETURN_IF_ERROR(co_await database_.CreateTables());
    for (const Plan& plan : plans_) {
      CO_RETURN_IF_ERROR(co_await memory_.Remember(
          database_, plan.table, EpochMilliseconds(options_.started.value_or(database_.Now())), plan.fill));
    }
    for (const RememberedModel* moved : moved_)
      CO_RETURN_IF_ERROR(co_await memory_.Forget(moved->table, moved->model));
    for (Plan& plan : plans_) {
      if (plan.fill)
        adoption_.fills.push_back(std::make_unique<IndexFill>(database_, plan.table, *std::move(plan.fill)));
    }
    co_return std::move(adoption_);
  }

 private:
  // A table whose model is to be remembered.
  struct Plan {
    size_t table;
    std::optional<UnfinishedFill> fill;
  };

  const RememberedModel* Remembered(const std::string& table) const {
    for (const RememberedModel& one : remembered_) {
      if (one.table == table && one.model == model_.name) return &one;
    }
    return nullptr;
  }

  // Whether another model wrote to the table since this one did.
  bool IsOvertaken(const RememberedModel& own) const {
    return std::ranges::any_of(remembered_, [&](const RememberedModel& other) {
      return other.table == own.table && other.model != own.model && other.at_ms > own.at_ms;
    });
  }

  bool IsShared(const std::string& table) const {
    return std::ranges::any_of(remembered_, [&](const RememberedModel& other) {
      return other.table == table && other.model != model_.name;
    });
  }

  Task<Status> Decide(size_t table) {
    const std::string& name = database_.physical_name(table);
    const auto description = co_await database_.upkeep().DescribeTable(name);
    if (!description && description.error().code != Code::kResourceNotFound)
      co_return Fail(description.error());
    const RememberedModel* own = Remembered(name);
    const bool same = own != nullptr && own->hash == model_.hash && !IsOvertaken(*own);
    if (same) {  // the usual start: nothing is written
      if (own->fill || IsShared(name)) plans_.push_back({table, own->fill});
      co_return Status();
    }
    if (!description || description->item_count == 0) {
      plans_.push_back({table, std::nullopt});
      co_return Status();
    }
    Before before;
    if (own != nullptr) before.own = ReadDefinition(*own);
    for (const RememberedModel& other : remembered_) {
      if (other.table != name || other.model == model_.name) continue;
      if (auto read = ReadDefinition(other)) before.others.push_back(*std::move(read));
    }
    const bool known = before.own && !IsOvertaken(*own);
    TableDifference difference = known
                                     ? CompareTables(*before.own->model, before.own->position, model_, table)
                                     : UnknownBefore(model_, table);
    if (difference.NeedsSurvey()) {
      CO_ASSIGN_OR_RETURN(const std::vector<std::string> misfits,
                          co_await Survey(database_, table, before, difference).Run());
      TakeMisfits(misfits, difference, known);
    }
    if (difference.expiry) {
      log::Warning(
          "the model gives items another time to live; stored ones keep theirs until they are written, or "
          "until cairn model verify --repair",
          {{"model", model_.name}, {"table", name}});
    }
    plans_.push_back({table, FillOf(own, difference, table)});
    co_return Status();
  }

  void TakeMisfits(const std::vector<std::string>& misfits, const TableDifference& difference, bool known) {
    if (misfits.empty()) return;
    if (!known && options_.on_unknown == OnUnknown::kWarn) {
      for (const std::string& misfit : misfits)
        log::Warning("stored items do not fit the model", {{"model", model_.name}, {"what", misfit}});
      return;
    }
    for (const std::string& sentence : difference.hiding) adoption_.misfits.push_back(sentence);
    adoption_.misfits.insert(adoption_.misfits.end(), misfits.begin(), misfits.end());
  }

  // What is to be filled: what has changed, and what was not done yet when it changed.
  std::optional<UnfinishedFill> FillOf(const RememberedModel* own, const TableDifference& difference,
                                       size_t table) const {
    UnfinishedFill fill;
    for (const size_t index : difference.indexes)
      fill.indexes.push_back(model_.tables[table].indexes[index].name);
    if (own != nullptr && own->fill) {
      for (const std::string& name : own->fill->indexes) {
        const bool there = std::ranges::find(model_.tables[table].indexes, name, &Index::name) !=
                           model_.tables[table].indexes.end();
        if (there && std::ranges::find(fill.indexes, name) == fill.indexes.end())
          fill.indexes.push_back(name);
      }
    }
    if (fill.indexes.empty()) return std::nullopt;
    return fill;
  }

  // A table that the model had before under another name: its items would be left behind.
  Task<Status> LookForMoved() {
    for (const RememberedModel& one : remembered_) {
      if (one.model != model_.name || one.stage != database_.stage()) continue;
      bool is_served = false;
      for (size_t table = 0; table < model_.tables.size(); ++table)
        is_served |= database_.physical_name(table) == one.table;
      if (is_served) continue;
      moved_.push_back(&one);
      const auto description = co_await database_.upkeep().DescribeTable(one.table);
      if (!description || description->item_count == 0) continue;
      adoption_.misfits.push_back(
          "table " + one.table +
          " is not in the model any more, and items are in it: " + std::to_string(description->item_count));
    }
    co_return Status();
  }

  Database& database_;
  const Model& model_;
  const AdoptOptions options_;
  ModelMemory memory_;
  std::vector<RememberedModel> remembered_;
  std::vector<Plan> plans_;
  std::vector<const RememberedModel*> moved_;
  Adoption adoption_;
};

}  // namespace

Task<Result<Adoption>> AdoptModel(Database& database, AdoptOptions options) {
  Adopting adopting(database, options);
  co_return co_await adopting.Run();
}

}  // namespace cairn::model
