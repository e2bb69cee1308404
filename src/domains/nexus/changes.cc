#include "domains/nexus/changes.h"

#include <algorithm>
#include <map>

#include "base/json_writer.h"
#include "base/temporal_text.h"
#include "base/yield.h"
#include "domains/nexus/item_json.h"
#include "domains/nexus/live_events.h"
#include "model/cursor.h"

namespace cairn::nexus {
namespace {

constexpr size_t kRecordsLookedAt = 20'000;
// The store keeps records for 24 hours: what comes after a younger token cannot have been trimmed.
constexpr std::chrono::hours kSurelyKept{23};

std::string BoundTo(const std::string& user_id) { return "nexus-changes\n" + user_id; }

struct Token {
  store::ShardPosition position;
  // What comes at the position or after it was not written before this. The age of the position, not of the
  // token: whoever reads slowly gets new tokens for old places.
  int64_t since_seconds = 0;
};

std::unexpected<Refusal> TooOld() {
  return std::unexpected(Refusal(Code::kTrimmedData, std::string(kTokenTooOld),
                                 "Changes are kept for a day: read everything, and ask for a new token"));
}

class ChangeReader {
 public:
  ChangeReader(Nexus& nexus, const model::Caller& caller)
      : nexus_(nexus),
        store_(nexus.database().store()),
        session_(nexus.database(), caller),
        user_id_(*caller.Claim("sub")) {}

  // Where the stream is now.
  Task<Decision<void>> Locate() {
    located_seconds_ = NowSeconds();
    auto table = co_await store_.DescribeTable(nexus_.database().physical_name(0));
    if (!table) co_return std::unexpected(Refusal(std::move(table).error()));
    if (table->stream_label.empty())
      co_return std::unexpected(
          Refusal(Error{Code::kUnavailable, "The table has no stream of its changes at present"}));
    latest_.stream = {.table = nexus_.database().physical_name(0), .label = table->stream_label};
    auto description = co_await store_.DescribeStream(latest_.stream);
    if (!description) co_return std::unexpected(Refusal(std::move(description).error()));
    shard_id_ = description->shard_id;
    store::GetShardPositionRequest request{
        .stream = latest_.stream, .shard_id = shard_id_, .type = store::IteratorType::kLatest};
    auto latest = co_await store_.GetShardPosition(std::move(request));
    if (!latest) co_return std::unexpected(Refusal(std::move(latest).error()));
    latest_ = *std::move(latest);
    co_return Decision<void>();
  }

  // Label, sequence and since when records lie there.
  std::string TokenAt(uint64_t sequence, int64_t since_seconds) const {
    const std::string payload =
        latest_.stream.label + "\n" + std::to_string(sequence) + "\n" + std::to_string(since_seconds);
    return nexus_.database().cursors().Seal(payload, BoundTo(user_id_));
  }
  std::string TokenOfNow() const { return TokenAt(latest_.next_sequence, located_seconds_); }

  // Refuses tokens of others, and those behind which something may be missing.
  Task<Decision<void>> Open(const std::string& text) {
    CO_ASSIGN_OR_RETURN(const Token token, Parse(text));
    position_ = token.position;
    passed_seconds_ = token.since_seconds;
    if (position_.stream.label != latest_.stream.label) co_return TooOld();
    if (position_.next_sequence > latest_.next_sequence) co_return TooOld();
    if (position_.next_sequence == latest_.next_sequence) co_return Decision<void>();
    const bool is_young = NowSeconds() - token.since_seconds < std::chrono::seconds(kSurelyKept).count();
    if (is_young) co_return Decision<void>();
    store::GetShardPositionRequest request{.stream = latest_.stream,
                                           .shard_id = shard_id_,
                                           .type = store::IteratorType::kAtSequence,
                                           .sequence = position_.next_sequence};
    auto kept = co_await store_.GetShardPosition(std::move(request));
    if (kept) co_return Decision<void>();
    if (kept.error().code == Code::kTrimmedData || kept.error().code == Code::kInvalidArgument)
      co_return TooOld();
    co_return std::unexpected(Refusal(std::move(kept).error()));
  }

  Task<Decision<Changes>> Read(size_t limit) {
    Changes changes;
    size_t looked_at = 0;
    while (position_.next_sequence < latest_.next_sequence && !is_full_) {
      co_await Yield();
      store::GetRecordsRequest request{.position = position_};
      auto page = co_await store_.GetRecords(std::move(request));
      if (!page && page.error().code == Code::kTrimmedData) co_return TooOld();
      if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
      Take(page->records, limit);
      looked_at += page->records.size();
      if (is_full_) break;
      if (!page->records.empty()) passed_seconds_ = SecondsOf(page->records.back().created);
      if (page->next) position_ = *std::move(page->next);
      if (page->records.empty() || !page->next) break;
      if (looked_at >= kRecordsLookedAt) is_full_ = position_.next_sequence < latest_.next_sequence;
    }
    auto items = co_await PresentState();
    if (!items) co_return std::unexpected(std::move(items).error());
    changes.items = *std::move(items);
    changes.has_more = is_full_;
    const bool is_at_end = position_.next_sequence >= latest_.next_sequence;
    changes.next_token = TokenAt(position_.next_sequence, is_at_end ? located_seconds_ : passed_seconds_);
    co_return changes;
  }

