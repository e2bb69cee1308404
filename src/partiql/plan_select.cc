#include <algorithm>

#include "partiql/key_match.h"
#include "partiql/plan.h"

namespace cairn::partiql {
namespace {

using expr::ConditionPtr;
using expr::KeyComparison;
using expr::KeyOperator;
using item::AttributeValue;
using item::KeyElement;
using item::KeySchema;
using store::IndexDefinition;
using store::TableDescription;

std::string Bracketed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return "[" + text + "]";
}

// What a SELECT reads: the table itself or one of its indexes.
class Target {
 public:
  Target(const TableDescription& table, const IndexDefinition* index) : table_(table), index_(index) {}

  const KeySchema& schema() const { return index_ ? index_->key_schema : table_.definition.key_schema; }
  const IndexDefinition* index() const { return index_; }
  bool is_global() const { return index_ && index_->kind == store::IndexKind::kGlobal; }

  // Whether the attribute can be read here without going back to the table.
  bool Projects(const std::string& attribute) const {
    if (!index_ || index_->projection == store::ProjectionType::kAll) return true;
    return index_->key_schema.Contains(attribute) || table_.definition.key_schema.Contains(attribute) ||
           std::ranges::count(index_->included, attribute) > 0;
  }

 private:
  const TableDescription& table_;
  const IndexDefinition* index_;
};

Status CheckOneOfEach(const IndexDefinition& index) {
  if (index.key_schema.partition.size() <= 1 && index.key_schema.sort.size() <= 1) return {};
  return Fail(
      Invalid("PartiQL statements cannot be executed on tables with multi-attribute HASH keys or "
              "multi-attribute RANGE keys."));
}

Result<Target> FindTarget(const Select& select, const TableDescription& table,
                          store::Consistency consistency) {
  if (!select.from.index) return Target(table, nullptr);
  for (const IndexDefinition& index : table.definition.indexes) {
    if (index.name != *select.from.index) continue;
    RETURN_IF_ERROR(CheckOneOfEach(index));
    if (index.kind == store::IndexKind::kGlobal && consistency == store::Consistency::kStrong) {
      return Fail(Invalid("Strongly consistent read is not supported on Global Secondary Indexes"));
    }
    return Target(table, &index);
  }
  return Fail(Invalid("The table does not have the specified index"));
}

Status CheckColumnsProjected(const Select& select, const Target& target) {
  if (!target.is_global()) return {};  // a local index fetches what it lacks from the table
  std::vector<std::string> missing;
  for (const Column& column : select.columns) {
    const std::string& name = column.path.attribute;
    if (!target.Projects(name) && std::ranges::count(missing, name) == 0) missing.push_back(name);
  }
  if (missing.empty()) return {};
  return Fail(Invalid("One or more parameter values were invalid: Global secondary index " +
                      target.index()->name + " does not project " + Bracketed(missing)));
}

// One alternative of the WHERE as a key condition per read, plus what is left of it.
struct Branch {
  std::vector<std::vector<KeyComparison>> partitions;  // one equality per partition attribute
  std::vector<std::vector<KeyComparison>> sorts;       // alternatives, at least one, which may be empty
  Conditions rest;
};

// Takes the first of `parts` that gives `attribute` one of some values.
std::optional<std::vector<AttributeValue>> TakeEqualValues(Conditions& parts, std::string_view attribute) {
  for (size_t i = 0; i < parts.size(); ++i) {
    if (auto values = EqualValues(*parts[i], attribute)) {
      parts.erase(parts.begin() + i);
      return values;
    }
  }
  return std::nullopt;
}

std::optional<KeyComparison> TakeKeyComparison(Conditions& parts, std::string_view attribute) {
  for (size_t i = 0; i < parts.size(); ++i) {
    if (auto comparison = AsKeyComparison(*parts[i], attribute)) {
      parts.erase(parts.begin() + i);
      return comparison;
    }
  }
  return std::nullopt;
}

// Every list of `lists` once with every value.
void Multiply(std::vector<std::vector<KeyComparison>>& lists, const std::string& attribute,
              const std::vector<AttributeValue>& values) {
  std::vector<std::vector<KeyComparison>> product;
  for (const auto& list : lists) {
    for (const AttributeValue& value : values) {
      product.push_back(list);
      product.back().push_back({attribute, KeyOperator::kEqual, value, {}});
    }
  }
  lists = std::move(product);
}

// Sort attributes from the left: equalities, then at most one range.
void BindSort(const KeySchema& schema, Branch& branch) {
  branch.sorts = {{}};
  for (const KeyElement& element : schema.sort) {
    Conditions without = branch.rest;
    const auto values = TakeEqualValues(without, element.name);
    if (values && branch.partitions.size() * branch.sorts.size() * values->size() <= kReadsMax) {
      Multiply(branch.sorts, element.name, *values);
      branch.rest = std::move(without);
      continue;
    }
    if (const auto range = TakeKeyComparison(branch.rest, element.name)) {
      for (auto& sort : branch.sorts) sort.push_back(*range);
    }
    return;
  }
}

// Nothing when the partition key is not given: then only a scan will do.
std::optional<Branch> BindBranch(const ConditionPtr& condition, const KeySchema& schema) {
  Branch branch{{{}}, {}, SplitAnd(condition)};
  for (const KeyElement& element : schema.partition) {
    const auto values = TakeEqualValues(branch.rest, element.name);
    if (!values || branch.partitions.size() * values->size() > kReadsMax) return std::nullopt;
    Multiply(branch.partitions, element.name, *values);
  }
  BindSort(schema, branch);
  return branch;
}

// One Query to be: its keys, and what is left to filter.
struct Access {
  std::vector<KeyComparison> partition;
  std::vector<KeyComparison> sort;
  ConditionPtr filter;
};

bool SamePartition(const Access& a, const Access& b) {
  return std::ranges::equal(a.partition, b.partition, [](const KeyComparison& x, const KeyComparison& y) {
    return x.value == y.value;
  });
}

Result<expr::KeyRange> RangeOf(const Access& access, const KeySchema& schema) {
  expr::KeyCondition condition;
  for (const auto* part : {&access.partition, &access.sort}) {
    condition.comparisons.insert(condition.comparisons.end(), part->begin(), part->end());
  }
  ASSIGN_OR_RETURN(expr::BoundKeyCondition bound, expr::BindKeyCondition(condition, schema));
  return expr::SortRange(bound);
}

Result<bool> Overlap(const Access& a, const Access& b, const KeySchema& schema) {
  ASSIGN_OR_RETURN(expr::KeyRange first, RangeOf(a, schema));
  ASSIGN_OR_RETURN(expr::KeyRange second, RangeOf(b, schema));
  return (second.end.empty() || first.start < second.end) && (first.end.empty() || second.start < first.end);
}

bool ExcludesSortValuesAnywhere(const Conditions& alternatives, const KeySchema& schema) {
  return std::ranges::any_of(alternatives, [&](const ConditionPtr& alternative) {
    return std::ranges::any_of(SplitAnd(alternative),
                               [&](const ConditionPtr& part) { return ExcludesSortValues(*part, schema); });
  });
}

// Alternatives about the same partition must not return an item twice. Where DynamoDB allows that they
// overlap, they become one read of the whole partition, filtered by all of them.
Status AddAccess(std::vector<Access>& accesses, Access access, const Conditions& alternatives,
                 const KeySchema& schema) {
  bool overlap = false;
  for (const Access& earlier : accesses) {
    if (overlap || !SamePartition(earlier, access)) continue;
    ASSIGN_OR_RETURN(overlap, Overlap(earlier, access, schema));
  }
  if (overlap) {
    if (!schema.sort.empty() && !ExcludesSortValuesAnywhere(alternatives, schema)) {
      return Fail(Invalid("Overlapping conditions with range keys are not supported in where clause"));
    }
    std::erase_if(accesses, [&](const Access& earlier) { return SamePartition(earlier, access); });
    access = {std::move(access.partition), {}, JoinOr(alternatives)};
  }
  accesses.push_back(std::move(access));
  return {};
}

// The accesses of a WHERE all of whose alternatives give the partition key; empty when a scan is needed, also
// when there would be too many.
Result<std::vector<Access>> FindAccesses(const ConditionPtr& where, const KeySchema& schema) {
  std::vector<Access> accesses;
  const Conditions alternatives = SplitOr(where);
  std::vector<Branch> branches;
  size_t count = 0;
  for (const ConditionPtr& alternative : alternatives) {
    auto branch = BindBranch(alternative, schema);
    if (!branch) return accesses;
    count += branch->partitions.size() * branch->sorts.size();
    if (count > kReadsMax) return accesses;
    branches.push_back(*std::move(branch));
  }
  for (const Branch& branch : branches) {
    const ConditionPtr filter = JoinAnd(branch.rest);
    for (const auto& partition : branch.partitions) {
      for (const auto& sort : branch.sorts) {
        RETURN_IF_ERROR(AddAccess(accesses, {partition, sort, filter}, alternatives, schema));
      }
    }
  }
  return accesses;
}

const OrderKey* FindOrderKey(const Select& select, const std::vector<KeyElement>& elements) {
  for (const OrderKey& key : select.order_by) {
    if (std::ranges::any_of(elements,
                            [&](const KeyElement& element) { return element.name == key.attribute; })) {
      return &key;
    }
  }
  return nullptr;
}

Status CheckOrderBy(const Select& select, const KeySchema& schema, const std::vector<Access>& accesses) {
  if (select.order_by.empty()) return {};
  if (!select.where)
    return Fail(Invalid("Must have WHERE clause in the statement when using ORDER BY clause."));
  for (const OrderKey& key : select.order_by) {
    if (!schema.Contains(key.attribute)) {
      return Fail(
          Invalid("Attribute " + key.attribute + " in ORDER BY clause must be part of the primary key"));
    }
  }
  if (accesses.empty()) {
    return Fail(
        Invalid("Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY "
                "clause."));
  }
  const bool several =
      std::ranges::any_of(accesses, [&](const Access& a) { return !SamePartition(a, accesses[0]); });
  if (several && !FindOrderKey(select, schema.partition)) {
    return Fail(
        Invalid("Must have hash key in ORDER BY clause when more than one hash key condition specified in "
                "WHERE clause."));
  }
  return {};
}

// Orders the reads by partition, and reads of one partition by their sort values.
void OrderAccesses(const Select& select, const KeySchema& schema, store::Order sort_order,
                   std::vector<Access>& accesses) {
  if (select.order_by.empty()) return;
  const OrderKey* partition_key = FindOrderKey(select, schema.partition);
  const bool partition_descending = partition_key && partition_key->order == store::Order::kDescending;
  const auto before = [](const std::vector<KeyComparison>& a, const std::vector<KeyComparison>& b) {
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      const auto order = expr::CompareValues(a[i].value, b[i].value);
      if (order != std::partial_ordering::equivalent) return order == std::partial_ordering::less;
    }
    return false;
  };
  std::ranges::stable_sort(accesses, [&](const Access& a, const Access& b) {
    if (before(a.partition, b.partition)) return !partition_descending;
    if (before(b.partition, a.partition)) return partition_descending;
    return sort_order == store::Order::kAscending ? before(a.sort, b.sort) : before(b.sort, a.sort);
  });
}

