#include "domains/nexus/conformance.h"

#include <algorithm>
#include <set>

#include "base/yield.h"
#include "model/check_item.h"
#include "model/cursor.h"

namespace cairn::nexus {
namespace {

using item::AttributeValue;
using item::Item;
using item::Type;

constexpr size_t kTable = 0;  // the model has one
constexpr size_t kFindingsMax = 1'000;
constexpr int64_t kPageMax = 250;
constexpr std::string_view kCursorUse = "nexus conformance";

constexpr ConformanceRule kRules[] = {
    {"keys", "PK is USER#<userId>, SK is <ENTITY_TYPE>#<id>, and index keys come in pairs"},
    {"agenda-year", "GSI1PK is USER#<userId>#<YYYY> with the year of GSI1SK, an instant"},
    {"state-key", "GSI3PK is USER#<userId>, GSI3SK is TYPE#STATUS#SORT"},
    {"camel-case", "Attributes are called in camelCase, but for PK, SK and the keys of indexes"},
    {"entity-type", "entityType is upper case and one that is known"},
    {"prefixed-ids", "Ids are <prefix>_<uuid>"},
    {"mandatory",
     "PK, SK, entityType, the entity's id, version (a number), createdAt, updatedAt; of events both times"},
    {"instants", "Moments are exactly YYYY-MM-DDTHH:mm:ssZ"},
    {"time-zones", "Zones are IANA names; startTzid may be null, which floats"},
    {"sets", "What has no order and no duplicates is a set, and never an empty one"},
    {"agenda-dated", "GSI1 has dated things only: no task in the backlog or archived, no note, no master"},
    {"series-only", "GSI2 has items of a series only: MASTER#<masterId>, INSTANCE#<date>"},
    {"index-keys", "Index keys are those that the model makes of the item's attributes"},
    {"values", "Everything else that the model says of the item's attributes"},
};
static_assert(std::size(kRules) == kRuleCount);

bool IsUpper(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
}

bool IsCamelCase(std::string_view name) {
  const auto is_letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && name[0] >= 'a' && name[0] <= 'z' && std::ranges::all_of(name, is_letter_or_digit);
}

bool IsOfKind(const model::ValueType& type, const AttributeValue& value) {
  AttributeValue canonical = value;
  return model::CheckValue(type, {}, canonical).has_value() && canonical == value;
}
bool IsInstant(const AttributeValue& value) {
  static const model::ValueType kType{.kind = model::Kind::kInstant};
  return IsOfKind(kType, value);
}

std::vector<std::string_view> PartsOf(std::string_view key) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = key.find('#');
    parts.push_back(key.substr(0, end));
    if (end == std::string_view::npos) return parts;
    key.remove_prefix(end + 1);
  }
}

class Checker {
 public:
  Checker(const model::Database& database, const item::PackedItem& packed)
      : database_(database),
        packed_(packed),
        item_(packed.Unpack()),
        table_(database.model().tables[kTable]) {
    for (const model::Entity& entity : database.model().entities) {
      if (entity.type == Text("entityType")) entity_ = &entity;
    }
  }

  std::vector<ConformanceFinding> Run() {
    CheckKeys();
    CheckAgenda();
    CheckState();
    CheckSeries();
    CheckNames(item_, "");
    CheckType();
    CheckMandatory();
    for (const item::Attribute& attribute : item_) CheckAttribute(attribute);
    CheckWithModel();
    return std::move(findings_);
  }

 private:
  void Report(RuleId rule, std::string_view attribute, std::string message) {
    told_.emplace(attribute);
    findings_.push_back({.rule = rule,
                         .pk = std::string(Text("PK")),
                         .sk = std::string(Text("SK")),
                         .message = std::string(attribute) + " " + std::move(message)});
  }

  // "" when it is not there or no text.
  std::string_view Text(std::string_view name) const {
    const AttributeValue* value = item_.Find(name);
    return value != nullptr && value->is(Type::kString) ? std::string_view(value->string()) : "";
  }
  bool Has(std::string_view name) const { return item_.Contains(name); }
  std::string_view UserPart() const {
    const auto parts = PartsOf(Text("PK"));
    return parts.size() == 2 && parts[0] == "USER" ? parts[1] : "";
  }
  const model::Attribute* OwnId() const {
    if (entity_ == nullptr) return nullptr;
    for (const model::Attribute& attribute : entity_->attributes) {
      const auto in_key = entity_->sk.Dependencies();
      if (std::ranges::find(in_key, attribute.stored_as) != in_key.end()) return &attribute;
    }
    return nullptr;
  }

