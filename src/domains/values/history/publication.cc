#include "domains/values/history/publication.h"

#include <algorithm>

#include "base/test_point.h"

namespace cairn::values {
namespace {

constexpr std::string_view kHeadMoved = "head-moved";

bool IsAboutHead(const model::Failure& failure) {
  return std::ranges::any_of(failure.conflicts, [](const model::Conflict& conflict) {
    const bool head = conflict.entity != nullptr &&
                      (conflict.entity->name == "ValuesHead" || conflict.entity->name == "PlanHead");
    return head && (conflict.kind == model::ConflictKind::kVersion ||
                    conflict.kind == model::ConflictKind::kAlreadyExists);
  });
}

// The sweep has taken the snapshot: an hour has passed since it was written, or the clock says so.
bool IsAboutJob(const model::Failure& failure) {
  return std::ranges::any_of(failure.conflicts, [](const model::Conflict& conflict) {
    return conflict.entity != nullptr && conflict.entity->name == "Job";
  });
}

}  // namespace

bool IsHeadMoved(const Refusal& refusal) { return refusal.reason == kHeadMoved; }

Publication::Publication(Values& values, const model::Caller& caller)
    : values_(values),
      session_(values.database(), caller),
      platform_(values.jobs().NewSession(*caller.Claim("sub"))) {}

Task<Decision<TreeRepository::Rev>> Publication::Add(const TreeRepository::State& seen,
                                                     TreeRepository::Draft draft) {
  auto prepared = co_await values_.trees().Prepare(session_, {}, seen.head, std::move(draft));
  if (!prepared) {
    co_await Abandon();
    co_return std::unexpected(std::move(prepared).error());
  }
  tree_ = *std::move(prepared);
  if (auto staged = values_.trees().Stage(session_, platform_, *tree_); !staged) {
    co_await Abandon();
    co_return std::unexpected(std::move(staged).error());
  }
  co_return tree_->revision;
}

Task<Decision<PlanRepository::Rev>> Publication::Add(std::string day, const PlanRepository::State& seen,
                                                     PlanRepository::Draft draft) {
  const PlanKind::Where where{.day = day};
  auto prepared = co_await values_.plans().Prepare(session_, where, seen.head, std::move(draft));
  if (!prepared) {
    co_await Abandon();
    co_return std::unexpected(std::move(prepared).error());
  }
  plans_.push_back(*std::move(prepared));
  if (auto staged = values_.plans().Stage(session_, platform_, plans_.back()); !staged) {
    co_await Abandon();
    co_return std::unexpected(std::move(staged).error());
  }
  co_return plans_.back().revision;
}

Task<Decision<void>> Publication::Commit() {
  co_await TestPoint("values.snapshot-written");
  auto committed = co_await session_.CommitWith(platform_);
  if (!committed) {
    const bool head_moved = IsAboutHead(committed.error());
    const bool swept = IsAboutJob(committed.error());
    Refusal refusal = RefusalOf(std::move(committed).error());
    if (swept) {
      refusal = Refusal(Code::kUnavailable, "took-too-long",
                        "The change took so long that it was given up: repeat it");
    }
    if (head_moved) {
      refusal = Refusal(Code::kConditionFailed, std::string(kHeadMoved),
                        "Someone else has changed this meanwhile: read it again and repeat the change");
    }
    co_await Abandon();
    co_return std::unexpected(std::move(refusal));
  }
  co_await TestPoint("values.committed");
  if (tree_) values_.trees().Remember(session_, *tree_);
  for (const auto& plan : plans_) values_.plans().Remember(session_, plan);
  tree_.reset();
  plans_.clear();
  co_return Decision<void>();
}

Task<Status> Publication::Abandon() {
  Status all;
  if (tree_) all = co_await values_.trees().Abandon(*std::exchange(tree_, std::nullopt));
  for (const auto& plan : std::exchange(plans_, {})) {
    const Status one = co_await values_.plans().Abandon(plan);
    if (!one) all = one;
  }
  co_return all;
}

}  // namespace cairn::values
