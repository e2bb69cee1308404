// UpdateTimeToLive, DescribeTimeToLive, and tags: settings of a table that do not touch its items at once.
#include "engine/engine.h"
#include "engine/internal/catalog.h"
#include "engine/internal/jobs.h"
#include "engine/internal/writer.h"

namespace cairn::engine {

using internal::CommitGroup;
using internal::Family;
using internal::Grouping;
using internal::Table;
using internal::TableRef;

Task<Result<store::TimeToLive>> Engine::UpdateTimeToLive(store::UpdateTimeToLiveRequest request) {
  auto work = [&](CommitGroup& group) -> Result<store::TimeToLive> {
    ASSIGN_OR_RETURN(const TableRef old, catalog_->FindAny(request.table));
    const store::TimeToLive& setting = request.setting;
    if (setting.enabled == old->expiry.has_value()) {
      return Fail(
          Invalid(setting.enabled ? "TimeToLive is already enabled" : "TimeToLive is already disabled"));
    }
    Table table = *old;
    if (setting.enabled) {
      table.expiry = internal::Expiry{setting.attribute, catalog_->NewId(group), /*backfilling=*/true};
    } else {
      if (table.expiry->attribute != setting.attribute) {
        return Fail(Invalid("TimeToLive is active on a different AttributeName: current AttributeName is " +
                            table.expiry->attribute));
      }
      const auto [low, high] = internal::IdRange(table.expiry->id);
      group.DeleteRange(Family::kIndexes, low, high);
      table.expiry.reset();
    }
    catalog_->Save(group, std::move(table));
    return setting;
  };
  auto result = co_await writer_->Submit(work, Grouping::kAlone);
  if (result) jobs_->Kick();
  co_return result;
}

Task<Result<store::TimeToLive>> Engine::DescribeTimeToLive(std::string name) {
  CO_ASSIGN_OR_RETURN(const TableRef table, catalog_->FindAny(name));
  store::TimeToLive setting;
  if (table->expiry) setting = {.enabled = true, .attribute = table->expiry->attribute};
  co_return setting;
}

Task<Status> Engine::TagTable(std::string name, std::map<std::string, std::string> tags) {
  auto work = [&](CommitGroup& group) -> Status {
    ASSIGN_OR_RETURN(const TableRef old, catalog_->FindAny(name));
    Table table = *old;
    for (auto& [key, value] : tags) table.definition.tags[key] = value;
    if (table.definition.tags.size() > 50) {
      return Fail(Invalid("One or more parameter values were invalid: Too many tags: the limit is 50"));
    }
    catalog_->Save(group, std::move(table));
    return {};
  };
  co_return co_await writer_->Submit(work, Grouping::kAlone);
}

Task<Status> Engine::UntagTable(std::string name, std::vector<std::string> tag_keys) {
  auto work = [&](CommitGroup& group) -> Status {
    ASSIGN_OR_RETURN(const TableRef old, catalog_->FindAny(name));
    Table table = *old;
    for (const std::string& key : tag_keys) table.definition.tags.erase(key);
    catalog_->Save(group, std::move(table));
    return {};
  };
  co_return co_await writer_->Submit(work, Grouping::kAlone);
}

}  // namespace cairn::engine
