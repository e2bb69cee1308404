#include "data_api/item_view.h"

#include <algorithm>

#include "item/item_json.h"

namespace cairn::data_api {
namespace {

bool IsSecret(const model::Model& model, size_t table, const std::string& stored_name) {
  return std::ranges::any_of(model.entities, [&](const model::Entity& entity) {
    const model::Attribute* attribute = entity.table == table ? entity.FindStored(stored_name) : nullptr;
    return attribute != nullptr && attribute->secret;
  });
}

rest::Json JsonOf(const item::Item& item) {
  rest::Json json{.text = ""};
  item::AppendItemJson(json.text, item);
  return json;
}

}  // namespace

std::vector<size_t> EntitiesOf(const model::Model& model, size_t table) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < model.entities.size(); ++i) {
    if (model.entities[i].table == table) positions.push_back(i);
  }
  return positions;
}

ItemView ViewOf(const model::Model& model, size_t table, const model::Entity* entity,
                const item::PackedItem& item) {
  const model::Table& definition = model.tables[table];
  ItemView view;
  if (entity != nullptr) view.entity = entity->name;
  item::Item keys, others;
  for (item::Attribute& attribute : item.Unpack()) {
    if (IsSecret(model, table, attribute.name)) {
      view.hidden.push_back(attribute.name);
      continue;
    }
    const bool is_key =
        attribute.name == definition.pk_attribute || attribute.name == definition.sk_attribute;
    (is_key ? keys : others).Set(attribute.name, std::move(attribute.value));
  }
  view.keys = JsonOf(keys);
  view.attributes = JsonOf(others);
  return view;
}

EntityView ViewOf(const model::Entity& entity) {
  return {.name = entity.name, .doc = entity.doc, .pk = entity.pk.text(), .sk = entity.sk.text()};
}

}  // namespace cairn::data_api
