#include "model/commit.h"

#include <algorithm>
#include <numeric>

#include "base/log.h"
#include "model/conditions.h"
#include "model/entity_codec.h"
#include "model/guard.h"
#include "model/validate.h"

namespace cairn::model {
namespace {

// How often a write that lost a race against others starts over.
constexpr int kAttemptsMax = 64;

const std::string* OwnerClaim(const Session& session, const Tenant& tenant) {
  return session.caller().Claim(tenant.claim);
}

bool BelongsToCaller(const Session& session, const Entity& entity, const Record& record) {
  const Model& model = session.database().model();
  const Tenant* tenant = model.TenantOf(entity);
  if (tenant == nullptr || model.IsTenantScoped(model.TableOf(entity), entity.pk)) return true;
  const std::string* own = OwnerClaim(session, *tenant);
  if (own == nullptr) return session.caller().is_system();
  const auto owner = record.Find(entity.Find(tenant->parameter)->stored_as);
  return owner && owner->is(item::Type::kString) && owner->string() == *own;
}

}  // namespace

Task<Outcome<std::optional<Record>>> LoadRecord(const Session& session, const Entity& entity,
                                                item::Item primary_key,
                                                std::optional<expr::Projection> projection) {
  const Database& database = session.database();
  const Model& model = database.model();
  store::GetItemRequest request{.table = database.physical_name(entity.table),
                                .key = std::move(primary_key),
                                .consistency = store::Consistency::kStrong,
                                .projection = std::move(projection)};
  auto response = co_await database.store().GetItem(request);
  if (!response) co_return std::unexpected(Failure(std::move(response).error()));
  if (!response->item) co_return std::nullopt;
  const size_t position = static_cast<size_t>(&entity - model.entities.data());
  if (EntityOf(model, std::span(&position, 1), *response->item) == nullptr) co_return std::nullopt;
  if (IsExpired(model.TableOf(entity), *response->item, database.Now())) co_return std::nullopt;
  Record record(model, entity, *std::move(response->item));
  if (!BelongsToCaller(session, entity, record)) co_return std::nullopt;
  co_return record;
}

CommitRun::CommitRun(Session& session, std::vector<Staged> staged, std::string token)
    : session_(session),
      database_(session.database_),
      model_(session.database_.model()),
      staged_(std::move(staged)),
      token_(std::move(token)),
      satisfied_(staged_.size()),
      caller_read_(staged_.size()) {
  committed_.values.resize(staged_.size());
  committed_.unchanged.resize(staged_.size());
}

Task<Outcome<Committed>> CommitRun::Run() {
  std::vector<size_t> atomic, best_effort;
  for (size_t i = 0; i < staged_.size(); ++i) {
    (model_.TableOf(*staged_[i].entity).best_effort ? best_effort : atomic).push_back(i);
  }
  if (!atomic.empty() || along_ != nullptr) CO_RETURN_IF_ERROR(co_await RunGroup(std::move(atomic), along_));
  for (const size_t position : best_effort) {
    const std::vector<size_t> alone = {position};
    if (auto written = co_await RunGroup(alone, nullptr); !written) {
      log::Warning("a best-effort write failed",
                   {{"entity", staged_[position].entity->name}, {"reason", written.error().error.message}});
    }
  }
  for (size_t i = 0; i < staged_.size(); ++i) {
    const bool created = staged_[i].op == Operation::kCreate && !committed_.values[i];
    if (created) committed_.values[i] = std::move(staged_[i].values);
  }
  co_return std::move(committed_);
}

Task<Outcome<void>> CommitRun::PrepareAll(const std::vector<size_t>& group) {
  actions_.clear();
  for (const size_t position : group) {
    if (!satisfied_[position]) CO_RETURN_IF_ERROR(co_await Prepare(position));
  }
  co_return Outcome<void>();
}

Task<Outcome<void>> CommitRun::RunGroup(std::vector<size_t> group, CommitRun* along) {
  std::vector<size_t> along_group(along == nullptr ? 0 : along->staged_.size());
  std::iota(along_group.begin(), along_group.end(), 0);
  for (attempt_ = 0; attempt_ < kAttemptsMax; ++attempt_) {
    CO_RETURN_IF_ERROR(co_await PrepareAll(group));
    if (along != nullptr) CO_RETURN_IF_ERROR(co_await along->PrepareAll(along_group));
    const size_t count = actions_.size() + (along == nullptr ? 0 : along->actions_.size());
    if (count == 0) co_return Outcome<void>();
    if (count > store::kTransactActionsMax) {
      co_return Fail(Code::kLimitExceeded, "this change needs " + std::to_string(count) +
                                               " items in one transaction; at most " +
                                               std::to_string(store::kTransactActionsMax) + " are possible");
    }
    CO_ASSIGN_OR_RETURN(const Verdict verdict, co_await Write(along));
    if (verdict == Verdict::kDone) co_return Outcome<void>();
  }
  const CommitRun& stuck = actions_.empty() ? *along : *this;
  co_return std::unexpected(stuck.ConflictOf(ConflictKind::kChanged, stuck.actions_.front()));
}

Task<Outcome<void>> CommitRun::Prepare(size_t position) {
  switch (staged_[position].op) {
    case Operation::kCreate:
      return PrepareCreate(position);
    case Operation::kReplace:
    case Operation::kUpdate:
      return PrepareChange(position);
    case Operation::kDelete:
      return PrepareDelete(position);
    case Operation::kCheck:
      break;
  }
  return [](Outcome<void> outcome) -> Task<Outcome<void>> { co_return outcome; }(PrepareCheck(position));
}

void CommitRun::Add(size_t position, Purpose purpose, const Entity& entity, item::Item key,
                    decltype(store::TransactAction::action) write) {
  Action action;
  action.write.action = std::move(write);
  action.write.on_condition_failure = store::OnConditionFailure::kReturnOldItem;
  action.purpose = purpose;
  action.staged = position;
  action.entity = &entity;
  action.key = std::move(key);
  actions_.push_back(std::move(action));
}

expr::ConditionPtr CommitRun::Owned(const Entity& entity) const {
  const Tenant* tenant = model_.TenantOf(entity);
  if (tenant == nullptr || model_.IsTenantScoped(model_.TableOf(entity), entity.pk)) return nullptr;
  const std::string* own = OwnerClaim(session_, *tenant);
  return own == nullptr ? nullptr : Equals(entity.Find(tenant->parameter)->stored_as, *own);
}

expr::ConditionPtr CommitRun::Live(const Entity& entity) const {
  const Table& table = model_.TableOf(entity);
  expr::ConditionPtr unexpired;
  if (!table.ttl_attribute.empty()) {
    unexpired = AnyOf(NotExists(table.ttl_attribute), Compare(table.ttl_attribute, expr::Comparator::kGreater,
                                                              item::Number(EpochSeconds(database_.Now()))));
  }
  return AllOf({Exists(table.pk_attribute), std::move(unexpired), Owned(entity)});
}

expr::ConditionPtr CommitRun::Absent(const Entity& entity) const {
  const Table& table = model_.TableOf(entity);
  expr::ConditionPtr absent = NotExists(table.pk_attribute);
  if (table.ttl_attribute.empty()) return absent;
  return AnyOf(std::move(absent), Compare(table.ttl_attribute, expr::Comparator::kLessOrEqual,
                                          item::Number(EpochSeconds(database_.Now()))));
}

Failure CommitRun::ConflictOf(ConflictKind kind, const Action& action) const {
  return Failure(Conflict{kind, action.entity, action.key, {}});
}

bool CommitRun::OnlyDeletes() const {
  return std::ranges::all_of(actions_, [](const Action& action) {
    return std::holds_alternative<store::TransactDelete>(action.write.action) ||
           std::holds_alternative<store::ConditionCheck>(action.write.action);
  });
}

Outcome<std::optional<WriteFence::Passage>> CommitRun::PassFence(const CommitRun* along) const {
  WriteFence* fence = database_.fence();
  if (fence == nullptr || (OnlyDeletes() && (along == nullptr || along->OnlyDeletes()))) return std::nullopt;
  auto passage = fence->Enter(session_.caller(), along == nullptr ? nullptr : &along->session_.caller());
  if (!passage) return Fail(WriteFence::Deleted());
  return passage;
}

Task<Outcome<CommitRun::Verdict>> CommitRun::Write(CommitRun* along) {
  const bool company = along != nullptr && !along->actions_.empty();
  CO_ASSIGN_OR_RETURN(const auto passage, PassFence(along));
  const bool alone = actions_.size() == 1 && !company && token_.empty() &&
                     !std::holds_alternative<store::ConditionCheck>(actions_.front().write.action);
  // Not one expression with ?: g++ 12 destroys the chosen side's result twice.
  Result<std::vector<Refusal>> refusals;
  if (alone) {
    refusals = co_await WriteOne(actions_.front());
  } else {
    refusals = co_await WriteAll(along);
  }
  if (!refusals) {
    if (refusals.error().code == Code::kTransactionConflict) co_return Verdict::kAgain;
    co_return std::unexpected(Failure(std::move(refusals).error()));
  }
  if (refusals->empty()) co_return Verdict::kDone;
  const std::span<const Refusal> all = *refusals;
  CO_RETURN_IF_ERROR(co_await Judge(all.first(actions_.size())));
  if (company) CO_RETURN_IF_ERROR(co_await along->Judge(all.subspan(actions_.size())));
  co_return Verdict::kAgain;
}

// A single write costs half of what a transaction of one would.
Task<Result<std::vector<CommitRun::Refusal>>> CommitRun::WriteOne(Action& action) {
  Result<store::WriteResponse, store::WriteFailure> response = std::unexpected(store::WriteFailure(Error{}));
  store::Store& store = database_.store();
  if (auto* put = std::get_if<store::TransactPut>(&action.write.action)) {
    store::PutItemRequest request{
        .table = put->table, .item = std::move(put->item), .condition = std::move(put->condition)};
    request.on_condition_failure = store::OnConditionFailure::kReturnOldItem;
    response = co_await store.PutItem(std::move(request));
  } else if (auto* update = std::get_if<store::TransactUpdate>(&action.write.action)) {
    store::UpdateItemRequest request{.table = update->table,
                                     .key = std::move(update->key),
                                     .update = std::move(update->update),
                                     .condition = std::move(update->condition)};
    request.on_condition_failure = store::OnConditionFailure::kReturnOldItem;
    response = co_await store.UpdateItem(std::move(request));
  } else {
    auto& gone = std::get<store::TransactDelete>(action.write.action);
    store::DeleteItemRequest request{
        .table = gone.table, .key = std::move(gone.key), .condition = std::move(gone.condition)};
    request.on_condition_failure = store::OnConditionFailure::kReturnOldItem;
    response = co_await store.DeleteItem(std::move(request));
  }
  if (response) co_return std::vector<Refusal>();
  if (response.error().error.code != Code::kConditionFailed)
    co_return Fail(std::move(response).error().error);
  std::vector<Refusal> refusals(1);
  refusals[0] = {true, std::move(response).error().existing};
  co_return refusals;
}

Task<Result<std::vector<CommitRun::Refusal>>> CommitRun::WriteAll(CommitRun* along) {
  store::TransactWriteItemsRequest request;
  for (Action& action : actions_) request.actions.push_back(std::move(action.write));
  if (along != nullptr) {
    for (Action& action : along->actions_) request.actions.push_back(std::move(action.write));
  }
  const size_t count = request.actions.size();
  request.client_token = token_;
  request.token_fingerprint = token_;
  auto response = co_await database_.store().TransactWriteItems(std::move(request));
  if (response) co_return std::vector<Refusal>();
  store::TransactionFailure failure = std::move(response).error();
  if (failure.error.code != Code::kTransactionCanceled) co_return Fail(std::move(failure.error));
  std::vector<Refusal> refusals(count);
  for (size_t i = 0; i < failure.reasons.size() && i < refusals.size(); ++i) {
    store::CancellationReason& reason = failure.reasons[i];
    if (!reason.error) continue;
    if (reason.error->code != Code::kConditionFailed) co_return Fail(*std::move(reason.error));
    refusals[i] = {true, std::move(reason.existing)};
  }
  co_return refusals;
}

Task<Outcome<void>> CommitRun::Judge(std::span<const Refusal> refusals) {
  // Whose item has changed meanwhile has lost a race: its guards were worked out from what it was before, and
  // tell nothing.
  std::vector<bool> lost_race(staged_.size());
  for (size_t i = 0; i < refusals.size(); ++i) {
    const Action& action = actions_[i];
    if (!refusals[i].condition_failed || action.purpose != Purpose::kMain) continue;
    CO_RETURN_IF_ERROR(JudgeMain(action, refusals[i]));
    lost_race[action.staged] = true;
  }
  for (size_t i = 0; i < refusals.size(); ++i) {
    if (!refusals[i].condition_failed) continue;
    const Action& action = actions_[i];
    switch (action.purpose) {
      case Purpose::kParent:
        co_return std::unexpected(ConflictOf(ConflictKind::kNotFound, action));
      case Purpose::kGuard:
        if (!lost_race[action.staged]) CO_RETURN_IF_ERROR(co_await JudgeGuard(action, refusals[i]));
        break;
      case Purpose::kMain:
        break;  // judged above
      case Purpose::kFreed:
      case Purpose::kStale:
      case Purpose::kMirror:
        break;  // someone else was faster: look again
    }
  }
  co_return Outcome<void>();
}

Task<Outcome<void>> CommitRun::JudgeGuard(const Action& action, const Refusal& refusal) {
  const Table& table = model_.TableOf(*action.entity);
  const auto guarded = refusal.existing ? GuardedOf(*refusal.existing) : std::nullopt;
  auto holder = guarded ? KeyOfGuarded(table, *guarded) : std::nullopt;
  if (holder && !table.ttl_attribute.empty()) {
    store::GetItemRequest request{.table = database_.physical_name(action.entity->table),
                                  .key = *std::move(holder),
                                  .consistency = store::Consistency::kStrong,
                                  .projection = std::nullopt};
    auto found = co_await database_.store().GetItem(std::move(request));
    if (!found) co_return std::unexpected(Failure(std::move(found).error()));
    if (!found->item || IsExpired(table, *found->item, database_.Now())) {
      stale_guards_[GuardedText(table, action.key)] = *guarded;
      co_return Outcome<void>();
    }
  }
  co_return std::unexpected(
      Failure(Conflict{ConflictKind::kUnique, action.entity, action.key, action.unique->attributes}));
}

// Why the condition on the item itself failed: the item as it is tells. Success: it is worth trying again.
Outcome<void> CommitRun::JudgeMain(const Action& action, const Refusal& refusal) {
  Staged& staged = staged_[action.staged];
  const Entity& entity = *staged.entity;
  const auto conflict = [&](ConflictKind kind) { return std::unexpected(ConflictOf(kind, action)); };
  const bool there = refusal.existing &&
                     !IsExpired(model_.TableOf(entity), *refusal.existing, database_.Now()) &&
                     BelongsToCaller(session_, entity, Record(model_, entity, *refusal.existing));
  if (staged.op == Operation::kCreate && entity.write != WriteMode::kUpsert) {
    if (entity.write == WriteMode::kIdempotent && there) {
      satisfied_[action.staged] = committed_.unchanged[action.staged] = true;
      committed_.values[action.staged] = Record(model_, entity, *refusal.existing).Values();
      return {};
    }
    if (entity.on_key_conflict == OnKeyConflict::kBumpMillisecond && BumpKey(action.staged)) return {};
    return conflict(ConflictKind::kAlreadyExists);
  }
  if (staged.op == Operation::kCreate) return {};
  if (!there) return conflict(ConflictKind::kNotFound);
  if (staged.expected || caller_read_[action.staged]) {
    if (entity.lock.enabled()) return conflict(ConflictKind::kVersion);
    caller_read_[action.staged] = false;
  }
  std::vector<FieldError> out_of_bounds;
  for (const auto& [name, amount] : staged.changes.add) {
    const Attribute& attribute = *entity.FindStored(name);
    const auto now = refusal.existing->Find(name);
    const item::Number start = now && now->is(item::Type::kNumber) ? now->number() : item::Number();
    const auto sum = item::Number::Add(start, amount);
    if (!sum) continue;
    item::AttributeValue value(*sum);
    if (auto fine = CheckValue(attribute.type, attribute.limits, value); !fine) {
      out_of_bounds.push_back({attribute.name, fine.error().message});
    }
  }
  if (!out_of_bounds.empty()) return std::unexpected(Failure(std::move(out_of_bounds)));
  return {};
}

// Moves the last time in the key on by its smallest step: two events of one instant both find a place.
bool CommitRun::BumpKey(size_t position) {
  Staged& staged = staged_[position];
  const Entity& entity = *staged.entity;
  for (auto part = entity.sk.parts().rbegin(); part != entity.sk.parts().rend(); ++part) {
    if (part->is_literal() || !IsTemporal(part->type.kind) || part->type.kind == Kind::kDate) continue;
    item::AttributeValue* value = staged.values.Find(part->lookup);
    if (value == nullptr) return false;
    const auto time = ParseTime(part->type.kind, *value);
    if (!time) return false;
    const std::chrono::microseconds step =
        part->type.kind == Kind::kInstantMs ? std::chrono::milliseconds(1) : std::chrono::seconds(1);
    *value = TimeValue(part->type.kind, *time + step);
    return true;
  }
  return false;
}

}  // namespace cairn::model