 private:
  static int64_t SecondsOf(Time time) {
    return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  }
  int64_t NowSeconds() const { return SecondsOf(nexus_.Now()); }

  Decision<Token> Parse(const std::string& text) const {
    const auto wrong = [] {
      return std::unexpected(Refusal(Code::kMalformed, "wrong-sync-token", "This is no token of yours"));
    };
    const auto payload = nexus_.database().cursors().Open(text, BoundTo(user_id_));
    if (!payload) return wrong();
    const size_t first = payload->find('\n'), second = payload->rfind('\n');
    if (first == payload->npos || second == first) return wrong();
    const auto sequence = ReadDigits(payload->substr(first + 1, second - first - 1));
    const auto since = ReadDigits(payload->substr(second + 1));
    if (!sequence || !since) return wrong();
    return Token{.position = {.stream = {.table = latest_.stream.table, .label = payload->substr(0, first)},
                              .next_sequence = static_cast<uint64_t>(*sequence)},
                 .since_seconds = *since};
  }

  void Take(const std::vector<store::StreamRecord>& records, size_t limit) {
    for (const store::StreamRecord& record : records) {
      const ChangedItem changed = ItemOf(record);
      if (changed.user_id != user_id_ || EntityOf(changed.entity_type) == nullptr) continue;
      const std::pair key{changed.entity_type, changed.id};
      if (last_change_.size() == limit && !last_change_.contains(key)) {
        position_.next_sequence = record.sequence;
        passed_seconds_ = SecondsOf(record.created);
        is_full_ = true;
        return;
      }
      last_change_[key] = {record.sequence, SecondsOf(record.created)};
    }
  }

  const model::Entity* EntityOf(std::string_view type) const {
    const auto& entities = nexus_.database().model().entities;
    const auto found = std::ranges::find(entities, type, &model::Entity::type);
    return found == entities.end() ? nullptr : &*found;
  }

  // As many as fit a page; the others come with the next one.
  Task<Decision<std::vector<Change>>> PresentState() {
    std::vector<std::pair<Place, std::pair<std::string, std::string>>> in_order;
    for (const auto& [key, place] : last_change_) in_order.emplace_back(place, key);
    std::ranges::sort(in_order);
    std::vector<Change> items;
    size_t bytes = 0;
    for (const auto& [place, key] : in_order) {
      co_await Yield();
      if (bytes >= model::kPageBytesMax) {
        position_.next_sequence = place.first;
        passed_seconds_ = place.second;
        is_full_ = true;
        break;
      }
      const auto& [type, id] = key;
      const model::Entity& entity = *EntityOf(type);
      // The last part of the sort key is the id, whatever the entity calls it.
      item::Item attributes{{IdAttributeOf(entity), item::AttributeValue(id)}};
      auto found = co_await session_.Get(entity, std::move(attributes));
      if (!found) co_return std::unexpected(Refusal(std::move(found).error()));
      Change change{.entity_type = type, .id = id, .json = {}, .version = {}};
      if (*found) {
        const item::Item values = (*found)->Values();
        change.json = ItemJson(entity, values);
        bytes += change.json->size();
        if (const auto* version = values.Find("version");
            version != nullptr && version->is(item::Type::kNumber)) {
          std::string text;
          version->number().AppendTo(text);
          change.version = ReadDigits(text);
        }
      }
      items.push_back(std::move(change));
    }
    co_return items;
  }

  static std::string IdAttributeOf(const model::Entity& entity) {
    std::string name = entity.name + "Id";
    name.front() = static_cast<char>(name.front() - 'A' + 'a');
    return name;
  }

  Nexus& nexus_;
  store::Store& store_;
  model::Session session_;
  const std::string user_id_;
  store::ShardPosition latest_, position_;
  std::string shard_id_;
  int64_t located_seconds_ = 0;
  int64_t passed_seconds_ = 0;                 // nothing at position_ or after it was written before
  using Place = std::pair<uint64_t, int64_t>;  // of a record: its sequence, and the second it was written in
  std::map<std::pair<std::string, std::string>, Place> last_change_;
  bool is_full_ = false;
};

}  // namespace

Task<Decision<Changes>> ReadChanges(Nexus& nexus, model::Caller caller, std::optional<std::string> since,
                                    size_t limit) {
  ChangeReader reader(nexus, caller);
  auto located = co_await reader.Locate();
  if (!located) co_return std::unexpected(std::move(located).error());
  if (!since) co_return Changes{.items = {}, .next_token = reader.TokenOfNow(), .has_more = false};
  auto opened = co_await reader.Open(*since);
  if (!opened) co_return std::unexpected(std::move(opened).error());
  co_return co_await reader.Read(limit);
}

}  // namespace cairn::nexus
