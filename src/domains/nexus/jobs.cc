#include "domains/nexus/jobs.h"

#include <memory>

#include "domains/nexus/delivery.h"
#include "domains/nexus/reminders.h"
#include "domains/nexus/series_store.h"
#include "domains/nexus/zone_update.h"

namespace cairn::nexus {
namespace {

// All items of one kind, page by page: what is deleted is not found again.
template <class Read, class Delete>
Task<Status> EraseAll(model::Session& session, Read read, Delete erase) {
  for (;;) {
    const model::typed::PageOptions options{.limit = 100, .cursor = {}};
    auto page = co_await read(session, options);
    if (!page) co_return Fail(page.error().error);
    if (page->items.empty()) co_return Status();
    std::vector<decltype(data::KeyOf(page->items.front()))> keys;
    for (const auto& item : page->items) keys.push_back(data::KeyOf(item));
    auto gone = co_await erase(session, keys);
    if (!gone) co_return Fail(gone.error().error);
  }
}

// Whatever waits for the user: with the items it would find nothing to do, but it names them until it is due.
Task<Status> EraseJobs(Nexus& nexus, std::string user_id) {
  constexpr size_t kInOneCommit = 50;
  const std::map<std::string, jobs::Worker> own = Workers(nexus);
  auto pending = co_await nexus.jobs().Pending(user_id, TimeOf("9999-12-31T23:59:59Z"));
  if (!pending) co_return Fail(pending.error().error);
  std::erase_if(*pending, [&](const jobs::Job& job) { return !own.contains(job.kind); });
  for (size_t i = 0; i < pending->size(); i += kInOneCommit) {
    model::Session platform = nexus.jobs().NewSession(user_id);
    for (size_t j = i; j < std::min(i + kInOneCommit, pending->size()); ++j) {
      if (auto staged = nexus.jobs().Remove(platform, (*pending)[j]); !staged)
        co_return Fail(staged.error().error);
    }
    auto gone = co_await platform.Commit();
    if (!gone) co_return Fail(gone.error().error);
  }
  co_return Status();
}

}  // namespace

std::map<std::string, jobs::Worker> Workers(Nexus& nexus) {
  const auto slow = std::make_shared<SlowReceivers>();
  return {
      {std::string(kFireJob), [&nexus](const jobs::Job& job) { return Fire(nexus, job); }},
      {std::string(kDeliverJob), [&nexus, slow](const jobs::Job& job) { return Deliver(nexus, *slow, job); }},
      {std::string(kZoneJob), [&nexus](const jobs::Job& job) { return UpdateZones(nexus, job); }},
      {std::string(kFollowJob), [&nexus](const jobs::Job& job) { return FollowAgainAll(nexus, job); }},
      {std::string(kSeriesJob), [&nexus](const jobs::Job& job) { return KeepSeries(nexus, job); }},
      {std::string(kSeriesDeletionJob),
       [&nexus](const jobs::Job& job) { return FinishDeletion(nexus, job); }}};
}

std::set<std::string, std::less<>> PatientKinds() {
  return {std::string(kDeliverJob), std::string(kZoneJob), std::string(kFollowJob)};
}

Task<Status> EraseUser(Nexus& nexus, std::string user_id) {
  using model::Session;
  model::Session session(nexus.database(), model::Caller::SystemFor({{"sub", user_id}}));
  // Masters first: then no job makes occurrences anew.
  CO_RETURN_IF_ERROR(
      co_await EraseAll(session, &data::ReadMasters<Session>, &data::DeleteManyMaster<Session>));
  CO_RETURN_IF_ERROR(
      co_await EraseAll(session, &data::ReadInstances<Session>, &data::DeleteManyInstance<Session>));
  CO_RETURN_IF_ERROR(co_await EraseAll(session, &data::ReadEvents<Session>, &data::DeleteManyEvent<Session>));
  CO_RETURN_IF_ERROR(co_await EraseAll(session, &data::ReadTasks<Session>, &data::DeleteManyTask<Session>));
  CO_RETURN_IF_ERROR(
      co_await EraseAll(session, &data::ReadReminders<Session>, &data::DeleteManyReminder<Session>));
  CO_RETURN_IF_ERROR(co_await EraseAll(session, &data::ReadNotes<Session>, &data::DeleteManyNote<Session>));
  CO_RETURN_IF_ERROR(
      co_await EraseAll(session, &data::ReadAllSettings<Session>, &data::DeleteManySettings<Session>));
  co_return co_await EraseJobs(nexus, std::move(user_id));
}

}  // namespace cairn::nexus
