// A store of tables that have streams and nothing else, for tests of the change feed. Sequences are counted
// over all tables, as the engine counts them. Every other verb fails.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace cairn::live {

class StreamStore : public store::Store {
 public:
  // ---- What the test does to it.

  void Enable(const std::string& table) {
    std::lock_guard lock(mutex_);
    Stream& stream = streams_.emplace_back();
    stream.id = {table, "label" + std::to_string(streams_.size())};
    stream.starting_sequence = next_sequence_;
  }
  void Disable(const std::string& table) {
    std::lock_guard lock(mutex_);
    Newest(table)->ending_sequence = next_sequence_;
  }
  // The table is there, with or without a stream.
  void Create(const std::string& table) {
    std::lock_guard lock(mutex_);
    tables_.push_back(table);
  }
  void Delete(const std::string& table) {
    std::lock_guard lock(mutex_);
    std::erase(tables_, table);
    std::erase_if(streams_, [&](const Stream& stream) { return stream.id.table == table; });
  }
  // A record whose event id is `text`.
  void Write(const std::string& table, const std::string& text) {
    std::lock_guard lock(mutex_);
    store::StreamRecord record;
    record.sequence = next_sequence_++;
    record.event_id = text;
    Newest(table)->records.push_back(std::move(record));
  }
  // Other tables are written to.
  void Skip(uint64_t sequences) {
    std::lock_guard lock(mutex_);
    next_sequence_ += sequences;
  }
  void Trim(const std::string& table, size_t count) {
    std::lock_guard lock(mutex_);
    auto& records = Newest(table)->records;
    records.erase(records.begin(), records.begin() + static_cast<ptrdiff_t>(count));
  }
  // What reading answers from now on; nothing: as it should.
  void FailWith(std::optional<Error> error) {
    std::lock_guard lock(mutex_);
    failure_ = std::move(error);
  }
  int reads() const {
    std::lock_guard lock(mutex_);
    return reads_;
  }

  // ---- The verbs that it has.

  Task<Result<store::TableDescription>> DescribeTable(std::string table) override {
    std::lock_guard lock(mutex_);
    if (failure_) co_return Fail(*failure_);
    if (std::ranges::find(tables_, table) == tables_.end()) {
      co_return Fail(Code::kResourceNotFound, "no table " + table);
    }
    store::TableDescription description;
    if (const Stream* newest = Newest(table)) {
      description.stream_label = newest->id.label;
      description.stream_enabled = !newest->ending_sequence;
    }
    co_return description;
  }
  Task<Result<store::StreamDescription>> DescribeStream(store::StreamId id) override {
    std::lock_guard lock(mutex_);
    const Stream* stream = Find(id);
    if (stream == nullptr) co_return Fail(Code::kResourceNotFound, "no stream " + id.label);
    store::StreamDescription description;
    description.id = id;
    description.shard_id = "shard of " + id.label;
    description.starting_sequence = stream->starting_sequence;
    description.ending_sequence = stream->ending_sequence;
    co_return description;
  }
  Task<Result<store::ShardPosition>> GetShardPosition(store::GetShardPositionRequest request) override {
    std::lock_guard lock(mutex_);
    const Stream* stream = Find(request.stream);
    if (stream == nullptr || request.shard_id != "shard of " + stream->id.label) {
      co_return Fail(Code::kResourceNotFound, "no such shard");
    }
    const uint64_t latest = stream->ending_sequence.value_or(next_sequence_);
    if (request.type == store::IteratorType::kLatest) co_return store::ShardPosition{request.stream, latest};
    if (request.type == store::IteratorType::kTrimHorizon) {
      co_return store::ShardPosition{request.stream,
                                     stream->records.empty() ? latest : stream->records.front().sequence};
    }
    if (request.sequence < stream->starting_sequence || request.sequence >= latest) {
      co_return Fail(Invalid("no such record"));
    }
    if (stream->records.empty() || request.sequence < stream->records.front().sequence) {
      co_return Fail(Code::kTrimmedData, "trimmed");
    }
    co_return store::ShardPosition{request.stream, request.sequence};
  }
  Task<Result<store::GetRecordsResponse>> GetRecords(store::GetRecordsRequest request) override {
    std::lock_guard lock(mutex_);
    ++reads_;
    if (failure_) co_return Fail(*failure_);
    const Stream* stream = Find(request.position.stream);
    if (stream == nullptr) co_return Fail(Code::kResourceNotFound, "no such stream");
    store::GetRecordsResponse response;
    store::ShardPosition next = request.position;
    bool drained = true;
    for (const store::StreamRecord& record : stream->records) {
      if (record.sequence < request.position.next_sequence) continue;
      if (response.records.size() == std::min(request.limit, kPageRecords)) {
        drained = false;
        break;
      }
      response.records.push_back(record);
      next.next_sequence = record.sequence + 1;
    }
    if (drained)
      next.next_sequence = std::max(next.next_sequence, stream->ending_sequence.value_or(next_sequence_));
    if (!drained || !stream->ending_sequence) response.next = next;
    co_return response;
  }

