#include "model/definition.h"

#include <gtest/gtest.h>

namespace cairn::model {
namespace {

Template Key(std::string_view text) { return Template::Parse(text).value(); }

Model TwoEntities() {
  Model model;
  model.tables.push_back({.name = "core", .physical_name = "App"});
  model.tables[0].tenant = Tenant{.parameter = "userId", .leading = Key("USER#{userId}"), .claim = "sub"};
  Entity task{.name = "Task"};
  task.attributes.push_back({.name = "id", .stored_as = "Id"});
  model.entities.push_back(std::move(task));
  model.entities.push_back({.name = "Plan", .scope = Scope::kGlobal});
  model.patterns.push_back({.name = "tasks"});
  return model;
}

TEST(Model, FindsByName) {
  const Model model = TwoEntities();
  EXPECT_EQ(model.FindEntity("Plan"), &model.entities[1]);
  EXPECT_EQ(model.FindEntity("plan"), nullptr);
  EXPECT_EQ(model.FindPattern("tasks"), &model.patterns[0]);
  EXPECT_EQ(model.FindPattern(""), nullptr);
  EXPECT_EQ(model.FindTable("core"), &model.tables[0]);
  EXPECT_EQ(model.FindTable("App"), nullptr);
}

TEST(Entity, FindsAttributesByBothNames) {
  const Model model = TwoEntities();
  const Entity& task = model.entities[0];
  EXPECT_EQ(task.Find("id"), &task.attributes[0]);
  EXPECT_EQ(task.Find("Id"), nullptr);
  EXPECT_EQ(task.FindStored("Id"), &task.attributes[0]);
  EXPECT_EQ(task.FindStored("id"), nullptr);
}

TEST(Model, GlobalEntitiesHaveNoTenant) {
  Model model = TwoEntities();
  EXPECT_EQ(model.TenantOf(model.entities[0]), &*model.tables[0].tenant);
  EXPECT_EQ(model.TenantOf(model.entities[1]), nullptr);
  model.tables[0].tenant.reset();
  EXPECT_EQ(model.TenantOf(model.entities[0]), nullptr);
}

TEST(Model, PartitionIsTenantScopedWhenItBeginsWithTheLeadingTemplate) {
  const Model model = TwoEntities();
  const Table& table = model.tables[0];
  for (const std::string_view scoped : {"USER#{userId}", "USER#{userId}#TASK", "USER#{userId}#{taskId}"}) {
    EXPECT_TRUE(model.IsTenantScoped(table, Key(scoped))) << scoped;
  }
  for (const std::string_view open :
       {"USER#", "USER#{taskId}", "USERS#{userId}", "XUSER#{userId}", "USER#{userId}X",
        "USER#{userId}{taskId}", "USER#{userId:06d}", "{userId}", "TASK#{taskId}#USER#{userId}",
        "USER#{head.userId}", "USER#X{userId}"}) {
    EXPECT_FALSE(model.IsTenantScoped(table, Key(open))) << open;
  }
  EXPECT_FALSE(model.IsTenantScoped(table, Template()));
}

TEST(Model, LeadingTemplateMayEndWithFixedText) {
  Model model = TwoEntities();
  model.tables[0].tenant->leading = Key("T#{userId}#");
  EXPECT_TRUE(model.IsTenantScoped(model.tables[0], Key("T#{userId}#A")));
  EXPECT_FALSE(model.IsTenantScoped(model.tables[0], Key("T#{userId}")));
  model.tables[0].tenant->leading = Key("T#{userId}#DATA");
  EXPECT_TRUE(model.IsTenantScoped(model.tables[0], Key("T#{userId}#DATA#X")));
  EXPECT_TRUE(model.IsTenantScoped(model.tables[0], Key("T#{userId}#DATA")));
  EXPECT_FALSE(model.IsTenantScoped(model.tables[0], Key("T#{userId}#DATAX")));
}

TEST(Model, WithoutATenantNothingIsScoped) {
  Model model = TwoEntities();
  model.tables[0].tenant.reset();
  EXPECT_FALSE(model.IsTenantScoped(model.tables[0], Key("USER#{userId}")));
}

}  // namespace
}  // namespace cairn::model
