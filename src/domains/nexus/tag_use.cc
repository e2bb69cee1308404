#include "domains/nexus/tag_use.h"

#include <algorithm>
#include <map>

#include "base/slice.h"
#include "base/test_point.h"
#include "base/together.h"
#include "domains/nexus/series.h"
#include "domains/nexus/tags.h"
#include "model/cursor.h"

namespace cairn::nexus {
namespace {

using model::Session;
using model::typed::PageOptions;

constexpr int64_t kPageMax = 100;
constexpr int64_t kPagesMax = 300;  // of what a list looks at; a page has 1 MB at most
constexpr std::chrono::seconds kWorkedMax{10};
constexpr size_t kAtOnce = 8;  // they share the store's syncs

// ---- the list

class TagCount {
 public:
  explicit TagCount(Work& work) : work_(work) {}

  template <class Read>
  Task<Decision<void>> Add(Read read) {
    PageOptions options{.limit = kPageMax, .cursor = {}};
    do {
      if (pages_++ == kPagesMax) {
        is_cut_ = true;
        break;
      }
      auto page = co_await read(work_.session(), options);
      if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
      for (const auto& item : page->items) {
        co_await Breathe();
        if (!item.tags) continue;
        for (const std::string& tag : *item.tags) ++items_[tag];
      }
      options.cursor = std::move(page->next_cursor);
    } while (!options.cursor.empty());
    co_return Decision<void>();
  }

  TagList Take() {
    TagList list{.tags = {}, .is_cut = is_cut_};
    for (auto& [tag, items] : items_) list.tags.push_back({.tag = tag, .items = items});
    return list;
  }

 private:
  Work& work_;
  std::map<std::string, int64_t> items_;
  int64_t pages_ = 0;
  bool is_cut_ = false;
};

// ---- the removal

// Occurrences last: those that follow their series have changed with it, and those that were edited on their
// own keep tags of their own.
enum class Shelf { kMasters, kEvents, kTasks, kNotes, kInstances, kEnd };

void Drop(Tags& tags, const std::string& tag) {
  std::erase(*tags, tag);
  if (tags->empty()) tags.reset();
}

template <class T>
Witness<T> NoWitness() {
  return [](Session&, const T&) { return model::Outcome<void>(); };
}

class Removal {
 public:
  Removal(Nexus& nexus, const model::Caller& caller, std::string tag)
      : nexus_(nexus), caller_(caller), tag_(std::move(tag)), until_(nexus.Now() + kWorkedMax) {}

  Task<Decision<TagRemoval>> Run(std::string cursor) {
    CO_RETURN_IF_ERROR(Open(cursor));
    while (shelf_ != Shelf::kEnd) {
      auto done = co_await TakePage();
      if (!done) co_return std::unexpected(std::move(done).error());
      if (!*done) break;
    }
    if (shelf_ != Shelf::kEnd) removal_.next_cursor = Seal();
    co_return std::move(removal_);
  }

 private:
  std::string BoundTo() const { return "tag removal " + *caller_.Claim("sub") + " " + tag_; }
  std::string Seal() const {
    const std::string place = std::to_string(static_cast<int>(shelf_)) + " " + page_cursor_;
    return nexus_.database().cursors().Seal(place, BoundTo());
  }
  Decision<void> Open(const std::string& cursor) {
    if (cursor.empty()) return {};
    const auto place = nexus_.database().cursors().Open(cursor, BoundTo());
    if (!place || place->size() < 2)
      return Refuse("wrong-cursor", "The cursor is not of this removal: begin again without one");
    shelf_ = static_cast<Shelf>(place->front() - '0');
    page_cursor_ = place->substr(2);
    return {};
  }

  bool IsTimeUp() const { return nexus_.Now() >= until_ || nexus_.jobs().IsStopping(); }

