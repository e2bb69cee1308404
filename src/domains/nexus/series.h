// Use cases: recurring events. A series is a master with a rule; its occurrences are items of their own
// (series_store.h). Edits and deletions say how far they reach: this occurrence, this and the following ones,
// or all.
//
// Every use case changes the master (and what else must not be seen apart) in one transaction, which also
// plans a job; then it brings the occurrences in line before it answers. A crash in between leaves that to
// the job.
#pragma once

#include <string>
#include <vector>

#include "domains/nexus/event_patch.h"
#include "domains/nexus/series_change.h"
#include "domains/nexus/work.h"

namespace cairn::nexus {

using Master = data::Master;
using Instance = data::Instance;

enum class Scope { kThis, kFollowing, kAll };
inline constexpr std::string_view kScopeTexts[] = {"this", "following", "all"};

// What changed, and the exceptions whose occurrence the rule does not have any more.
struct SeriesChanged {
  Master master;
  std::optional<std::string> split_from;  // of "following": the series that ends before it
  std::vector<Instance> orphans = {};
  std::optional<data::Event> single = {};  // what does not repeat any more (repeating.h)
};

Task<Decision<SeriesChanged>> CreateSeries(Nexus& nexus, model::Caller caller, SeriesPatch content,
                                           Witness<SeriesChanged> witness);
Task<Decision<SeriesChanged>> PatchSeries(Nexus& nexus, model::Caller caller, std::string master_id,
                                          SeriesPatch patch, SeenVersion seen,
                                          Witness<SeriesChanged> witness);
Task<Decision<void>> DeleteSeries(Nexus& nexus, model::Caller caller, std::string master_id, SeenVersion seen,
                                  Witness<Gone> witness);

// `exdate` as wall time of the series. Refused when the series has no such occurrence.
Task<Decision<SeriesChanged>> AddExdate(Nexus& nexus, model::Caller caller, std::string master_id,
                                        std::string exdate, SeenVersion seen, Witness<SeriesChanged> witness);
Task<Decision<SeriesChanged>> RemoveExdate(Nexus& nexus, model::Caller caller, std::string master_id,
                                           std::string exdate, SeenVersion seen,
                                           Witness<SeriesChanged> witness);

// One occurrence, edited on its own.
Task<Decision<Instance>> PatchInstance(Nexus& nexus, model::Caller caller, std::string instance_id,
                                       EventPatch patch, SeenVersion seen, Witness<Instance> witness);
// From this occurrence on, or all: times of the patch are those of the occurrence.
Task<Decision<SeriesChanged>> PatchFrom(Nexus& nexus, model::Caller caller, std::string instance_id,
                                        Scope scope, SeriesPatch patch, SeenVersion seen,
                                        Witness<SeriesChanged> witness);
Task<Decision<void>> DeleteInstance(Nexus& nexus, model::Caller caller, std::string instance_id, Scope scope,
                                    SeenVersion seen, Witness<Gone> witness);

}  // namespace cairn::nexus
