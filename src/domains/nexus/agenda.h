// Use case: the agenda: events, occurrences, due tasks and reminders of a window in the order of time, for
// someone in a zone.
//
// GSI1 is sorted by what is stored; where floating times fall depends on the viewer's zone. So a window reads
// as much more as that zone differs from UTC, and sorts what it finds as it goes. Events that began before
// the window are found by looking back as far as the user's longest event; those of more than 31 days have an
// index of their own. Series that are not materialised so far are taken further, or expanded without items.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "domains/nexus/nexus.h"
#include "domains/nexus/times.h"
#include "domains/nexus/work.h"

namespace cairn::nexus {

enum class AgendaKind { kEvent, kInstance, kTask, kReminder };
inline constexpr std::string_view kAgendaKindTexts[] = {"EVENT", "INSTANCE", "TASK", "REMINDER"};

struct AgendaRequest {
  Time from, to;
  std::string zone;               // of the viewer
  std::vector<AgendaKind> kinds;  // empty: all
  bool hide_done = false;
  bool with_overdue = false;
  int64_t limit = 100;
  std::string cursor;
};

using AgendaItem = data::AgendaWindowItem;

struct AgendaEntry {
  Span span;  // where the viewer is
  AgendaItem* item = nullptr;
  bool is_virtual = false;  // an occurrence that is no item yet
};
const std::string& IdOf(const AgendaItem& item);

struct Agenda {
  std::vector<std::vector<AgendaItem>> read;  // what entries point into
  std::vector<AgendaEntry> entries;
  std::vector<data::Task> overdue;  // open, due before the window, of the last 90 days
  bool overdue_truncated = false;
  std::string next_cursor;
};

Task<Decision<Agenda>> ReadAgenda(Nexus& nexus, model::Caller caller, AgendaRequest request);

}  // namespace cairn::nexus