  // False when the time was up: then the page is to be looked at again.
  Task<Decision<bool>> TakePage() {
    switch (shelf_) {
      case Shelf::kMasters:
        return TakePageOf(&data::ReadMasters<Session>);
      case Shelf::kEvents:
        return TakePageOf(&data::ReadEvents<Session>);
      case Shelf::kTasks:
        return TakePageOf(&data::ReadTasks<Session>);
      case Shelf::kNotes:
        return TakePageOf(&data::ReadNotes<Session>);
      default:
        return TakePageOf(&data::ReadInstances<Session>);
    }
  }
  template <class Read>
  Task<Decision<bool>> TakePageOf(Read read) {
    Work work(nexus_, caller_);
    const PageOptions options{.limit = kPageMax, .cursor = page_cursor_};
    auto page = co_await read(work.session(), options);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    std::vector<Task<Decision<void>>> changes;
    for (size_t i = 0; i < page->items.size(); ++i) {
      co_await Breathe();
      if (HasTag(page->items[i].tags, tag_)) changes.push_back(Change(page->items[i]));
      if (changes.size() < kAtOnce && i + 1 < page->items.size()) continue;
      if (changes.empty()) continue;
      if (IsTimeUp()) co_return false;
      co_await TestPoint("nexus.tag-portion");
      for (const Decision<void>& changed : co_await Together(std::exchange(changes, {}))) {
        // What is gone meanwhile has no tags.
        if (!changed && changed.error().code != Code::kResourceNotFound)
          co_return std::unexpected(changed.error());
        removal_.changed += changed.has_value();
      }
    }
    page_cursor_ = std::move(page->next_cursor);
    if (page_cursor_.empty()) shelf_ = static_cast<Shelf>(static_cast<int>(shelf_) + 1);
    co_return !IsTimeUp();
  }

  template <class T>
  Task<Decision<void>> Change(T item) {
    for (int attempt = 1;; ++attempt) {
      Decision<void> changed = co_await ChangeOnce(item);
      if (changed || attempt == kAttemptsMax || !IsWorthAnotherTry(changed.error(), {})) co_return changed;
      Work work(nexus_, caller_);
      auto again = co_await work.Load<T>(data::KeyOf(item));
      if (!again) co_return std::unexpected(std::move(again).error());
      if (!HasTag(again->tags, tag_)) co_return Decision<void>();
      item = *std::move(again);
    }
  }
  template <class T>
  Task<Decision<void>> ChangeOnce(T item) {
    if constexpr (std::same_as<T, data::Master>) {
      if (item.target_type != data::SeriesTarget::kTask) {
        Drop(item.tags, tag_);
        SeriesPatch patch;
        patch.tags.emplace();
        if (item.tags) patch.tags->emplace(item.tags->begin(), item.tags->end());
        auto patched = co_await PatchSeries(nexus_, caller_, *item.master_id, std::move(patch), item.version,
                                            NoWitness<SeriesChanged>());
        if (!patched) co_return std::unexpected(std::move(patched).error());
        co_return Decision<void>();
      }
    }
    Work work(nexus_, caller_);
    Drop(item.tags, tag_);
    auto staged = work.StageChange(std::move(item));
    if (!staged) co_return std::unexpected(std::move(staged).error());
    co_return co_await work.Commit();
  }

  Nexus& nexus_;
  const model::Caller& caller_;
  const std::string tag_;
  const Time until_;
  Shelf shelf_ = Shelf::kMasters;
  std::string page_cursor_;
  TagRemoval removal_;
};

}  // namespace

Task<Decision<TagList>> ListTags(Work& work) {
  TagCount count(work);
  auto added = co_await count.Add(&data::ReadMasters<Session>);
  if (added) added = co_await count.Add(&data::ReadEvents<Session>);
  if (added) added = co_await count.Add(&data::ReadTasks<Session>);
  if (added) added = co_await count.Add(&data::ReadNotes<Session>);
  if (!added) co_return std::unexpected(std::move(added).error());
  co_return count.Take();
}

Task<Decision<TagRemoval>> RemoveTag(Nexus& nexus, model::Caller caller, std::string tag,
                                     std::string cursor) {
  Removal removal(nexus, caller, std::move(tag));
  co_return co_await removal.Run(std::move(cursor));
}

}  // namespace cairn::nexus
