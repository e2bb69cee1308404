// A series of a calendar into the store, with what was edited of it: in as many transactions as it takes.
// Used by import_entry.cc; FindKnown and IsSame serve all kinds.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "domains/nexus/calendar_entries.h"
#include "domains/nexus/import_entry.h"
#include "domains/nexus/work.h"

namespace cairn::nexus {

struct SeriesImport {
  std::string master_id;
  EntryFate fate{};
};
// The master, if it is not as the calendar says, and the edited occurrences, a transaction's worth at a time.
// Nothing of it is begun after `until`: then the fate is kUnfinished, and another call goes on from there.
// Of a series that is new, `kept_ahead` says how many occurrences are kept (import_share.h).
Task<Decision<SeriesImport>> ImportMaster(Nexus& nexus, const model::Caller& caller, const ics::Event& entry,
                                          std::optional<int64_t> kept_ahead, Time until);
// The other occurrences.
Task<Decision<void>> AlignImported(Nexus& nexus, const model::Caller& caller, const std::string& master_id);

// What a UID stands for so far, or the id that it is going to have.
template <class T>
struct Known {
  std::string id;
  std::optional<T> entity;
};
template <class T, class Key>
Task<Decision<Known<T>>> FindKnown(Work& work, const char* prefix, std::string uid) {
  if (const auto own = OwnIdIn(uid, prefix)) {
    const Key key{*own};
    auto found = co_await work.Find<T>(key);
    if (!found) co_return std::unexpected(std::move(found).error());
    if (*found) co_return Known<T>{.id = *own, .entity = *std::move(found)};
  }
  Known<T> known{.id = ImportedId(prefix, work.user_id(), uid), .entity = {}};
  const Key key{known.id};
  auto found = co_await work.Find<T>(key);
  if (!found) co_return std::unexpected(std::move(found).error());
  known.entity = *std::move(found);
  co_return known;
}

// Sets have no order.
template <class T>
bool IsSame(T a, T b) {
  const auto sort = [](auto& set) {
    if (set) std::ranges::sort(*set);
  };
  for (T* entity : {&a, &b}) {
    sort(entity->tags);
    if constexpr (requires { entity->reminder_minutes; }) sort(entity->reminder_minutes);
  }
  return a == b;
}

}  // namespace cairn::nexus
