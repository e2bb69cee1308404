#include "quotas/usage_meter.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/together.h"
#include "models/platform.h"

namespace cairn::quotas {
namespace {

namespace data = models::platform;

constexpr size_t kTable = 0;  // both models have one
constexpr std::chrono::seconds kKeptEvery{10};
constexpr size_t kAtOnce = 16;         // their commits share a sync
constexpr size_t kKnownMax = 200'000;  // then those are forgotten whose usage is kept
constexpr int64_t kItemsOfPage = 5'000;

std::string ProgressName(const Product& product) { return "usage-" + product.name; }

// Fails as one of them does.
Task<Status> AllOf(std::vector<Task<Status>> tasks) {
  std::vector<Status> done = co_await Together(std::move(tasks));
  for (Status& one : done) {
    if (!one) co_return std::move(one);
  }
  co_return Status();
}

const model::Table& TableOf(const Product& product) { return product.database->model().tables[kTable]; }

}  // namespace

UsageMeter::UsageMeter(model::Database& platform, store::Store& streams, const Clock& clock,
                       std::vector<Product> products, Written written)
    : platform_(platform),
      streams_(streams),
      clock_(clock),
      products_(std::move(products)),
      written_(std::move(written)),
      began_(clock.Now()),
      places_(products_.size()) {
  for (const Product& product : products_) CHECK(TableOf(product).tenant, "items of a product have owners");
}

size_t UsageMeter::ProductOf(const std::string& feed) const {
  const auto found = std::ranges::find(products_, feed, &Product::name);
  CHECK(found != products_.end(), "every feed is that of a product");
  return static_cast<size_t>(found - products_.begin());
}

std::string UsageMeter::OwnerOf(size_t product, std::string_view pk) const {
  const model::Tenant& tenant = *TableOf(products_[product]).tenant;
  const size_t begin = tenant.leading.LiteralPrefix().size();
  if (pk.size() < begin) return {};
  item::Item told;
  if (!tenant.leading.Match(pk.substr(0, pk.find('#', begin)), told)) return {};
  const item::AttributeValue* owner = told.Find(tenant.parameter);
  return owner != nullptr && owner->is(item::Type::kString) ? owner->string() : "";
}

UsageMeter::User& UsageMeter::UserIn(Shard& shard, std::string_view user_id) {
  const auto found = shard.users.find(user_id);
  if (found != shard.users.end()) return found->second;
  User& user = shard.users[std::string(user_id)];
  user.usage.resize(products_.size());
  shard.wanted.emplace_back(user_id);
  return user;
}

void UsageMeter::Apply(User& user, const Change& change) {
  user.usage[change.product].bytes += change.by.bytes;
  user.usage[change.product].items += change.by.items;
  user.is_dirty = true;
  is_dirty_.store(true, std::memory_order_relaxed);
}

std::optional<std::vector<Usage>> UsageMeter::Find(std::string_view user_id) {
  Shard& shard = ShardOf(user_id);
  std::lock_guard lock(shard.mutex);
  const User& user = UserIn(shard, user_id);
  if (!user.is_known) return std::nullopt;
  return user.usage;
}

Task<Result<std::vector<Usage>>> UsageMeter::Read(std::string user_id) {
  if (auto known = Find(user_id)) co_return *std::move(known);
  CO_RETURN_IF_ERROR(co_await Load(user_id));
  auto known = Find(user_id);
  if (!known) co_return std::vector<Usage>(products_.size());
  co_return *std::move(known);
}

std::string UsageMeter::MetricsText() {
  std::vector<Usage> total(products_.size());
  Usage most;
  double users = 0;
  for (Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    for (const auto& [user_id, user] : shard.users) {
      if (!user.is_known || user.is_erased) continue;
      ++users;
      Usage own;
      for (size_t i = 0; i < products_.size(); ++i) {
        total[i].bytes += user.usage[i].bytes;
        total[i].items += user.usage[i].items;
        own.bytes += user.usage[i].bytes;
        own.items += user.usage[i].items;
      }
      most = {.bytes = std::max(most.bytes, own.bytes), .items = std::max(most.items, own.items)};
    }
  }
  std::string text;
  const auto by_product = [&](std::string_view name, std::string_view help, int64_t Usage::*member) {
    metrics::AppendHead(text, name, metrics::Kind::kGauge, help);
    for (size_t i = 0; i < products_.size(); ++i) {
      metrics::AppendSample(text, name, metrics::Label("application", products_[i].name),
                            static_cast<double>(total[i].*member));
    }
  };
  const auto single = [&](std::string_view name, std::string_view help, double value) {
    metrics::AppendMetric(text, name, metrics::Kind::kGauge, help, value);
  };
  by_product("cairn_usage_bytes", "Kept by users who were active since the start", &Usage::bytes);
  by_product("cairn_usage_items", "Items of users who were active since the start", &Usage::items);
  single("cairn_usage_users", "Users who were active since the start", users);
  single("cairn_usage_user_bytes_max", "Kept by the user of those who keeps most",
         static_cast<double>(most.bytes));
  single("cairn_usage_user_items_max", "Items of the user of those who has most",
         static_cast<double>(most.items));
  return text;
}

// ---- The feed.

std::optional<uint64_t> UsageMeter::WantedFrom(const std::string& feed) {
  if (!is_open_) return std::nullopt;
  return places_[ProductOf(feed)].position;
}

void UsageMeter::Seen(const std::string& feed, const store::StreamRecord& record) {
  const size_t product = ProductOf(feed);
  if (!is_open_ || record.sequence < places_[product].position) return;
  const auto pk = record.keys.Find(TableOf(products_[product]).pk_attribute);
  if (!pk || !pk->is(item::Type::kString)) return;
  // Mostly that of the record before: a snapshot has one partition.
  if (product != last_product_ || pk->string() != last_pk_) {
    CountSeen();
    last_pk_ = pk->string();
    last_product_ = product;
    last_owner_ = OwnerOf(product, last_pk_);
  }
  if (last_owner_.empty()) return;
  const int64_t items = (record.event == store::StreamEvent::kInsert)   ? 1
                        : (record.event == store::StreamEvent::kRemove) ? -1
                                                                        : 0;
  seen_.push_back({.product = product,
                   .sequence = record.sequence,
                   .by = {.bytes = record.new_item_bytes - record.old_item_bytes, .items = items}});
  if (record.new_item_bytes > 0 && record.created >= began_) seen_written_ += record.new_item_bytes;
}

void UsageMeter::CountSeen() {
  if (seen_.empty()) return;
  if (seen_written_ > 0) written_(last_owner_, seen_written_);
  Shard& shard = ShardOf(last_owner_);
  std::lock_guard lock(shard.mutex);
  User& user = UserIn(shard, last_owner_);
  for (const Change& change : seen_) {
    if (user.is_known) {
      Apply(user, change);
    } else {
      user.changes.push_back(change);
    }
  }
  seen_.clear();
  seen_written_ = 0;
}

void UsageMeter::Advanced(const std::string& feed, uint64_t next_sequence) {
  CountSeen();
  Place& place = places_[ProductOf(feed)];
  place.position = std::max(place.position, next_sequence);
}

Task<Status> UsageMeter::Turn() {
  CountSeen();
  CO_RETURN_IF_ERROR(co_await LoadWanted());
  const Time now = clock_.Now();
  if (!is_dirty_.load(std::memory_order_relaxed) || now < flush_at_) co_return Status();
  flush_at_ = now + kKeptEvery;
  co_return co_await Flush();
}

// ---- What is kept.

Task<Status> UsageMeter::Load(std::string user_id) {
  model::Session session(platform_, model::Caller::SystemFor({{"sub", user_id}}));
  const model::typed::PageOptions options;
  auto page = co_await data::ReadUsage(session, options);
  if (!page) co_return Fail(std::move(page).error().error);
  Shard& shard = ShardOf(user_id);
  std::lock_guard lock(shard.mutex);
  User& user = UserIn(shard, user_id);
  if (user.is_known) co_return Status();
  std::vector<uint64_t> counted(products_.size());
  for (const data::Usage& kept : page->items) {
    const auto found = std::ranges::find(products_, kept.product, &Product::name);
    if (found == products_.end()) continue;
    const auto product = static_cast<size_t>(found - products_.begin());
    if (static_cast<uint64_t>(kept.sequence) < places_[product].valid_from) continue;
    user.usage[product] = {.bytes = kept.bytes, .items = kept.items};
    counted[product] = static_cast<uint64_t>(kept.sequence);
  }
  user.is_known = true;
  for (const Change& change : std::exchange(user.changes, {})) {
    if (change.sequence >= counted[change.product]) Apply(user, change);
  }
  co_return Status();
}

Task<Status> UsageMeter::LoadWanted() {
  for (Shard& shard : shards_) {
    std::vector<std::string> wanted;
    {
      std::lock_guard lock(shard.mutex);
      wanted.swap(shard.wanted);
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Status loaded = co_await Load(wanted[i]);
      if (loaded) continue;
      std::lock_guard lock(shard.mutex);
      shard.wanted.insert(shard.wanted.end(), wanted.begin() + static_cast<ptrdiff_t>(i), wanted.end());
      co_return loaded;
    }
  }
  co_return Status();
}

Task<Status> UsageMeter::Keep(std::string user_id, std::vector<Usage> usage,
                              std::vector<uint64_t> positions) {
  model::Session session(platform_, model::Caller::SystemFor({{"sub", user_id}}));
  Status kept;
  bool is_anything = false;
  for (size_t i = 0; i < products_.size(); ++i) {
    if (usage[i] == Usage()) {
      const std::vector<data::UsageKey> keys = {{.product = products_[i].name}};
      auto gone = co_await data::DeleteManyUsage(session, keys);
      if (!gone) kept = Fail(std::move(gone).error().error);
      continue;
    }
    data::Usage item;
    item.product = products_[i].name;
    item.bytes = usage[i].bytes;
    item.items = usage[i].items;
    item.sequence = static_cast<int64_t>(positions[i]);
    if (auto created = data::CreateUsage(session, item); !created)
      kept = Fail(std::move(created).error().error);
    is_anything = true;
  }
  if (is_anything) {
    auto committed = co_await session.Commit();
    // The fence is closed around an account that is being deleted: there is nothing to keep.
    const bool is_deleted = !committed && committed.error().error.code == Code::kUnauthenticated;
    if (!committed && !is_deleted) kept = Fail(std::move(committed).error().error);
  }
  Shard& shard = ShardOf(user_id);
  std::lock_guard lock(shard.mutex);
  User& user = UserIn(shard, user_id);
  user.is_written = false;
  if (!kept) {
    user.is_dirty = true;
    is_dirty_.store(true, std::memory_order_relaxed);
  }
  co_return kept;
}

Task<Status> UsageMeter::Flush() {
  if (!is_open_) co_return Status();
  is_dirty_.store(false, std::memory_order_relaxed);
  std::vector<uint64_t> positions;
  for (const Place& place : places_) positions.push_back(place.position);
  std::vector<Task<Status>> side_by_side;
  Status kept;
  for (Shard& shard : shards_) {
    std::vector<std::pair<std::string, std::vector<Usage>>> dirty;
    {
      std::lock_guard lock(shard.mutex);
      for (auto& [user_id, user] : shard.users) {
        if (!user.is_dirty || user.is_erased) continue;
        user.is_dirty = false;
        user.is_written = true;
        dirty.emplace_back(user_id, user.usage);
      }
      if (shard.users.size() > kKnownMax / kShards) {
        std::erase_if(shard.users, [](const auto& entry) {
          const User& user = entry.second;
          return user.is_known && !user.is_dirty && !user.is_written && !user.is_erased;
        });
      }
    }
    for (auto& [user_id, usage] : dirty) {
      side_by_side.push_back(Keep(std::move(user_id), std::move(usage), positions));
      if (side_by_side.size() < kAtOnce) continue;
      std::vector<Task<Status>> group = std::exchange(side_by_side, {});
      Status done = co_await AllOf(std::move(group));
      if (!done) kept = std::move(done);
    }
  }
  Status done = co_await AllOf(std::move(side_by_side));
  if (!done) kept = std::move(done);
  if (!kept) co_return kept;
  co_return co_await KeepPlaces();
}

Task<Status> UsageMeter::KeepPlaces() {
  model::Session session(platform_, model::Caller::System());
  for (size_t i = 0; i < products_.size(); ++i) {
    data::Progress progress;
    progress.name = ProgressName(products_[i]);
    progress.goal = places_[i].label;
    progress.position = std::to_string(places_[i].position) + " " + std::to_string(places_[i].valid_from);
    if (auto staged = data::CreateProgress(session, progress); !staged)
      co_return Fail(std::move(staged).error().error);
  }
  auto committed = co_await session.Commit();
  if (!committed) co_return Fail(std::move(committed).error().error);
  co_return Status();
}

Task<Status> UsageMeter::Forget(std::string user_id) {
  bool is_written = false;
  Shard& shard = ShardOf(user_id);
  {
    std::lock_guard lock(shard.mutex);
    User& user = UserIn(shard, user_id);
    user.is_erased = true;
    user.changes.clear();
    is_written = user.is_written;
  }
  // Behind a fence what was being written has arrived before the erasure began (model/write_fence.h).
  if (is_written && platform_.fence() == nullptr)
    co_return Fail(Code::kUnavailable, "its usage is being written");
  model::Session session(platform_, model::Caller::SystemFor({{"sub", user_id}}));
  std::vector<data::UsageKey> keys;
  for (const Product& product : products_) keys.push_back({.product = product.name});
  auto gone = co_await data::DeleteManyUsage(session, keys);
  if (!gone) co_return Fail(std::move(gone).error().error);
  co_return Status();
}

// ---- The start.

Task<Status> UsageMeter::Open() {
  std::vector<size_t> uncounted;
  for (size_t i = 0; i < products_.size(); ++i) {
    CO_ASSIGN_OR_RETURN(const bool found, co_await FindPlace(i));
    if (!found) uncounted.push_back(i);
  }
  for (const size_t product : uncounted) CO_RETURN_IF_ERROR(co_await CountAll(product));
  flush_at_ = clock_.Now() + kKeptEvery;
  is_open_ = true;
  co_return co_await Flush();
}

// Where counting goes on; false: something would be missing.
Task<Result<bool>> UsageMeter::FindPlace(size_t product) {
  Place& place = places_[product];
  const std::string& table = products_[product].database->physical_name(kTable);
  auto description = co_await streams_.DescribeTable(table);
  if (!description) co_return Fail(std::move(description).error());
  place.label = description->stream_label;
  const store::StreamId stream{.table = table, .label = place.label};
  auto shard = co_await streams_.DescribeStream(stream);
  if (!shard) co_return Fail(std::move(shard).error());
  store::GetShardPositionRequest now{
      .stream = stream, .shard_id = shard->shard_id, .type = store::IteratorType::kLatest};
  auto latest = co_await streams_.GetShardPosition(now);
  if (!latest) co_return Fail(std::move(latest).error());
  place.position = place.valid_from = latest->next_sequence;

  model::Session session(platform_, model::Caller::System());
  const data::ProgressKey key{.name = ProgressName(products_[product])};
  auto progress = co_await data::GetProgress(session, key);
  if (!progress) co_return Fail(std::move(progress).error().error);
  if (!*progress || (*progress)->goal != place.label || !(*progress)->position) co_return false;
  uint64_t position = 0, valid_from = 0;
  if (!(std::istringstream(*(*progress)->position) >> position >> valid_from)) co_return false;
  if (position > latest->next_sequence) co_return false;
  if (position < latest->next_sequence) {
    store::GetShardPositionRequest there{.stream = stream,
                                         .shard_id = shard->shard_id,
                                         .type = store::IteratorType::kAtSequence,
                                         .sequence = position};
    auto kept = co_await streams_.GetShardPosition(there);
    if (!kept && kept.error().code == Code::kTrimmedData) co_return false;
    if (!kept) co_return Fail(std::move(kept).error());
  }
  place.position = position;
  place.valid_from = valid_from;
  co_return true;
}

Task<Status> UsageMeter::CountAll(size_t product) {
  std::map<std::string, Usage> counted;
  int64_t items = 0;
  store::ScanRequest request;
  request.table = products_[product].database->physical_name(kTable);
  request.limit = kItemsOfPage;
  do {
    auto page = co_await streams_.Scan(request);
    if (!page) co_return Fail(std::move(page).error());
    for (const item::PackedItem& item : page->items) {
      const auto pk = item.Find(TableOf(products_[product]).pk_attribute);
      if (!pk || !pk->is(item::Type::kString)) continue;
      const std::string owner = OwnerOf(product, pk->string());
      if (owner.empty()) continue;
      Usage& usage = counted[owner];
      usage.bytes += static_cast<int64_t>(item.ItemBytes());
      ++usage.items;
    }
    items += static_cast<int64_t>(page->items.size());
    request.exclusive_start_key = std::move(page->last_evaluated_key);
  } while (request.exclusive_start_key);
  if (items > 0) {
    log::Info("what users keep was counted", {{"application", products_[product].name},
                                              {"items", items},
                                              {"users", static_cast<int64_t>(counted.size())}});
  }
  for (const auto& [user_id, usage] : counted) {
    CO_RETURN_IF_ERROR(co_await Load(user_id));
    Shard& shard = ShardOf(user_id);
    std::lock_guard lock(shard.mutex);
    User& user = UserIn(shard, user_id);
    user.usage[product] = usage;
    user.is_dirty = true;
  }
  co_return Status();
}

}  // namespace cairn::quotas
