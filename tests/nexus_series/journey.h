// One user with a few series: edits by chance, each compared with the model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "chance.h"
#include "domains/nexus/series.h"
#include "series_model.h"

namespace cairn::nexus {

LocalTime Local(std::string_view text);
int64_t Setting(const char* name, int64_t otherwise);  // of the environment

class Journey {
 public:
  Journey(Nexus& nexus, FakeClock& clock, uint64_t seed);

  // How many edits were done; fails the test where the agenda differs from the model.
  int Go();
  // How often what was done.
  const std::map<std::string, int64_t>& done() const { return done_; }

 private:
  void Tell(const std::string& what);
  std::string NewTitle() { return "title " + std::to_string(++titles_); }
  std::optional<std::string> PickZone();
  std::string Words(const Refusal& refusal);

  template <class T>
  static Witness<T> Silent() {
    return [](model::Session&, const T&) { return model::Outcome<void>(); };
  }

  // ---- journey.cc: making series, and what is shown
  void Create();
  void CreateSingle(ModelSeries series);
  void Compare(bool is_wide);
  void CheckConformance();
  std::optional<Instance> Find(const ModelSeries& series, const ModelOccurrence& one);
  std::optional<Master> Load(const ModelSeries& series);
  void Remove(const ModelSeries& series);

  // ---- journey_edits.cc: occurrences, times, zones, excluded dates. False: nothing was done.
  bool EditSomething();
  ModelEdit PickEdit(const ModelSeries& series, LocalTime start, seconds length);
  SeriesPatch PatchOf(const ModelEdit& edit, const ModelSeries& series, LocalTime start, seconds length);
  bool PatchOccurrence(ModelSeries& series);
  bool PatchWide(ModelSeries& series, ModelOccurrence one, Scope scope, const ModelEdit& edit);
  bool DeleteOccurrence(ModelSeries& series);
  bool PatchTheMaster(ModelSeries& series);
  bool PatchWhole(ModelSeries& series, ModelSeries expected, const ModelEdit& edit, const SeriesPatch& patch,
                  const ModelMove& move, const std::string& what);
  bool ChangeZone(ModelSeries& series);
  bool ChangeKind(ModelSeries& series);
  bool ChangeExdates(ModelSeries& series);
  // Compares what was refused, and the exceptions without an occurrence that the answer names.
  bool IsAsExpected(const Decision<SeriesChanged>& changed, const ModelSeries& before,
                    const ModelSeries& expected, const ModelEdit& edit, const ModelMove& move);

  // ---- journey_rules.cc: how it repeats
  bool GiveRule(ModelSeries& series);
  bool GiveRuleFrom(ModelSeries& series);
  bool ListDates(ModelSeries& series);
  bool BeginToRepeat(ModelSeries& series);
  bool StopRepeating(ModelSeries& series);
  bool StopRepeatingAt(ModelSeries& series);
  void BecomeSingle(ModelSeries& series, const ModelOccurrence& one, const Decision<SeriesChanged>& changed);

  Nexus& nexus_;
  FakeClock& clock_;
  Chance chance_;
  const std::string user_;
  const model::Caller caller_;
  const bool is_told_, has_reminders_;
  std::vector<ModelSeries> series_;
  std::string story_;
  std::map<std::string, int64_t> done_;
  int titles_ = 0, idle_ = 0;
};

// Where an event ends that lasts so long.
LocalTime EndOf(LocalTime start, seconds length, const std::optional<std::string>& zone, bool all_day);
// Whether people put events there in this test: not over midnight, not where clocks are changed.
bool IsFine(LocalTime start, seconds length);
bool AreFine(const ModelSeries& series);
std::string NameOf(Scope scope);

}  // namespace cairn::nexus