// DynamoDB's rule: ascending unless an ORDER BY says otherwise, and one that leaves the sort key out does.
store::Order SortOrder(const Select& select, const KeySchema& schema) {
  if (select.order_by.empty()) return store::Order::kAscending;
  const OrderKey* sort_key = FindOrderKey(select, schema.sort);
  return sort_key ? sort_key->order : store::Order::kDescending;
}

std::optional<expr::Projection> ProjectionFor(const std::vector<Column>& columns,
                                              const ConditionPtr& filter) {
  if (columns.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.path.attribute);
  if (filter) std::ranges::copy(expr::ReferencedAttributes(*filter), std::back_inserter(names));
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  expr::Projection projection;
  for (std::string& name : names) projection.paths.push_back({std::move(name), {}});
  return projection;
}

Status CheckFilterProjected(const ConditionPtr& filter, const Target& target) {
  if (!filter || !target.index()) return {};
  std::vector<std::string> missing;
  for (const std::string& name : expr::ReferencedAttributes(*filter)) {
    if (!target.Projects(name)) missing.push_back(name);
  }
  if (missing.empty()) return {};
  return Fail(Invalid("One or more parameter values were invalid: Secondary index " + target.index()->name +
                      " does not project one or more filter attributes: " + Bracketed(missing)));
}

