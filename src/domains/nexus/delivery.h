// Delivery of reminders outside: the transaction that fires one also plans a job for every way that its user
// has switched on (an outbox: a crash loses none). The jobs are done in the patient lane, so a receiver that
// is slow or gone holds up nobody's reminders. At least once: what was sent but not noted as sent goes out
// again, with the same id.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "domains/nexus/reminders.h"
#include "domains/nexus/work.h"

namespace cairn::nexus {

inline constexpr std::string_view kDeliverJob = "nexus-deliver";

// In the transaction that fires.
Task<Decision<void>> StageDeliveries(Work& work, const Reminder& fired);

// Receivers that took long to fail. For a minute nobody waits for them again: whatever else is meant for them
// is put off at once.
class SlowReceivers {
 public:
  void Add(const std::string& receiver, Time now);
  bool Has(const std::string& receiver, Time now);

 private:
  std::mutex mutex_;  // guards until_
  std::map<std::string, Time> until_;
};

// The worker of kDeliverJob.
Task<Status> Deliver(Nexus& nexus, SlowReceivers& slow, jobs::Job job);

}  // namespace cairn::nexus
