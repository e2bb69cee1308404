#include "jobs/job_queue.h"

#include "model/value_type.h"
#include "models/platform.h"

namespace cairn::jobs {
namespace {

namespace data = models::platform;

// The shards of a lane, from these on. Stored: changing it would lose jobs.
constexpr int64_t kFirstShard[kLanes] = {0, 10};

// FNV-1a: the same on every machine and for ever.
int64_t ShardOf(std::string_view id) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return static_cast<int64_t>(hash % kShards);
}

int64_t FirstShard(Lane lane) { return kFirstShard[static_cast<size_t>(lane)]; }

std::string TextOf(Time time) { return model::TimeValue(model::Kind::kInstantMs, time).string(); }

// The kind is part of the id: two kinds of work may be about the same thing.
std::string StoredId(const Job& job) { return job.kind + ":" + job.id; }

data::JobKey KeyOf(const Job& job, Lane lane) {
  const std::string id = StoredId(job);
  return {
      .shard = job.shard.value_or(FirstShard(lane) + ShardOf(id)), .due_at = TextOf(job.due), .job_id = id};
}

// Of a shard, wherever it lies.
Lane LaneOfShard(int64_t shard) {
  return shard >= FirstShard(Lane::kPatient) ? Lane::kPatient : Lane::kPrompt;
}

model::Outcome<Job> JobOf(const data::Job& stored) {
  const auto due = model::ParseTime(model::Kind::kInstantMs, stored.due_at);
  if (!due) return std::unexpected(model::Failure(due.error()));
  return Job{.kind = stored.kind,
             .id = stored.job_id.substr(std::min(stored.job_id.size(), stored.kind.size() + 1)),
             .due = *due,
             .user_id = stored.user_id.value_or(""),
             .argument = stored.argument.value_or(""),
             .attempts = stored.attempts.value_or(0),
             .shard = stored.shard};
}

}  // namespace

Lane JobQueue::LaneOf(std::string_view kind) const {
  return patient_kinds_.contains(kind) ? Lane::kPatient : Lane::kPrompt;
}

model::Session JobQueue::NewSession(const std::string& user_id) const {
  return model::Session(platform_, model::Caller::SystemFor({{"sub", user_id}}));
}

model::Outcome<void> JobQueue::Schedule(model::Session& platform, const Job& job) const {
  const data::JobKey key = KeyOf(job, LaneOf(job.kind));
  const Lane lane = LaneOfShard(key.shard);
  data::Job stored;
  stored.shard = key.shard;
  stored.due_at = key.due_at;
  stored.job_id = key.job_id;
  stored.kind = job.kind;
  if (!job.user_id.empty()) stored.user_id = job.user_id;
  if (!job.argument.empty()) stored.argument = job.argument;
  stored.attempts = job.attempts;
  auto staged = data::CreateJob(platform, stored);
  if (!staged) return std::unexpected(std::move(staged).error());
  std::lock_guard lock(mutex_);
  if (const auto& listener = listeners_[static_cast<size_t>(lane)]) listener(job.due);
  return {};
}

model::Outcome<void> JobQueue::Remove(model::Session& platform, const Job& job) const {
  return data::DeleteJob(platform, KeyOf(job, LaneOf(job.kind)));
}

void JobQueue::SetListener(Lane lane, std::function<void(Time due)> listener) {
  std::lock_guard lock(mutex_);
  listeners_[static_cast<size_t>(lane)] = std::move(listener);
}

Task<model::Outcome<std::optional<Time>>> JobQueue::NextDue(Lane lane) const {
  std::optional<Time> next;
  for (int64_t i = 0; i < kShards; ++i) {
    model::Session session(platform_, model::Caller::System());
    const data::DueJobsParameters parameters{.shard = FirstShard(lane) + i, .now = TextOf(kEndOfTime)};
    const model::typed::PageOptions options{.limit = 1, .cursor = {}};
    auto page = co_await data::ReadDueJobs(session, parameters, options);
    if (!page) co_return std::unexpected(std::move(page).error());
    for (const data::Job& stored : page->items) {
      CO_ASSIGN_OR_RETURN(const Job job, JobOf(stored));
      if (!next || job.due < *next) next = job.due;
    }
  }
  co_return next;
}