bool GivesWholeKey(const Access& access, const KeySchema& schema) {
  return access.sort.size() == schema.sort.size() &&
         std::ranges::all_of(access.sort, [](const KeyComparison& c) { return c.op == KeyOperator::kEqual; });
}

Read GetRead(const Select& select, const Access& access, store::Consistency consistency) {
  store::GetItemRequest get{.table = select.from.table, .consistency = consistency};
  for (const auto* part : {&access.partition, &access.sort}) {
    for (const KeyComparison& comparison : *part) get.key.Set(comparison.attribute, comparison.value);
  }
  get.projection = ProjectionFor(select.columns, access.filter);
  return {std::move(get), access.filter};
}

Read QueryRead(const Select& select, const Target& target, const Access& access,
               store::Consistency consistency) {
  store::QueryRequest query;
  query.table = select.from.table;
  query.index = select.from.index;
  query.consistency = consistency;
  query.order = SortOrder(select, target.schema());
  for (const auto* part : {&access.partition, &access.sort}) {
    query.key_condition.comparisons.insert(query.key_condition.comparisons.end(), part->begin(), part->end());
  }
  Read read;
  if (access.filter && Mentions(*access.filter, target.schema())) {
    read.filter = access.filter;
  } else {
    query.filter = access.filter;
  }
  query.projection = ProjectionFor(select.columns, read.filter);
  read.request = std::move(query);
  return read;
}

