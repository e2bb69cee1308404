// PartitionMap: how the partitions of a model hang together, so that one can go from an item to what it is
// about. Two things tell it:
// - key templates that go on from one another: an item of U#{userId} that has a revId leads to
//   U#{userId}#VALUES#{revId}, and that partition back to U#{userId};
// - patterns in steps: {head.headRevId} leads from a HEAD to the snapshot it points at.
// Made once for a model; pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/definition.h"
#include "model/record.h"

namespace cairn::data_api {

struct Link {
  size_t table = 0;                   // position in Model::tables
  std::string partition;              // the key
  std::vector<std::string> entities;  // what may be found there
};

class PartitionMap {
 public:
  // The model must outlive this.
  explicit PartitionMap(const model::Model& model);

  // Other partitions that the item leads to, in the order of the model.
  std::vector<Link> LinksOf(const model::Record& record) const;
  // Partitions whose key is a beginning of this one, outermost first.
  std::vector<Link> ParentsOf(size_t table, std::string_view partition) const;

 private:
  // Entities that share the form of their partition key.
  struct Form {
    size_t table = 0;
    model::Template pk;
    std::vector<std::string> entities;
  };
  // How to make a partition key of an entity's attributes.
  struct Way {
    size_t table = 0;
    model::Template pk;
    std::vector<std::pair<std::string, std::string>> values;  // stored name in the item, name in the template
    std::vector<std::string> entities;
  };

  void AddForms();
  void AddNested(const model::Entity& entity);
  void AddSteps(const model::Pattern& pattern);
  void AddWay(const model::Entity& entity, size_t table, const model::Template& pk,
              std::vector<std::string> entities);

  const model::Model& model_;
  std::vector<Form> forms_;
  std::map<const model::Entity*, std::vector<Way>> ways_;
};

}  // namespace cairn::data_api
