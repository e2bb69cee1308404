// CommitRun: turns what a session has staged into one transaction, runs it, and says what a refusal means.
// Private to the session.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/staged.h"
#include "model/update_plan.h"
#include "model/write_fence.h"
#include "store/item_requests.h"

namespace cairn::model {

// Reads an item; nothing when it is absent, expired, of another entity, or not the caller's.
// A projection must contain what decides about that: key, type, owner, time to live.
Task<Outcome<std::optional<Record>>> LoadRecord(const Session& session, const Entity& entity,
                                                item::Item primary_key,
                                                std::optional<expr::Projection> projection = std::nullopt);

class CommitRun {
 public:
  CommitRun(Session& session, std::vector<Staged> staged, std::string token);

  // Another session's writes join this one's transaction. `other` outlives the run and is not run itself.
  void TakeAlong(CommitRun& other) { along_ = &other; }

  Task<Outcome<Committed>> Run();

 private:
  // kFreed: the guard of a value that is given up. kStale: what a guard that is taken over was for is gone.
  enum class Purpose { kMain, kGuard, kFreed, kStale, kMirror, kParent };
  struct Action {
    store::TransactAction write;
    Purpose purpose = Purpose::kMain;
    size_t staged = 0;
    const Entity* entity = nullptr;
    const Unique* unique = nullptr;  // of kGuard
    item::Item key;
  };
  // What the store said of one action.
  struct Refusal {
    bool condition_failed = false;
    std::optional<item::PackedItem> existing;
  };
  enum class Verdict { kAgain, kDone };

  Task<Outcome<void>> RunGroup(std::vector<size_t> group, CommitRun* along);
  Task<Outcome<void>> PrepareAll(const std::vector<size_t>& group);
  // Adds the actions of one staged write.
  Task<Outcome<void>> Prepare(size_t position);
  Task<Outcome<void>> PrepareCreate(size_t position);
  Task<Outcome<void>> PrepareChange(size_t position);
  Task<Outcome<void>> PrepareDelete(size_t position);
  Outcome<void> PrepareCheck(size_t position);
  Outcome<void> AddCreate(size_t position, expr::ConditionPtr condition);
  Outcome<void> AddChange(size_t position, Changes changes, const item::Item* old_values);
  // A child in a partition that names no owner may only be put under a parent that the caller owns.
  Status AddParentCheck(size_t position, const Entity& child, const item::Item& child_values);
  // Guard items: what the old values held is given up, what the new ones hold is taken. Null: none.
  Outcome<void> AddGuards(size_t position, const item::Item* old_values, const item::Item* new_values);
  Outcome<void> AddMirrors(size_t position, const item::Item* old_values, const item::Item* new_values);
  Status AddMirrorWrite(size_t position, const Entity& mirror, const item::Item& values,
                        const std::string& element, bool there);
  void Add(size_t position, Purpose purpose, const Entity& entity, item::Item key,
           decltype(store::TransactAction::action) write);

  // The old item: as the session's caller read it, or read now. Fails with kNotFound when there is none.
  Task<Outcome<Record>> OldRecord(size_t position);

  Task<Outcome<Verdict>> Write(CommitRun* along);
  // Lets this write through the fence; holds it back when its account is being deleted.
  Outcome<std::optional<WriteFence::Passage>> PassFence(const CommitRun* along) const;
  bool OnlyDeletes() const;
  Task<Result<std::vector<Refusal>>> WriteOne(Action& action);  // takes the write out of the action
  Task<Result<std::vector<Refusal>>> WriteAll(CommitRun* along);
  // What the refusals mean; success: nothing that another attempt could not mend.
  Task<Outcome<void>> Judge(std::span<const Refusal> refusals);
  // Of a guard that is in the way. Success: what it guards is gone, so another attempt may take it over.
  Task<Outcome<void>> JudgeGuard(const Action& action, const Refusal& refusal);
  Outcome<void> JudgeMain(const Action& action, const Refusal& refusal);
  bool BumpKey(size_t position);

  expr::ConditionPtr Owned(const Entity& entity) const;   // for partitions that do not name the owner
  expr::ConditionPtr Live(const Entity& entity) const;    // exists, has not expired, is the caller's
  expr::ConditionPtr Absent(const Entity& entity) const;  // does not exist, or has expired
  Failure ConflictOf(ConflictKind kind, const Action& action) const;

  Session& session_;
  Database& database_;
  const Model& model_;
  std::vector<Staged> staged_;
  const std::string token_;
  Committed committed_;
  std::vector<Action> actions_;
  std::vector<bool> satisfied_;  // by position: nothing left to do
  // Guards of items that are gone: as text of their key, with what they say they guard. An item that expires
  // leaves its guards behind.
  std::map<std::string, std::string> stale_guards_;
  std::vector<bool> caller_read_;  // by position: the old item is the one the caller decided on
  int attempt_ = 0;
  CommitRun* along_ = nullptr;
};

}  // namespace cairn::model
