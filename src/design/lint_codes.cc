#include <algorithm>
#include <array>

#include "design/lint.h"

namespace cairn::design {
namespace {

using enum model::Severity;

constexpr auto kCodes = std::to_array<LintCode>({
    {"ISO-1", kError,
     "The partition of a tenant's entity does not begin with the tenant's prefix, ended by '#'.",
     "Begin pk with the table's tenant.leading and go on with '#', or declare scope = \"global\"."},
    {"ISO-2", kError, "An index partition mixes the items of several tenants.",
     "Begin the index pk with tenant.leading; if it must mix, declare crosses_tenants and read it with scope "
     "= "
     "\"caller\"."},
    {"ISO-3", kError,
     "A pattern reads a partition that names no tenant, and nothing checks whose items come back.",
     "Give the pattern scope = \"caller\" or \"global\", or verify_owner = true."},
    {"HOT-1", kWarning, "A partition key has one or a few values, so few partitions take all the traffic.",
     "Add an id, or the tenant, to the partition key."},
    {"HOT-2", kWarning, "A partition is a bucket of time: all writes of a period land on one key.",
     "Put an id or a shard number into the partition key, or keep it and watch the 1,000 writes a second."},
    {"KEY-1", kError, "A sort key ends in a bare timestamp: two items of one moment have the same key.",
     "End the sort key with an id ({at}#{id}), or set on_key_conflict = \"bump_ms\"."},
    {"KEY-2", kError, "Two entities of one table can have the same key.",
     "Begin their sort keys with different words."},
    {"KEY-3", kWarning,
     "Free text stands before another part of a key: values with '#' are refused when written.",
     "Use an id, slug or closed enum there, move it to the end, or set escape = \"percent\"."},
    {"KEY-4", kWarning,
     "An attribute that describes an item stands in its primary key: no update can change it.",
     "Keep it out of pk and sk (an index may hold it), or say immutable = true if it never changes."},
    {"KEY-5", kError, "A number may have values for which its digits in a key have no room.",
     "Give the number min and max that fit the digits, or more digits; a fraction cannot stand in a key."},
    {"SORT-1", kError, "A number without fixed width stands in a sort key: 10 sorts before 9.",
     "Give it a width, such as {order:06d}."},
    {"PRE-1", kError, "A prefix ends inside a part of the key and also finds longer values.",
     "Close the prefix with '#'."},
    {"PRE-2", kWarning, "A pattern's key condition also captures an entity that the pattern does not list.",
     "List the entity too, or choose sort keys whose beginnings differ."},
    {"TTL-1", kError, "The time-to-live attribute is not a number of epoch seconds.",
     "Give the attribute the type epoch_s."},
    {"TTL-2", kWarning, "The table has a time-to-live attribute that no entity ever sets.",
     "Declare ttl = { from = ..., after = ... } on the entities that expire, or drop the table's ttl."},
    {"IDX-1", kError, "An entity fills half of an index key: such items are not in the index.",
     "Give both pk and sk from attributes that are always there, or a `when` that says exists(...)."},
    {"IDX-2", kWarning, "An index that no pattern queries, or that no entity fills, is paid for in vain.",
     "Remove the index, or declare the pattern that uses it."},
    {"LIM-1", kWarning, "An item can outgrow DynamoDB's 400 KB.",
     "Set max_length on what can grow, or move it elsewhere with overflow."},
    {"LIM-2", kWarning, "One write can need more than the 100 items of a transaction.",
     "Set max_length on the mirrored list."},
    {"LIM-3", kWarning, "A key can be longer than DynamoDB allows: 2,048 bytes, 1,024 of a sort key.",
     "Set max_length on the texts in it, or put ids there."},
    {"RULE-1", kError, "A rule compares an attribute with a value that it can never have.",
     "Correct the value: the rule is always, or never, true as it is."},
    {"NAME-1", kWarning, "An attribute's stored name does not follow the table's attr_case.",
     "Rename the attribute, or store it under a name of the right case with as = \"...\"."},
    {"NAME-2", kWarning, "An entity's type does not follow the table's type_case.", "Rename the type."},
    {"NAME-3", kWarning, "An id has no prefix although its siblings in the table have one.",
     "Give the uuid a prefix, such as prefix = \"task_\"."},
    {"NAME-4", kWarning,
     "Key attributes are not called PK, SK, GSI<N>PK and GSI<N>SK in a table of that convention.",
     "Rename the key attributes in the table's declaration."},
    {"PAT-1", kError, "A pattern can return more items at once than the model's guard allows.",
     "Lower limit.max to guard.page_over, or give all_pages a max_items."},
    {"PAT-2", kError, "The guard requires a projection, and the pattern reads whole items.",
     "List the attributes it needs in project."},
    {"PAT-3", kWarning, "No pattern reads this entity.",
     "Declare the pattern that reads it, or remove the entity."},
    {"LOCK-1", kWarning, "A mutable entity has no lock: of two concurrent updates the later silently wins.",
     "Declare lock = { version = \"version\" } on the table or the entity."},
    {"ASM-1", kNote, "The source document is silent here, and the model decides.",
     "Ask whoever owns the document; then remove `assumed`."},
    {"ACC-1", kWarning, "An [[accept]] entry matches no finding.",
     "Remove it: what it acknowledged is gone."},
});

}  // namespace

std::span<const LintCode> LintCodes() { return kCodes; }

const LintCode* FindLintCode(std::string_view code) {
  const auto found =
      std::find_if(kCodes.begin(), kCodes.end(), [&](const LintCode& c) { return c.code == code; });
  return found == kCodes.end() ? nullptr : &*found;
}

std::string_view SeverityName(model::Severity severity) {
  switch (severity) {
    case kError:
      return "error";
    case kWarning:
      return "warning";
    case kNote:
      break;
  }
  return "note";
}

}  // namespace cairn::design
