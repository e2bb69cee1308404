#include "workload.h"

#include "base/task.h"
#include "expr/condition.h"
#include "expr/update.h"

namespace cairn::faults {
namespace {

using engine::Engine;
using expr::ConditionPtr;
using expr::DocumentPath;
using item::AttributeValue;
using item::Item;
using item::Number;
using item::Type;

constexpr int kPlaces = 6;
constexpr size_t kAnsweredTokensMax = 3;
constexpr int64_t kTokenSeconds = 9 * 60;  // they hold for ten minutes

store::IndexDefinition Index(std::string name, store::IndexKind kind, item::KeyElement partition,
                             item::KeyElement sort, store::ProjectionType projection) {
  store::IndexDefinition index{.name = std::move(name), .kind = kind};
  index.key_schema.partition = {std::move(partition)};
  index.key_schema.sort = {std::move(sort)};
  index.projection = projection;
  return index;
}

store::IndexDefinition ExtraIndex() {
  return Index("extra", store::IndexKind::kGlobal, {"grp", Type::kString}, {"w", Type::kNumber},
               store::ProjectionType::kAll);
}

store::TableDefinition Definition(const std::string& name) {
  store::TableDefinition table;
  table.name = name;
  table.key_schema = {{{"pk", Type::kString}}, {{"sk", Type::kString}}};
  table.attribute_definitions = {{"pk", Type::kString},
                                 {"sk", Type::kString},
                                 {"grp", Type::kString},
                                 {"w", Type::kNumber},
                                 {"at", Type::kNumber}};
  table.stream = store::StreamSettings{store::StreamView::kNewAndOldImages};
  if (name == kMain) {
    table.indexes = {Index("by_group", store::IndexKind::kGlobal, {"grp", Type::kString},
                           {"w", Type::kNumber}, store::ProjectionType::kAll),
                     Index("slim", store::IndexKind::kGlobal, {"grp", Type::kString}, {"pk", Type::kString},
                           store::ProjectionType::kKeysOnly),
                     Index("by_time", store::IndexKind::kLocal, {"pk", Type::kString}, {"at", Type::kNumber},
                           store::ProjectionType::kAll)};
  }
  return table;
}

Item KeyOf(const Place& place) { return Item{{"pk", place.pk}, {"sk", place.sk}}; }

DocumentPath Path(std::string attribute) { return {std::move(attribute), {}}; }

expr::SetAction Set(std::string attribute, AttributeValue value) {
  return {Path(std::move(attribute)),
          std::make_shared<const expr::SetValue>(expr::SetValue{std::move(value)})};
}

// The item is what the writer believes.
ConditionPtr StillIs(const Item* known) {
  if (!known) {
    return std::make_shared<const expr::Condition>(expr::Condition{expr::AttributeNotExists{Path("pk")}});
  }
  return std::make_shared<const expr::Condition>(
      expr::Condition{expr::Comparison{Path("w"), expr::Comparator::kEqual, *known->Find("w")}});
}

// The store could not say whether it wrote: its disk failed, not the request.
bool IsStorageFailure(Code code) {
  return code == Code::kInternal || code == Code::kReadOnly || code == Code::kStorageFull ||
         code == Code::kDamaged || code == Code::kUnavailable;
}

const Error& ErrorOf(const Error& error) { return error; }
const Error& ErrorOf(const store::WriteFailure& failure) { return failure.error; }
const Error& ErrorOf(const store::TransactionFailure& failure) { return failure.error; }

}  // namespace

Status CreateTables(Engine& engine) {
  for (const std::string& name : {kMain, kSide}) {
    if (SyncWait(engine.DescribeTable(name))) continue;
    RETURN_IF_ERROR(SyncWait(engine.CreateTable(Definition(name))));
  }
  const auto expiry = SyncWait(engine.DescribeTimeToLive(kMain));
  if (expiry && expiry->enabled) return {};
  RETURN_IF_ERROR(SyncWait(engine.UpdateTimeToLive({kMain, {true, "expires"}})));
  return {};
}

Writer::Writer(int number, uint64_t seed, Ledger& ledger, const Clock& clock)
    : name_("w" + std::to_string(number)), random_(seed), ledger_(ledger), clock_(clock) {}

bool Writer::Step(Engine& engine) {
  switch (Below(random_, 10)) {
    case 0:
    case 1:
    case 2:
      return Put(engine);
    case 3:
    case 4:
      return Update(engine);
    case 5:
      return Delete(engine);
    case 6:
      return Batch(engine);
    case 7:
      return Transaction(engine);
    case 8:
      return Count(engine);
    default:
      return PutExpiring(engine);
  }
}

Place Writer::RandomPlace(const std::string& prefix) {
  return {Coin(random_) ? kMain : kSide, name_, prefix + std::to_string(Below(random_, kPlaces))};
}

Item Writer::Body(const Place& place, int64_t number) {
  Item item = KeyOf(place);
  item.Set("w", Number(number));
  if (Below(random_, 4) != 0) item.Set("grp", "g" + std::to_string(Below(random_, 3)));
  if (Coin(random_)) item.Set("at", Number(static_cast<int64_t>(Below(random_, 100))));
  const size_t filler = Below(random_, 8) == 0 ? 5000 : 100;
  item.Set("filler", std::string(Below(random_, filler), static_cast<char>('a' + number % 26)));
  return item;
}

const Item* Writer::Known(const Place& place) const {
  const auto found = known_.find(place);
  return found == known_.end() ? nullptr : &found->second;
}

template <class Response, class Failure>
bool Writer::Settle(int64_t id, const Result<Response, Failure>& result, const std::string& what) {
  if (result) return ledger_.Acknowledge(id);
  const Error& error = ErrorOf(result.error());
  if (!IsStorageFailure(error.code)) {
    ledger_.Complain(name_ + ": " + what + " was refused: " + std::string(CodeName(error.code)) + " " +
                     error.message);
  }
  return false;
}

bool Writer::Put(Engine& engine) {
  const Place place = RandomPlace();
  const int64_t number = ledger_.NewNumber();
  const Item item = Body(place, number);
  store::PutItemRequest request{.table = place.table, .item = item, .condition = nullptr};
  if (Coin(random_)) request.condition = StillIs(Known(place));
  const int64_t id = ledger_.Begin({.writes = {{place, number}}});
  if (!Settle(id, SyncWait(engine.PutItem(request)), "put of " + place.ToString())) return false;
  known_.insert_or_assign(place, item);
  return true;
}

bool Writer::Update(Engine& engine) {
  const Place place = RandomPlace();
  const int64_t number = ledger_.NewNumber();
  const Item* known = Known(place);
  Item result = known ? *known : KeyOf(place);
  store::UpdateItemRequest request{.table = place.table, .key = KeyOf(place), .condition = StillIs(known)};
  request.update.sets.push_back(Set("w", Number(number)));
  result.Set("w", Number(number));
  if (Coin(random_)) {
    const std::string group = "g" + std::to_string(Below(random_, 3));
    request.update.sets.push_back(Set("grp", group));
    result.Set("grp", group);
  } else {
    request.update.removes.push_back({Path("grp")});
    result.Remove("grp");
  }
  const int64_t id = ledger_.Begin({.writes = {{place, number}}});
  if (!Settle(id, SyncWait(engine.UpdateItem(request)), "update of " + place.ToString())) return false;
  known_.insert_or_assign(place, std::move(result));
  return true;
}

bool Writer::Delete(Engine& engine) {
  const Place place = RandomPlace();
  const Item* known = Known(place);
  if (!known) return Put(engine);
  store::DeleteItemRequest request{.table = place.table, .key = KeyOf(place), .condition = nullptr};
  if (Coin(random_)) request.condition = StillIs(known);
  const int64_t id = ledger_.Begin({.writes = {{place, 0, NumberIn(*known, "w")}}});
  if (!Settle(id, SyncWait(engine.DeleteItem(request)), "delete of " + place.ToString())) return false;
  known_.erase(place);
  return true;
}

// Puts and deletes of several items; each of them is a write of its own.
bool Writer::Batch(Engine& engine) {
  store::BatchWriteItemRequest request;
  Operation operation{.all_or_nothing = false};
  Items after = known_;
  for (const std::string& table : {kMain, kSide}) {
    store::BatchWriteTable part{.table = table};
    for (int i = 0; i < kPlaces; ++i) {
      const Place place{table, name_, "k" + std::to_string(i)};
      const Item* known = Known(place);
      if (Below(random_, 3) != 0) continue;
      if (known && Coin(random_)) {
        part.actions.emplace_back(store::BatchDelete{KeyOf(place)});
        operation.writes.push_back({place, 0, NumberIn(*known, "w")});
        after.erase(place);
        continue;
      }
      const int64_t number = ledger_.NewNumber();
      Item item = Body(place, number);
      operation.writes.push_back({place, number});
      after.insert_or_assign(place, item);
      part.actions.emplace_back(store::BatchPut{std::move(item)});
    }
    if (!part.actions.empty()) request.tables.push_back(std::move(part));
  }
  if (request.tables.empty()) return Put(engine);
  const int64_t id = ledger_.Begin(std::move(operation));
  if (!Settle(id, SyncWait(engine.BatchWriteItem(request)), "batch")) return false;
  known_ = std::move(after);
  return true;
}

// A put, an update or delete, and a check, on different items of both tables: all or nothing.
bool Writer::Transaction(Engine& engine) {
  store::TransactWriteItemsRequest request;
  Operation operation;
  Items after = known_;
  const Place put{kMain, name_, "k0"}, second{kSide, name_, "k1"}, checked{kMain, name_, "k2"};
  const int64_t number = ledger_.NewNumber();
  Item item = Body(put, number);
  operation.writes.push_back({put, number});
  after.insert_or_assign(put, item);
  request.actions.push_back({store::TransactPut{put.table, std::move(item), nullptr}});
  const Item* known = Known(second);
  if (known && Coin(random_)) {
    operation.writes.push_back({second, 0, NumberIn(*known, "w")});
    after.erase(second);
    request.actions.push_back({store::TransactDelete{second.table, KeyOf(second), StillIs(known)}});
  } else {
    const int64_t updated = ledger_.NewNumber();
    Item result = known ? *known : KeyOf(second);
    result.Set("w", Number(updated));
    operation.writes.push_back({second, updated});
    after.insert_or_assign(second, std::move(result));
    store::TransactUpdate update{second.table, KeyOf(second), {}, StillIs(known)};
    update.update.sets.push_back(Set("w", Number(updated)));
    request.actions.push_back({std::move(update)});
  }
  request.actions.push_back({store::ConditionCheck{checked.table, KeyOf(checked), StillIs(Known(checked))}});
  const int64_t id = ledger_.Begin(std::move(operation));
  if (!Settle(id, SyncWait(engine.TransactWriteItems(request)), "transaction")) return false;
  known_ = std::move(after);
  return true;
}

// Adds one to the counter of all and writes a receipt, under a client token.
bool Writer::Count(Engine& engine) {
  TokenRequest sent{.sent_seconds = EpochSeconds(clock_.Now())};
  const Place counter{kMain, "counter", "all"}, receipt{kSide, name_, "receipt"};
  const int64_t counted = ledger_.NewNumber(), written = ledger_.NewNumber();
  store::TransactUpdate add{counter.table, KeyOf(counter), {}, nullptr};
  add.update.adds.push_back({Path("total"), Number(1)});
  add.update.sets.push_back(Set("w", Number(counted)));
  Item item = KeyOf(receipt);
  item.Set("w", Number(written));
  sent.request.actions.push_back({std::move(add)});
  sent.request.actions.push_back({store::TransactPut{receipt.table, std::move(item), nullptr}});
  sent.request.client_token = name_ + "-" + std::to_string(counted);
  sent.request.token_fingerprint = "fingerprint of " + std::to_string(counted);
  Operation operation{.writes = {{counter, counted}, {receipt, written}}};
  operation.token = sent.request.client_token;
  sent.operation = ledger_.Begin(std::move(operation));
  return Send(engine, sent);
}

bool Writer::Send(Engine& engine, TokenRequest& sent) {
  if (!Settle(sent.operation, SyncWait(engine.TransactWriteItems(sent.request)), "counting")) {
    open_.push_back(sent);
    return false;
  }
  answered_.push_back(sent);
  if (answered_.size() > kAnsweredTokensMax) answered_.pop_front();
  return true;
}

// Items that go by themselves: written without conditions, because nobody knows when they go.
bool Writer::PutExpiring(Engine& engine) {
  const Place place{kMain, name_, "e" + std::to_string(Below(random_, kPlaces))};
  const int64_t number = ledger_.NewNumber();
  Item item = Body(place, number);
  item.Set("expires", Number(EpochSeconds(clock_.Now()) + static_cast<int64_t>(Below(random_, 4)) - 1));
  store::PutItemRequest request{.table = place.table, .item = std::move(item), .condition = nullptr};
  const int64_t id = ledger_.Begin({.writes = {{place, number}}});
  return Settle(id, SyncWait(engine.PutItem(request)), "put of " + place.ToString());
}

void Writer::Learn(const Items& items) {
  known_.clear();
  for (const auto& [place, item] : items) {
    if (place.pk == name_ && place.sk.starts_with("k")) known_.emplace(place, item);
  }
}

bool Writer::SendOpenTokensAgain(Engine& engine) {
  std::vector<TokenRequest> sending;
  sending.swap(open_);
  bool all = true;
  for (TokenRequest& request : sending) {
    ledger_.SendAgain(request.operation);
    all = Send(engine, request) && all;
  }
  return all;
}

void Writer::RepeatAnsweredTokens(Engine& engine) {
  const int64_t now_seconds = EpochSeconds(clock_.Now());
  for (const TokenRequest& sent : answered_) {
    if (now_seconds - sent.sent_seconds > kTokenSeconds) continue;
    const auto again = SyncWait(engine.TransactWriteItems(sent.request));
    if (!again)
      ledger_.Complain("token " + sent.request.client_token + " sent again: " + again.error().error.message);
    store::TransactWriteItemsRequest other = sent.request;
    other.token_fingerprint = "fingerprint of something else";
    const auto refused = SyncWait(engine.TransactWriteItems(other));
    if (refused || refused.error().error.code != Code::kIdempotencyMismatch) {
      ledger_.Complain("token " + sent.request.client_token + " with another content was not refused");
    }
  }
}

void Writer::ForgetLost() {
  std::erase_if(answered_, [&](const TokenRequest& sent) {
    return ledger_.operations().at(sent.operation).fate == Fate::kLost;
  });
}

bool Caretaker::Step(Engine& engine) {
  if (Below(random_, 3) != 0) {
    engine.RunJobs();
    return true;
  }
  const auto side = SyncWait(engine.DescribeTable(kSide));
  if (!side) return false;
  store::UpdateTableRequest request{.table = kSide};
  if (side->indexes.empty()) {
    request.attribute_definitions = Definition(kSide).attribute_definitions;
    request.index_changes.emplace_back(store::CreateIndex{ExtraIndex()});
  } else if (side->indexes[0].status == store::IndexStatus::kActive) {
    request.index_changes.emplace_back(store::DeleteIndex{"extra"});
  } else {
    engine.RunJobs();
    return true;
  }
  return SyncWait(engine.UpdateTable(request)).has_value();
}

}  // namespace cairn::faults
