#include "model/format.h"

#include <limits>

namespace cairn::model {
namespace {

using enum Form::Kind;
constexpr auto kRequired = KeyForm::Need::kRequired;
constexpr int64_t kAnyInteger = std::numeric_limits<int64_t>::max();

template <size_t count>
constexpr Form Choice(const std::string_view (&choices)[count]) {
  return {.kind = kChoice, .choices = choices};
}
constexpr Form Whole(int64_t min, int64_t max) { return {.kind = kWhole, .min = min, .max = max}; }
constexpr Form ListOf(const Form& element, int64_t at_least = 1) {
  return {.kind = kList, .min = at_least, .element = &element};
}
constexpr Form NamedBy(const Form& element, Form::Names names = Form::Names::kIdentifier) {
  return {.kind = kNamed, .element = &element, .names = names};
}
constexpr Form TableOf(const TableForm& record) { return {.kind = kRecord, .record = &record}; }
template <size_t count>
constexpr Form Either(const Form* const (&alternatives)[count]) {
  return {.kind = kEither, .alternatives = alternatives};
}

constexpr Form kTextForm{.kind = kText};
constexpr Form kTextList = ListOf(kTextForm);
constexpr Form kBooleanForm{.kind = kBoolean};
constexpr Form kTrueForm{.kind = kTrue};
constexpr Form kFalseForm{.kind = kFalse};
constexpr Form kNumberForm{.kind = kNumber};
constexpr Form kAnyForm{.kind = kAny};
constexpr Form kCount = Whole(0, kAnyInteger);

constexpr const Form* kAssumedForms[] = {&kTextForm, &kTrueForm};
constexpr Form kAssumed = Either(kAssumedForms);
constexpr KeyForm kDocField{"doc", &kTextForm, "One sentence about it."};
constexpr KeyForm kAssumedField{
    "assumed", &kAssumed, "Why the model decides this where its source is silent; true: no more to say."};

// [enum]
constexpr KeyForm kEnumFields[] = {
    {"values", &kTextList, "The values, in order.", kRequired},
    {"open", &kBooleanForm, "Other texts are allowed too."},
    kAssumedField,
};
constexpr TableForm kEnumRecord{"an enum", kEnumFields};
constexpr Form kEnumTable = TableOf(kEnumRecord);
constexpr const Form* kEnumForms[] = {&kTextList, &kEnumTable};
constexpr Form kEnumForm = Either(kEnumForms);
constexpr Form kEnums = NamedBy(kEnumForm);

// Attributes, and the members of shapes: those have the first fields only.
constexpr Form kGenerateChoice = Choice(kGenerateChoices);
constexpr const Form* kGenerateForms[] = {&kTrueForm, &kGenerateChoice};
constexpr Form kGenerate = Either(kGenerateForms);
constexpr Form kAutoForm = Choice(kAutoChoices);
constexpr std::string_view kEmptyChoices[] = {"omit"};
constexpr Form kEmpty = Choice(kEmptyChoices);
constexpr std::string_view kEscapeChoices[] = {"percent"};
constexpr Form kEscape = Choice(kEscapeChoices);
constexpr KeyForm kAttributeFields[] = {
    {"type", &kTextForm,
     "string, id, uuid, ulid, int, number, bool, date, instant, instant_ms, epoch_s, email, slug, iana_tz, "
     "map, "
     "list<T>, set<T>, enum:X, shape:X or ref:Entity.",
     kRequired},
    {"required", &kBooleanForm, "It must always be there."},
    {"nullable", &kBooleanForm, "An explicit null may be stored."},
    {"default", &kAnyForm, "The value when none is given."},
    {"min", &kNumberForm, "The least number."},
    {"max", &kNumberForm, "The greatest number."},
    {"min_length", &kCount, "The fewest bytes of text, or elements."},
    {"max_length", &kCount, "The most bytes of text, or elements."},
    {"in", &kTextList, "The only texts allowed."},
    {"pattern", &kTextForm, "Regular expression (ECMAScript) for the whole text."},
    {"prefix", &kTextForm, "What a uuid begins with, e.g. task_."},
    kDocField,
    kAssumedField,
    {"generate", &kGenerate, "Made by the store when not given: an id, or the time."},
    {"auto", &kAutoForm, "Set to the time by every create, or by every create and update."},
    {"immutable", &kBooleanForm, "Set at creation only."},
    {"after", &kTextForm, "The attribute whose value must be less."},
    {"counter", &kBooleanForm, "Changes by adding."},
    {"empty", &kEmpty, "An empty text, list or set is left out."},
    {"as", &kTextForm, "The name it is stored under."},
    {"escape", &kEscape, "How characters that cannot stand in a key are written there."},
    {"stored", &kBooleanForm, "false: no attribute of the item, its key tells it."},
    {"secret", &kBooleanForm, "Never shown."},
};
constexpr size_t kShapeMemberFields = 13;
static_assert(kAttributeFields[kShapeMemberFields].name == "generate",
              "shape members have the fields before");

constexpr TableForm kAttributeRecord{"an attribute", kAttributeFields};
constexpr Form kAttributeTable = TableOf(kAttributeRecord);
constexpr const Form* kAttributeForms[] = {&kTextForm, &kAttributeTable};
constexpr Form kAttribute = Either(kAttributeForms);
constexpr Form kAttributes = NamedBy(kAttribute);

constexpr TableForm kMemberRecord{"a shape member", std::span(kAttributeFields).first(kShapeMemberFields)};
constexpr Form kMemberTable = TableOf(kMemberRecord);
constexpr const Form* kMemberForms[] = {&kTextForm, &kMemberTable};
constexpr Form kMember = Either(kMemberForms);
constexpr KeyForm kShapeFields[] = {kAssumedField};
constexpr TableForm kShapeRecord{"a shape", kShapeFields};
constexpr Form kShape{.kind = kNamed, .element = &kMember, .record = &kShapeRecord};
constexpr Form kShapes = NamedBy(kShape);

// [table]
constexpr KeyForm kIndexDefaultFields[] = {
    {"pk", &kTextForm, "Template of the partition key.", kRequired},
    {"sk", &kTextForm, "Template of the sort key."},
    {"when", &kTextForm, "Rule: only such items are in the index."},
};
constexpr TableForm kIndexDefaultRecord{"an index default", kIndexDefaultFields};
constexpr Form kIndexDefault = TableOf(kIndexDefaultRecord);
constexpr Form kProjected = ListOf(kTextForm, 0);
constexpr KeyForm kTableIndexFields[] = {
    {"pk", &kTextForm, "Name of the partition key attribute.", kRequired},
    {"sk", &kTextForm, "Name of the sort key attribute."},
    {"project", &kProjected, "Attributes in the index besides the keys; left out: all."},
    {"default", &kIndexDefault, "Keys of every entity of the table that says nothing else."},
    kAssumedField,
};
constexpr TableForm kTableIndexRecord{"a table index", kTableIndexFields};
constexpr Form kTableIndex = TableOf(kTableIndexRecord);
constexpr Form kTableIndexes = NamedBy(kTableIndex, Form::Names::kIndex);

constexpr KeyForm kTenantFields[] = {
    {"param", &kTextForm, "The attribute that names the owner.", kRequired},
    {"leading", &kTextForm, "How the owner's partitions begin, e.g. USER#{userId}.", kRequired},
    {"claim", &kTextForm, "The claim of the caller's token that fills it.", kRequired},
};
constexpr TableForm kTenantRecord{"a tenant", kTenantFields};
constexpr Form kTenant = TableOf(kTenantRecord);

constexpr KeyForm kTableLockFields[] = {
    {"version", &kTextForm, "The attribute that counts up with every write.", kRequired},
};
constexpr TableForm kTableLockRecord{"a table lock", kTableLockFields};
constexpr Form kTableLock = TableOf(kTableLockRecord);

constexpr Form kCase = Choice(kCaseChoices);
constexpr std::string_view kDiscriminateChoices[] = {"key"};
constexpr Form kDiscriminate = Choice(kDiscriminateChoices);
constexpr std::string_view kDeleteChoices[] = {"forbid"};
constexpr Form kDelete = Choice(kDeleteChoices);
constexpr std::string_view kBillingChoices[] = {"on_demand", "provisioned"};
constexpr Form kBilling = Choice(kBillingChoices);
constexpr std::string_view kStreamChoices[] = {"keys"};
constexpr Form kStreamChoice = Choice(kStreamChoices);
constexpr const Form* kStreamForms[] = {&kBooleanForm, &kStreamChoice};
constexpr Form kStream = Either(kStreamForms);
constexpr KeyForm kTableFields[] = {
    {"name", &kTextForm, "The table's name in the store; {env} and {stage} are filled in.", kRequired},
    {"pk", &kTextForm, "Name of the partition key attribute.", kRequired},
    {"sk", &kTextForm, "Name of the sort key attribute."},
    {"type_attr", &kTextForm, "The attribute that tells the entity of an item."},
    {"discriminate", &kDiscriminate, "Entities are told apart by their keys."},
    {"type_case", &kCase, "How types are spelt."},
    {"attr_case", &kCase, "How attributes are spelt."},
    {"ttl", &kTextForm, "The attribute with the time an item expires."},
    {"stream", &kStream,
     "Whether changes are kept in a stream, or only the keys of what changed; true unless said."},
    {"tenant", &kTenant, "Who owns the items."},
    {"lock", &kTableLock, "Optimistic lock of every entity that can change."},
    {"delete", &kDelete, "Items are never deleted."},
    {"best_effort", &kBooleanForm, "Writes may fail without failing what they accompany."},
    {"billing", &kBilling, "How the table is paid for."},
    {"region", &kTextForm, "Where the table lives."},
    {"index", &kTableIndexes, "Global secondary indexes, by name."},
    {"common", &kAttributes, "Attributes that every entity of the table has."},
    kDocField,
    kAssumedField,
};
constexpr TableForm kTableRecord{"a table", kTableFields};
constexpr Form kTableForm = TableOf(kTableRecord);
constexpr Form kTables = NamedBy(kTableForm);

// [entity]
constexpr KeyForm kEntityIndexFields[] = {
    {"pk", &kTextForm, "Template of the partition key.", kRequired},
    {"sk", &kTextForm, "Template of the sort key."},
    {"when", &kTextForm, "Rule: only such items are in the index."},
    {"crosses_tenants", &kBooleanForm, "This partition mixes owners, and the model knows it."},
    kAssumedField,
};
constexpr TableForm kEntityIndexRecord{"an entity index", kEntityIndexFields};
constexpr Form kEntityIndexTable = TableOf(kEntityIndexRecord);
constexpr const Form* kEntityIndexForms[] = {&kEntityIndexTable, &kFalseForm};
constexpr Form kEntityIndex = Either(kEntityIndexForms);
constexpr Form kEntityIndexes = NamedBy(kEntityIndex, Form::Names::kIndex);

constexpr KeyForm kLockFields[] = {
    {"version", &kTextForm, "The attribute that counts up with every write."},
    {"on", &kTextForm, "The attribute whose old value every write must know."},
};
constexpr TableForm kLockRecord{"a lock", kLockFields};
constexpr Form kLockTable = TableOf(kLockRecord);
constexpr const Form* kLockForms[] = {&kLockTable, &kFalseForm};
constexpr Form kLock = Either(kLockForms);

constexpr KeyForm kTtlFields[] = {
    {"from", &kTextForm, "The attribute with the time to count from.", kRequired},
    {"after", &kTextForm, "How long after it an item expires: P90D, or $retention:P30D where configurable."},
    kAssumedField,
};
constexpr TableForm kTtlRecord{"a ttl", kTtlFields};
constexpr Form kTtl = TableOf(kTtlRecord);

constexpr KeyForm kUniqueFields[] = {
    {"attrs", &kTextList, "No two items have the same values of these.", kRequired},
    {"pk", &kTextForm, "Template of the guard item's partition key.", kRequired},
    {"sk", &kTextForm, "Template of the guard item's sort key."},
};
constexpr TableForm kUniqueRecord{"a unique", kUniqueFields};
constexpr Form kUniqueTable = TableOf(kUniqueRecord);
constexpr const Form* kUniqueForms[] = {&kTextList, &kUniqueTable};
constexpr Form kUnique = Either(kUniqueForms);
constexpr Form kUniques = ListOf(kUnique);

constexpr std::string_view kOtherwiseChoices[] = {"absent"};
constexpr Form kOtherwise = Choice(kOtherwiseChoices);
constexpr KeyForm kRequireIfFields[] = {
    {"when", &kTextForm, "Rule: for such items.", kRequired},
    {"attrs", &kTextList, "These attributes must be there.", kRequired},
    {"otherwise", &kOtherwise, "And must not be there when the rule does not hold."},
};
constexpr TableForm kRequireIfRecord{"a require_if", kRequireIfFields};
constexpr Form kRequireIfTable = TableOf(kRequireIfRecord);
constexpr Form kRequireIf = ListOf(kRequireIfTable);

constexpr Form kTargets = ListOf(kTextForm, 0);
constexpr Form kAllowed = NamedBy(kTargets, Form::Names::kAny);
constexpr KeyForm kTransitionsFields[] = {
    {"attr", &kTextForm, "The attribute.", kRequired},
    {"order", &kTextList, "Its values: each may go to any later one."},
    {"allowed", &kAllowed, "From each value to those it may go to."},
    kAssumedField,
};
constexpr TableForm kTransitionsRecord{"a transitions", kTransitionsFields};
constexpr Form kTransitions = TableOf(kTransitionsRecord);

constexpr Form kTombstoneSet = NamedBy(kAnyForm);
constexpr KeyForm kTombstoneFields[] = {
    {"set", &kTombstoneSet, "What a delete sets instead; \"$now\" is the time.", kRequired},
};
constexpr TableForm kTombstoneRecord{"a tombstone", kTombstoneFields};
constexpr Form kTombstone = TableOf(kTombstoneRecord);

constexpr KeyForm kMirrorFields[] = {
    {"of", &kTextForm, "The list of references, as Entity.attribute.", kRequired},
};
constexpr TableForm kMirrorRecord{"a mirror", kMirrorFields};
constexpr Form kMirror = TableOf(kMirrorRecord);

constexpr KeyForm kOverflowFields[] = {
    {"attr", &kTextForm, "The attribute that may grow too large for an item.", kRequired},
    {"to", &kTextForm, "Where it then goes.", kRequired},
};
constexpr TableForm kOverflowRecord{"an overflow", kOverflowFields};
constexpr Form kOverflow = TableOf(kOverflowRecord);

constexpr Form kWrite = Choice(kWriteChoices);
constexpr std::string_view kEntityScopeChoices[] = {"global"};
constexpr Form kEntityScope = Choice(kEntityScopeChoices);
constexpr std::string_view kReadChoices[] = {"anyone"};
constexpr Form kRead = Choice(kReadChoices);
constexpr std::string_view kOnKeyConflictChoices[] = {"bump_ms"};
constexpr Form kOnKeyConflict = Choice(kOnKeyConflictChoices);
constexpr Form kItemBytes = Whole(1, 400 * 1024);
constexpr KeyForm kEntityFields[] = {
    {"table", &kTextForm, "The table it lives in; may be left out when the model has one."},
    {"type", &kTextForm, "What the table's type attribute says."},
    {"pk", &kTextForm, "Template of the partition key.", kRequired},
    {"sk", &kTextForm, "Template of the sort key."},
    {"index", &kEntityIndexes, "Its keys in the table's indexes; false: not in that one."},
    {"attr", &kAttributes, "Its attributes."},
    {"write", &kWrite, "What may be done to an item after it is created."},
    {"lock", &kLock, "Optimistic lock; false: none although the table has one."},
    {"ttl", &kTtl, "When its items expire."},
    {"unique", &kUniques, "Attributes that no two items share."},
    {"require_if", &kRequireIf, "Attributes that some items must have."},
    {"transitions", &kTransitions, "The order an attribute's values go through."},
    {"tombstone", &kTombstone, "A delete marks the item instead."},
    {"mirror", &kMirror, "Its items mirror a list of references of another entity."},
    {"secret", &kTextList, "Attributes that are never shown."},
    {"scope", &kEntityScope, "global: it belongs to no tenant."},
    {"read", &kRead, "Global entities: every caller may read it."},
    {"verify_owner", &kTextForm, "The parent that must be the caller's."},
    {"overflow", &kOverflow, "Where an attribute goes that is too large for an item."},
    {"on_key_conflict", &kOnKeyConflict, "bump_ms: take the next free millisecond."},
    {"head_of", &kTextForm, "It points at the newest item of that entity."},
    {"item_bytes", &kItemBytes, "Typical size of an item, to reckon costs."},
    kDocField,
    kAssumedField,
};
constexpr TableForm kEntityRecord{"an entity", kEntityFields};
constexpr Form kEntity = TableOf(kEntityRecord);
constexpr Form kEntities = NamedBy(kEntity);

// [pattern]
constexpr Form kBounds = ListOf(kTextForm, 2);
constexpr KeyForm kSortFields[] = {
    {"eq", &kTextForm, "The sort key is this."},
    {"begins", &kTextForm, "The sort key begins with this."},
    {"between", &kBounds, "The sort key lies between these two, both included."},
    {"lt", &kTextForm, "The sort key is less."},
    {"lte", &kTextForm, "The sort key is less or equal."},
    {"gt", &kTextForm, "The sort key is greater."},
    {"gte", &kTextForm, "The sort key is greater or equal."},
};
constexpr TableForm kSortRecord{"a sort key condition", kSortFields};
constexpr Form kSortTable = TableOf(kSortRecord);
constexpr const Form* kSortForms[] = {&kTextForm, &kSortTable};
constexpr Form kSort = Either(kSortForms);

constexpr KeyForm kGetField{"get", &kTextForm, "Reads one item of this entity."};
constexpr KeyForm kQueryField{"query", &kTextList, "Reads the items of these entities in one partition."};
constexpr KeyForm kOnField{"on", &kTextForm, "The index to read; left out: the table."};
constexpr KeyForm kSortField{"sk", &kSort, "Template of the sort key, or a condition on it."};
constexpr KeyForm kConsistentField{"consistent", &kBooleanForm,
                                   "Sees every write that was acknowledged before."};
constexpr KeyForm kAllPagesField{"all_pages", &kBooleanForm, "Reads on until the end."};

constexpr KeyForm kStepFields[] = {
    kGetField,      kQueryField,
    kOnField,       {"pk", &kTextForm, "Template of the partition key.", kRequired},
    kSortField,     kConsistentField,
    kAllPagesField, {"as", &kTextForm, "The name under which later steps know the item."},
};
constexpr TableForm kStepRecord{"a step", kStepFields};
constexpr Form kStepTable = TableOf(kStepRecord);
constexpr Form kSteps = ListOf(kStepTable);

constexpr Form kPageSize = Whole(1, kLimitMax);
constexpr KeyForm kLimitFields[] = {
    {"default", &kPageSize, "Items per page unless asked otherwise."},
    {"max", &kPageSize, "The most items per page."},
};
constexpr TableForm kLimitRecord{"a limit", kLimitFields};
constexpr Form kLimit = TableOf(kLimitRecord);

constexpr KeyForm kFanoutFields[] = {
    {"param", &kTextForm, "The placeholder that runs over the units.", kRequired},
    {"each", &kTextForm, "The units, e.g. year(from)..year(to); also month and day.", kRequired},
};
constexpr TableForm kFanoutRecord{"a fanout", kFanoutFields};
constexpr Form kFanout = TableOf(kFanoutRecord);

constexpr KeyForm kLookbackFields[] = {
    {"max_duration", &kTextForm, "How long an item can last, e.g. P31D.", kRequired},
    {"keep_if", &kTextForm, "Rule for items that begin before the range.", kRequired},
};
constexpr TableForm kLookbackRecord{"a lookback", kLookbackFields};
constexpr Form kLookback = TableOf(kLookbackRecord);

constexpr KeyForm kSloFields[] = {
    {"p99_ms", &kNumberForm, "99 of 100 calls take at most so many milliseconds.", kRequired},
};
constexpr TableForm kSloRecord{"a slo", kSloFields};
constexpr Form kSlo = TableOf(kSloRecord);

constexpr std::string_view kOrderChoices[] = {"asc", "desc"};
constexpr Form kOrder = Choice(kOrderChoices);
constexpr std::string_view kOnExceedChoices[] = {"error", "truncate"};
constexpr Form kOnExceed = Choice(kOnExceedChoices);
constexpr std::string_view kPatternScopeChoices[] = {"caller", "global"};
constexpr Form kPatternScope = Choice(kPatternScopeChoices);
constexpr Form kMaxItems = Whole(1, 1'000'000);
constexpr KeyForm kPatternFields[] = {
    kGetField,
    kQueryField,
    {"steps", &kSteps, "Several reads, one after the other."},
    kOnField,
    {"pk", &kTextForm, "Template of the partition key."},
    kSortField,
    kConsistentField,
    kAllPagesField,
    {"order", &kOrder, "Order of the sort key."},
    {"limit", &kLimit, "Size of a page."},
    {"max_items", &kMaxItems, "The most items all pages may have together."},
    {"on_exceed", &kOnExceed, "What happens when there are more than max_items."},
    {"project", &kTextList, "The attributes that are returned; left out: all but secrets."},
    {"fanout", &kFanout, "One query for each unit of time."},
    {"lookback", &kLookback, "Also finds what began before the range and reaches into it."},
    {"scope", &kPatternScope,
     "caller: of a partition that mixes owners only the caller's items; global: no owner."},
    {"verify_owner", &kBooleanForm, "The partition names no owner: every item is checked."},
    {"slo", &kSlo, "How fast it must be."},
    {"rest", &kTextForm, "Its route, e.g. GET /tasks/{status}."},
    kDocField,
    kAssumedField,
};
constexpr TableForm kPatternRecord{"a pattern", kPatternFields};
constexpr Form kPattern = TableOf(kPatternRecord);
constexpr Form kPatterns = NamedBy(kPattern);

// [guard]
constexpr Form kScanned = Whole(1, 1'000'000);
constexpr KeyForm kFilterFields[] = {
    {"max_scanned", &kScanned, "The most items a filtered read may look at.", kRequired},
};
constexpr TableForm kFilterRecord{"a filter", kFilterFields};
constexpr Form kFilter = TableOf(kFilterRecord);
constexpr std::string_view kScanChoices[] = {"forbid", "allow"};
constexpr Form kScan = Choice(kScanChoices);
constexpr std::string_view kProjectChoices[] = {"required", "optional"};
constexpr Form kProject = Choice(kProjectChoices);
constexpr Form kChunk = Whole(1, 25);
constexpr KeyForm kGuardFields[] = {
    {"scan", &kScan, "Whether whole tables may be read."},
    {"filter", &kFilter, "Bounds of reads that filter."},
    {"page_over", &kPageSize, "Reads of more items than this must be paged."},
    {"project", &kProject, "Whether every query must say which attributes it wants."},
    {"unbounded_pages", &kScan, "Whether a pattern may read pages without end."},
    {"batch_write_chunk", &kChunk, "Items per batch of writes."},
};
constexpr TableForm kGuardRecord{"a guard", kGuardFields};
constexpr Form kGuard = TableOf(kGuardRecord);

// [[accept]]
constexpr KeyForm kAcceptFields[] = {
    {"code", &kTextForm, "The finding's code, e.g. ISO-2.", kRequired},
    {"at", &kTextForm, "What it is about, e.g. Task.GSI1, or * for everything.", kRequired},
    {"reason", &kTextForm, "Why it stays.", kRequired},
};
constexpr TableForm kAcceptRecord{"an accept", kAcceptFields};
constexpr Form kAcceptTable = TableOf(kAcceptRecord);
constexpr Form kAccepts = ListOf(kAcceptTable, 0);

constexpr std::string_view kFormatChoices[] = {"cairn-model/1"};
constexpr Form kFormat = Choice(kFormatChoices);
constexpr KeyForm kModelFields[] = {
    {"format", &kFormat, "The version of this format.", kRequired},
    {"name", &kTextForm, "The model's name, e.g. web-shop.", kRequired},
    kDocField,
    {"enum", &kEnums, "Closed (or open) lists of texts."},
    {"shape", &kShapes, "Maps inside items: members like attributes."},
    {"table", &kTables, "Tables."},
    {"entity", &kEntities, "Kinds of items."},
    {"pattern", &kPatterns, "The ways to read."},
    {"guard", &kGuard, "Limits of the whole model."},
    {"accept", &kAccepts, "Findings of the linter that the model knows about."},
};
constexpr TableForm kModelRecord{"a model", kModelFields};

}  // namespace

const TableForm& ModelFormat() { return kModelRecord; }

}  // namespace cairn::model
