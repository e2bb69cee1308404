#include "domains/nexus/cards.h"

#include <algorithm>

#include "domains/nexus/rank.h"

namespace cairn::nexus {
namespace {

// With the card itself, a series' next copy and the receipt they fit into one transaction.
constexpr size_t kRespacedMax = 80;
constexpr size_t kPageMax = 100;

using Cards = std::vector<data::Task>;

// The cards of `card`'s group from a rank on, without itself.
Task<Decision<Cards>> CardsBehind(Work& work, const data::Task& card, std::string from, int64_t limit) {
  const data::CardsFromParameters parameters{
      .status = *card.status, .priority = *card.priority, .from = std::move(from), .to = kRankHighest};
  const model::typed::PageOptions options{.limit = limit, .cursor = {}, .bytes_max = SIZE_MAX};
  auto page = co_await data::ReadCardsFrom(work.session(), parameters, options);
  if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
  std::erase_if(page->items, [&](const data::Task& other) { return other.task_id == card.task_id; });
  co_return std::move(page->items);
}
// The same backwards, the nearest first.
Task<Decision<Cards>> CardsBefore(Work& work, const data::Task& card, std::string to, int64_t limit) {
  const data::CardsBackParameters parameters{
      .status = *card.status, .priority = *card.priority, .from = kRankLowest, .to = std::move(to)};
  const model::typed::PageOptions options{.limit = limit, .cursor = {}, .bytes_max = SIZE_MAX};
  auto page = co_await data::ReadCardsBack(work.session(), parameters, options);
  if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
  std::erase_if(page->items, [&](const data::Task& other) { return other.task_id == card.task_id; });
  co_return std::move(page->items);
}

std::unexpected<Refusal> MovedMeanwhile() {
  return RefuseConflict(std::string(kVersionMismatch), "The cards were moved meanwhile: try again");
}

Refusal NoRoom() {
  return Refusal(Code::kConditionFailed, "no-room",
                 "There is no room left between these two cards, and too many lie behind them to space them "
                 "anew: put it at the beginning or the end, or move some cards to another column first");
}

// The card next to `of`, behind or before it. Of cards with the same rank, which only others have stored,
// some may come first: then it takes a longer look.
using ReadCards = Task<Decision<Cards>> (*)(Work&, const data::Task&, std::string, int64_t);
Task<Decision<std::optional<data::Task>>> NextTo(Work& work, const data::Task& card, const data::Task& of,
                                                 ReadCards read) {
  for (const int64_t limit : {int64_t{10}, int64_t{kPageMax}}) {
    auto cards = co_await read(work, card, *of.rank, limit);
    if (!cards) co_return std::unexpected(std::move(cards).error());
    const bool was_all = static_cast<int64_t>(cards->size()) + 1 < limit;
    const auto at = std::ranges::find(*cards, of.task_id, &data::Task::task_id);
    if (at == cards->end()) {
      // Not among those with the rank it had a moment ago.
      if (was_all || cards->back().rank != of.rank) co_return MovedMeanwhile();
      continue;
    }
    if (at + 1 != cards->end()) co_return std::move(*(at + 1));
    if (was_all) co_return std::nullopt;
  }
  co_return std::unexpected(NoRoom());
}

// Between which two it is to lie.
struct Neighbours {
  std::optional<data::Task> above, below;
  RankGap Gap() const {
    return {above ? above->rank.value_or("") : "", below ? below->rank.value_or("") : ""};
  }
};

Task<Decision<data::Task>> LoadNeighbour(Work& work, const data::Task& card, std::string field,
                                         std::string id) {
  if (id == card.task_id) co_return RefuseField(field, "must be another card than the one that moves");
  const data::TaskKey key{.task_id = id};
  auto neighbour = co_await work.Load<data::Task>(key);
  if (!neighbour) {
    const bool is_unknown =
        neighbour.error().reason == kNotFound || neighbour.error().code == Code::kInvalidArgument;
    if (is_unknown) co_return RefuseField(field, "is no task; leave it out to put the card at the end");
    co_return neighbour;
  }
  if (neighbour->status != card.status || neighbour->priority != card.priority) {
    co_return RefuseField(field, "lies in " + std::string(data::ToText(*neighbour->status)) +
                                     " with priority " + std::to_string(*neighbour->priority) +
                                     ": move with that status and priority, or name a card that has yours");
  }
  co_return neighbour;
}

Task<Decision<Neighbours>> FindNeighbours(Work& work, const data::Task& card, const Spot& spot) {
  Neighbours neighbours;
  if (spot.after_id) {
    auto above = co_await LoadNeighbour(work, card, "afterId", *spot.after_id);
    if (!above) co_return std::unexpected(std::move(above).error());
    neighbours.above = *std::move(above);
    auto below = co_await NextTo(work, card, *neighbours.above, &CardsBehind);
    if (!below) co_return std::unexpected(std::move(below).error());
    neighbours.below = *std::move(below);
    co_return neighbours;
  }
  if (spot.before_id) {
    auto below = co_await LoadNeighbour(work, card, "beforeId", *spot.before_id);
    if (!below) co_return std::unexpected(std::move(below).error());
    neighbours.below = *std::move(below);
    auto above = co_await NextTo(work, card, *neighbours.below, &CardsBefore);
    if (!above) co_return std::unexpected(std::move(above).error());
    neighbours.above = *std::move(above);
    co_return neighbours;
  }
  if (spot.first) {
    auto cards = co_await CardsBehind(work, card, kRankLowest, 2);
    if (!cards) co_return std::unexpected(std::move(cards).error());
    if (!cards->empty()) neighbours.below = cards->front();
    co_return neighbours;
  }
  auto cards = co_await CardsBefore(work, card, kRankHighest, 2);
  if (!cards) co_return std::unexpected(std::move(cards).error());
  if (!cards->empty()) neighbours.above = cards->front();
  co_return neighbours;
}

// New ranks for the card and for those behind its spot.
Task<Decision<void>> Respace(Work& work, data::Task& card, const Neighbours& neighbours) {
  Cards tail;
  RankGap gap{neighbours.Gap().after, ""};
  if (neighbours.below) {
    auto behind = co_await CardsBehind(work, card, *neighbours.below->rank, kPageMax);
    if (!behind) co_return std::unexpected(std::move(behind).error());
    const auto first = std::ranges::find(*behind, neighbours.below->task_id, &data::Task::task_id);
    if (first == behind->end()) co_return MovedMeanwhile();
    tail.assign(first, behind->end());
    const bool may_go_on = behind->size() + 1 >= kPageMax;
    if (may_go_on || tail.size() > kRespacedMax) {
      const size_t kept = std::min(kRespacedMax, tail.size() - 1);
      gap.before = *tail[kept].rank;
      tail.erase(tail.begin() + static_cast<ptrdiff_t>(kept), tail.end());
    }
  }
  const auto ranks = RanksIn(gap, tail.size() + 1, work.nexus().random());
  if (!ranks) co_return std::unexpected(NoRoom());
  card.rank = ranks->front();
  for (size_t i = 0; i < tail.size(); ++i) {
    tail[i].rank = (*ranks)[i + 1];
    auto staged = work.StageChange(tail[i]);
    if (!staged) co_return std::unexpected(std::move(staged).error());
  }
  co_return Decision<void>();
}

}  // namespace

Task<Decision<void>> PlaceCard(Work& work, data::Task& card, Spot spot) {
  auto neighbours = co_await FindNeighbours(work, card, spot);
  if (!neighbours) co_return std::unexpected(std::move(neighbours).error());
  if (auto rank = RankIn(neighbours->Gap(), work.nexus().random())) {
    card.rank = *std::move(rank);
    co_return Decision<void>();
  }
  co_return co_await Respace(work, card, *neighbours);
}

}  // namespace cairn::nexus
