#include "model/pattern_run.h"

#include <algorithm>

#include "base/check.h"
#include "base/slice.h"
#include "model/commit.h"
#include "model/conditions.h"
#include "model/cursor.h"
#include "model/entity_codec.h"
#include "model/validate.h"

namespace cairn::model {
namespace {

// all_pages gathers whole partitions; beyond this the answer would no longer fit a request.
constexpr int64_t kAllPagesItemsMax = 100'000;
constexpr size_t kFanoutPartitionsMax = 400;
// Of a page's bytes: when the store has ended its own page by size, one that is this full ends there, too.
constexpr size_t kFullEnough = 2;

expr::KeyOperator KeyOperatorOf(SortOperator op) {
  switch (op) {
    case SortOperator::kBegins:
      return expr::KeyOperator::kBeginsWith;
    case SortOperator::kBetween:
      return expr::KeyOperator::kBetween;
    case SortOperator::kLess:
      return expr::KeyOperator::kLess;
    case SortOperator::kLessOrEqual:
      return expr::KeyOperator::kLessOrEqual;
    case SortOperator::kGreater:
      return expr::KeyOperator::kGreater;
    case SortOperator::kGreaterOrEqual:
      return expr::KeyOperator::kGreaterOrEqual;
    default:
      return expr::KeyOperator::kEqual;
  }
}

// The first moment of the unit (year, month, day) that contains `time`, and of the next one.
std::chrono::sys_days UnitStart(Format unit, Time time) {
  const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(time));
  if (unit == Format::kYear) return std::chrono::sys_days(day.year() / std::chrono::January / 1);
  if (unit == Format::kYearMonth) return std::chrono::sys_days(day.year() / day.month() / 1);
  return std::chrono::sys_days(day);
}
std::chrono::sys_days NextUnit(Format unit, std::chrono::sys_days start) {
  const std::chrono::year_month_day day(start);
  if (unit == Format::kYear)
    return std::chrono::sys_days((day.year() + std::chrono::years(1)) / day.month() / 1);
  if (unit == Format::kYearMonth) {
    return std::chrono::sys_days((day.year() / day.month() + std::chrono::months(1)) / 1);
  }
  return start + std::chrono::days(1);
}

// A bound may be given as a plain date: then its first moment.
Result<Time> TimeOf(const item::AttributeValue& value, Kind kind) {
  const bool date = value.is(item::Type::kString) && value.string().size() == 10;
  return ParseTime(date ? Kind::kDate : kind, value);
}

Kind KindOf(const Pattern& pattern, const std::string& parameter) {
  for (const Parameter& candidate : pattern.parameters) {
    if (candidate.name == parameter) return candidate.type.kind;
  }
  return Kind::kInstant;
}

void AppendNumber(std::string& out, int64_t number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

}  // namespace

Task<Outcome<Page>> Session::Read(const Pattern& pattern, PageRequest request) {
  PatternRun run(*this, pattern, std::move(request));
  co_return co_await run.Run();
}

PatternRun::PatternRun(Session& session, const Pattern& pattern, PageRequest request)
    : session_(session),
      database_(session.database_),
      model_(session.database_.model()),
      pattern_(pattern),
      request_(std::move(request)),
      now_(session.database_.Now()) {}

Task<Outcome<Page>> PatternRun::Run() {
  if (pattern_.scope == Scope::kGlobal && !session_.caller().is_system()) {
    for (const model::Read& step : pattern_.steps) {
      for (const size_t entity : step.entities) {
        if (!model_.entities[entity].public_read) {
          co_return Fail(Code::kAccessDenied, "pattern " + pattern_.name + " is for the system");
        }
      }
    }
  }
  CO_RETURN_IF_ERROR(CheckGuard());
  CO_RETURN_IF_ERROR(TakeParameters());
  CO_RETURN_IF_ERROR(TakeLimit());
  for (const model::Read& step : pattern_.steps) CO_RETURN_IF_ERROR(TakeOwner(step));
  if (!request_.cursor.empty()) {
    CO_ASSIGN_OR_RETURN(position_, OpenCursor());
    seen_before_ = position_.inspected;
  }
  for (const model::Read& step : pattern_.steps) {
    const bool last = &step == &pattern_.steps.back();
    if (!step.get) {
      CO_RETURN_IF_ERROR(co_await RunQuery(step));
      continue;
    }
    CO_ASSIGN_OR_RETURN(const bool found, co_await RunGet(step, last));
    if (!found) break;
  }
  co_return std::move(page_);
}

Outcome<void> PatternRun::TakeParameters() {
  std::vector<FieldError> wrong;
  for (const item::Attribute& given : request_.parameters) {
    const bool known = std::any_of(pattern_.parameters.begin(), pattern_.parameters.end(),
                                   [&](const Parameter& parameter) { return parameter.name == given.name; });
    if (!known) wrong.push_back({given.name, "is not a parameter of " + pattern_.name});
  }
  for (const Parameter& parameter : pattern_.parameters) {
    const item::AttributeValue* given = request_.parameters.Find(parameter.name);
    if (given == nullptr) {
      if (parameter.required) wrong.push_back({parameter.name, "is required"});
      continue;
    }
    item::AttributeValue value = *given;
    ValueType type = parameter.type;
    if (parameter.date_too && value.is(item::Type::kString) && value.string().size() == 10) {
      type.kind = Kind::kDate;
    }
    if (auto fine = CheckValue(type, {}, value); !fine)
      wrong.push_back({parameter.name, fine.error().message});
    values_.Set(parameter.name, std::move(value));
  }
  if (!wrong.empty()) return std::unexpected(Failure(std::move(wrong)));
  return {};
}

Outcome<void> PatternRun::TakeOwner(const model::Read& read) {
  const auto& tenant = model_.tables[read.table].tenant;
  if (!tenant || pattern_.scope == Scope::kGlobal) return {};
  const std::string* own = session_.caller().Claim(tenant->claim);
  if (own == nullptr) {
    if (session_.caller().is_system() && MixesOwners(read)) return {};
    return Fail(Code::kAccessDenied, "the caller has no claim " + tenant->claim);
  }
  owner_ = *own;
  values_.Set(tenant->parameter, *own);
  return {};
}

// What the model's [guard] bans holds for patterns too, whether anybody ran the linter or not.
Outcome<void> PatternRun::CheckGuard() const {
  const Guard& guard = model_.guard;
  const model::Read& last = pattern_.steps.back();
  if (guard.require_projection && !last.get && pattern_.project.empty()) {
    return Fail(Code::kLimitExceeded,
                "pattern " + pattern_.name + " reads whole items; the model's guard requires a projection");
  }
  if (guard.forbid_unbounded_pages && last.all_pages && !pattern_.max_items) {
    return Fail(Code::kLimitExceeded, "pattern " + pattern_.name +
                                          " reads all pages without max_items; the model's guard forbids it");
  }
  return {};
}

Outcome<void> PatternRun::TakeLimit() {
  if (pattern_.steps.back().all_pages) return {};
  const int64_t most = std::min(pattern_.limit_max, model_.guard.page_over);
  limit_ = request_.limit.value_or(std::min(pattern_.limit_default, most));
  if (limit_ >= 1 && limit_ <= most) return {};
  return std::unexpected(Failure({FieldError{"limit", "must be between 1 and " + std::to_string(most)}}));
}

bool PatternRun::MixesOwners(const model::Read& read) const {
  const Table& table = model_.tables[read.table];
  if (!table.tenant || pattern_.scope == Scope::kGlobal) return false;
  return pattern_.scope == Scope::kCaller || pattern_.verify_owner || !model_.IsTenantScoped(table, read.pk);
}

Task<Outcome<bool>> PatternRun::RunGet(const model::Read& read, bool last) {
  const Entity& entity = model_.entities[read.entities.front()];
  const Table& table = model_.TableOf(entity);
  item::Item key;
  CO_ASSIGN_OR_RETURN(std::string pk, read.pk.Build(values_));
  key.Set(table.pk_attribute, std::move(pk));
  if (!table.sk_attribute.empty()) {
    CO_ASSIGN_OR_RETURN(std::string sk, read.sk.low.Build(values_));
    key.Set(table.sk_attribute, std::move(sk));
  }
  std::optional<expr::Projection> projection;
  if (last && !pattern_.project.empty()) projection = ProjectionOf(read);
  auto loaded = co_await LoadRecord(session_, entity, std::move(key), std::move(projection));
  if (!loaded) co_return std::unexpected(std::move(loaded).error());
  ++page_.inspected;
  if (!*loaded) co_return false;
  if (!read.alias.empty()) {
    for (const item::Attribute& attribute : (*loaded)->Values()) {
      values_.Set(read.alias + "." + attribute.name, attribute.value);
    }
    page_.steps.emplace(read.alias, **loaded);
  }
  if (last) {
    Prepare(read);
    Take(read, (*loaded)->packed());
  }
  co_return true;
}

// The partitions a fan-out runs over, as values of its placeholder; one unnamed partition without a fan-out.
Outcome<std::vector<item::AttributeValue>> PatternRun::Windows(const model::Read& read) {
  if (pattern_.lookback) {
    const Kind kind = KindOf(pattern_, pattern_.lookback->from);
    ASSIGN_OR_RETURN(const Time from, TimeOf(*values_.Find(pattern_.lookback->from), kind));
    values_.Set(pattern_.lookback->from, TimeValue(kind, from - pattern_.lookback->max_duration));
  }
  if (!pattern_.fanout) return std::vector<item::AttributeValue>(1);
  const Fanout& fanout = *pattern_.fanout;
  ASSIGN_OR_RETURN(const Time from, TimeOf(*values_.Find(fanout.from), KindOf(pattern_, fanout.from)));
  ASSIGN_OR_RETURN(const Time to, TimeOf(*values_.Find(fanout.to), KindOf(pattern_, fanout.to)));
  Kind kind = Kind::kInstant;
  for (const TemplatePart& part : read.pk.parts()) {
    if (!part.is_literal() && part.attribute == fanout.parameter) kind = part.type.kind;
  }
  std::vector<item::AttributeValue> windows;
  for (auto start = UnitStart(fanout.unit, from); start <= to; start = NextUnit(fanout.unit, start)) {
    if (windows.size() == kFanoutPartitionsMax) {
      return Fail(Code::kLimitExceeded, "the range from " + fanout.from + " to " + fanout.to +
                                            " is too long: more than " +
                                            std::to_string(kFanoutPartitionsMax) + " partitions");
    }
    windows.push_back(TimeValue(kind, Time(start)));
  }
  // Later units sort later, so partitions one after another are in order.
  if (pattern_.order == ReadOrder::kDescending) std::reverse(windows.begin(), windows.end());
  return windows;
}

// What of this read does not change from item to item.
void PatternRun::Prepare(const model::Read& read) {
  const Table& table = model_.tables[read.table];
  mixes_owners_ = MixesOwners(read);
  const Attribute* owner =
      table.tenant ? model_.entities[read.entities.front()].Find(table.tenant->parameter) : nullptr;
  owner_in_key_ = mixes_owners_ && owner != nullptr && owner->in_key_only;
  const bool reads_owner = mixes_owners_ && owner != nullptr && !owner_in_key_;
  facts_.emplace(table, reads_owner ? std::string_view(owner->stored_as) : "");
  const Index* index = read.index ? &table.indexes[*read.index] : nullptr;
  read_names_ = !pattern_.project.empty()                 ? &pattern_.project
                : index != nullptr && !index->project_all ? &index->included
                                                          : nullptr;
}

Task<Outcome<void>> PatternRun::RunQuery(const model::Read& read) {
  Prepare(read);
  if (!pattern_.fanout && !pattern_.lookback) co_return co_await ReadPartition(read, 0, 1);
  CO_ASSIGN_OR_RETURN(const std::vector<item::AttributeValue> windows, Windows(read));
  for (size_t i = position_.partition; i < windows.size(); ++i) {
    if (pattern_.fanout) values_.Set(pattern_.fanout->parameter, windows[i]);
    CO_RETURN_IF_ERROR(co_await ReadPartition(read, i, windows.size()));
    if (!page_.next_cursor.empty() || page_.truncated) break;
    position_.after_key.reset();
  }
  co_return Outcome<void>();
}

Result<store::QueryRequest> PatternRun::QueryOf(const model::Read& read) const {
  const Table& table = model_.tables[read.table];
  const Index* index = read.index ? &table.indexes[*read.index] : nullptr;
  if (index != nullptr && database_.IsFilling(read.table, *read.index)) {
    return Fail(Code::kUnavailable,
                "index " + index->name + " is being filled after a change of the model; try again later");
  }
  store::QueryRequest query;
  query.table = database_.physical_name(read.table);
  if (index != nullptr) query.index = index->name;
  ASSIGN_OR_RETURN(std::string pk, read.pk.Build(values_));
  query.key_condition.comparisons.push_back({index ? index->pk_attribute : table.pk_attribute,
                                             expr::KeyOperator::kEqual, std::move(pk),
                                             item::AttributeValue()});
  if (read.sk.op != SortOperator::kNone) {
    ASSIGN_OR_RETURN(std::string low, read.sk.low.Build(values_));
    item::AttributeValue high;
    if (read.sk.op == SortOperator::kBetween) {
      ASSIGN_OR_RETURN(std::string text, read.sk.high.Build(values_));
      if (text < low) return Fail(Invalid("the range of " + pattern_.name + " ends before it begins"));
      high = std::move(text);
    }
    query.key_condition.comparisons.push_back({index ? index->sk_attribute : table.sk_attribute,
                                               KeyOperatorOf(read.sk.op), std::move(low), std::move(high)});
  }
  query.order =
      pattern_.order == ReadOrder::kDescending ? store::Order::kDescending : store::Order::kAscending;
  if (read.consistent && index == nullptr) query.consistency = store::Consistency::kStrong;
  if (mixes_owners_ && !owner_in_key_ && !owner_.empty()) {
    const Entity& entity = model_.entities[read.entities.front()];
    query.filter = Equals(entity.Find(table.tenant->parameter)->stored_as, owner_);
  }
  if (!pattern_.project.empty()) query.projection = ProjectionOf(read);
  return query;
}

// What the pattern asks for, and what the session itself must see.
expr::Projection PatternRun::ProjectionOf(const model::Read& read) const {
  const Table& table = model_.tables[read.table];
  std::vector<std::string> names = pattern_.project;
  for (const std::string* name :
       {&table.pk_attribute, &table.sk_attribute, &table.type_attribute, &table.ttl_attribute}) {
    if (!name->empty()) names.push_back(*name);
  }
  if (read.index) {
    names.push_back(table.indexes[*read.index].pk_attribute);
    if (!table.indexes[*read.index].sk_attribute.empty())
      names.push_back(table.indexes[*read.index].sk_attribute);
  }
  if (table.tenant) {
    const Attribute* owner = model_.entities[read.entities.front()].Find(table.tenant->parameter);
    if (owner != nullptr && !owner->in_key_only) names.push_back(owner->stored_as);
  }
  if (pattern_.lookback) {
    for (std::string& name : pattern_.lookback->keep_if.Dependencies()) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  expr::Projection projection;
  for (std::string& name : names) projection.paths.push_back({std::move(name), {}});
  return projection;
}

Task<Outcome<void>> PatternRun::ReadPartition(const model::Read& read, size_t partition,
                                              size_t partition_count) {
  CO_ASSIGN_OR_RETURN(store::QueryRequest query, QueryOf(read));
  query.exclusive_start_key = position_.after_key;
  const size_t limit = static_cast<size_t>(limit_);
  do {
    // Here, whoever reads page after page, on whatever behalf, lets others have their turn.
    co_await Breathe();
    // One more than wanted tells whether there is a next page.
    if (limit_ > 0) query.limit = static_cast<int64_t>(limit - page_.items.size()) + 1;
    auto response = co_await database_.store().Query(query);
    if (!response) co_return std::unexpected(Failure(std::move(response).error()));
    page_.inspected += response->scanned_count;
    if (page_.items.empty()) page_.items.reserve(response->items.size());
    for (size_t i = 0; i < response->items.size(); ++i) {
      if (IsFull()) {
        Position next{partition, StartKey(read, page_.items.back().packed()), seen_before_ + page_.inspected};
        page_.next_cursor = SealCursor(next);
        co_return CheckBounds();
      }
      Take(read, std::move(response->items[i]));
    }
    CO_RETURN_IF_ERROR(CheckBounds());
    if (page_.truncated) co_return Outcome<void>();
    query.exclusive_start_key = std::move(response->last_evaluated_key);
    // What the store has left out is large: not read only to be told that it does not fit.
    const bool is_full = limit_ > 0 && page_.bytes >= request_.bytes_max / kFullEnough;
    if (query.exclusive_start_key && is_full && page_.items.size() < limit) {
      Position next{partition, std::move(query.exclusive_start_key), seen_before_ + page_.inspected};
      page_.next_cursor = SealCursor(next);
      co_return Outcome<void>();
    }
  } while (query.exclusive_start_key);
  if (IsFull() && partition + 1 < partition_count) {
    page_.next_cursor = SealCursor({partition + 1, std::nullopt, seen_before_ + page_.inspected});
  }
  co_return Outcome<void>();
}

bool PatternRun::IsFull() const {
  if (limit_ == 0 || page_.items.empty()) return false;
  return page_.items.size() == static_cast<size_t>(limit_) || page_.bytes >= request_.bytes_max;
}

void PatternRun::Add(const Entity& entity, item::PackedItem item) {
  page_.bytes += item.bytes().size();
  page_.items.emplace_back(model_, entity, std::move(item), read_names_);
}

void PatternRun::Take(const model::Read& read, item::PackedItem item) {
  const ItemFacts facts = facts_->Read(item);
  const Entity* entity = EntityOf(model_, read.entities, facts);
  if (entity == nullptr || !Keeps(read, *entity, item, facts)) return;
  if (entity != last_entity_) {  // mostly the same for a whole page
    last_entity_ = entity;
    last_has_secret_ = std::any_of(entity->attributes.begin(), entity->attributes.end(),
                                   [](const Attribute& attribute) { return attribute.secret; });
  }
  if (!last_has_secret_) {
    Add(*entity, std::move(item));
    return;
  }
  item::Item shown = item.Unpack();
  for (const Attribute& attribute : entity->attributes) {
    const bool asked = std::find(pattern_.project.begin(), pattern_.project.end(), attribute.stored_as) !=
                       pattern_.project.end();
    if (attribute.secret && !asked) shown.Remove(attribute.stored_as);
  }
  Add(*entity, item::PackedItem::Pack(shown));
}

bool PatternRun::IsOwn(const Entity& entity, const item::PackedItem& item, const ItemFacts& facts) const {
  if (!owner_in_key_) return facts.owner == owner_;
  const Table& table = model_.TableOf(entity);
  const auto pk = item.Find(table.pk_attribute);
  item::Item told;
  if (!pk || !pk->is(item::Type::kString) || !entity.pk.Match(pk->string(), told)) return false;
  const item::AttributeValue* owner = told.Find(table.tenant->parameter);
  return owner != nullptr && owner->is(item::Type::kString) && owner->string() == owner_;
}

bool PatternRun::Keeps(const model::Read& read, const Entity& entity, const item::PackedItem& item,
                       const ItemFacts& facts) const {
  if (IsExpired(facts, EpochSeconds(now_))) return false;
  if (mixes_owners_ && !owner_.empty() && !IsOwn(entity, item, facts)) return false;
  if (!pattern_.lookback) return true;
  const Table& table = model_.tables[read.table];
  // Items from the moment asked for on are wanted; earlier ones only while they last into it.
  const item::AttributeValue& from = *request_.parameters.Find(pattern_.lookback->from);
  const std::string& sort_name = read.index ? table.indexes[*read.index].sk_attribute : table.sk_attribute;
  const auto sort = item.Find(sort_name);
  if (sort && sort->is(item::Type::kString) && from.is(item::Type::kString) &&
      sort->string() >= from.string()) {
    return true;
  }
  const item::Item values = Record(model_, entity, item).Values();
  const auto names = pattern_.lookback->keep_if.Dependencies();
  const bool has_all = std::all_of(names.begin(), names.end(),
                                   [&](const std::string& name) { return values.Find(name) != nullptr; });
  return has_all && pattern_.lookback->keep_if.Holds(values, request_.parameters);
}

Outcome<void> PatternRun::CheckBounds() {
  const bool filters = mixes_owners_ && !owner_.empty();
  if (filters && page_.inspected > model_.guard.filter_max_scanned) {
    return Fail(Code::kLimitExceeded, "pattern " + pattern_.name + " would have to inspect more than " +
                                          std::to_string(model_.guard.filter_max_scanned) +
                                          " items to find the caller's own");
  }
  const int64_t most =
      pattern_.max_items.value_or(pattern_.steps.back().all_pages ? kAllPagesItemsMax : INT64_MAX);
  const int64_t inspected = seen_before_ + page_.inspected;
  // The one item read ahead to know whether there is a next page does not count.
  if (inspected - (page_.next_cursor.empty() ? 0 : 1) <= most) return {};
  if (pattern_.on_exceed == OnExceed::kTruncate && pattern_.max_items) {
    page_.truncated = true;
    page_.next_cursor.clear();
    const int64_t excess = std::min<int64_t>(inspected - most, static_cast<int64_t>(page_.items.size()));
    page_.items.erase(page_.items.end() - excess, page_.items.end());
    return {};
  }
  return Fail(Code::kLimitExceeded,
              "pattern " + pattern_.name + " found more than " + std::to_string(most) + " items");
}

item::Item PatternRun::StartKey(const model::Read& read, const item::PackedItem& last) const {
  const Table& table = model_.tables[read.table];
  std::vector<std::string> names = {table.pk_attribute};
  if (!table.sk_attribute.empty()) names.push_back(table.sk_attribute);
  if (read.index) {
    const Index& index = table.indexes[*read.index];
    names.push_back(index.pk_attribute);
    if (!index.sk_attribute.empty()) names.push_back(index.sk_attribute);
  }
  return last.UnpackOnly(names);
}

// A cursor belongs to one model, pattern, set of parameters and caller.
std::string PatternRun::Binding() const {
  std::string text = model_.hash + '\0' + pattern_.name + '\0';
  text += session_.caller().is_system() ? "system" : "user";
  text += '\0' + owner_ + '\0';
  text += item::PackedItem::Pack(request_.parameters).bytes();
  return text;
}

std::string PatternRun::SealCursor(const Position& position) const {
  std::string payload;
  AppendNumber(payload, static_cast<int64_t>(position.partition));
  AppendNumber(payload, position.inspected);
  if (position.after_key) payload += item::PackedItem::Pack(*position.after_key).bytes();
  return database_.cursors().Seal(payload, Binding());
}

Result<PatternRun::Position> PatternRun::OpenCursor() const {
  ASSIGN_OR_RETURN(const std::string payload, database_.cursors().Open(request_.cursor, Binding()));
  constexpr size_t kHead = 2 * sizeof(int64_t);
  CHECK(payload.size() >= kHead, "a sealed cursor has a head");
  int64_t partition = 0;
  Position position;
  std::copy_n(payload.data(), sizeof(partition), reinterpret_cast<char*>(&partition));
  std::copy_n(payload.data() + sizeof(partition), sizeof(position.inspected),
              reinterpret_cast<char*>(&position.inspected));
  position.partition = static_cast<size_t>(partition);
  if (payload.size() > kHead) {
    ASSIGN_OR_RETURN(const item::PackedItem key, item::PackedItem::FromStored(payload.substr(kHead)));
    position.after_key = key.Unpack();
  }
  return position;
}

}  // namespace cairn::model