  // ---- And those that it has not.

  Task<Result<store::GetItemResponse>> GetItem(store::GetItemRequest) override { co_return No(); }
  Task<Result<store::WriteResponse, store::WriteFailure>> PutItem(store::PutItemRequest) override {
    co_return No<store::WriteFailure>();
  }
  Task<Result<store::WriteResponse, store::WriteFailure>> UpdateItem(store::UpdateItemRequest) override {
    co_return No<store::WriteFailure>();
  }
  Task<Result<store::WriteResponse, store::WriteFailure>> DeleteItem(store::DeleteItemRequest) override {
    co_return No<store::WriteFailure>();
  }
  Task<Result<store::PageResponse>> Query(store::QueryRequest) override { co_return No(); }
  Task<Result<store::PageResponse>> Scan(store::ScanRequest) override { co_return No(); }
  Task<Result<store::BatchGetItemResponse>> BatchGetItem(store::BatchGetItemRequest) override {
    co_return No();
  }
  Task<Result<store::BatchWriteItemResponse>> BatchWriteItem(store::BatchWriteItemRequest) override {
    co_return No();
  }
  Task<Result<store::TransactGetItemsResponse, store::TransactionFailure>> TransactGetItems(
      store::TransactGetItemsRequest) override {
    co_return No<store::TransactionFailure>();
  }
  Task<Result<store::TransactWriteItemsResponse, store::TransactionFailure>> TransactWriteItems(
      store::TransactWriteItemsRequest) override {
    co_return No<store::TransactionFailure>();
  }
  Task<Result<store::TableDescription>> CreateTable(store::TableDefinition) override { co_return No(); }
  Task<Result<store::TableDescription>> UpdateTable(store::UpdateTableRequest) override { co_return No(); }
  Task<Result<store::TableDescription>> DeleteTable(std::string) override { co_return No(); }
  Task<Result<store::ListTablesResponse>> ListTables(store::ListTablesRequest) override { co_return No(); }
  Task<Result<store::TimeToLive>> UpdateTimeToLive(store::UpdateTimeToLiveRequest) override {
    co_return No();
  }
  Task<Result<store::TimeToLive>> DescribeTimeToLive(std::string) override { co_return No(); }
  Task<Status> TagTable(std::string, std::map<std::string, std::string>) override { co_return No(); }
  Task<Status> UntagTable(std::string, std::vector<std::string>) override { co_return No(); }
  Task<Result<store::ListStreamsResponse>> ListStreams(store::ListStreamsRequest) override { co_return No(); }
  Task<Result<store::BackupDescription>> CreateBackup(store::CreateBackupRequest) override { co_return No(); }
  Task<Result<store::BackupDescription>> DescribeBackup(store::BackupId) override { co_return No(); }
  Task<Result<store::BackupDescription>> DeleteBackup(store::BackupId) override { co_return No(); }
  Task<Result<store::ListBackupsResponse>> ListBackups(store::ListBackupsRequest) override { co_return No(); }
  Task<Result<store::TableDescription>> RestoreTableFromBackup(store::RestoreTableRequest) override {
    co_return No();
  }

 private:
  static constexpr size_t kPageRecords = 10;

  struct Stream {
    store::StreamId id;
    uint64_t starting_sequence = 0;
    std::optional<uint64_t> ending_sequence;
    std::vector<store::StreamRecord> records;
  };

  template <class Failure = Error>
  static std::unexpected<Failure> No() {
    return std::unexpected(Failure(Error{Code::kInternal, "this store has streams only"}));
  }
  Stream* Newest(const std::string& table) {
    Stream* newest = nullptr;
    for (Stream& stream : streams_) {
      if (stream.id.table == table) newest = &stream;
    }
    return newest;
  }
  const Stream* Find(const store::StreamId& id) const {
    const auto found = std::ranges::find_if(streams_, [&](const Stream& each) { return each.id == id; });
    return found == streams_.end() ? nullptr : &*found;
  }

  mutable std::mutex mutex_;  // guards all below
  std::vector<std::string> tables_;
  std::vector<Stream> streams_;
  uint64_t next_sequence_ = 1'000;
  std::optional<Error> failure_;
  int reads_ = 0;
};

}  // namespace cairn::live
