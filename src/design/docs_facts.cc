#include "design/docs_facts.h"

#include <algorithm>

#include "design/examples.h"
#include "design/findings.h"
#include "design/key_facts.h"
#include "design/text_table.h"
#include "item/item_json.h"

namespace cairn::design {
namespace {

std::string Code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string Codes(const std::vector<std::string>& names) {
  std::vector<std::string> codes;
  for (const std::string& name : names) codes.push_back(Code(name));
  return Enumerate(codes);
}

// 90 days, 45 minutes: the largest unit that fits.
std::string DurationText(std::chrono::seconds duration) {
  const auto seconds = duration.count();
  struct Unit {
    int64_t seconds;
    const char* name;
  };
  for (const Unit& unit : {Unit{86400, "day"}, Unit{3600, "hour"}, Unit{60, "minute"}}) {
    if (seconds == 0 || seconds % unit.seconds != 0) continue;
    const int64_t count = seconds / unit.seconds;
    return ShortNumber(static_cast<double>(count)) + " " + unit.name + (count == 1 ? "" : "s");
  }
  return ShortNumber(static_cast<double>(seconds)) + " seconds";
}

std::string ValueText(const item::AttributeValue& value) {
  switch (value.type()) {
    case item::Type::kString:
      return value.string();
    case item::Type::kNumber:
      return value.number().ToString();
    case item::Type::kBoolean:
      return value.boolean() ? "true" : "false";
    default: {
      std::string json;
      item::AppendValueJson(json, value);
      return json;
    }
  }
}

std::string WriteText(model::WriteMode mode, model::DeletePolicy deletes) {
  switch (mode) {
    case model::WriteMode::kMutable:
      return deletes == model::DeletePolicy::kForbid ? "created once, then updated"
                                                     : "created once, then updated and deleted";
    case model::WriteMode::kAppend:
      return "appended: never changed, never deleted";
    case model::WriteMode::kOnce:
      return deletes == model::DeletePolicy::kForbid ? "written once: never changed, never deleted"
                                                     : "written once: never changed, may be deleted";
    case model::WriteMode::kUpsert:
      return "a put replaces what is there";
    case model::WriteMode::kIdempotent:
      return "creating again what exists changes nothing";
  }
  return "";
}

std::string TtlText(const model::Table& table, const model::TimeToLive& ttl) {
  std::string text = Code(table.ttl_attribute) + " is ";
  if (ttl.after.count() == 0 && ttl.after_parameter.empty()) return text + "the time of " + Code(ttl.from);
  text += DurationText(ttl.after) + " after " + Code(ttl.from);
  if (!ttl.after_parameter.empty()) text += " (configurable as " + Code(ttl.after_parameter) + ")";
  return text;
}

std::string TransitionsText(const model::Transitions& transitions) {
  std::string text = Code(transitions.attribute) + " goes ";
  bool first = true;
  for (const auto& [from, to] : transitions.allowed) {
    if (to.empty()) continue;
    text += (first ? "" : "; ") + Code(from) + " → " + Codes(to);
    first = false;
  }
  return text;
}

void AddLength(const model::ValueLimits& limits, const std::string& unit, std::vector<std::string>& rules) {
  if (limits.length_min && limits.length_max) {
    rules.push_back(std::to_string(*limits.length_min) + " to " + std::to_string(*limits.length_max) + " " +
                    unit);
  } else if (limits.length_max) {
    rules.push_back("at most " + std::to_string(*limits.length_max) + " " + unit);
  } else if (limits.length_min) {
    rules.push_back("at least " + std::to_string(*limits.length_min) + " " + unit);
  }
}

void AddLimits(const model::Attribute& attribute, std::vector<std::string>& rules) {
  const model::ValueLimits& limits = attribute.limits;
  const bool text = attribute.type.StoredType() == item::Type::kString;
  AddLength(limits, text ? "bytes" : "elements", rules);
  if (limits.min && limits.max) {
    rules.push_back(limits.min->ToString() + " to " + limits.max->ToString());
  } else if (limits.min) {
    rules.push_back("at least " + limits.min->ToString());
  } else if (limits.max) {
    rules.push_back("at most " + limits.max->ToString());
  }
  if (!limits.in.empty()) rules.push_back("one of " + Codes(limits.in));
  if (!limits.pattern.empty()) rules.push_back("matches " + Code(limits.pattern));
}

void AddOrigin(const model::Attribute& attribute, std::vector<std::string>& rules) {
  switch (attribute.generate) {
    case model::Generate::kNo:
      break;
    case model::Generate::kUlid:
      rules.push_back("generated ULID");
      break;
    case model::Generate::kUuid:
      rules.push_back("generated UUID");
      break;
    case model::Generate::kNow:
      rules.push_back("generated: the time");
  }
  if (attribute.automatic == model::Auto::kCreate) rules.push_back("set when created");
  if (attribute.automatic == model::Auto::kUpdate) rules.push_back("set with every write");
  if (attribute.default_value) rules.push_back("default " + Code(ValueText(*attribute.default_value)));
}

std::string SortConditionText(const std::string& name, const model::SortCondition& condition) {
  const std::string low = Code(condition.low.text());
  switch (condition.op) {
    case model::SortOperator::kNone:
      return "";
    case model::SortOperator::kEqual:
      return Code(name) + " = " + low;
    case model::SortOperator::kBegins:
      return Code(name) + " begins with " + low;
    case model::SortOperator::kBetween:
      return Code(name) + " between " + low + " and " + Code(condition.high.text());
    case model::SortOperator::kLess:
      return Code(name) + " < " + low;
    case model::SortOperator::kLessOrEqual:
      return Code(name) + " ≤ " + low;
    case model::SortOperator::kGreater:
      return Code(name) + " > " + low;
    case model::SortOperator::kGreaterOrEqual:
      return Code(name) + " ≥ " + low;
  }
  return "";
}

std::string UnitName(model::Format unit) {
  switch (unit) {
    case model::Format::kYearMonth:
      return "month";
    case model::Format::kYearMonthDay:
      return "day";
    default:
      return "year";
  }
}

// What has the same example lies in the same partition, however the templates call their attributes.
void AddToPicture(std::vector<PicturePartition>& picture, const model::Model& model,
                  const model::Entity& entity, const model::Template& pk, PictureRow row) {
  std::string example = ExampleKey(model, entity, pk, 0);
  auto partition = std::find_if(picture.begin(), picture.end(),
                                [&](const PicturePartition& other) { return other.example == example; });
  if (partition == picture.end()) {
    picture.push_back({std::move(example), {}, {}});
    partition = picture.end() - 1;
  }
  const bool known = std::any_of(partition->templates.begin(), partition->templates.end(),
                                 [&](const model::Template* other) { return other->text() == pk.text(); });
  if (!known) partition->templates.push_back(&pk);
  partition->rows.push_back(std::move(row));
}

void SortRows(std::vector<PicturePartition>& picture) {
  for (PicturePartition& partition : picture) {
    std::stable_sort(partition.rows.begin(), partition.rows.end(),
                     [](const PictureRow& a, const PictureRow& b) { return a.example < b.example; });
  }
}

}  // namespace

std::vector<Fact> TableFacts(const model::Model& model, size_t position) {
  const model::Table& table = model.tables[position];
  std::vector<Fact> facts;
  facts.push_back({"Name", Code(table.physical_name)});
  facts.push_back(
      {"Key", Code(table.pk_attribute) +
                  (table.sk_attribute.empty() ? ", no sort key" : " and " + Code(table.sk_attribute))});
  facts.push_back(
      {"Told apart by", table.type_attribute.empty() ? "their keys" : Code(table.type_attribute)});
  if (table.tenant) {
    facts.push_back({"Belongs to", Code(table.tenant->parameter) + ": partitions begin with " +
                                       Code(table.tenant->leading.text()) + ", from the claim " +
                                       Code(table.tenant->claim)});
  }
  if (!table.ttl_attribute.empty()) facts.push_back({"Time to live", Code(table.ttl_attribute)});
  facts.push_back({"Billing", table.billing == "provisioned" ? "provisioned" : "on demand"});
  if (table.stream == model::StreamContent::kNone) facts.push_back({"Stream", "none"});
  if (table.stream == model::StreamContent::kKeys) facts.push_back({"Stream", "keys only"});
  if (!table.region.empty()) facts.push_back({"Region", table.region});
  if (table.delete_policy == model::DeletePolicy::kForbid) facts.push_back({"Deletes", "forbidden"});
  if (table.best_effort)
    facts.push_back({"Writes", "best effort: they may fail without failing what they accompany"});
  if (!table.assumed.empty()) facts.push_back({"Assumed", table.assumed});
  return facts;
}

std::vector<Fact> EntityFacts(const model::Model& model, const model::Entity& entity) {
  const model::Table& table = model.TableOf(entity);
  std::vector<Fact> facts;
  facts.push_back({"Writes", WriteText(entity.write, table.delete_policy)});
  if (entity.scope == model::Scope::kGlobal) {
    facts.push_back({"Scope", entity.public_read ? "global: written by the system, read by everyone"
                                                 : "global: for the system only"});
  }
  if (!entity.lock.version_attribute.empty()) {
    facts.push_back({"Lock", Code(entity.lock.version_attribute) + " counts up with every write"});
  } else if (!entity.lock.on_attribute.empty()) {
    facts.push_back({"Lock", "compare and set on " + Code(entity.lock.on_attribute)});
  }
  if (entity.ttl.enabled()) facts.push_back({"Expires", TtlText(table, entity.ttl)});
  for (const model::Unique& unique : entity.uniques) {
    facts.push_back({"Unique", Codes(unique.attributes) + ", guarded by the item " + Code(unique.pk.text())});
  }
  for (const model::RequireIf& rule : entity.require_if) {
    facts.push_back({"Requires", Codes(rule.attributes) + " when " + Code(rule.when.text()) +
                                     (rule.forbid_otherwise ? ", and absent otherwise" : "")});
  }
  if (entity.transitions) facts.push_back({"Transitions", TransitionsText(*entity.transitions)});
  if (entity.tombstone) {
    std::vector<std::string> sets;
    for (const auto& [name, value] : entity.tombstone->set) sets.push_back(name + " = " + ValueText(value));
    facts.push_back({"Deleting", "marks it: " + Codes(sets)});
  }
  if (entity.mirror) {
    facts.push_back({"Mirrors", Code(entity.mirror->entity + "." + entity.mirror->attribute) +
                                    ", in the same transaction"});
  }
  if (!entity.owner_parent.empty())
    facts.push_back({"Owner", "writes check that the " + entity.owner_parent + " is the caller's"});
  if (!entity.head_of.empty()) facts.push_back({"Points at", "the newest " + entity.head_of});
  if (entity.on_key_conflict == model::OnKeyConflict::kBumpMillisecond) {
    facts.push_back({"Same key", "the later one moves by a millisecond"});
  }
  if (!entity.overflow_attribute.empty()) {
    facts.push_back({"Overflow", Code(entity.overflow_attribute) + " goes to " + Code(entity.overflow_to)});
  }
  if (!entity.assumed.empty()) facts.push_back({"Assumed", entity.assumed});
  return facts;
}

std::vector<Fact> PatternFacts(const model::Pattern& pattern) {
  std::vector<Fact> facts;
  if (!pattern.rest.empty()) facts.push_back({"REST", Code(pattern.rest)});
  std::vector<std::string> parameters;
  for (const model::Parameter& parameter : pattern.parameters) {
    parameters.push_back(Code(parameter.name) + " " + parameter.type.ToString());
  }
  if (!parameters.empty()) facts.push_back({"Parameters", Enumerate(parameters)});
  const bool queries = std::any_of(pattern.steps.begin(), pattern.steps.end(),
                                   [](const model::Read& read) { return !read.get; });
  if (queries) {
    facts.push_back({"Order", pattern.order == model::ReadOrder::kDescending ? "descending" : "ascending"});
    std::string pages =
        std::to_string(pattern.limit_default) + " items a page, at most " + std::to_string(pattern.limit_max);
    if (pattern.max_items) {
      pages += "; above " + ShortNumber(static_cast<double>(*pattern.max_items)) + " items " +
               (pattern.on_exceed == model::OnExceed::kError ? "it fails" : "it is cut off");
    }
    facts.push_back({"Pages", pages});
  }
  if (!pattern.project.empty()) facts.push_back({"Returns", Codes(pattern.project)});
  if (pattern.fanout) {
    facts.push_back({"Repeated", "for every " + UnitName(pattern.fanout->unit) + " from " +
                                     Code(pattern.fanout->from) + " to " + Code(pattern.fanout->to) +
                                     ", as " + Code(pattern.fanout->parameter)});
  }
  if (pattern.lookback) {
    facts.push_back({"Looks back", DurationText(pattern.lookback->max_duration) + " before " +
                                       Code(pattern.lookback->from) + " and keeps what " +
                                       Code(pattern.lookback->keep_if.text()) + " lets through"});
  }
  if (pattern.scope == model::Scope::kCaller) facts.push_back({"Scope", "only the caller's items come back"});
  if (pattern.scope == model::Scope::kGlobal) facts.push_back({"Scope", "global"});
  if (pattern.verify_owner) facts.push_back({"Owner", "checked on every item"});
  if (pattern.slo_p99_ms)
    facts.push_back({"Target", "p99 below " + ShortNumber(*pattern.slo_p99_ms) + " ms"});
  if (!pattern.assumed.empty()) facts.push_back({"Assumed", pattern.assumed});
  return facts;
}

std::vector<Fact> GuardFacts(const model::Model& model) {
  const model::Guard& guard = model.guard;
  std::vector<Fact> facts;
  facts.push_back({"Scan", guard.forbid_scan ? "forbidden" : "allowed"});
  facts.push_back({"Filters", "look at no more than " +
                                  ShortNumber(static_cast<double>(guard.filter_max_scanned)) + " items"});
  facts.push_back({"Pages", "have at most " + ShortNumber(static_cast<double>(guard.page_over)) + " items"});
  if (guard.require_projection) facts.push_back({"Projection", "required"});
  if (guard.forbid_unbounded_pages) facts.push_back({"Unbounded reads", "forbidden"});
  facts.push_back({"Batches", std::to_string(guard.batch_write_chunk) + " writes each"});
  return facts;
}

std::string AttributeRules(const model::Attribute& attribute) {
  std::vector<std::string> rules;
  if (attribute.required) rules.push_back("required");
  AddOrigin(attribute, rules);
  if (!attribute.type.prefix.empty()) rules.push_back("begins with " + Code(attribute.type.prefix));
  AddLimits(attribute, rules);
  if (attribute.nullable) rules.push_back("may be null");
  if (attribute.immutable) rules.push_back("never changes");
  if (attribute.counter) rules.push_back("counter");
  if (attribute.secret) rules.push_back("secret");
  if (attribute.omit_empty) rules.push_back("left out when empty");
  if (attribute.in_key_only) rules.push_back("told by the key");
  if (attribute.escape == model::Escape::kPercent) rules.push_back("escaped in keys");
  if (!attribute.after.empty()) rules.push_back("after " + Code(attribute.after));
  if (attribute.stored_as != attribute.name && !attribute.in_key_only)
    rules.push_back("stored as " + Code(attribute.stored_as));
  std::string text;
  for (const std::string& rule : rules) text += (text.empty() ? "" : ", ") + rule;
  return text;
}

std::string KeyCondition(const model::Model& model, const model::Read& read) {
  const model::Table& table = model.tables[read.table];
  const std::string& pk = read.index ? table.indexes[*read.index].pk_attribute : table.pk_attribute;
  const std::string& sk = read.index ? table.indexes[*read.index].sk_attribute : table.sk_attribute;
  std::string text = Code(pk) + " = " + Code(read.pk.text());
  const std::string sort = SortConditionText(sk, read.sk);
  return sort.empty() ? text : text + " and " + sort;
}

std::string CallName(const model::Model& model, const model::Read& read) {
  std::string name = read.get ? "GetItem" : "Query";
  if (read.index) name += " " + model.tables[read.table].indexes[*read.index].name;
  return name;
}

std::vector<std::string> EntityNames(const model::Model& model, const model::Read& read) {
  std::vector<std::string> names;
  for (const size_t entity : read.entities) names.push_back(model.entities[entity].name);
  return names;
}

std::string ProjectionText(const model::Index& index) {
  if (index.project_all) return "everything";
  return index.included.empty() ? "keys only" : "keys and " + Codes(index.included);
}

std::vector<PicturePartition> PictureOfTable(const model::Model& model, size_t table) {
  std::vector<PicturePartition> picture;
  for (const model::Entity& entity : model.entities) {
    if (entity.table != table) continue;
    AddToPicture(picture, model, entity, entity.pk,
                 {&entity, &entity.pk, &entity.sk, ExampleKey(model, entity, entity.sk, 0), ""});
  }
  SortRows(picture);
  return picture;
}

std::vector<PicturePartition> PictureOfIndex(const model::Model& model, size_t table, size_t index) {
  std::vector<PicturePartition> picture;
  for (const model::Entity& entity : model.entities) {
    if (entity.table != table) continue;
    const model::EntityIndex* in = FindIndex(entity, index);
    if (in == nullptr) continue;
    AddToPicture(picture, model, entity, in->pk,
                 {&entity, &in->pk, &in->sk, ExampleKey(model, entity, in->sk, 0), in->when.text()});
  }
  SortRows(picture);
  return picture;
}

}  // namespace cairn::design
