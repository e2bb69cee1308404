// The item verbs of Store except Scan, called alike: with a table and the keys of items. For tests of what
// stands in front of a store.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamodb/fake_store.h"
#include "store/store.h"

namespace cairn::dynamodb {

struct ItemVerb {
  enum class Keys { kOne, kMany };
  enum class Effect { kReads, kWrites };

  std::string_view name;
  Keys keys;
  Effect effect;
  std::function<Status(store::Store&, const std::string& table, std::vector<item::Item> keys)> run;
};

// Both kinds of failure as a Status.
inline Status StatusOf(const auto& result) {
  if (result) return {};
  if constexpr (requires { result.error().error; })
    return Fail(result.error().error);
  else
    return Fail(result.error());
}

inline store::QueryRequest QueryOf(const std::string& table, const std::string& attribute,
                                   item::AttributeValue value) {
  store::QueryRequest request;
  request.table = table;
  request.key_condition.comparisons.push_back({.attribute = attribute, .value = std::move(value)});
  return request;
}

inline Status RunTransaction(store::Store& store, std::vector<item::Item> keys, auto make_action) {
  store::TransactWriteItemsRequest request;
  for (item::Item& key : keys) request.actions.push_back({make_action(std::move(key))});
  return StatusOf(SyncWait(store.TransactWriteItems(std::move(request))));
}

inline const ItemVerb kItemVerbs[] = {
    {"GetItem", ItemVerb::Keys::kOne, ItemVerb::Effect::kReads,
     [](store::Store& store, const std::string& table, std::vector<item::Item> keys) {
       return StatusOf(SyncWait(store.GetItem({.table = table, .key = keys.at(0)})));
     }},
    {"PutItem", ItemVerb::Keys::kOne, ItemVerb::Effect::kWrites,
     [](store::Store& store, const std::string& table, std::vector<item::Item> keys) {
       return StatusOf(SyncWait(store.PutItem({.table = table, .item = keys.at(0)})));
     }},
    {"UpdateItem", ItemVerb::Keys::kOne, ItemVerb::Effect::kWrites,
     [](store::Store& store, const std::string& table, std::vector<item::Item> keys) {
       return StatusOf(SyncWait(store.UpdateItem({.table = table, .key = keys.at(0)})));
     }},
    {"DeleteItem", ItemVerb::Keys::kOne, ItemVerb::Effect::kWrites,
     [](store::Store& store, const std::string& table, std::vector<item::Item> keys) {
       return StatusOf(SyncWait(store.DeleteItem({.table = table, .key = keys.at(0)})));
     }},
    {"Query", ItemVerb::Keys::kOne, ItemVerb::Effect::kReads,
     [](store::Store& store, const std::string& table, std::vector<item::Item> keys) {
       // By the table's own partition key, as a well-behaved client does.
       const auto description = SyncWait(store.DescribeTable(table));
       const std::string name =
           description ? description->definition.key_schema.partition.front().name : std::string("pk");
       return StatusOf(SyncWait(store.Query(QueryOf(table, name, *keys.at(0).Find(name)))));
     }},
    {"BatchGetItem", ItemVerb::Keys::kMany, ItemVerb::Effect::kReads,
     [](store::Store& store, const std::string& table, std::vector<item::Item> keys) {
       store::BatchGetItemRequest request;
       request.tables.push_back({.table = table, .keys = std::move(keys)});
       return StatusOf(SyncWait(store.BatchGetItem(std::move(request))));
     }},
    {"BatchWriteItem of puts", ItemVerb::Keys::kMany, ItemVerb::Effect::kWrites,
     [](store::Store& store, const std::string& table, std::vector<item::Item> keys) {
       store::BatchWriteItemRequest request;
       request.tables.push_back({.table = table, .actions = {}});
       for (item::Item& key : keys) request.tables[0].actions.push_back(store::BatchPut{std::move(key)});
       return StatusOf(SyncWait(store.BatchWriteItem(std::move(request))));
     }},
    {"BatchWriteItem of deletes", ItemVerb::Keys::kMany, ItemVerb::Effect::kWrites,
     [](store::Store& store, const std::string& table, std::vector<item::Item> keys) {
       store::BatchWriteItemRequest request;
       request.tables.push_back({.table = table, .actions = {}});
       for (item::Item& key : keys) request.tables[0].actions.push_back(store::BatchDelete{std::move(key)});
       return StatusOf(SyncWait(store.BatchWriteItem(std::move(request))));
     }},
    {"TransactGetItems", ItemVerb::Keys::kMany, ItemVerb::Effect::kReads,
     [](store::Store& store, const std::string& table, std::vector<item::Item> keys) {
       store::TransactGetItemsRequest request;
       for (item::Item& key : keys) request.gets.push_back({.table = table, .key = std::move(key)});
       return StatusOf(SyncWait(store.TransactGetItems(std::move(request))));
     }},
    {"TransactWriteItems of checks", ItemVerb::Keys::kMany, ItemVerb::Effect::kWrites,
     [](store::Store& store, const std::string& table, std::vector<item::Item> keys) {
       return RunTransaction(store, std::move(keys), [&](item::Item key) {
         return store::ConditionCheck{table, std::move(key), nullptr};
       });
     }},
    {"TransactWriteItems of puts", ItemVerb::Keys::kMany, ItemVerb::Effect::kWrites,
     [](store::Store& store, const std::string& table, std::vector<item::Item> keys) {
       return RunTransaction(store, std::move(keys), [&](item::Item key) {
         return store::TransactPut{table, std::move(key), nullptr};
       });
     }},
    {"TransactWriteItems of deletes", ItemVerb::Keys::kMany, ItemVerb::Effect::kWrites,
     [](store::Store& store, const std::string& table, std::vector<item::Item> keys) {
       return RunTransaction(store, std::move(keys), [&](item::Item key) {
         return store::TransactDelete{table, std::move(key), nullptr};
       });
     }},
    {"TransactWriteItems of updates", ItemVerb::Keys::kMany, ItemVerb::Effect::kWrites,
     [](store::Store& store, const std::string& table, std::vector<item::Item> keys) {
       return RunTransaction(store, std::move(keys), [&](item::Item key) {
         return store::TransactUpdate{table, std::move(key), {}, nullptr};
       });
     }},
};

// Scripts all item verbs to succeed with nothing, and to note the keys and items they were called with.
inline void RecordVerbs(FakeStore& fake, std::vector<item::Item>& reached) {
  fake.on_get_item = [&](store::GetItemRequest request) {
    reached.push_back(request.key);
    return store::GetItemResponse();
  };
  fake.on_put_item = [&](store::PutItemRequest request) {
    reached.push_back(request.item);
    return store::WriteResponse();
  };
  fake.on_update_item = [&](store::UpdateItemRequest request) {
    reached.push_back(request.key);
    return store::WriteResponse();
  };
  fake.on_delete_item = [&](store::DeleteItemRequest request) {
    reached.push_back(request.key);
    return store::WriteResponse();
  };
  fake.on_query = [&](store::QueryRequest request) {
    const expr::KeyComparison& comparison = request.key_condition.comparisons.at(0);
    reached.push_back({{comparison.attribute, comparison.value}});
    return store::PageResponse();
  };
  fake.on_scan = [&](store::ScanRequest) {
    reached.push_back({{"scan", "everything"}});
    return store::PageResponse();
  };
  fake.on_batch_get_item = [&](store::BatchGetItemRequest request) {
    for (const store::BatchGetTable& table : request.tables) {
      reached.insert(reached.end(), table.keys.begin(), table.keys.end());
    }
    return store::BatchGetItemResponse();
  };
  fake.on_batch_write_item = [&](store::BatchWriteItemRequest request) {
    for (const store::BatchWriteTable& table : request.tables) {
      for (const store::BatchWriteAction& action : table.actions) {
        const auto* put = std::get_if<store::BatchPut>(&action);
        reached.push_back(put ? put->item : std::get<store::BatchDelete>(action).key);
      }
    }
    return store::BatchWriteItemResponse();
  };
  fake.on_transact_get_items = [&](store::TransactGetItemsRequest request) {
    for (const store::TransactGet& get : request.gets) reached.push_back(get.key);
    return store::TransactGetItemsResponse();
  };
  fake.on_transact_write_items = [&](store::TransactWriteItemsRequest request) {
    for (const store::TransactAction& action : request.actions) {
      if (const auto* put = std::get_if<store::TransactPut>(&action.action)) reached.push_back(put->item);
      if (const auto* remove = std::get_if<store::TransactDelete>(&action.action))
        reached.push_back(remove->key);
      if (const auto* update = std::get_if<store::TransactUpdate>(&action.action))
        reached.push_back(update->key);
      if (const auto* check = std::get_if<store::ConditionCheck>(&action.action))
        reached.push_back(check->key);
    }
    return store::TransactWriteItemsResponse();
  };
}

}  // namespace cairn::dynamodb
