#include "model/index_fill.h"

#include <algorithm>

#include "base/log.h"
#include "base/slice.h"
#include "base/test_point.h"
#include "model/check_item.h"

namespace cairn::model {
namespace {

constexpr int64_t kPortionItems = 500;
constexpr int64_t kItemsPerLogLine = 100'000;
// An item that others change at the same moment is looked at again.
constexpr int kAttemptsMax = 100;

}  // namespace

IndexFill::IndexFill(Database& database, size_t table, UnfinishedFill state)
    : database_(database), table_(table), state_(std::move(state)), looked_at_(state_.done) {
  const std::vector<Index>& indexes = database.model().tables[table].indexes;
  for (size_t i = 0; i < indexes.size(); ++i) {
    if (std::ranges::find(state_.indexes, indexes[i].name) == state_.indexes.end()) continue;
    indexes_.push_back(i);
    database_.SetFilling(table, i, true);
  }
}

std::string IndexFill::index_names() const {
  std::string names;
  for (const std::string& name : state_.indexes) names += (names.empty() ? "" : ", ") + name;
  return names;
}

item::Item IndexFill::KeyOf(const item::PackedItem& item) const {
  const Table& table = database_.model().tables[table_];
  item::Item key;
  for (const std::string* name : {&table.pk_attribute, &table.sk_attribute}) {
    if (!name->empty()) key.Set(*name, *item.Find(*name));
  }
  return key;
}

Task<Status> IndexFill::Repair(const item::PackedItem& item) {
  const item::Item key = KeyOf(item);
  std::optional<item::PackedItem> current = item;
  for (int attempt = 0; attempt < kAttemptsMax && current; ++attempt) {
    ItemRepair repair = RepairIndexKeys(database_, table_, *current, indexes_);
    if (!repair.failure.empty() && attempt == 0) {
      log::Warning(
          "an item cannot be in an index",
          {{"table", table_name()}, {"item", key.begin()->value.string()}, {"reason", repair.failure}});
    }
    if (repair.update.empty()) co_return Status();
    store::UpdateItemRequest request;
    request.table = table_name();
    request.key = key;
    request.update = std::move(repair.update);
    request.condition = std::move(repair.condition);
    auto written = co_await database_.upkeep().UpdateItem(std::move(request));
    if (written) {
      ++repaired_;
      co_return Status();
    }
    if (written.error().error.code != Code::kConditionFailed)
      co_return Fail(std::move(written).error().error);
    store::GetItemRequest again{.table = table_name(),
                                .key = key,
                                .consistency = store::Consistency::kStrong,
                                .projection = std::nullopt};
    auto found = co_await database_.upkeep().GetItem(again);
    if (!found) co_return Fail(std::move(found).error());
    current = std::move(found->item);
  }
  if (current) co_return Fail(Code::kUnavailable, "an item of " + table_name() + " changes all the time");
  co_return Status();  // gone
}

Task<Status> IndexFill::Run(const std::atomic<bool>& stop) {
  ModelMemory memory(database_.upkeep());
  store::ScanRequest request;
  request.table = table_name();
  request.limit = kPortionItems;
  request.exclusive_start_key = state_.after;
  int64_t next_line = looked_at_ + kItemsPerLogLine;
  log::Info("filling index keys after a change of the model",
            {{"table", table_name()}, {"indexes", index_names()}, {"done", looked_at()}});
  do {
    co_await TestPoint("model.fill");
    if (stop) co_return Status();
    auto page = co_await database_.upkeep().Scan(request);
    if (!page) co_return Fail(std::move(page).error());
    for (const item::PackedItem& item : page->items) {
      co_await Breathe();
      CO_RETURN_IF_ERROR(co_await Repair(item));
    }
    looked_at_ += static_cast<int64_t>(page->items.size());
    state_.done = looked_at_;
    state_.after = page->last_evaluated_key;
    request.exclusive_start_key = std::move(page->last_evaluated_key);
    if (request.exclusive_start_key)
      CO_RETURN_IF_ERROR(co_await memory.NoteProgress(database_, table_, state_));
    if (looked_at_ >= next_line) {
      next_line += kItemsPerLogLine;
      log::Info("filling index keys", {{"table", table_name()}, {"done", looked_at()}});
    }
  } while (request.exclusive_start_key);
  CO_RETURN_IF_ERROR(co_await memory.NoteFilled(database_, table_));
  for (const size_t index : indexes_) database_.SetFilling(table_, index, false);
  is_done_ = true;
  log::Info("index keys are filled",
            {{"table", table_name()}, {"items", looked_at()}, {"repaired", repaired()}});
  co_return Status();
}

}  // namespace cairn::model
