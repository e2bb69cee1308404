// LIM-1, LIM-2: items above 400 KB, transactions above 100 items.
#include <algorithm>

#include "design/item_bytes.h"
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

struct MirroredList {
  const model::Attribute* attribute;
  size_t mirrors;  // entities that mirror it
};

std::vector<MirroredList> MirroredLists(const model::Model& model, const model::Entity& entity) {
  std::vector<MirroredList> lists;
  for (const model::Attribute& attribute : entity.attributes) {
    const auto mirrors =
        std::count_if(model.entities.begin(), model.entities.end(), [&](const model::Entity& other) {
          return other.mirror && other.mirror->entity == entity.name &&
                 other.mirror->attribute == attribute.name;
        });
    if (mirrors > 0) lists.push_back({&attribute, static_cast<size_t>(mirrors)});
  }
  return lists;
}

// The worst update replaces every element and every unique value: delete and put for each.
void LintTransactionSize(const model::Model& model, const model::Entity& entity, Findings& findings) {
  int64_t items = 1 + 2 * static_cast<int64_t>(entity.uniques.size()) + (entity.owner_parent.empty() ? 0 : 1);
  bool bounded = true;
  const std::vector<MirroredList> lists = MirroredLists(model, entity);
  for (const MirroredList& list : lists) {
    if (list.attribute->limits.length_max) {
      items += 2 * static_cast<int64_t>(list.mirrors) * *list.attribute->limits.length_max;
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
               "an update that replaces everything writes " + std::to_string(items) +
                   " items in one transaction; the limit is 100");
}

}  // namespace

void LintLimits(const model::Model& model, Findings& findings) {
  for (const model::Entity& entity : model.entities) {
    LintItemSize(model, entity, findings);
    LintTransactionSize(model, entity, findings);
  }
}

}  // namespace cairn::design