Read ScanRead(const Select& select, store::Consistency consistency) {
  store::ScanRequest scan;
  scan.table = select.from.table;
  scan.index = select.from.index;
  scan.consistency = consistency;
  scan.filter = select.where;
  scan.projection = ProjectionFor(select.columns, nullptr);
  return {std::move(scan), nullptr};
}

// Whether the store's projection gives the columns already.
bool NeedsShaping(const SelectPlan& plan) {
  return std::ranges::any_of(plan.reads, [](const Read& read) { return read.filter != nullptr; }) ||
         std::ranges::any_of(plan.columns, [](const Column& column) { return !column.path.steps.empty(); });
}

}  // namespace

Result<SelectPlan> PlanSelect(const Select& select, const TableDescription& table,
                              store::Consistency consistency) {
  ASSIGN_OR_RETURN(const Target target, FindTarget(select, table, consistency));
  RETURN_IF_ERROR(CheckColumnsProjected(select, target));
  std::vector<Access> accesses;
  if (select.where) {
    ASSIGN_OR_RETURN(accesses, FindAccesses(select.where, target.schema()));
  }
  RETURN_IF_ERROR(CheckOrderBy(select, target.schema(), accesses));
  OrderAccesses(select, target.schema(), SortOrder(select, target.schema()), accesses);

  SelectPlan plan;
  plan.columns = select.columns;
  for (const Access& access : accesses) {
    RETURN_IF_ERROR(CheckFilterProjected(access.filter, target));
    const bool whole_key = !target.index() && GivesWholeKey(access, target.schema());
    plan.reads.push_back(whole_key ? GetRead(select, access, consistency)
                                   : QueryRead(select, target, access, consistency));
  }
  if (plan.reads.empty()) plan.reads.push_back(ScanRead(select, consistency));
  if (!NeedsShaping(plan)) plan.columns.clear();
  return plan;
}

Result<SingleRead> PlanSingleRead(const Select& select, const TableDescription& table,
                                  std::string_view operation) {
  for (const IndexDefinition& index : table.definition.indexes) {
    if (index.name == select.from.index) RETURN_IF_ERROR(CheckOneOfEach(index));
  }
  auto match = MatchKey(select.where, table.definition.key_schema, KeyEquality::kSingleValue);
  if (!match || match->rest || select.from.index) {
    return Fail(Invalid("Select statements within " + std::string(operation) +
                        " must specify the primary key in the where clause."));
  }
  return SingleRead{std::move(match->key), ProjectionFor(select.columns, nullptr), select.columns};
}

item::Item Shape(const std::vector<Column>& columns, const item::Item& item) {
  if (columns.empty()) return item;
  item::Item shaped;
  for (const Column& column : columns) {
    if (const AttributeValue* value = expr::FindValue(item, column.path)) shaped.Set(column.name, *value);
  }
  return shaped;
}

}  // namespace cairn::partiql