  void CheckKeys() {
    if (UserPart().empty()) Report(RuleId::kKeys, "PK", "must be USER#<userId>");
    const auto parts = PartsOf(Text("SK"));
    if (parts.size() != 2 || parts[0] != Text("entityType") || parts[1].empty()) {
      Report(RuleId::kKeys, "SK", "must be <entityType>#<id>");
    } else if (const model::Attribute* id = OwnId(); id != nullptr && parts[1] != Text(id->stored_as)) {
      Report(RuleId::kKeys, "SK", "must end with " + id->stored_as);
    }
    for (const model::Index& index : table_.indexes) {
      if (Has(index.pk_attribute) != Has(index.sk_attribute)) {
        const bool lacks_sort_key = Has(index.pk_attribute);
        Report(RuleId::kKeys, lacks_sort_key ? index.sk_attribute : index.pk_attribute,
               "is missing beside " + (lacks_sort_key ? index.pk_attribute : index.sk_attribute));
      }
    }
  }

  void CheckAgenda() {
    if (!Has("GSI1PK") && !Has("GSI1SK")) return;
    const AttributeValue* moment = item_.Find("GSI1SK");
    if (moment == nullptr || !IsInstant(*moment)) {
      Report(RuleId::kAgendaYear, "GSI1SK", "must be a moment such as 2026-11-16T09:00:00Z");
    } else {
      const std::string right = std::string(Text("PK")) + "#" + moment->string().substr(0, 4);
      if (Text("GSI1PK") != right)
        Report(RuleId::kAgendaYear, "GSI1PK", "must be " + right + ", with the year of GSI1SK");
    }
    if (const std::string_view why = WhyNotOnAgenda(); !why.empty())
      Report(RuleId::kAgendaDated, "GSI1PK", "must not be there: " + std::string(why));
  }

  // "" for what may be there.
  std::string_view WhyNotOnAgenda() const {
    const std::string_view type = Text("entityType");
    if (type == "EVENT" || type == "INSTANCE") return "";
    if (type == "REMINDER") return Has("triggerUtc") ? "" : "the reminder has no triggerUtc";
    if (type != "TASK") return "only events, instances, tasks and reminders are on the agenda";
    if (!Has("dueUtc")) return "the task has no dueUtc";
    const std::string_view status = Text("status");
    return status == "BACKLOG" || status == "ARCHIVED" ? "the task is in the backlog or archived" : "";
  }

  void CheckState() {
    if (!Has("GSI3PK") && !Has("GSI3SK")) return;
    if (Text("GSI3PK") != Text("PK")) Report(RuleId::kStateKey, "GSI3PK", "must be as PK");
    const auto parts = PartsOf(Text("GSI3SK"));
    const bool is_whole =
        parts.size() >= 3 && std::ranges::none_of(parts, [](std::string_view part) { return part.empty(); });
    if (!is_whole || !IsUpper(parts[0])) Report(RuleId::kStateKey, "GSI3SK", "must be TYPE#STATUS#SORT");
  }

  void CheckSeries() {
    if (!Has("GSI2PK") && !Has("GSI2SK")) return;
    const std::string_view type = Text("entityType"), master = Text("masterId");
    const bool is_of_series =
        type == "MASTER" || type == "INSTANCE" || (type == "TASK" && Has("masterId") && Has("date"));
    if (!is_of_series) return Report(RuleId::kSeriesOnly, "GSI2PK", "must not be there: it is of no series");
    const std::string right = "MASTER#" + std::string(master);
    if (Text("GSI2PK") != right) Report(RuleId::kSeriesOnly, "GSI2PK", "must be MASTER#<masterId>");
    const std::string sort = type == "MASTER" ? right : "INSTANCE#" + std::string(Text("date"));
    if (Text("GSI2SK") != sort) Report(RuleId::kSeriesOnly, "GSI2SK", "must be " + sort);
  }

  bool IsKeyName(std::string_view name) const {
    if (name == table_.pk_attribute || name == table_.sk_attribute) return true;
    return std::ranges::any_of(table_.indexes, [&](const model::Index& index) {
      return name == index.pk_attribute || name == index.sk_attribute;
    });
  }

  void CheckNames(const Item& map, const std::string& above) {
    for (const item::Attribute& attribute : map) {
      const std::string name = above + attribute.name;
      if (above.empty() && IsKeyName(attribute.name)) continue;
      if (!IsCamelCase(attribute.name)) Report(RuleId::kCamelCase, name, "is not camelCase");
      if (attribute.value.is(Type::kMap)) CheckNames(attribute.value.map(), name + ".");
      if (!attribute.value.is(Type::kList)) continue;
      for (const AttributeValue& element : attribute.value.list()) {
        if (element.is(Type::kMap)) CheckNames(element.map(), name + "[].");
      }
    }
  }

  void CheckType() {
    const std::string_view type = Text("entityType");
    if (type.empty()) return Report(RuleId::kMandatory, "entityType", "is missing");
    if (!IsUpper(type)) Report(RuleId::kEntityType, "entityType", "must be upper case");
    if (entity_ == nullptr)
      Report(RuleId::kEntityType, "entityType", "is none that is known: " + std::string(type));
  }

