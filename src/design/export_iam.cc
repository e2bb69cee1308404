// Two patterns per tenant, because "U#1*" is also the beginning of "U#12"; and a Null condition, because
// ForAllValues holds when a request carries no leading key at all.
#include <algorithm>

#include "design/export.h"
#include "design/findings.h"
#include "design/json_output.h"
#include "design/key_facts.h"

namespace cairn::design {
namespace {

// Keys of a partition as IAM patterns see them: the caller's variable for the tenant, * for everything else.
std::string KeyPattern(const model::Template& key, const std::string& tenant_attribute,
                       const std::string& variable) {
  std::string pattern;
  for (const model::TemplatePart& part : key.parts()) {
    if (part.is_literal()) {
      pattern += part.literal;
    } else if (!tenant_attribute.empty() && part.attribute == tenant_attribute) {
      pattern += "${" + variable + "}";
    } else {
      pattern += "*";
    }
  }
  return pattern;
}

class PolicyWriter {
 public:
  PolicyWriter(const model::Model& model, const IamPolicyOptions& options)
      : model_(model), options_(options) {}

  IamPolicy Write() {
    out_.BeginObject();
    out_.Member("Version", "2012-10-17");
    out_.Key("Statement");
    out_.BeginArray();
    for (size_t table = 0; table < model_.tables.size(); ++table) WriteTable(table);
    out_.EndArray();
    out_.EndObject();
    if (statements_ == 0)
      Remark("the policy grants nothing: no table has a tenant, and no global entity is for everyone");
    return {out_.Take(), std::move(remarks_)};
  }

 private:
  void Remark(std::string sentence) { remarks_.push_back(std::move(sentence)); }

  void WriteTable(size_t position) {
    const model::Table& table = model_.tables[position];
    if (table.tenant) {
      WriteOwnPartitions(position);
    } else {
      Remark("table " + table.name + " has no tenant: it is left to the service");
    }
    WriteSharedReads(position);
  }

  void WriteOwnPartitions(size_t position) {
    const model::Table& table = model_.tables[position];
    for (const model::Entity& entity : model_.entities) {
      if (entity.table != position || model_.TenantOf(entity) == nullptr) continue;
      if (model_.IsTenantScoped(table, entity.pk)) {
        RemarkSecrets(entity);
        continue;
      }
      Remark(entity.name + " lies outside the tenant's partitions (" + entity.pk.text() +
             "): it is left to the service");
    }
    const std::string variable =
        options_.variable.empty() ? "aws:PrincipalTag/" + table.tenant->claim : options_.variable;
    const std::string own = KeyPattern(table.tenant->leading, table.tenant->parameter, variable);
    std::vector<std::string> writes{"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:ConditionCheckItem"};
    if (table.delete_policy == model::DeletePolicy::kAllow) {
      writes.push_back("dynamodb:DeleteItem");
      writes.push_back("dynamodb:BatchWriteItem");  // it deletes, too
    }
    Statement(table, "Read", {"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"},
              {own, own + "#*"}, TenantIndexes(position));
    if (KeepsHistory(position)) {
      Remark("table " + table.name +
             " only ever grows, which no policy enforces: writing is left to the service");
    } else {
      Statement(table, "Write", writes, {own, own + "#*"}, {});
    }
  }

  // Whether all that tenants have in the table is appended: a PutItem could overwrite it.
  bool KeepsHistory(size_t position) const {
    return std::all_of(model_.entities.begin(), model_.entities.end(), [&](const model::Entity& entity) {
      return entity.table != position || model_.TenantOf(entity) == nullptr ||
             entity.write == model::WriteMode::kAppend;
    });
  }

  void RemarkSecrets(const model::Entity& entity) {
    std::vector<std::string> secrets;
    for (const model::Attribute& attribute : entity.attributes) {
      if (attribute.secret) secrets.push_back(attribute.name);
    }
    if (secrets.empty()) return;
    Remark(entity.name + " lies in the caller's partition: whoever has this policy can read its " +
           Enumerate(secrets));
  }

