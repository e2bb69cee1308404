// LIM-1, LIM-2, LIM-3: items above 400 KB, transactions above 100 items, keys that are too long.
#include <algorithm>

#include "design/item_bytes.h"
#include "design/key_facts.h"
#include "design/lint_families.h"
#include "item/item_size.h"

namespace cairn::design {
namespace {

constexpr int64_t kTransactionItemsMax = 100;

std::vector<std::string> Names(const std::vector<const model::Attribute*>& attributes) {
  std::vector<std::string> names;
  for (const model::Attribute* attribute : attributes) names.push_back(attribute->name);
  return names;
}

std::string Unbounded(const std::vector<std::string>& names) {
  return "nothing bounds " + Enumerate(names) + ": an item can outgrow 400 KB";
}

void LintItemSize(const model::Model& model, const model::Entity& entity, Findings& findings) {
  ItemEstimate estimate = EstimateItem(model, entity);
  // What all entities of a table share is said once, about the table.
  std::vector<const model::Attribute*> common;
  std::erase_if(estimate.unbounded, [&](const model::Attribute* attribute) {
    if (!IsCommon(model, entity, *attribute)) return false;
    common.push_back(attribute);
    return true;
  });
  for (const model::Attribute* attribute : common) {
    findings.Add("LIM-1", attribute->where, SubjectOf(model.TableOf(entity)), Unbounded({attribute->name}));
  }
  if (!estimate.unbounded.empty()) {
    findings.Add("LIM-1", entity.where, entity.name, Unbounded(Names(estimate.unbounded)));
  } else if (estimate.bytes.most && *estimate.bytes.most > static_cast<int64_t>(item::kItemBytesMax)) {
    findings.Add("LIM-1", entity.where, entity.name,
                 "with all attributes at their longest an item has " +
                     std::to_string(*estimate.bytes.most / 1024) + " KB; the limit is 400 KB");
  }
}

// DynamoDB's bounds; a write with a longer key is refused.
constexpr int64_t kPartitionKeyBytesMax = 2048;
constexpr int64_t kSortKeyBytesMax = 1024;

void LintKeySize(const model::Entity& entity, const KeyTemplate& key, int64_t bytes_max, Findings& findings) {
  int64_t most = 0;
  for (const model::TemplatePart& part : key.key->parts()) {
    if (part.is_literal()) {
      most += static_cast<int64_t>(part.literal.size());
      continue;
    }
    const model::Attribute* attribute = AttributeOf(entity, part);
    const bool in_digits = part.format != model::Format::kPlain;  // none of them has more
    const ByteEstimate value =
        in_digits ? ByteEstimate{18, 18}
                  : EstimateValue(part.type, attribute == nullptr ? model::ValueLimits{} : attribute->limits);
    if (!value.most) {
      findings.Add("LIM-3", key.where, key.subject,
                   "nothing bounds " + part.attribute + " in " + key.role + " \"" + key.key->text() +
                       "\": a key of more than " + std::to_string(bytes_max) + " bytes is refused");
      return;
    }
    most += *value.most * (part.escape == model::Escape::kPercent ? 3 : 1);
  }
  if (most <= bytes_max) return;
  findings.Add("LIM-3", key.where, key.subject,
               key.role + " \"" + key.key->text() + "\" can have " + std::to_string(most) +
                   " bytes: one of more than " + std::to_string(bytes_max) + " is refused");
}

struct MirroredList {
  const model::Attribute* attribute;
  int64_t items_per_element;  // in the worst update, which replaces every element
};

// The link that goes, the link that comes and, where links check their parent, the parent of the one that
// comes. What is written anyway needs no check.
int64_t ItemsPerElement(const model::Entity& source, const model::Entity& mirror) {
  const bool checks = !mirror.owner_parent.empty() && mirror.owner_parent != source.name;
  return checks ? 3 : 2;
}

std::vector<MirroredList> MirroredLists(const model::Model& model, const model::Entity& entity) {
  std::vector<MirroredList> lists;
  for (const model::Attribute& attribute : entity.attributes) {
    int64_t items = 0;
    for (const model::Entity& other : model.entities) {
      const bool mirrors =
          other.mirror && other.mirror->entity == entity.name && other.mirror->attribute == attribute.name;
      if (mirrors) items += ItemsPerElement(entity, other);
    }
    if (items > 0) lists.push_back({&attribute, items});
  }
  return lists;
}

// The worst update replaces every element and every unique value, which is a guard that goes and one that
// comes.
void LintTransactionSize(const model::Model& model, const model::Entity& entity, Findings& findings) {
  int64_t items = 1 + 2 * static_cast<int64_t>(entity.uniques.size());
  bool bounded = true;
  const std::vector<MirroredList> lists = MirroredLists(model, entity);
  for (const MirroredList& list : lists) {
    if (list.attribute->limits.length_max) {
      items += list.items_per_element * *list.attribute->limits.length_max;
      continue;
    }
    bounded = false;
    findings.Add(
        "LIM-2", list.attribute->where, SubjectOf(model, entity, *list.attribute),
        "each element of " + list.attribute->name +
            " is an item of the same transaction, and nothing bounds their number: the limit is 100");
  }
  if (!bounded || items <= kTransactionItemsMax) return;
  findings.Add("LIM-2", lists.empty() ? entity.where : lists.front().attribute->where, entity.name,
               "an update that replaces everything needs " + std::to_string(items) +
                   " items in one transaction; the limit is 100");
}

}  // namespace

void LintLimits(const model::Model& model, Findings& findings) {
  for (const model::Entity& entity : model.entities) {
    LintItemSize(model, entity, findings);
    LintTransactionSize(model, entity, findings);
    for (const KeyTemplate& key : PartitionKeys(model, entity))
      LintKeySize(entity, key, kPartitionKeyBytesMax, findings);
    for (const KeyTemplate& key : SortKeys(model, entity))
      LintKeySize(entity, key, kSortKeyBytesMax, findings);
  }
}

}  // namespace cairn::design
