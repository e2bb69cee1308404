#include "models/diatonic.h"

#include "generated_fixture.h"

namespace cairn::models::diatonic {
namespace {

using testing::ElementsAre;

class DiatonicTest : public ModelTest<&LoadModel> {
 protected:
  model::Session Member(std::string tenant) {
    return {*database_, model::Caller::User({{"tenantId", std::move(tenant)}, {"sub", "ada"}})};
  }
};

TEST_F(DiatonicTest, CourseHasItsAttrs) {
  auto session = Member("acme");
  Course course{.name = "Counterpoint", .slug = "counterpoint", .name_key = "counterpoint"};
  course.attrs = CourseAttrs{.title = "Counterpoint", .rating = *item::Number::Parse("4.5")};
  course = Value(CreateCourse(session, course));
  EXPECT_EQ(course.tenant_id, "acme");
  EXPECT_EQ(course.status, Status::kDraft);
  EXPECT_EQ(course.version, 1);
  Commit(session);
  EXPECT_EQ(Value(GetCourse(session, KeyOf(course))), course);
  const auto raw = Raw({{"PK", "T#acme#COURSE#" + *course.course_id}, {"SK", "META"}});
  ASSERT_TRUE(raw);
  EXPECT_EQ(model::Text(*raw, "EntityId"), course.course_id) << "under its stored name";

  Staged(UpdateCourse(session, KeyOf(course),
                      CourseChanges().SetStatus("archived").SetAttrs({.title = "Fugue"}).ClearOwnerId(), 1));
  Commit(session);
  const std::optional<Course> changed = Value(GetCourse(session, KeyOf(course)));
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->status, "archived") << "an open enum";
  EXPECT_EQ(changed->attrs, CourseAttrs{.title = "Fugue"});
  auto other = Member("other");
  EXPECT_EQ(Value(GetCourse(other, KeyOf(course))), std::nullopt);
}

TEST_F(DiatonicTest, SlugsAreUnique) {
  auto session = Member("acme");
  Value(CreateCourse(session, Course{.slug = "fugue", .name_key = "fugue"}));
  Commit(session);
  Value(CreateCourse(session, Course{.slug = "fugue", .name_key = "fugue two"}));
  const auto second = SyncWait(session.Commit());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().conflicts.front().kind, model::ConflictKind::kUnique);
}

TEST_F(DiatonicTest, CourseWithContentsIsOneVariant) {
  auto session = Member("acme");
  const Course course = Value(CreateCourse(session, Course{.name_key = "fugue"}));
  Value(CreateModule(session, Module{.course_id = *course.course_id, .attrs = ModuleAttrs{.order = 1}}));
  Value(CreateLesson(session, Lesson{.course_id = *course.course_id}));
  Commit(session);
  std::vector<std::string> kinds;
  for (const CourseWithContentsItem& item :
       Value(ReadCourseWithContents(session, {.course_id = *course.course_id})).items) {
    kinds.push_back(std::visit([](const auto& entity) { return std::string(entity.kEntity.name); }, item));
  }
  EXPECT_THAT(kinds, ElementsAre("Lesson", "Course", "Module"));
}

TEST_F(DiatonicTest, EverythingAUserOwns) {
  auto session = Member("acme");
  Value(CreateCourse(session, Course{.owner_id = "ada", .name_key = "fugue"}));
  Value(CreateProject(session, Project{.owner_id = "ada"}));
  Commit(session);
  const auto page = Value(ReadOwnedByUser(session, {.user_id = "ada"}));
  ASSERT_EQ(page.items.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<Course>(page.items.front()));
  EXPECT_TRUE(std::holds_alternative<Project>(page.items.back()));
}

}  // namespace
}  // namespace cairn::models::diatonic
