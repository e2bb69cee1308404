#include "engine/internal/catalog_record.h"

namespace cairn::engine::internal {
namespace {

using item::AttributeValue;
using item::Item;
using item::KeyElement;
using item::KeySchema;
using item::List;
using item::Map;
using item::Number;
using item::Type;

// Writing.

AttributeValue Integer(int64_t value) { return Number(value); }
AttributeValue Moment(Time time) { return Integer(time.time_since_epoch().count()); }

void SetTime(Map& map, std::string_view name, const std::optional<Time>& time) {
  if (time) map.Set(name, Moment(*time));
}

AttributeValue Elements(const std::vector<KeyElement>& elements) {
  List list;
  for (const KeyElement& element : elements) {
    list.push_back(Map{{"name", element.name}, {"type", item::TypeName(element.type)}});
  }
  return list;
}

AttributeValue Schema(const KeySchema& schema) {
  return Map{{"partition", Elements(schema.partition)}, {"sort", Elements(schema.sort)}};
}

AttributeValue Units(const store::Throughput& throughput) {
  return Map{{"read", Integer(throughput.read_units)}, {"write", Integer(throughput.write_units)}};
}

// "on_demand" and "warm" are there only where they were asked for.
void SetCapacity(Map& map, const std::optional<store::OnDemandThroughput>& on_demand,
                 const std::optional<store::Throughput>& warm) {
  if (on_demand) {
    Map ceilings;
    if (on_demand->max_read_units) ceilings.Set("read", Integer(*on_demand->max_read_units));
    if (on_demand->max_write_units) ceilings.Set("write", Integer(*on_demand->max_write_units));
    map.Set("on_demand", std::move(ceilings));
  }
  if (warm) map.Set("warm", Units(*warm));
}

Map IndexRecord(const Index& index) {
  const store::IndexDefinition& definition = index.definition;
  List included;
  for (const std::string& name : definition.included) included.push_back(name);
  Map record{{"id", Integer(index.id)},
             {"name", definition.name},
             {"kind", Integer(static_cast<int>(definition.kind))},
             {"schema", Schema(definition.key_schema)},
             {"projection", Integer(static_cast<int>(definition.projection))},
             {"included", std::move(included)},
             {"throughput", Units(definition.throughput)},
             {"status", Integer(static_cast<int>(index.status))}};
  SetCapacity(record, definition.on_demand, definition.warm);
  return record;
}

// Reading. Every getter gives a plain default when the attribute is absent or of another type: records are
// written only by this file, and their bytes are protected by checksums.

const AttributeValue* Typed(const Map& map, std::string_view name, Type type) {
  const AttributeValue* value = map.Find(name);
  return value && value->is(type) ? value : nullptr;
}

std::string Text(const Map& map, std::string_view name) {
  const AttributeValue* value = Typed(map, name, Type::kString);
  return value ? value->string() : std::string();
}

int64_t Whole(const Map& map, std::string_view name) {
  const AttributeValue* value = Typed(map, name, Type::kNumber);
  return value ? value->number().ToInteger().value_or(0) : 0;
}

bool Truth(const Map& map, std::string_view name) {
  const AttributeValue* value = Typed(map, name, Type::kBoolean);
  return value && value->boolean();
}

Time When(const Map& map, std::string_view name) { return Time(std::chrono::microseconds(Whole(map, name))); }

std::optional<Time> MaybeWhen(const Map& map, std::string_view name) {
  return map.Contains(name) ? std::optional(When(map, name)) : std::nullopt;
}

Map Inner(const Map& map, std::string_view name) {
  const AttributeValue* value = Typed(map, name, Type::kMap);
  return value ? value->map() : Map();
}

std::vector<Map> Inners(const Map& map, std::string_view name) {
  std::vector<Map> maps;
  if (const AttributeValue* value = Typed(map, name, Type::kList)) {
    for (const AttributeValue& entry : value->list()) {
      if (entry.is(Type::kMap)) maps.push_back(entry.map());
    }
  }
  return maps;
}

std::vector<KeyElement> ElementsFrom(const Map& map, std::string_view name) {
  std::vector<KeyElement> elements;
  for (const Map& entry : Inners(map, name)) {
    const std::string type = Text(entry, "type");
    elements.push_back({Text(entry, "name"), type == "N"   ? Type::kNumber
                                             : type == "B" ? Type::kBinary
                                                           : Type::kString});
  }
  return elements;
}

KeySchema SchemaFrom(const Map& map, std::string_view name) {
  const Map schema = Inner(map, name);
  return {ElementsFrom(schema, "partition"), ElementsFrom(schema, "sort")};
}

store::Throughput UnitsFrom(const Map& map, std::string_view name) {
  const Map units = Inner(map, name);
  return {Whole(units, "read"), Whole(units, "write")};
}

std::optional<store::OnDemandThroughput> CeilingsFrom(const Map& map) {
  if (!map.Contains("on_demand")) return std::nullopt;
  const Map ceilings = Inner(map, "on_demand");
  store::OnDemandThroughput on_demand;
  if (ceilings.Contains("read")) on_demand.max_read_units = Whole(ceilings, "read");
  if (ceilings.Contains("write")) on_demand.max_write_units = Whole(ceilings, "write");
  return on_demand;
}

std::optional<store::Throughput> WarmFrom(const Map& map) {
  return map.Contains("warm") ? std::optional(UnitsFrom(map, "warm")) : std::nullopt;
}

Index IndexFrom(const Map& record) {
  Index index;
  index.id = static_cast<uint32_t>(Whole(record, "id"));
  index.status = static_cast<store::IndexStatus>(Whole(record, "status"));
  // An interrupted filling starts over (internal/jobs.cc).
  if (index.status == store::IndexStatus::kCreating) index.filling = std::make_shared<IndexFilling>();
  index.definition = {.name = Text(record, "name"),
                      .kind = static_cast<store::IndexKind>(Whole(record, "kind")),
                      .key_schema = SchemaFrom(record, "schema"),
                      .projection = static_cast<store::ProjectionType>(Whole(record, "projection")),
                      .included = {},
                      .throughput = UnitsFrom(record, "throughput"),
                      .on_demand = CeilingsFrom(record),
                      .warm = WarmFrom(record)};
  if (const AttributeValue* included = Typed(record, "included", Type::kList)) {
    for (const AttributeValue& name : included->list()) index.definition.included.push_back(name.string());
  }
  return index;
}

std::map<std::string, std::string> TagsFrom(const Map& record) {
  std::map<std::string, std::string> tags;
  for (const item::Attribute& tag : Inner(record, "tags")) tags[tag.name] = tag.value.string();
  return tags;
}

}  // namespace

Item RecordOf(const Table& table) {
  const store::TableDefinition& definition = table.definition;
  Item record{{"id", Integer(table.id)},
              {"name", definition.name},
              {"uuid", table.uuid},
              {"status", Integer(static_cast<int>(table.status))},
              {"created", Moment(table.created)},
              {"schema", Schema(definition.key_schema)},
              {"attributes", Elements(definition.attribute_definitions)},
              {"billing", Integer(static_cast<int>(definition.billing_mode))},
              {"throughput", Units(definition.throughput)},
              {"protected", AttributeValue(definition.deletion_protection)},
              {"class", definition.table_class},
              {"latest_stream", table.latest_stream_label},
              {"restored_backup", table.restored_from_backup},
              {"restored_table", table.restored_from_table}};
  List indexes;
  for (const Index& index : table.indexes) indexes.push_back(IndexRecord(index));
  record.Set("indexes", std::move(indexes));
  Map tags;
  for (const auto& [key, value] : definition.tags) tags.Set(key, value);
  record.Set("tags", std::move(tags));
  SetCapacity(record, definition.on_demand, definition.warm);
  if (definition.sse_key) record.Set("sse_key", *definition.sse_key);
  if (table.expiry) {
    record.Set("expiry", Map{{"attribute", table.expiry->attribute},
                             {"id", Integer(table.expiry->id)},
                             {"backfilling", AttributeValue(table.expiry->backfilling)},
                             {"fractions", AttributeValue(true)}});
  }
  if (table.stream) {
    record.Set("stream", Map{{"id", Integer(table.stream->id)},
                             {"label", table.stream->label},
                             {"view", Integer(static_cast<int>(table.stream->view))}});
  }
  SetTime(record, "billing_changed", table.billing_mode_changed);
  SetTime(record, "increased", table.throughput_increased);
  SetTime(record, "decreased", table.throughput_decreased);
  SetTime(record, "restored", table.restored_at);
  return record;
}

Result<Table> TableFromRecord(const Item& record) {
  Table table;
  table.id = static_cast<uint32_t>(Whole(record, "id"));
  table.uuid = Text(record, "uuid");
  table.status = static_cast<store::TableStatus>(Whole(record, "status"));
  table.created = When(record, "created");
  table.definition = {.name = Text(record, "name"),
                      .key_schema = SchemaFrom(record, "schema"),
                      .attribute_definitions = ElementsFrom(record, "attributes"),
                      .indexes = {},
                      .billing_mode = static_cast<store::BillingMode>(Whole(record, "billing")),
                      .throughput = UnitsFrom(record, "throughput"),
                      .stream = {},
                      .deletion_protection = Truth(record, "protected"),
                      .table_class = Text(record, "class"),
                      .sse_key = {},
                      .tags = TagsFrom(record),
                      .on_demand = CeilingsFrom(record),
                      .warm = WarmFrom(record)};
  if (table.id == 0 || table.definition.name.empty() || table.key_schema().partition.empty()) {
    return Fail(Code::kDamaged, "catalog record of table '" + table.definition.name + "' is incomplete");
  }
  if (record.Contains("sse_key")) table.definition.sse_key = Text(record, "sse_key");
  for (const Map& index : Inners(record, "indexes")) table.indexes.push_back(IndexFrom(index));
  if (record.Contains("expiry")) {
    const Map expiry = Inner(record, "expiry");
    // Versions that did not write "fractions" made no rows for times with a fraction: they are filled in.
    table.expiry = Expiry{Text(expiry, "attribute"), static_cast<uint32_t>(Whole(expiry, "id")),
                          Truth(expiry, "backfilling") || !Truth(expiry, "fractions")};
  }
  if (record.Contains("stream")) {
    const Map stream = Inner(record, "stream");
    table.stream = StreamRef{static_cast<uint32_t>(Whole(stream, "id")), Text(stream, "label"),
                             static_cast<store::StreamView>(Whole(stream, "view"))};
    table.definition.stream = store::StreamSettings{table.stream->view};
  }
  table.latest_stream_label = Text(record, "latest_stream");
  table.billing_mode_changed = MaybeWhen(record, "billing_changed");
  table.throughput_increased = MaybeWhen(record, "increased");
  table.throughput_decreased = MaybeWhen(record, "decreased");
  table.restored_from_backup = Text(record, "restored_backup");
  table.restored_from_table = Text(record, "restored_table");
  table.restored_at = MaybeWhen(record, "restored");
  table.Derive();
  return table;
}

Item RecordOf(const Stream& stream) {
  Item record{{"id", Integer(stream.id)},
              {"table", stream.name.table},
              {"label", stream.name.label},
              {"view", Integer(static_cast<int>(stream.view))},
              {"schema", Schema(stream.key_schema)},
              {"created", Moment(stream.created)},
              {"start", Integer(static_cast<int64_t>(stream.starting_sequence))},
              {"trimmed_to", Integer(static_cast<int64_t>(stream.trimmed_to))}};
  if (stream.ending_sequence) record.Set("end", Integer(static_cast<int64_t>(*stream.ending_sequence)));
  SetTime(record, "disabled", stream.disabled);
  return record;
}

Result<Stream> StreamFromRecord(const Item& record) {
  Stream stream{.id = static_cast<uint32_t>(Whole(record, "id")),
                .name = {Text(record, "table"), Text(record, "label")},
                .view = static_cast<store::StreamView>(Whole(record, "view")),
                .key_schema = SchemaFrom(record, "schema"),
                .created = When(record, "created"),
                .starting_sequence = static_cast<uint64_t>(Whole(record, "start")),
                .ending_sequence = {},
                .disabled = MaybeWhen(record, "disabled"),
                .trimmed_to = static_cast<uint64_t>(Whole(record, "trimmed_to"))};
  if (record.Contains("end")) stream.ending_sequence = static_cast<uint64_t>(Whole(record, "end"));
  if (stream.id == 0) return Fail(Code::kDamaged, "catalog record of a stream is incomplete");
  return stream;
}

Item RecordOf(const Backup& backup) {
  Table table;  // the description's definition, in the shape of a table record
  const store::TableDescription& described = backup.description.table;
  table.id = backup.id;
  table.uuid = described.id;
  table.created = described.created;
  table.definition = described.definition;
  for (const store::IndexDefinition& definition : described.definition.indexes) {
    Index index;
    index.definition = definition;
    table.indexes.push_back(std::move(index));
  }
  Item record{{"backup", backup.description.id},
              {"name", backup.description.name},
              {"created", Moment(backup.description.created)},
              {"bytes", Integer(backup.description.size_bytes)},
              {"items", Integer(described.item_count)},
              {"complete", AttributeValue(backup.complete)},
              {"table", RecordOf(table)}};
  if (described.definition.stream)
    record.Set("view", Integer(static_cast<int>(described.definition.stream->view)));
  return record;
}

Result<Backup> BackupFromRecord(const Item& record) {
  ASSIGN_OR_RETURN(const Table table, TableFromRecord(Inner(record, "table")));
  Backup backup;
  backup.id = table.id;
  backup.complete = Truth(record, "complete");
  backup.description = {.id = Text(record, "backup"),
                        .name = Text(record, "name"),
                        .created = When(record, "created"),
                        .table = Describe(table),
                        .size_bytes = Whole(record, "bytes")};
  backup.description.table.item_count = Whole(record, "items");
  backup.description.table.size_bytes = backup.description.size_bytes;
  if (record.Contains("view")) {
    backup.description.table.definition.stream = {static_cast<store::StreamView>(Whole(record, "view"))};
  }
  return backup;
}

}  // namespace cairn::engine::internal
