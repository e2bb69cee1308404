// Model: a data-model document as checked data. Made by the loader (model/load.h), immutable afterwards; read
// by the session, the linter and every exporter. Names are spelt as in the model file; what is stored is said
// beside it.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "item/attribute_value.h"
#include "model/diagnostic.h"
#include "model/rule.h"
#include "model/template.h"
#include "model/value_type.h"

namespace cairn::model {

// A source document is silent and the model decides: the reason, shown by the linter. Empty: nothing assumed.
using Assumption = std::string;

struct Enum {
  std::string name;
  std::vector<std::string> values;
  bool open = false;  // other texts are allowed too
  Assumption assumed;
  Location where;
};

enum class Generate { kNo, kUlid, kUuid, kNow };
enum class Auto { kNo, kCreate, kUpdate };  // set to the time by every create, or by every create and update

struct Attribute {
  std::string name;       // in the model, in REST and in C++
  std::string stored_as;  // in the item
  ValueType type;
  ValueLimits limits;
  bool required = false;
  bool nullable = false;      // an explicit null may be stored
  bool immutable = false;     // set at creation only
  bool fixed_by_key = false;  // immutable only because it stands in the primary key: the file does not say so
  bool counter = false;       // changes by adding
  bool secret = false;        // never shown by REST, logs or whole-partition reads
  bool omit_empty = false;    // an empty text, list or set is left out
  bool in_key_only = false;   // stored = false: not an attribute of the item, told by its key
  Escape escape = Escape::kRefuse;
  std::optional<item::AttributeValue> default_value;
  Generate generate = Generate::kNo;
  Auto automatic = Auto::kNo;
  std::string after;  // name of the attribute whose value must be less
  Assumption assumed;
  std::string doc;
  Location where;
};

struct Shape {
  std::string name;
  std::vector<Attribute> members;  // only name, type, limits, required, nullable and default count
  Assumption assumed;
  Location where;
};

struct Index {
  std::string name;
  std::string pk_attribute;
  std::string sk_attribute;  // "": partition key only
  bool project_all = true;
  std::vector<std::string> included;  // with project_all false: keys and these
  Assumption assumed;
  Location where;
};

// Who owns the items of a table: the claim of the caller that fills `parameter`, and how partitions begin.
struct Tenant {
  std::string parameter;  // attribute, e.g. "userId"
  Template leading;       // "USER#{userId}"
  std::string claim;      // of the caller's token, e.g. "sub"
  Location where;
};

enum class DeletePolicy { kAllow, kForbid };

struct Lock {
  std::string version_attribute;  // counts up with every write; "" when `on` is used
  std::string on_attribute;       // compare-and-set on this attribute instead
  bool enabled() const { return !version_attribute.empty() || !on_attribute.empty(); }
};

enum class NameCase { kAny, kCamel, kPascal, kUpper, kLower };
// What the stream of a table tells of a change.
enum class StreamContent { kNone, kKeys, kImages };

struct Table {
  std::string name;                        // in the model file
  std::string physical_name;               // may contain {env} or {stage}
  std::string pk_attribute, sk_attribute;  // sk "": hash-only table
  std::string type_attribute;              // "": entities are told apart by their keys
  NameCase type_case = NameCase::kAny;
  NameCase attribute_case = NameCase::kAny;
  std::string ttl_attribute;
  StreamContent stream = StreamContent::kImages;
  std::optional<Tenant> tenant;
  DeletePolicy delete_policy = DeletePolicy::kAllow;
  bool best_effort = false;  // writes may fail without failing what they accompany
  std::string billing = "on_demand";
  std::string region;
  std::vector<Index> indexes;
  Assumption assumed;
  std::string doc;
  Location where;
};

enum class WriteMode {
  kMutable,     // create once, then update and delete
  kAppend,      // create once, never change, never delete
  kOnce,        // create once, never change; may be deleted
  kUpsert,      // put replaces whatever is there
  kIdempotent,  // creating again what exists succeeds and changes nothing
};

enum class Scope {
  kTenant,  // the caller's own partitions
  kGlobal,  // belongs to nobody: written by the system only
  kCaller,  // patterns on an index that mixes owners: only the caller's items come back
};

struct EntityIndex {
  size_t index = 0;  // position in Table::indexes
  Template pk, sk;   // sk empty when the index has none
  Rule when;
  bool crosses_tenants = false;  // declared: this partition mixes owners
  Assumption assumed;
  Location where;
  // Stored names of every attribute that pk, sk and when read, sorted.
  std::vector<std::string> dependencies;
};

struct TimeToLive {
  std::string from;  // attribute (temporal); "" when the entity sets the table's ttl attribute itself
  std::chrono::seconds after{0};
  std::string after_parameter;  // "$retention": given by configuration; then `after` is the default
  Assumption assumed;
  Location where;
  bool enabled() const { return !from.empty(); }
};

// No two items may have the same values of these attributes; kept by a guard item in the same transaction.
struct Unique {
  std::vector<std::string> attributes;
  Template pk, sk;                        // key of the guard item
  std::vector<std::string> dependencies;  // stored names, sorted
  Location where;
};

struct RequireIf {
  Rule when;
  std::vector<std::string> attributes;
  bool forbid_otherwise = false;  // and absent when the rule does not hold
  Location where;
};

// The values of an attribute in the order it may go through; it never goes back.
struct Transitions {
  std::string attribute;
  std::map<std::string, std::vector<std::string>> allowed;  // from -> to
  Assumption assumed;
  Location where;
};

struct Tombstone {
  std::vector<std::pair<std::string, item::AttributeValue>> set;  // attribute -> value; "$now" is the time
  Location where;
};

// This entity's items mirror a list attribute of another one (Task.goalIds): written in the same transaction.
struct Mirror {
  std::string entity, attribute;
  Location where;
};

enum class OnKeyConflict { kFail, kBumpMillisecond };

struct Entity {
  std::string name;
  std::string type;  // value of the table's type attribute; "" when the table has none
  size_t table = 0;  // position in Model::tables
  Template pk, sk;   // sk empty for hash-only tables
  std::vector<EntityIndex> indexes;
  std::vector<Attribute> attributes;   // common ones of the table first
  std::vector<size_t> by_stored_name;  // positions of the attributes, in the order of what they are stored as
  std::vector<size_t> defaulted;  // in the same order, those whose default holds where an item has no value
  WriteMode write = WriteMode::kMutable;
  Lock lock;
  TimeToLive ttl;
  std::vector<Unique> uniques;
  std::vector<RequireIf> require_if;
  std::optional<Transitions> transitions;
  std::optional<Tombstone> tombstone;
  std::optional<Mirror> mirror;
  Scope scope = Scope::kTenant;
  bool public_read = false;  // global entities: every authenticated caller may read
  std::string owner_parent;  // verify_owner = "Task": writes check that this parent is the caller's
  OnKeyConflict on_key_conflict = OnKeyConflict::kFail;
  std::string head_of;  // this entity points at the newest of that one
  std::string overflow_attribute, overflow_to;
  std::optional<int64_t> item_bytes;  // declared typical size, for cost
  Assumption assumed;
  std::string doc;
  Location where, pk_where, sk_where;

