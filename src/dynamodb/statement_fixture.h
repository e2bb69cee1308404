// StatementTest: PartiQL operations through Dispatch on a store that keeps items in memory. For tests only.
#pragma once

#include <string>
#include <string_view>

#include "dynamodb/wire_fixture.h"
#include "item/item_json.h"
#include "partiql/memory_store_for_test.h"

namespace cairn::dynamodb {

class StatementTest : public WireTest {
 protected:
  // Table H has the key pk; C has pk and sk. H holds the item x.
  StatementTest() {
    using item::Type;
    memory.AddTable({.name = "H", .key_schema = {{{"pk", Type::kString}}, {}}});
    memory.AddTable({.name = "C", .key_schema = {{{"pk", Type::kString}}, {{"sk", Type::kString}}}});
    memory.Put("H", {{"pk", "x"}, {"data", "old"}});
    for (const char* sk : {"1", "2", "3"}) memory.Put("C", {{"pk", "a"}, {"sk", sk}});
    store.on_describe_table = [this](std::string table) { return SyncWait(memory.DescribeTable(table)); };
    store.on_get_item = [this](store::GetItemRequest r) { return SyncWait(memory.GetItem(std::move(r))); };
    store.on_put_item = [this](store::PutItemRequest r) { return SyncWait(memory.PutItem(std::move(r))); };
    store.on_update_item = [this](store::UpdateItemRequest r) {
      return SyncWait(memory.UpdateItem(std::move(r)));
    };
    store.on_delete_item = [this](store::DeleteItemRequest r) {
      return SyncWait(memory.DeleteItem(std::move(r)));
    };
    store.on_query = [this](store::QueryRequest r) { return SyncWait(memory.Query(std::move(r))); };
    store.on_scan = [this](store::ScanRequest r) { return SyncWait(memory.Scan(std::move(r))); };
    store.on_transact_get_items = [this](store::TransactGetItemsRequest r) {
      return SyncWait(memory.TransactGetItems(std::move(r)));
    };
    store.on_transact_write_items = [this](store::TransactWriteItemsRequest r) {
      return SyncWait(memory.TransactWriteItems(std::move(r)));
    };
  }

  // {"Statement":"..." and further members, which begin with a comma.
  static std::string Statement(std::string_view text, std::string_view members = "") {
    std::string json = R"({"Statement":)";
    AppendJsonString(json, text);
    return json.append(members).append("}");
  }

  // {"Statements":[...]}: `list` is the member's name, `statements` are JSON objects.
  static std::string List(std::string_view list, std::initializer_list<std::string> statements,
                          std::string_view members = "") {
    std::string json;
    for (const std::string& statement : statements) json += (json.empty() ? "" : ",") + statement;
    return "{\"" + std::string(list) + "\":[" + json + "]" + std::string(members) + "}";
  }

  // The item with that key in H as JSON; empty when there is none.
  std::string Stored(std::string_view pk) {
    const item::Item* item = memory.Find("H", {{"pk", pk}});
    std::string json;
    if (item) item::AppendItemJson(json, *item);
    return json;
  }

  partiql::MemoryStore memory;
};

}  // namespace cairn::dynamodb
