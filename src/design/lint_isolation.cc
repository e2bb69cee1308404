// ISO-1, ISO-2, ISO-3: whose items a partition holds.
#include "design/lint_families.h"

namespace cairn::design {
namespace {

// "U#{userId}*": the prefix is there, but U#1 is also the beginning of U#12.
bool BeginsWithoutEnd(const model::Tenant& tenant, const model::Template& pk) {
  return pk.text().starts_with(tenant.leading.text());
}

std::string WhatIsWrong(const model::Tenant& tenant, const model::Template& pk) {
  const std::string leading = "\"" + tenant.leading.text() + "\"";
  const std::string own = "\"" + pk.text() + "\"";
  if (BeginsWithoutEnd(tenant, pk)) {
    return own + " goes on behind " + leading +
           " without a '#': one tenant's id may be the beginning of another's";
  }
  return own + " does not begin with " + leading;
}

void LintEntity(const model::Model& model, const model::Entity& entity, Findings& findings) {
  const model::Tenant* tenant = model.TenantOf(entity);
  if (tenant == nullptr) return;
  const model::Table& table = model.TableOf(entity);
  if (!model.IsTenantScoped(table, entity.pk)) {
    std::string message = "partition " + WhatIsWrong(*tenant, entity.pk);
    if (!entity.owner_parent.empty()) {
      message += "; only the check of its " + entity.owner_parent + " (verify_owner) protects it";
    }
    findings.Add("ISO-1", entity.pk_where, entity.name, message);
  }
  for (const model::Unique& unique : entity.uniques) {
    if (model.IsTenantScoped(table, unique.pk)) continue;
    findings.Add("ISO-1", model::Severity::kWarning, unique.where, entity.name,
                 "the guard of unique values lies in " + std::string("\"") + unique.pk.text() +
                     "\", outside the tenant: a tenant can find out which values others have");
  }
  for (const model::EntityIndex& in : entity.indexes) {
    if (model.IsTenantScoped(table, in.pk)) continue;
    const model::Index& index = table.indexes[in.index];
    const std::string message = "index partition " + WhatIsWrong(*tenant, in.pk);
    if (in.crosses_tenants) {
      findings.Add("ISO-2", model::Severity::kWarning, in.where, SubjectOf(entity, index),
                   message + "; crosses_tenants says that this is meant");
    } else {
      findings.Add("ISO-2", in.where, SubjectOf(entity, index), message);
    }
  }
}

bool ReadsTenantsWithoutOwner(const model::Model& model, const model::Read& read) {
  const model::Table& table = model.tables[read.table];
  if (!table.tenant || model.IsTenantScoped(table, read.pk)) return false;
  for (const size_t entity : read.entities) {
    if (model.TenantOf(model.entities[entity]) != nullptr) return true;
  }
  return false;
}

void LintPattern(const model::Model& model, const model::Pattern& pattern, Findings& findings) {
  if (pattern.scope != model::Scope::kTenant || pattern.verify_owner) return;
  for (const model::Read& read : pattern.steps) {
    if (!ReadsTenantsWithoutOwner(model, read)) continue;
    findings.Add("ISO-3", read.where, SubjectOf(pattern),
                 "partition \"" + read.pk.text() +
                     "\" names no tenant, and neither scope nor verify_owner says whose "
                     "items may come back");
  }
}

}  // namespace

void LintIsolation(const model::Model& model, Findings& findings) {
  for (const model::Entity& entity : model.entities) LintEntity(model, entity, findings);
  for (const model::Pattern& pattern : model.patterns) LintPattern(model, pattern, findings);
}

}  // namespace cairn::design
