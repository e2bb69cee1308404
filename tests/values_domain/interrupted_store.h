// InterruptedStore: an engine's store that a test can stop: at the n-th write everything fails from then on,
// as after a power cut, or something else is done first, as when someone else is faster.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/engine.h"
#include "store/store.h"

namespace cairn::values {

// Whether one of a transaction's items has a sort key that begins so.
inline bool Writes(const store::TransactWriteItemsRequest& request, std::string_view sort_key_begins) {
  const auto key_of = [](const auto& action) -> const item::Item& {
    if constexpr (requires { action.item; }) {
      return action.item;
    } else {
      return action.key;
    }
  };
  return std::ranges::any_of(request.actions, [&](const store::TransactAction& one) {
    const item::Item& key = std::visit(key_of, one.action);
    return key.Find("SK") != nullptr && key.Find("SK")->string().starts_with(sort_key_begins);
  });
}

class InterruptedStore final : public store::Store {
 public:
  explicit InterruptedStore(store::Store& inner) : inner_(inner) {}

  // The next `writes` writes go through; all that follow fail.
  void FailAfter(int writes) { writes_left_ = writes; }
  // How many queries there were.
  int64_t queries() const { return queries_; }
  // Whether a write has failed.
  bool has_failed() const { return has_failed_; }
  // The next transaction that `fits` goes through, but is answered with an error.
  void AfterTransaction(std::function<bool(const store::TransactWriteItemsRequest&)> fits, Error error) {
    fits_ = std::move(fits);
    lost_answer_ = std::move(error);
  }
  // Done after every query has read, and before whoever asked gets its page, or an error instead.
  void AfterQuery(std::function<std::optional<Error>(const store::QueryRequest&)> what) {
    after_query_ = std::move(what);
  }
  // Done once, before the next transaction that `fits`.
  void BeforeTransaction(std::function<bool(const store::TransactWriteItemsRequest&)> fits,
                         std::function<void()> what) {
    fits_ = std::move(fits);
    before_transaction_ = std::move(what);
  }

