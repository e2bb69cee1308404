// Use case: the occurrences of one series in a window of days, cancelled ones too. Takes the series further
// where the window passes what is kept of it, and expands without items what is still beyond.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/nexus/work.h"

namespace cairn::nexus {

// Days that occurrences stand for, by the clock of the series.
struct SeriesWindow {
  std::string master_id;
  std::optional<std::string> from;  // none: from where the series is kept
  std::optional<std::string> to;    // the first that is not meant; none: as far as the series is kept
  int64_t limit = 50;
  std::string cursor;
};
struct ListedInstance {
  data::Instance instance;
  bool is_virtual = false;  // no item yet
};
struct SeriesPage {
  std::vector<ListedInstance> items;  // in the order of their days
  std::string next_cursor;
};
Task<Decision<SeriesPage>> ReadSeriesWindow(Nexus& nexus, model::Caller caller, SeriesWindow window);

}  // namespace cairn::nexus