  const Attribute* Find(std::string_view attribute) const;  // by model name
  const Attribute* FindStored(std::string_view stored_name) const;
};

enum class SortOperator { kNone, kEqual, kBegins, kBetween, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

struct SortCondition {
  SortOperator op = SortOperator::kNone;
  Template low;   // the operand
  Template high;  // of kBetween
  Location where;
};

enum class ReadOrder { kAscending, kDescending };

// One read of a pattern: a GetItem or a Query.
struct Read {
  bool get = false;
  size_t table = 0;
  std::optional<size_t> index;   // position in the table's indexes; none: the table itself
  std::vector<size_t> entities;  // what may come back: positions in Model::entities
  Template pk;
  SortCondition sk;
  bool consistent = false;
  bool all_pages = false;
  std::string alias;  // as = "head": later steps say {head.headRevId}
  Location where;
};

struct Parameter {
  std::string name;
  ValueType type;
  bool required = true;
  bool date_too = false;  // bounds of a range over instants: a plain date is accepted as well
};

struct Fanout {
  std::string parameter;  // "window": the placeholder that runs over the units
  Format unit = Format::kYear;
  std::string from, to;  // parameters (temporal)
};

struct Lookback {
  std::chrono::seconds max_duration{0};
  std::string from;  // parameter whose time is moved back for the query
  Rule keep_if;      // for items that begin before it
};

enum class OnExceed { kError, kTruncate };

struct Pattern {
  std::string name;
  std::vector<Read> steps;            // one, or several
  std::vector<Parameter> parameters;  // without the tenant's, which the caller's token fills
  Scope scope = Scope::kTenant;
  bool verify_owner = false;  // partition names no owner: every returned item is checked
  ReadOrder order = ReadOrder::kAscending;
  int64_t limit_default = 50, limit_max = 100;
  std::optional<int64_t> max_items;
  OnExceed on_exceed = OnExceed::kError;
  std::vector<std::string> project;  // stored names; empty: everything but secrets
  std::optional<Fanout> fanout;
  std::optional<Lookback> lookback;
  std::optional<double> slo_p99_ms;
  std::string rest;
  Assumption assumed;
  std::string doc;
  Location where;
};

struct Guard {
  bool forbid_scan = true;
  int64_t filter_max_scanned = 1000;
  int64_t page_over = 100;
  bool require_projection = false;
  bool forbid_unbounded_pages = false;
  int64_t batch_write_chunk = 25;
  Location where;
};

// [[accept]]: a finding of the linter that the model knows about, and why it stays.
struct Accept {
  std::string code;
  std::string at;  // subject of the finding, or "*" for all of that code
  std::string reason;
  Location where;
};

struct Model {
  std::string name;
  std::string file;  // where it was read from
  std::string doc;
  std::vector<Enum> enums;
  std::vector<Shape> shapes;
  std::vector<Table> tables;
  std::vector<Entity> entities;
  std::vector<Pattern> patterns;
  Guard guard;
  std::vector<Accept> accepted;
  std::string canonical_json;  // the file's twin: sorted keys, no comments
  std::string hash;            // SHA-256 of canonical_json, hex: the schema's version

  const Entity* FindEntity(std::string_view name) const;
  const Pattern* FindPattern(std::string_view name) const;
  const Table* FindTable(std::string_view name) const;
  const Table& TableOf(const Entity& entity) const { return tables[entity.table]; }
  // The tenant rules an entity lives under: none for global ones.
  const Tenant* TenantOf(const Entity& entity) const;
  // Whether `pk` begins with the table's leading template, ended by '#' or the end.
  bool IsTenantScoped(const Table& table, const Template& pk) const;
};

}  // namespace cairn::model
