#include "domains/values/read_tree.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/time_text.h"
#include "domains/values/pack_tree.h"
#include "domains/values/settings.h"
#include "domains/values/tree/diff.h"
#include "domains/values/tree/length.h"
#include "rest/sha256.h"

namespace cairn::values {
namespace {

constexpr int64_t kPageMax = 100;
constexpr int kPagesLookedAtMax = 5;  // of one request with a filter

// The nodes that a revision changed: of one that changed too many to list them in the log.
Task<Decision<std::set<std::string>>> TouchedBy(Values& values, model::Session& session,
                                                const TreeRepository::Rev& revision) {
  auto content = co_await values.trees().ContentOf(session, {}, revision);
  if (!content) co_return std::unexpected(std::move(content).error());
  std::shared_ptr<const Tree> before = std::make_shared<const Tree>();
  if (revision.parent_id) {
    auto parent = co_await values.trees().At(session, {}, *revision.parent_id);
    if (!parent) co_return std::unexpected(std::move(parent).error());
    before = *std::move(parent);
  }
  auto compare = [&] { return NodesTouched(Diff(*before, **content)); };
  co_return co_await Aside(compare, LengthOf(**content));
}

// Whether a revision changed a node. The log says it, unless it changed too many to list.
Task<Decision<bool>> Touched(Values& values, model::Session& session, const TreeRepository::Rev& revision,
                             const std::string& node_id) {
  if (revision.touched) co_return std::ranges::find(*revision.touched, node_id) != revision.touched->end();
  auto touched = co_await TouchedBy(values, session, revision);
  if (!touched) co_return std::unexpected(std::move(touched).error());
  co_return touched->contains(node_id);
}

Task<Decision<bool>> Fits(Values& values, model::Session& session, const TreeRepository::Rev& revision,
                          const HistoryFilter& filter) {
  if (filter.source && revision.label != *filter.source) co_return false;
  if (!filter.touched) co_return true;
  co_return co_await Touched(values, session, revision, *filter.touched);
}

// What the cursors of a filtered list end with, so that none leads on in a list with another filter. The
// store's own cursors are bound to the log as a whole.
std::string MarkOf(const HistoryFilter& filter) {
  std::string text;
  if (filter.source) text += "source " + std::string(models::values::ToText(*filter.source)) + "\n";
  if (filter.touched) text += "node " + *filter.touched + "\n";
  return text.empty() ? "" : "." + rest::Sha256Text(text);
}

// When the nodes were last touched, as far as the log since `since` tells.
Task<Decision<std::map<std::string, std::string>>> LastTouched(Values& values, model::Session& session,
                                                               const std::string& since,
                                                               const std::string& until) {
  std::map<std::string, std::string> moments;
  PageOf page{.limit = kPageMax, .cursor = {}};
  for (;;) {
    auto history = co_await TreeKind::ReadHistory(session, {}, page);
    if (!history) co_return std::unexpected(std::move(history).error());
    for (const TreeRepository::Rev& revision : history->revisions) {
      if (revision.ts < since) co_return moments;
      if (revision.ts >= until) continue;
      std::vector<std::string> touched = revision.touched.value_or(std::vector<std::string>());
      if (!revision.touched) {
        auto found = co_await TouchedBy(values, session, revision);
        if (!found) co_return std::unexpected(std::move(found).error());
        touched.assign(found->begin(), found->end());
      }
      for (const std::string& id : touched) moments.emplace(id, revision.ts);  // newest first: it stays
    }
    if (history->next_cursor.empty()) co_return moments;
    page.cursor = history->next_cursor;
  }
}

// Packs that may hold nodes which were completed within the week, or put away in it.
std::set<std::string> PacksOf(const Tree& tree, const std::string& from, const std::string& to) {
  std::set<std::string> packs;
  for (const auto& [rev_id, pack] : tree.packs) {
    const std::string made = TimestampOf(rev_id);
    const bool completed_then = pack.completed_to && *pack.completed_to >= from && *pack.completed_from < to;
    if (completed_then || (made >= from && made < to)) packs.insert(rev_id);
  }
  return packs;
}

}  // namespace

Task<Decision<TreeAt>> ReadTree(Values& values, model::Session& session, WhichTree which) {
  if (which.rev_id && which.at)
    co_return Refuse("rev-and-at", "Ask for a revision or for a moment, not for both");
  TreeAt answer{.revision = {}, .tree = std::make_shared<const Tree>()};
  if (which.rev_id) {
    auto revision = co_await values.trees().Find(session, {}, *which.rev_id);
    if (!revision) co_return std::unexpected(std::move(revision).error());
    answer.revision = *std::move(revision);
  } else if (which.at) {
    auto revision = co_await TreeKind::ReadRevisionAt(session, {}, *which.at);
    if (!revision) co_return std::unexpected(std::move(revision).error());
    answer.revision = *std::move(revision);
  } else {
    auto head = co_await TreeKind::ReadHead(session, {});
    if (!head) co_return std::unexpected(std::move(head).error());
    if (!*head) co_return answer;
    // HEAD says enough: what is current is two reads.
    answer.revision.emplace();
    answer.revision->id = (*head)->rev_id;
    answer.revision->ts = (*head)->rev_ts;
    answer.revision->item_count = (*head)->item_count.value_or(-1);
  }
  if (!answer.revision) co_return answer;
  auto content = co_await values.trees().ContentOf(session, {}, *answer.revision);
  if (!content) co_return std::unexpected(std::move(content).error());
  answer.tree = *std::move(content);
  co_return answer;
}

Task<Decision<RevisionPage<TreeKind::Label>>> ReadHistory(Values& values, model::Session& session,
                                                          HistoryFilter filter, PageOf page) {
  RevisionPage<TreeKind::Label> answer;
  const std::string mark = MarkOf(filter);
  if (!page.cursor.empty()) {
    if (!page.cursor.ends_with(mark) || page.cursor.size() == mark.size())
      co_return std::unexpected(Refusal(Invalid("the cursor is not one that this list gave to this caller")));
    page.cursor.resize(page.cursor.size() - mark.size());
  }
  for (int looked_at = 0; looked_at < kPagesLookedAtMax; ++looked_at) {
    auto history = co_await TreeKind::ReadHistory(session, {}, page);
    if (!history) co_return std::unexpected(std::move(history).error());
    for (TreeRepository::Rev& revision : history->revisions) {
      auto fits = co_await Fits(values, session, revision, filter);
      if (!fits) co_return std::unexpected(std::move(fits).error());
      if (*fits) answer.revisions.push_back(std::move(revision));
    }
    answer.next_cursor = page.cursor = history->next_cursor;
    // A whole page at a time: its cursor stands behind everything that was looked at.
    if (answer.next_cursor.empty() || !answer.revisions.empty()) break;
  }
  if (!answer.next_cursor.empty()) answer.next_cursor += mark;
  co_return answer;
}

Task<Decision<WeekReviewed>> ReadReview(Values& values, model::Session& session,
                                        std::optional<std::string> week_of) {
  auto settings = co_await ReadSettings(session);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  const DayRules rules = RulesOf(*settings);
  const auto refused = [](Error error) { return std::unexpected(Refusal(std::move(error))); };
  Result<std::string> day = week_of ? Result<std::string>(*week_of) : DayOf(values.Now(), rules);
  if (!day) co_return refused(day.error());
  const auto monday = WeekOf(*day);
  if (!monday) co_return refused(monday.error());
  const auto sunday = AddDays(*monday, 6);
  if (!sunday) co_return refused(sunday.error());
  const auto start = DayStart(*monday, rules);
  if (!start) co_return refused(start.error());
  const auto end = DayEnd(*sunday, rules);
  if (!end) co_return refused(end.error());

  const auto just_before = [](Time time) {
    return FormatIsoMilliseconds(time - std::chrono::milliseconds(1));
  };
  const WhichTree at_start{.rev_id = {}, .at = just_before(*start)};
  auto before = co_await ReadTree(values, session, at_start);
  if (!before) co_return std::unexpected(std::move(before).error());
  const WhichTree at_end{.rev_id = {}, .at = just_before(*end)};
  auto after = co_await ReadTree(values, session, at_end);
  if (!after) co_return std::unexpected(std::move(after).error());
  auto newest = co_await values.trees().Current(session, {});
  if (!newest) co_return std::unexpected(std::move(newest).error());
  const ReviewWeek week{.from = *start, .to = *end};
  const std::string since = FormatIsoMilliseconds(*end - week.stale_after);
  auto touched = co_await LastTouched(values, session, since, FormatIsoMilliseconds(*end));
  if (!touched) co_return std::unexpected(std::move(touched).error());
  ReviewTrees trees{.start = *before->tree, .end = *after->tree, .newest = *newest->content};
  std::set<std::string> packs =
      PacksOf(trees.newest, FormatIsoMilliseconds(*start), FormatIsoMilliseconds(*end));
  packs.merge(PacksOf(trees.end, FormatIsoMilliseconds(*start), FormatIsoMilliseconds(*end)));
  std::vector<PackRead> kept;  // while `trees` points into them
  for (const std::string& rev_id : packs) {
    auto pack = co_await ReadPack(values, session, rev_id);
    if (!pack) co_return std::unexpected(std::move(pack).error());
    for (const std::string& id : pack->packed) {
      if (!trees.end.nodes.contains(id) && !trees.newest.nodes.contains(id))
        trees.packed.push_back(&pack->before->nodes.at(id));
    }
    kept.push_back(*std::move(pack));
  }
  auto review = [&] { return Review(trees, week, *touched); };
  WeekReviewed reviewed{.from_day = *monday, .to_day = *sunday, .review = {}, .tree = after->tree};
  reviewed.review = co_await Aside(review, LengthOf(*after->tree));
  for (const Node* node : trees.packed) reviewed.packed.emplace(node->id, *node);
  co_return reviewed;
}

}  // namespace cairn::values
