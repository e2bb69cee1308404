#include "domains/nexus/jobs.h"

#include <memory>

#include "base/test_point.h"
#include "domains/nexus/delivery.h"
#include "domains/nexus/reminders.h"
#include "domains/nexus/series_store.h"
#include "domains/nexus/zone_update.h"

namespace cairn::nexus {
namespace {

// All items of one kind, page by page: what is deleted is not found again.
template <class Read, class Delete>
Task<Status> EraseAll(const Nexus& nexus, model::Session& session, Read read, Delete erase) {
  for (;;) {
    co_await TestPoint("erasure.step");
    if (nexus.jobs().IsStopping()) co_return jobs::Stopping();
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
  return {std::string(kDeliverJob), std::string(kZoneJob), std::string(kFollowJob), std::string(kSeriesJob),
          std::string(kSeriesDeletionJob)};
}

Task<Status> EraseUser(Nexus& nexus, std::string user_id) {
  using model::Session;
  model::Session session(nexus.database(), model::Caller::SystemFor({{"sub", user_id}}));
  // Masters first: then no job makes occurrences anew.
  CO_RETURN_IF_ERROR(
      co_await EraseAll(nexus, session, &data::ReadMasters<Session>, &data::DeleteManyMaster<Session>));
  CO_RETURN_IF_ERROR(
      co_await EraseAll(nexus, session, &data::ReadInstances<Session>, &data::DeleteManyInstance<Session>));
  CO_RETURN_IF_ERROR(
      co_await EraseAll(nexus, session, &data::ReadEvents<Session>, &data::DeleteManyEvent<Session>));
  CO_RETURN_IF_ERROR(
      co_await EraseAll(nexus, session, &data::ReadTasks<Session>, &data::DeleteManyTask<Session>));
  CO_RETURN_IF_ERROR(
      co_await EraseAll(nexus, session, &data::ReadReminders<Session>, &data::DeleteManyReminder<Session>));
  CO_RETURN_IF_ERROR(
      co_await EraseAll(nexus, session, &data::ReadNotes<Session>, &data::DeleteManyNote<Session>));
  co_return co_await EraseAll(nexus, session, &data::ReadAllSettings<Session>,
                              &data::DeleteManySettings<Session>);
}

}  // namespace cairn::nexus