Task<model::Outcome<std::vector<Job>>> JobQueue::Due(Lane lane, Time now, int64_t limit) const {
  std::vector<Job> due;
  for (int64_t i = 0; i < kShards; ++i) {
    model::Session session(platform_, model::Caller::System());
    const data::DueJobsParameters parameters{.shard = FirstShard(lane) + i, .now = TextOf(now)};
    const model::typed::PageOptions options{.limit = limit, .cursor = {}};
    auto page = co_await data::ReadDueJobs(session, parameters, options);
    if (!page) co_return std::unexpected(std::move(page).error());
    for (const data::Job& stored : page->items) {
      CO_ASSIGN_OR_RETURN(Job job, JobOf(stored));
      due.push_back(std::move(job));
    }
  }
  co_return due;
}

Task<model::Outcome<std::vector<Job>>> JobQueue::DueAfter(Lane lane, int64_t shard, std::optional<Job> after,
                                                          Time now, int64_t limit) const {
  std::vector<Job> due;
  model::Session session(platform_, model::Caller::System());
  std::vector<data::Job> stored;
  if (after && after->due > now) co_return due;  // the clock was put back
  if (after) {
    const data::LaterDueJobsParameters parameters{.shard = FirstShard(lane) + shard,
                                                  .from = TextOf(after->due),
                                                  .from_id = StoredId(*after),
                                                  .now = TextOf(now)};
    // The job itself may still be there.
    const model::typed::PageOptions options{.limit = limit + 1, .cursor = {}};
    auto page = co_await data::ReadLaterDueJobs(session, parameters, options);
    if (!page) co_return std::unexpected(std::move(page).error());
    stored = std::move(page->items);
    if (!stored.empty() && stored.front().due_at == parameters.from &&
        stored.front().job_id == parameters.from_id) {
      stored.erase(stored.begin());
    }
  } else {
    const data::DueJobsParameters parameters{.shard = FirstShard(lane) + shard, .now = TextOf(now)};
    const model::typed::PageOptions options{.limit = limit, .cursor = {}};
    auto page = co_await data::ReadDueJobs(session, parameters, options);
    if (!page) co_return std::unexpected(std::move(page).error());
    stored = std::move(page->items);
  }
  due.reserve(stored.size());
  for (const data::Job& job : stored) {
    CO_ASSIGN_OR_RETURN(Job read, JobOf(job));
    due.push_back(std::move(read));
  }
  co_return due;
}

Task<model::Outcome<bool>> JobQueue::Has(const Job& job) const {
  model::Session session(platform_, model::Caller::System());
  const data::JobKey key = KeyOf(job, LaneOf(job.kind));
  auto found = co_await data::GetJob(session, key);
  if (!found) co_return std::unexpected(std::move(found).error());
  co_return *found && (*found)->attempts.value_or(0) == job.attempts;
}

Task<model::Outcome<std::vector<Job>>> JobQueue::Pending(std::string user_id, Time until) const {
  std::vector<Job> pending;
  for (int64_t i = 0; i < kShards * int64_t{kLanes}; ++i) {
    model::Session session(platform_, model::Caller::System());
    const Lane lane = i < kShards ? Lane::kPrompt : Lane::kPatient;
    const data::DueJobsParameters parameters{.shard = FirstShard(lane) + i % kShards, .now = TextOf(until)};
    model::typed::PageOptions options{.limit = {}, .cursor = {}};
    do {
      auto page = co_await data::ReadDueJobs(session, parameters, options);
      if (!page) co_return std::unexpected(std::move(page).error());
      for (const data::Job& stored : page->items) {
        if (stored.user_id != user_id) continue;
        CO_ASSIGN_OR_RETURN(Job job, JobOf(stored));
        pending.push_back(std::move(job));
      }
      options.cursor = page->next_cursor;
    } while (!options.cursor.empty());
  }
  co_return pending;
}

Task<Status> JobQueue::EraseUser(std::string user_id, std::string except_kind) const {
  auto pending = co_await Pending(user_id, kEndOfTime);
  if (!pending) co_return Fail(pending.error().error);
  std::vector<data::JobKey> keys;
  for (const Job& job : *pending) {
    if (job.kind != except_kind) keys.push_back(KeyOf(job, LaneOf(job.kind)));
  }
  model::Session platform = NewSession(user_id);
  // One that was done meanwhile may be gone.
  auto gone = co_await data::DeleteManyJob(platform, keys);
  if (!gone) co_return Fail(gone.error().error);
  co_return Status();
}

std::unexpected<Error> Stopping() {
  return Fail(Code::kUnavailable, "the server stops; the rest follows when it runs again");
}

}  // namespace cairn::jobs
