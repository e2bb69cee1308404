// Exports: a model in the forms that other tools read. Pure: model in, text out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/definition.h"

namespace cairn::design {

// "personal-os-{stage}" and stage "dev" make "personal-os-dev"; {env} likewise.
std::string PhysicalName(const model::Table& table, std::string_view stage);

// A CloudFormation template with one AWS::DynamoDB::Table per table: keys, indexes, time to live, streams.
// Table names with {env} or {stage} take the parameter Stage, whose default is `stage`.
std::string CloudFormation(const model::Model& model, std::string_view stage);

// A NoSQL Workbench data model (version 3.0): tables with a facet per entity and two sample items of each.
std::string Workbench(const model::Model& model, std::string_view stage);

struct IamPolicyOptions {
  std::string stage = "dev";
  // The policy variable that holds the caller's id, without ${}; "": aws:PrincipalTag/<claim of the tenant>.
  std::string variable;
};
struct IamPolicy {
  std::string json;
  // What the policy does not grant, and why: for people.
  std::vector<std::string> remarks;
};
// What a signed-in caller may do by itself: read and write its own partitions (dynamodb:LeadingKeys), read
// the global entities that are for everyone. Never Scan, never PartiQL.
IamPolicy CallerPolicy(const model::Model& model, const IamPolicyOptions& options);

}  // namespace cairn::design
