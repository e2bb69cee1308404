#include "live/change_feed.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "base/run_here.h"

namespace cairn::live {
namespace {

constexpr std::chrono::milliseconds kLookEvery{25};
constexpr uint64_t kRecordsRefilledMax = 20'000;  // read again at the start, for clients that resume
constexpr int kPagesPerTurn = 100;                // then the other tables have theirs

uint64_t BackFrom(uint64_t latest) { return latest - std::min(latest, kRecordsRefilledMax); }

}  // namespace

ChangeFeed::ChangeFeed(store::Store& store, Hub& hub, std::vector<Source> sources, FeedObserver* observer)
    : store_(store), hub_(hub), observer_(observer) {
  for (Source& source : sources) readers_.push_back({.source = std::move(source)});
}

void ChangeFeed::Start() {
  if (thread_.joinable()) return;
  RunHere(PumpOnce());
  thread_ = std::thread([this] { Loop(); });
}

void ChangeFeed::Stop() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
  std::lock_guard lock(mutex_);
  stopping_ = false;
}

bool ChangeFeed::IsStopping() {
  std::lock_guard lock(mutex_);
  return stopping_;
}

void ChangeFeed::Loop() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (wake_.wait_for(lock, kLookEvery, [this] { return stopping_; })) return;
    }
    RunHere(PumpOnce());
  }
}

Task<size_t> ChangeFeed::PumpOnce() {
  size_t events = 0;
  for (Reader& reader : readers_) {
    auto published = co_await Pump(reader);
    if (published) {
      events += *published;
    } else {
      // Whatever it was: what has been read is known, so the next turn looks where to go on.
      reader.is_located = false;
      Complain(reader, published.error().message);
    }
  }
  if (observer_ != nullptr) {
    const Status turned = co_await observer_->Turn();
    if (!turned) log::Warning("changes cannot be counted", {{"reason", turned.error().message}});
  }
  co_return events;
}

Task<Result<size_t>> ChangeFeed::Pump(Reader& reader) {
  size_t events = 0;
  for (int page = 0; page < kPagesPerTurn && !IsStopping(); ++page) {
    if (!reader.is_located) {
      auto located = co_await Locate(reader);
      if (!located) co_return Fail(std::move(located).error());
      if (!*located) co_return events;
    }
    store::GetRecordsRequest request{.position = reader.position};
    auto response = co_await store_.GetRecords(std::move(request));
    if (!response) co_return Fail(std::move(response).error());
    Complain(reader, "");
    events += Publish(reader, response->records);
    if (response->next) {
      reader.position = *std::move(response->next);
      hub_.Advance(reader.source.feed, reader.position.next_sequence);
      if (observer_ != nullptr) observer_->Advanced(reader.source.feed, reader.position.next_sequence);
      if (response->records.empty()) break;
    } else {
      reader.is_finished = true;
      reader.is_located = false;  // perhaps there is another one already
    }
  }
  co_return events;
}

size_t ChangeFeed::Publish(const Reader& reader, const std::vector<store::StreamRecord>& records) {
  size_t count = 0;
  for (const store::StreamRecord& record : records) {
    if (observer_ != nullptr) observer_->Seen(reader.source.feed, record);
    std::vector<Event> events = reader.source.translate(record);
    count += events.size();
    hub_.Publish(reader.source.feed, record.sequence, std::move(events));
  }
  return count;
}

// False: there is nothing to read at present.
Task<Result<bool>> ChangeFeed::Locate(Reader& reader) {
  auto table = co_await store_.DescribeTable(reader.source.table);
  if (!table) co_return Fail(std::move(table).error());
  store::StreamId newest{.table = reader.source.table, .label = table->stream_label};
  if (newest.label.empty() || (reader.is_finished && newest == reader.position.stream)) {
    Complain(reader, "the table has no stream of its changes; enable it");
    co_return false;
  }
  co_return co_await LocateIn(reader, std::move(newest));
}

Task<Result<bool>> ChangeFeed::LocateIn(Reader& reader, store::StreamId stream) {
  auto description = co_await store_.DescribeStream(stream);
  if (!description) co_return Fail(std::move(description).error());
  store::GetShardPositionRequest request{
      .stream = stream, .shard_id = description->shard_id, .type = store::IteratorType::kLatest};
  auto latest = co_await store_.GetShardPosition(std::move(request));
  if (!latest) co_return Fail(std::move(latest).error());
  store::ShardPosition start{.stream = stream};
  start.next_sequence = stream == reader.position.stream
                            ? reader.position.next_sequence
                            : std::max(description->starting_sequence, BackFrom(latest->next_sequence));
  if (observer_ != nullptr) {
    const auto wanted = observer_->WantedFrom(reader.source.feed);
    if (wanted)
      start.next_sequence = std::max(description->starting_sequence, std::min(start.next_sequence, *wanted));
  }
  auto complete_from = co_await CompleteFrom(start, description->shard_id, latest->next_sequence);
  if (!complete_from) co_return Fail(std::move(complete_from).error());
  start.next_sequence = *complete_from;
  hub_.Cover(reader.source.feed, stream.label, start.next_sequence);
  reader.position = std::move(start);
  reader.is_located = true;
  reader.is_finished = false;
  co_return true;
}

// The first sequence at or behind `start` from which no record has been trimmed.
Task<Result<uint64_t>> ChangeFeed::CompleteFrom(const store::ShardPosition& start,
                                                const std::string& shard_id, uint64_t latest) {
  if (start.next_sequence >= latest) co_return start.next_sequence;
  store::GetShardPositionRequest request{.stream = start.stream,
                                         .shard_id = shard_id,
                                         .type = store::IteratorType::kAtSequence,
                                         .sequence = start.next_sequence};
  auto kept = co_await store_.GetShardPosition(std::move(request));
  if (kept) co_return start.next_sequence;
  if (kept.error().code != Code::kTrimmedData) co_return Fail(std::move(kept).error());
  store::GetShardPositionRequest oldest{
      .stream = start.stream, .shard_id = shard_id, .type = store::IteratorType::kTrimHorizon};
  auto horizon = co_await store_.GetShardPosition(std::move(oldest));
  if (!horizon) co_return Fail(std::move(horizon).error());
  co_return std::max(start.next_sequence, horizon->next_sequence);
}

void ChangeFeed::Complain(Reader& reader, const std::string& complaint) {
  if (reader.complaint == complaint) return;
  if (complaint.empty()) {
    log::Info("a change feed is read again", {{"feed", reader.source.feed}});
  } else {
    log::Warning("a change feed cannot be read; trying again",
                 {{"feed", reader.source.feed}, {"table", reader.source.table}, {"reason", complaint}});
  }
  reader.complaint = complaint;
}

}  // namespace cairn::live
