// Whatever sequence of partial updates an entity goes through, what is stored in its index attributes is what
// its rules give when they are computed from scratch. Tried with random updates on every entity of every
// model.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "board_model_for_test.h"
#include "model/check_item.h"
#include "random_values.h"
#include "session_fixture.h"

namespace cairn::model {
namespace {

uint64_t Seed() {
  const char* given = std::getenv("CAIRN_TEST_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
}

class IndexKeys : public SessionTest {
 protected:
  void Try(ModelPtr model, uint64_t seed) {
    SCOPED_TRACE(model->name + ", CAIRN_TEST_SEED=" + std::to_string(seed));
    Start(std::move(model));
    random_values_ = std::make_unique<RandomValues>(seed);
    MakeParents();
    int updates = 0;
    for (const Entity& entity : database_->model().entities) {
      if (!entity.indexes.empty()) updates += TryEntity(entity);
    }
    std::printf("%s: %d updates took effect\n", database_->model().name.c_str(), updates);
    CheckEverything();
  }

 private:
  // The system acting for one owner: may write every entity, but has the claims that fill the owner's
  // attribute.
  Caller Owner() const {
    return Caller::SystemFor({{"sub", "u1"}, {"tenant", "t1"}, {"tenantId", "t1"}, {"session", "u1"}});
  }

  Item RandomValuesOf(const Entity& entity, bool all_required) {
    Item values;
    const Tenant* tenant = database_->model().TenantOf(entity);
    for (const Attribute& attribute : entity.attributes) {
      if ((tenant != nullptr && attribute.name == tenant->parameter) || attribute.automatic != Auto::kNo ||
          attribute.name == entity.lock.version_attribute) {
        continue;
      }
      const bool in_key = InKey(entity, attribute);
      if ((all_required && (attribute.required || in_key)) || random_values_->Coin()) {
        values.Set(attribute.stored_as, random_values_->Value(attribute.type, attribute.limits));
      }
    }
    return values;
  }
  static bool InKey(const Entity& entity, const Attribute& attribute) {
    for (const Template* key : {&entity.pk, &entity.sk}) {
      for (const TemplatePart& part : key->parts()) {
        if (!part.is_literal() && part.lookup == attribute.stored_as) return true;
      }
    }
    return false;
  }

  std::optional<Item> CreateRandom(const Entity& entity) {
    for (int attempt = 0; attempt < 30; ++attempt) {
      Session session(*database_, Owner());
      const Item values = RandomValuesOf(entity, true);
      auto created = session.Create(entity, values);
      if (!created) {
        last_failure_ = created.error().error.message;
        continue;
      }
      auto committed = SyncWait(session.Commit());
      if (committed) return committed->values.front();
      last_failure_ = committed.error().error.message;
      const auto& conflicts = committed.error().conflicts;
      if (!conflicts.empty() &&
          conflicts[0].kind == ConflictKind::kAlreadyExists) {  // there is but one of its kind
        Session cleaner(*database_, Owner());
        if (cleaner.Delete(entity, values)) (void)SyncWait(cleaner.Commit());
      }
    }
    return std::nullopt;
  }

  // What references may point at.
  void MakeParents() {
    for (int round = 0; round < 3; ++round) {
      for (const Entity& entity : database_->model().entities) {
        if (entity.mirror || !entity.owner_parent.empty()) continue;
        const Attribute* id = nullptr;
        for (const Template* key : {&entity.pk, &entity.sk}) {
          for (const TemplatePart& part : key->parts()) {
            if (!part.is_literal()) id = entity.FindStored(part.lookup);
          }
        }
        const auto created = CreateRandom(entity);
        const AttributeValue* value = created && id ? created->Find(id->stored_as) : nullptr;
        if (value != nullptr && value->is(item::Type::kString))
          random_values_->pool[entity.name].push_back(value->string());
      }
    }
  }

  int TryEntity(const Entity& entity) {
    if (entity.mirror) return 0;
    int done = 0;
    for (int one = 0; one < 3; ++one) {
      clock_.Advance(std::chrono::milliseconds(7));
      const auto created = CreateRandom(entity);
      EXPECT_TRUE(created) << entity.name << ": " << last_failure_;
      if (!created) return done;
      if (entity.write == WriteMode::kAppend || entity.write == WriteMode::kOnce) continue;
      for (int step = 0; step < 20; ++step) {
        clock_.Advance(std::chrono::milliseconds(11));
        done += TryUpdate(entity, *created) ? 1 : 0;
        ExpectRight(entity, *created);
      }
    }
    return done;
  }

  bool TryUpdate(const Entity& entity, const Item& created) {
    Item key;
    Changes changes;
    for (const Attribute& attribute : entity.attributes) {
      const AttributeValue* value = created.Find(attribute.stored_as);
      if (InKey(entity, attribute)) {
        if (value != nullptr) key.Set(attribute.stored_as, *value);
      } else if (attribute.immutable || attribute.automatic != Auto::kNo ||
                 attribute.name == entity.lock.version_attribute) {
        continue;
      } else if (random_values_->Below(4) == 0) {
        if (!attribute.required && random_values_->Coin())
          changes.remove.push_back(attribute.stored_as);
        else
          changes.set.Set(attribute.stored_as, random_values_->Value(attribute.type, attribute.limits));
      }
    }
    Session session(*database_, Owner());
    const bool load_first = random_values_->Coin();
    if (load_first) {
      EXPECT_TRUE(SyncWait(session.Get(entity, key)));
    }
    auto staged = session.Update(entity, key, changes);
    if (!staged) return Refused(entity, staged.error());
    auto committed = SyncWait(session.Commit());
    return committed ? true : Refused(entity, committed.error());
  }

  bool Refused(const Entity& entity, const Failure& failure) {
    if (std::getenv("CAIRN_TEST_SHOW_REFUSALS") != nullptr) {
      std::printf("%s: %s\n", entity.name.c_str(), failure.error.message.c_str());
    }
    return false;
  }

  void ExpectRight(const Entity& entity, const Item& created) {
    Session session(*database_, Owner());
    Item key;
    for (const Attribute& attribute : entity.attributes) {
      const AttributeValue* value = created.Find(attribute.stored_as);
      if (InKey(entity, attribute) && value != nullptr) key.Set(attribute.stored_as, *value);
    }
    auto record = SyncWait(session.Get(entity, key));
    ASSERT_TRUE(record) << record.error().error.message;
    if (!*record) return;  // its time to live has passed
    const ItemCheck check = CheckItem(*database_, entity.table, (*record)->packed());
    for (const ItemFinding& finding : check.findings) {
      ADD_FAILURE() << entity.name << "." << finding.attribute << " " << finding.message;
    }
  }

  void CheckEverything() {
    for (size_t table = 0; table < database_->model().tables.size(); ++table) {
      store::ScanRequest request;
      request.table = database_->physical_name(table);
      const auto page = SyncWait(engine_->Scan(request));
      ASSERT_TRUE(page);
      for (const item::PackedItem& item : page->items) {
        const ItemCheck check = CheckItem(*database_, table, item);
        EXPECT_TRUE(check.entity != nullptr || check.guard);
        for (const ItemFinding& finding : check.findings) {
          ADD_FAILURE() << (check.entity ? check.entity->name : "?") << "." << finding.attribute << " "
                        << finding.message;
        }
      }
    }
  }

  std::unique_ptr<RandomValues> random_values_;
  std::string last_failure_;
};

TEST_F(IndexKeys, StayRightUnderRandomUpdatesOfTheTestModel) { Try(LoadOrDie(kBoardModel), Seed()); }

TEST_F(IndexKeys, StayRightUnderRandomUpdatesOfEveryModel) {
  int models = 0;
  for (const auto& file : std::filesystem::directory_iterator(CAIRN_MODELS)) {
    if (file.path().extension() != ".toml") continue;
    auto model = LoadModel(file.path().string());
    ASSERT_TRUE(model) << ToString(model.error().front());
    Try(*model, Seed());
    ++models;
  }
  EXPECT_EQ(models, 6);
}

}  // namespace
}  // namespace cairn::model