  Task<Result<store::GetItemResponse>> GetItem(store::GetItemRequest request) override {
    return inner_.GetItem(std::move(request));
  }
  Task<Result<store::WriteResponse, store::WriteFailure>> PutItem(store::PutItemRequest request) override {
    return Write<store::WriteResponse, store::WriteFailure>(
        [this, request = std::move(request)] { return inner_.PutItem(request); });
  }
  Task<Result<store::WriteResponse, store::WriteFailure>> UpdateItem(
      store::UpdateItemRequest request) override {
    return Write<store::WriteResponse, store::WriteFailure>(
        [this, request = std::move(request)] { return inner_.UpdateItem(request); });
  }
  Task<Result<store::WriteResponse, store::WriteFailure>> DeleteItem(
      store::DeleteItemRequest request) override {
    return Write<store::WriteResponse, store::WriteFailure>(
        [this, request = std::move(request)] { return inner_.DeleteItem(request); });
  }
  Task<Result<store::PageResponse>> Query(store::QueryRequest request) override {
    ++queries_;
    auto page = co_await inner_.Query(request);
    if (after_query_) {
      if (std::optional<Error> error = after_query_(request)) co_return Fail(*std::move(error));
    }
    co_return page;
  }
  Task<Result<store::PageResponse>> Scan(store::ScanRequest request) override {
    return inner_.Scan(std::move(request));
  }
  Task<Result<store::BatchGetItemResponse>> BatchGetItem(store::BatchGetItemRequest request) override {
    return inner_.BatchGetItem(std::move(request));
  }
  Task<Result<store::BatchWriteItemResponse>> BatchWriteItem(store::BatchWriteItemRequest request) override {
    return Write<store::BatchWriteItemResponse, Error>(
        [this, request = std::move(request)] { return inner_.BatchWriteItem(request); });
  }
  Task<Result<store::TransactGetItemsResponse, store::TransactionFailure>> TransactGetItems(
      store::TransactGetItemsRequest request) override {
    return inner_.TransactGetItems(std::move(request));
  }
  Task<Result<store::TransactWriteItemsResponse, store::TransactionFailure>> TransactWriteItems(
      store::TransactWriteItemsRequest request) override {
    if (before_transaction_ && fits_(request)) std::exchange(before_transaction_, nullptr)();
    if (lost_answer_ && fits_(request)) return LoseAnswer(std::move(request));
    return Write<store::TransactWriteItemsResponse, store::TransactionFailure>(
        [this, request = std::move(request)] { return inner_.TransactWriteItems(request); });
  }
  Task<Result<store::TableDescription>> CreateTable(store::TableDefinition definition) override {
    return inner_.CreateTable(std::move(definition));
  }
  Task<Result<store::TableDescription>> UpdateTable(store::UpdateTableRequest request) override {
    return inner_.UpdateTable(std::move(request));
  }
  Task<Result<store::TableDescription>> DeleteTable(std::string table) override {
    return inner_.DeleteTable(std::move(table));
  }
  Task<Result<store::TableDescription>> DescribeTable(std::string table) override {
    return inner_.DescribeTable(std::move(table));
  }
  Task<Result<store::ListTablesResponse>> ListTables(store::ListTablesRequest request) override {
    return inner_.ListTables(std::move(request));
  }
  Task<Result<store::TimeToLive>> UpdateTimeToLive(store::UpdateTimeToLiveRequest request) override {
    return inner_.UpdateTimeToLive(std::move(request));
  }
  Task<Result<store::TimeToLive>> DescribeTimeToLive(std::string table) override {
    return inner_.DescribeTimeToLive(std::move(table));
  }
  Task<Status> TagTable(std::string table, std::map<std::string, std::string> tags) override {
    return inner_.TagTable(std::move(table), std::move(tags));
  }
  Task<Status> UntagTable(std::string table, std::vector<std::string> tag_keys) override {
    return inner_.UntagTable(std::move(table), std::move(tag_keys));
  }
  Task<Result<store::ListStreamsResponse>> ListStreams(store::ListStreamsRequest request) override {
    return inner_.ListStreams(std::move(request));
  }
  Task<Result<store::StreamDescription>> DescribeStream(store::StreamId stream) override {
    return inner_.DescribeStream(std::move(stream));
  }
  Task<Result<store::ShardPosition>> GetShardPosition(store::GetShardPositionRequest request) override {
    return inner_.GetShardPosition(std::move(request));
  }
  Task<Result<store::GetRecordsResponse>> GetRecords(store::GetRecordsRequest request) override {
    return inner_.GetRecords(std::move(request));
  }
  Task<Result<store::BackupDescription>> CreateBackup(store::CreateBackupRequest request) override {
    return inner_.CreateBackup(std::move(request));
  }
  Task<Result<store::BackupDescription>> DescribeBackup(store::BackupId backup) override {
    return inner_.DescribeBackup(std::move(backup));
  }
  Task<Result<store::BackupDescription>> DeleteBackup(store::BackupId backup) override {
    return inner_.DeleteBackup(std::move(backup));
  }
  Task<Result<store::ListBackupsResponse>> ListBackups(store::ListBackupsRequest request) override {
    return inner_.ListBackups(std::move(request));
  }
  Task<Result<store::TableDescription>> RestoreTableFromBackup(store::RestoreTableRequest request) override {
    return inner_.RestoreTableFromBackup(std::move(request));
  }

 private:
  template <class Response, class Failure, class Work>
  Task<Result<Response, Failure>> Write(Work work) {
    if (writes_left_ == 0) {
      has_failed_ = true;
      co_return std::unexpected(Failure(Error{Code::kReadOnly, "the power is gone"}));
    }
    if (writes_left_ > 0) --writes_left_;
    co_return co_await work();
  }

  Task<Result<store::TransactWriteItemsResponse, store::TransactionFailure>> LoseAnswer(
      store::TransactWriteItemsRequest request) {
    const Error error = *std::exchange(lost_answer_, std::nullopt);
    co_await inner_.TransactWriteItems(std::move(request));
    co_return std::unexpected(store::TransactionFailure(error));
  }

  store::Store& inner_;
  int writes_left_ = -1;  // -1: all
  int64_t queries_ = 0;
  bool has_failed_ = false;
  std::function<bool(const store::TransactWriteItemsRequest&)> fits_;
  std::function<void()> before_transaction_;
  std::function<std::optional<Error>(const store::QueryRequest&)> after_query_;
  std::optional<Error> lost_answer_;
};

}  // namespace cairn::values