  void CheckMandatory() {
    for (const std::string_view name : {"version", "createdAt", "updatedAt"}) {
      if (!Has(name)) Report(RuleId::kMandatory, name, "is missing");
    }
    const AttributeValue* version = item_.Find("version");
    if (version != nullptr && !version->is(Type::kNumber))
      Report(RuleId::kMandatory, "version", "must be a number");
    if (const model::Attribute* id = OwnId(); id != nullptr && !Has(id->stored_as))
      Report(RuleId::kMandatory, id->stored_as, "is missing");
    const std::string_view type = Text("entityType");
    if (type != "EVENT" && type != "MASTER" && type != "INSTANCE") return;
    for (const std::string_view name : {"startUtc", "endUtc"}) {
      if (!Has(name)) Report(RuleId::kMandatory, name, "is missing: both times are stored");
    }
  }

  void CheckAttribute(const item::Attribute& attribute) {
    const model::Attribute* known = entity_ == nullptr ? nullptr : entity_->FindStored(attribute.name);
    const std::string_view name = attribute.name;
    // Also what the model does not know is judged by its name.
    const bool is_moment = known != nullptr
                               ? known->type.kind == model::Kind::kInstant
                               : name.ends_with("Utc") || (name.ends_with("At") && name.size() > 2);
    if (is_moment && !IsInstant(attribute.value))
      Report(RuleId::kInstants, name, "must be exactly YYYY-MM-DDTHH:mm:ssZ");
    if (known == nullptr) return;
    if (known->type.kind == model::Kind::kUuid && !IsOfKind(known->type, attribute.value))
      Report(RuleId::kPrefixedIds, name, "must be " + known->type.prefix + "<uuid>");
    if (known->type.kind == model::Kind::kTimeZone) {
      const bool floats = known->nullable && attribute.value.is(Type::kNull);
      if (!floats && !IsOfKind(known->type, attribute.value))
        Report(
            RuleId::kTimeZones, name,
            known->nullable ? "must be an IANA name such as Europe/Berlin, or null" : "must be an IANA name");
    }
    if (known->type.kind == model::Kind::kSet && !item::IsSet(attribute.value.type()))
      Report(RuleId::kSets, name, "must be a set; without elements it is left out");
  }

  // What the model makes of the item is another way to see the same: each attribute is reported once.
  void CheckWithModel() {
    const model::ItemCheck check = model::CheckItem(database_, kTable, packed_);
    for (const model::ItemFinding& finding : check.findings) {
      const bool is_index_key = IsKeyName(finding.attribute) && finding.attribute.starts_with("GSI");
      if (finding.repairable || is_index_key) {
        Report(RuleId::kIndexKeys, finding.attribute, finding.message);
      } else if (!told_.contains(finding.attribute)) {
        Report(RuleId::kValues, finding.attribute.empty() ? "the item" : finding.attribute, finding.message);
      }
    }
  }

  const model::Database& database_;
  const item::PackedItem& packed_;
  const Item item_;
  const model::Table& table_;
  const model::Entity* entity_ = nullptr;  // of entityType; null when that is none
  std::vector<ConformanceFinding> findings_;
  std::set<std::string, std::less<>> told_;  // attributes that were reported
};

// Where a scan ended: the key, sealed, for it names a user.
Result<std::optional<Item>> OpenCursor(const model::Database& database, std::string_view cursor) {
  if (cursor.empty()) return std::nullopt;
  ASSIGN_OR_RETURN(std::string bytes, database.cursors().Open(cursor, kCursorUse));
  ASSIGN_OR_RETURN(const item::PackedItem key, item::PackedItem::FromStored(std::move(bytes)));
  return key.Unpack();
}

void Judge(const model::Database& database, const item::PackedItem& item, Inspection& inspection) {
  ++inspection.checked;
  for (ConformanceFinding& finding : CheckConformance(database, item)) {
    ++inspection.violations[static_cast<size_t>(finding.rule)];
    if (inspection.findings.size() < kFindingsMax) inspection.findings.push_back(std::move(finding));
  }
}

}  // namespace

std::span<const ConformanceRule, kRuleCount> ConformanceRules() { return kRules; }

std::vector<ConformanceFinding> CheckConformance(const model::Database& database,
                                                 const item::PackedItem& item) {
  return Checker(database, item).Run();
}

Task<Decision<Inspection>> Inspect(Nexus& nexus, std::string cursor, int64_t limit) {
  const model::Database& database = nexus.database();
  auto start = OpenCursor(database, cursor);
  if (!start) co_return RefuseField("cursor", "is not a cursor of this list: begin again without it");
  Inspection inspection;
  std::optional<Item> position = *std::move(start);
  do {
    store::ScanRequest request;
    request.table = database.physical_name(kTable);
    request.limit = std::min(kPageMax, limit - inspection.checked);
    request.exclusive_start_key = std::move(position);
    auto page = co_await database.store().Scan(request);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    for (const item::PackedItem& item : page->items) Judge(database, item, inspection);
    position = std::move(page->last_evaluated_key);
    co_await Yield();
  } while (position && inspection.checked < limit);
  if (position) {
    const std::string bytes = item::PackedItem::Pack(*position).bytes();
    inspection.next_cursor = database.cursors().Seal(bytes, kCursorUse);
  }
  co_return inspection;
}

}  // namespace cairn::nexus
