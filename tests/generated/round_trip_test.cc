// Every entity of every model: random valid items become typed values and items again, and nothing is lost.
// Wrong types are noticed whichever attribute has them.
#include "item/random_item_for_test.h"
#include "models/commitcollect.h"
#include "models/diatonic.h"
#include "models/nexus.h"
#include "models/personal_os.h"
#include "models/values.h"
#include "random_values.h"

namespace cairn::models {
namespace {

namespace typed = model::typed;
using typed::TypeList;

item::Item RandomItem(model::RandomValues& random, const model::Entity& entity) {
  item::Item item;
  for (const model::Attribute& attribute : entity.attributes) {
    if (attribute.required || random.Coin()) {
      item.Set(attribute.stored_as, random.Value(attribute.type, attribute.limits));
    }
  }
  return item;
}

template <class T>
void ExpectRoundTrip(const item::Item& item) {
  const auto read = typed::FromItem<T>(item);
  ASSERT_TRUE(read) << read.error().message;
  const item::Item again = read->ToItem();
  EXPECT_TRUE(again == item) << T::kEntity.name;
  const auto twice = typed::FromItem<T>(again);
  ASSERT_TRUE(twice);
  EXPECT_TRUE(*twice == *read) << T::kEntity.name;
}

// No attribute is of type B.
template <class T>
void ExpectEveryDamageIsNoticed(const model::Entity& entity, const item::Item& item) {
  for (const model::Attribute& attribute : entity.attributes) {
    item::Item damaged = item;
    damaged.Set(attribute.stored_as, item::Binary{"x"});
    const auto read = typed::FromItem<T>(damaged);
    ASSERT_FALSE(read) << entity.name << "." << attribute.name;
    EXPECT_EQ(read.error().code, Code::kDamaged);
    EXPECT_TRUE(read.error().message.starts_with(entity.name + "." + attribute.stored_as + " must be "))
        << read.error().message;
    damaged.Remove(attribute.stored_as);
    if (attribute.required) continue;
    EXPECT_TRUE(typed::FromItem<T>(damaged)) << entity.name << "." << attribute.name;
  }
}

template <class... Entities>
size_t TryAll(model::RandomValues& random, const model::Model& model, TypeList<Entities...>) {
  EXPECT_EQ(sizeof...(Entities), model.entities.size());
  const auto attempt = [&]<class T>() {
    const model::Entity& entity = model.entities[T::kEntity.position];
    EXPECT_EQ(entity.name, T::kEntity.name);
    for (int i = 0; i < 20; ++i) ExpectRoundTrip<T>(RandomItem(random, entity));
    ExpectEveryDamageIsNoticed<T>(entity, RandomItem(random, entity));
  };
  (attempt.template operator()<Entities>(), ...);
  return sizeof...(Entities);
}

TEST(RoundTrip, EveryEntityOfEveryModel) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  model::RandomValues random(seed);
  size_t entities = 0;
  entities += TryAll(random, *commitcollect::LoadModel(), commitcollect::Entities());
  entities += TryAll(random, *diatonic::LoadModel(), diatonic::Entities());
  entities += TryAll(random, *nexus::LoadModel(), nexus::Entities());
  entities += TryAll(random, *personal_os::LoadModel(), personal_os::Entities());
  entities += TryAll(random, *values::LoadModel(), values::Entities());
  EXPECT_GT(entities, 80u);
}

TEST(EmbeddedModel, HashIsThatOfTheCode) {
  EXPECT_EQ(commitcollect::LoadModel()->hash, commitcollect::kModelHash);
  EXPECT_EQ(diatonic::LoadModel()->hash, diatonic::kModelHash);
  EXPECT_EQ(nexus::LoadModel()->hash, nexus::kModelHash);
  EXPECT_EQ(personal_os::LoadModel()->hash, personal_os::kModelHash);
  EXPECT_EQ(values::LoadModel()->hash, values::kModelHash);
}

}  // namespace
}  // namespace cairn::models