  // The indexes in which every partition of every entity has the tenant's prefix.
  std::vector<std::string> TenantIndexes(size_t position) {
    const model::Table& table = model_.tables[position];
    std::vector<std::string> names;
    for (size_t index = 0; index < table.indexes.size(); ++index) {
      const bool mixed =
          std::any_of(model_.entities.begin(), model_.entities.end(), [&](const model::Entity& entity) {
            const model::EntityIndex* in = entity.table == position ? FindIndex(entity, index) : nullptr;
            return in != nullptr && !model_.IsTenantScoped(table, in->pk);
          });
      if (mixed) {
        Remark("index " + table.indexes[index].name + " of table " + table.name +
               " mixes owners: it is left to the service");
      } else {
        names.push_back(table.indexes[index].name);
      }
    }
    return names;
  }

  void WriteSharedReads(size_t position) {
    const model::Table& table = model_.tables[position];
    std::vector<std::string> patterns;
    for (const model::Entity& entity : model_.entities) {
      if (entity.table != position || entity.scope != model::Scope::kGlobal) continue;
      const std::string pattern = KeyPattern(entity.pk, "", "");
      if (!entity.public_read) {
        Remark(entity.name + " is global and not for everyone: it is left to the service");
      } else if (entity.pk.LiteralPrefix().empty() || ReachesTenants(table, entity.pk)) {
        Remark(entity.name + " cannot be granted by its key (" + entity.pk.text() +
               "): the pattern would also open other partitions");
      } else if (std::find(patterns.begin(), patterns.end(), pattern) == patterns.end()) {
        patterns.push_back(pattern);
      }
    }
    if (!patterns.empty())
      Statement(table, "Shared", {"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"}, patterns,
                {});
  }

  // Whether keys that begin like `pk` can also be a tenant's.
  static bool ReachesTenants(const model::Table& table, const model::Template& pk) {
    if (!table.tenant || pk.IsConstant()) return false;
    const std::string_view mine = pk.LiteralPrefix();
    const std::string_view tenants = table.tenant->leading.LiteralPrefix();
    return mine.starts_with(tenants) || tenants.starts_with(mine);
  }

  void Statement(const model::Table& table, const std::string& what, const std::vector<std::string>& actions,
                 const std::vector<std::string>& leading_keys, const std::vector<std::string>& indexes) {
    ++statements_;
    const std::string arn = "arn:aws:dynamodb:" + (table.region.empty() ? "*" : table.region) + ":*:table/" +
                            PhysicalName(table, options_.stage);
    std::vector<std::string> resources{arn};
    for (const std::string& index : indexes) resources.push_back(arn + "/index/" + index);
    out_.BeginObject();
    out_.Member("Sid", what + SidName(table.name));
    out_.Member("Effect", "Allow");
    out_.Strings("Action", actions);
    out_.Strings("Resource", resources);
    out_.Key("Condition");
    out_.BeginObject();
    out_.Key("ForAllValues:StringLike");
    out_.BeginObject();
    out_.Strings("dynamodb:LeadingKeys", leading_keys);
    out_.EndObject();
    out_.Key("Null");
    out_.BeginObject();
    out_.Member("dynamodb:LeadingKeys", "false");
    out_.EndObject();
    out_.EndObject();
    out_.EndObject();
  }

  // Statement ids are alphanumeric.
  static std::string SidName(const std::string& table) {
    std::string name;
    for (const char c : table) {
      if (std::isalnum(static_cast<unsigned char>(c))) name += c;
    }
    if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
  }

  const model::Model& model_;
  const IamPolicyOptions& options_;
  JsonOutput out_;
  std::vector<std::string> remarks_;
  int statements_ = 0;
};

}  // namespace

IamPolicy CallerPolicy(const model::Model& model, const IamPolicyOptions& options) {
  return PolicyWriter(model, options).Write();
}

}  // namespace cairn::design
